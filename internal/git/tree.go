package git

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// ErrNoRepository says that no git manages the files of a folder: it is in no
// repository, or in one without a work tree.
var ErrNoRepository = errors.New("no git repository manages the files of this folder")

// maxFiles is how many files of a work tree are compared. A larger one takes seconds
// each time, and most likely git is not meant to see all of it.
const maxFiles = 200_000

// Modes of git, beside Regular.
const (
	executable Mode = 0o100755
	symlink    Mode = 0o120000
	submodule  Mode = 0o160000
)

// Work says which files a work tree has.
type Work struct {
	Top    string // the root of the work tree
	Commit string // HEAD; empty: it has none yet
	Tree   string // the id that git would give to all files as they are now, without the board
	Dirty  bool   // HEAD has other files, or some that a sparse checkout left out, the board not counted
}

// WorkTree says which files the work tree around a folder has, without those of a
// board: see [Tree.Work]. A folder that is in none: ErrNoRepository.
func WorkTree(ctx context.Context, dir, board string) (Work, error) {
	t, err := Find(ctx, dir)
	if r := (*refusal)(nil); errors.As(err, &r) && strings.Contains(r.said, "cannot use bare repository") {
		return Work{}, ErrNoRepository
	}
	if err != nil {
		return Work{}, err
	}
	if t == nil {
		return Work{}, ErrNoRepository
	}
	return t.Work(ctx, board)
}

// Work says which files a work tree has, tracked or not, but not ignored, and without
// the folder of a board. Its Tree is the id of the tree that a commit of all of them
// would have, so that it stays the same when somebody commits them.
//
// Nothing is written: neither an object nor the index nor a lock. The ids of trees are
// computed here, and git says three things: what the index has, which of these files
// look changed, and which others there are. Only those that are changed or new are
// read. No filter is started: a file that has one, as those of git-lfs have, counts by
// the id in the index as long as it looks unchanged, and else by its plain content.
// Git's own conversions, such as ends of lines, apply here too.
//
// A submodule, or another repository inside, counts by its commit: changes in it that
// are not committed are not seen.
func (t *Tree) Work(ctx context.Context, board string) (Work, error) {
	var w Work
	var err error
	for range 3 { // while others write, a file can vanish between two questions
		if w, err = t.work(ctx, board); err == nil || !isRefusal(err) || ctx.Err() != nil {
			return w, err
		}
	}
	return w, err
}

func (t *Tree) work(ctx context.Context, board string) (Work, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &census{tree: t, known: map[string]bool{}}
	if names := t.below([]string{board}); len(names) > 0 {
		c.board = strings.TrimSuffix(names[0], "/")
	}
	var index, changed, others, config string
	var h head
	if err := together(
		func() (err error) {
			index, err = t.list(ctx, "ls-files", "--stage", "-v", "-z")
			return err
		},
		func() (err error) {
			var env []string
			if env, config, err = t.quietConfig(ctx); err != nil {
				return err
			}
			c.env = env
			changed, err = t.run(ctx, call{env: env, patience: longPatience, limit: maxList}, "diff-files", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty")
			return err
		},
		func() (err error) {
			args := []string{"ls-files", "--others", "--exclude-standard", "-z"}
			if rule, ok := Pattern(t.Root, filepath.Join(t.Root, filepath.FromSlash(c.board))); ok && c.board != "" {
				args = append(args, "--exclude="+rule) // so that it is not even read
			}
			others, err = t.list(ctx, args...)
			return err
		},
		func() (err error) {
			h, err = t.head(ctx, c.board)
			return err
		},
	); err != nil {
		return Work{}, err
	}
	c.mode, c.links = flag(config, "core.filemode"), flag(config, "core.symlinks")
	if h.commit == "" {
		zeros, err := t.zeros(ctx, nil)
		if err != nil {
			return Work{}, err
		}
		h.tree = treeID(nil, len(zeros))
	}
	c.size = len(h.tree)
	if err := c.take(index, changed, others); err != nil {
		return Work{}, err
	}
	if err := c.hash(ctx); err != nil {
		return Work{}, err
	}
	slices.SortFunc(c.entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	id := treeOf(c.entries, 0, c.size)
	return Work{Top: t.Root, Commit: h.commit, Tree: id, Dirty: id != h.tree || c.absent}, nil
}

// together runs questions at the same time, and returns the first error.
func together(questions ...func() error) error {
	errs := make([]error, len(questions))
	var all sync.WaitGroup
	for i, ask := range questions {
		all.Go(func() { errs[i] = ask() })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) list(ctx context.Context, args ...string) (string, error) {
	return t.run(ctx, call{patience: longPatience, limit: maxList}, args...)
}

// quietConfig is withoutFilters, with what the configuration says of modes and links.
func (t *Tree) quietConfig(ctx context.Context) (env []string, config string, err error) {
	if env, err = t.withoutFilters(ctx); err != nil {
		return nil, "", err
	}
	config, err = t.ask(ctx, nil, "config", "-z", "--get-regexp", `^core\.(filemode|symlinks)$`)
	if isExit(err, 1) { // neither is set
		err = nil
	}
	return env, config, err
}

// flag reads a setting that is true unless the last line of it says otherwise.
func flag(config, key string) bool {
	on := true
	for entry := range strings.SplitSeq(config, "\x00") {
		name, value, set := strings.Cut(entry, "\n")
		if name == key {
			value = strings.ToLower(value)
			on = !set || value != "false" && value != "no" && value != "off" && value != "0" && value != ""
		}
	}
	return on
}

// A census counts the files of a work tree.
type census struct {
	tree  *Tree
	env   []string // in which git starts no filter
	board string   // from the root, with slashes; empty: it is elsewhere
	mode  bool     // files say themselves whether they are executable
	links bool     // links are links, and not files with a target in them

	entries []Entry
	read    []int           // entries whose content git has to read
	nested  []int           // entries that are other repositories
	known   map[string]bool // folders, and whether they are behind a link
	size    int             // digits of an id
	absent  bool            // an entry stands for a file that is not there
}

// take makes entries of what git has said.
func (c *census) take(index, changed, others string) error {
	looks := map[string]bool{} // changed, as far as git can see without reading
	for fields := strings.Split(changed, "\x00"); len(fields) >= 2; fields = fields[2:] {
		looks[fields[1]] = true
	}
	last := ""
	for line := range strings.SplitSeq(strings.TrimSuffix(index, "\x00"), "\x00") { // H 100644 1a2b… 0<tab>name
		what, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(what)
		if line == "" || c.ofBoard(name) {
			continue
		}
		if len(fields) != 4 {
			return fmt.Errorf("git's answer cannot be read: %q", what)
		}
		mode, err := strconv.ParseUint(fields[1], 8, 32)
		if err != nil || !gitdir.IsID(fields[2]) {
			return fmt.Errorf("git's answer cannot be read: %q", what)
		}
		e := Entry{Name: name, Mode: Mode(mode), ID: fields[2]}
		// Lower case: the index says that nobody need look at it. S: it need not be there.
		// In a conflict, up to three entries stand for the one file that is there.
		sparse := strings.EqualFold(fields[0], "S")
		switch {
		case name == last:
			continue
		case looks[name], sparse, strings.ToLower(fields[0]) == fields[0], fields[3] != "0":
			err = c.look(e, sparse)
		default:
			err = c.add(e)
		}
		if last = name; err != nil {
			return err
		}
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(others, "\x00"), "\x00") {
		if name == "" || c.ofBoard(strings.TrimSuffix(name, "/")) {
			continue
		}
		var err error
		if nested, ok := strings.CutSuffix(name, "/"); ok {
			err = c.add(Entry{Name: nested, Mode: submodule})
			c.nested = append(c.nested, len(c.entries)-1)
		} else {
			err = c.look(Entry{Name: name}, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *census) ofBoard(name string) bool {
	return c.board != "" && (name == c.board || strings.HasPrefix(name, c.board) && name[len(c.board)] == '/')
}

func (c *census) add(e Entry) error {
	if len(c.entries) >= maxFiles {
		return fmt.Errorf("this work tree has more than %d files that git does not ignore", maxFiles)
	}
	c.entries = append(c.entries, e)
	return nil
}

// look adds the file that is there. Where none is, nothing is added, or the entry as it
// is if it need not be there.
func (c *census) look(e Entry, sparse bool) error {
	at := filepath.Join(c.tree.Root, filepath.FromSlash(e.Name))
	info, err := os.Lstat(at)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return err
	case err == nil && !c.linked(path.Dir(e.Name)):
	case sparse:
		c.absent = true
		return c.add(e)
	default:
		return nil
	}
	old := e.Mode
	switch kind := info.Mode(); {
	case kind&fs.ModeSymlink != 0:
		to, err := os.Readlink(at)
		if err != nil {
			return err
		}
		return c.add(Entry{Name: e.Name, Mode: symlink, ID: objectID("blob", []byte(filepath.ToSlash(to)), c.size)})
	case kind.IsDir() && old == submodule:
		c.nested = append(c.nested, len(c.entries))
		return c.add(e)
	case !kind.IsRegular():
		return nil
	case old == symlink && !c.links:
		e.Mode = symlink
	case !c.mode && old.Regular():
		e.Mode = old
	case c.mode && kind&0o100 != 0:
		e.Mode = executable
	default:
		e.Mode = Regular
	}
	c.read = append(c.read, len(c.entries))
	return c.add(e)
}

// linked reports whether a folder, or one above it in the work tree, is a link: what is
// behind it is not in the work tree.
func (c *census) linked(dir string) bool {
	if dir == "." {
		return false
	}
	if known, ok := c.known[dir]; ok {
		return known
	}
	info, err := os.Lstat(filepath.Join(c.tree.Root, filepath.FromSlash(dir)))
	is := c.linked(path.Dir(dir)) || err == nil && info.Mode()&fs.ModeSymlink != 0
	c.known[dir] = is
	return is
}

// hash gives an id to what has none yet.
func (c *census) hash(ctx context.Context) error {
	for _, i := range c.nested {
		id, err := c.tree.nestedHead(ctx, c.entries[i].Name)
		if err != nil {
			return err
		}
		c.entries[i].ID = cmp.Or(id, strings.Repeat("0", c.size))
	}
	if len(c.read) == 0 {
		return nil
	}
	found, err := c.hashFiles(ctx, c.read)
	if err != nil {
		return err
	}
	var unlike []int // files of the index that are not as git would put them there now
	for k, i := range c.read {
		if old := c.entries[i].ID; old != "" && old != found[k] {
			unlike = append(unlike, k)
		}
	}
	// A file that was put there before a rule for its ends of lines is as it was.
	plain := make([]int, len(unlike))
	for j, k := range unlike {
		plain[j] = c.read[k]
	}
	asIs, err := c.hashFiles(ctx, plain, "--no-filters")
	if err != nil {
		return err
	}
	for j, k := range unlike {
		if e := c.entries[c.read[k]]; asIs[j] == e.ID || e.Mode == symlink {
			found[k] = asIs[j]
		}
	}
	for k, i := range c.read {
		c.entries[i].ID = found[k]
	}
	return nil
}

// hashFiles asks git what ids files would have, and writes none of them.
func (c *census) hashFiles(ctx context.Context, which []int, options ...string) ([]string, error) {
	if len(which) == 0 {
		return nil, nil
	}
	var in bytes.Buffer
	for _, i := range which {
		in.WriteString(cQuote(c.entries[i].Name) + "\n")
	}
	out, err := c.tree.run(ctx, call{env: c.env, stdin: in.Bytes(), patience: longPatience, limit: maxList}, append([]string{"hash-object", "--stdin-paths"}, options...)...)
	if err != nil {
		return nil, err
	}
	found := strings.Fields(out)
	if len(found) != len(which) {
		return nil, fmt.Errorf("git read %d of %d files", len(found), len(which))
	}
	return found, ids(found...)
}

// cQuote quotes a name as git reads it on one line.
func cQuote(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// nestedHead is the commit of a repository inside of the work tree; empty: it has none,
// or git refuses to read it.
func (t *Tree) nestedHead(ctx context.Context, name string) (string, error) {
	inner := &Tree{Root: filepath.Join(t.Root, filepath.FromSlash(name)), git: t.git}
	out, err := inner.run(ctx, call{env: []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(inner.Root)}, patience: patience, limit: maxAnswer}, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")
	if isRefusal(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(out)
	return id, ids(id)
}

// A head is what HEAD has.
type head struct {
	commit string
	tree   string // without the board
}

// head reads HEAD. Without a commit there is no tree.
func (t *Tree) head(ctx context.Context, board string) (head, error) {
	o, err := t.open(ctx)
	if err != nil {
		return head{}, err
	}
	defer o.close()
	commit, _, err := o.read("HEAD^{commit}", maxList)
	if err != nil || commit.kind != "commit" {
		return head{}, err
	}
	var names []string
	if board != "" {
		names = strings.Split(board, "/")
	}
	id, err := o.without(commit.id+"^{tree}", names)
	if err == nil && id == "" { // it had nothing but the board
		id = treeID(nil, len(commit.id))
	}
	return head{commit.id, id}, err
}

// without is the id that a tree has without one path; empty: nothing is left of it.
func (o *objects) without(tree string, names []string) (string, error) {
	at, raw, err := o.read(tree, maxList)
	if err != nil {
		return "", err
	}
	if at.kind != "tree" {
		return "", fmt.Errorf("this clone has no object %s", tree)
	}
	if len(names) == 0 {
		return at.id, nil
	}
	entries, err := entriesOf(raw, len(at.id)/2)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == names[0] })
	switch {
	case i < 0, len(names) > 1 && entries[i].Mode != 0o40000:
		return at.id, nil
	case len(names) == 1:
		entries = slices.Delete(entries, i, i+1)
	default:
		below, err := o.without(entries[i].ID, names[1:])
		if err != nil {
			return "", err
		}
		if entries[i].ID = below; below == "" {
			entries = slices.Delete(entries, i, i+1)
		}
	}
	if len(entries) == 0 {
		return "", nil
	}
	return treeID(entries, len(at.id)), nil
}

// treeOf is the id of a folder of sorted entries, whose names go on at from.
func treeOf(entries []Entry, from, size int) string {
	var folder []Entry
	for len(entries) > 0 {
		name, _, deeper := strings.Cut(entries[0].Name[from:], "/")
		if !deeper {
			folder = append(folder, Entry{Name: name, Mode: entries[0].Mode, ID: entries[0].ID})
			entries = entries[1:]
			continue
		}
		prefix := entries[0].Name[:from+len(name)+1]
		n := 1
		for n < len(entries) && strings.HasPrefix(entries[n].Name, prefix) {
			n++
		}
		folder = append(folder, Entry{Name: name, Mode: 0o40000, ID: treeOf(entries[:n], len(prefix), size)})
		entries = entries[n:]
	}
	return treeID(folder, size)
}

// treeID is the id of a tree as git stores it: mode, space, name, zero, id in bytes.
func treeID(entries []Entry, size int) string { return objectID("tree", treeBytes(entries), size) }

func treeBytes(entries []Entry) []byte {
	var b []byte
	for _, e := range entries {
		b = fmt.Appendf(b, "%o %s\x00", uint32(e.Mode), e.Name)
		b, _ = hex.AppendDecode(b, []byte(e.ID))
	}
	return b
}

// objectID is the id that git gives to an object.
func objectID(kind string, body []byte, size int) string {
	var h hash.Hash
	if size == 2*sha256.Size {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	fmt.Fprintf(h, "%s %d\x00", kind, len(body))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}
