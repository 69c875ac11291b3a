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
	"strings"
	"sync"
	"syscall"
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
	err := undisturbed(ctx, func() (err error) {
		w, err = t.work(ctx, board)
		return err
	})
	return w, err
}

// undisturbed asks again what git refused to answer: while others write, a file can vanish
// between two questions.
func undisturbed(ctx context.Context, ask func() error) (err error) {
	for range 3 {
		if err = ask(); !isRefusal(err) || ctx.Err() != nil {
			break
		}
	}
	return err
}

func (t *Tree) work(ctx context.Context, board string) (Work, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &census{tree: t, links: links{t.Root, map[string]bool{}}}
	if names := t.below([]string{board}); len(names) > 0 {
		c.board = strings.TrimSuffix(names[0], "/")
	}
	var index, others, config string
	var changed []string
	var h, tree string
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
			changed, err = t.changedFiles(ctx, env)
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
			h, tree, err = t.head(ctx, c.board)
			return err
		},
	); err != nil {
		return Work{}, err
	}
	c.mode, c.symlinks = flag(config, "core.filemode"), flag(config, "core.symlinks")
	if h == "" {
		zeros, err := t.zeros(ctx, nil)
		if err != nil {
			return Work{}, err
		}
		tree = treeID(nil, len(zeros))
	}
	c.size = len(tree)
	if err := c.take(index, changed, others); err != nil {
		return Work{}, err
	}
	if err := c.hash(ctx); err != nil {
		return Work{}, err
	}
	slices.SortFunc(c.entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	id := treeOf(c.entries, 0, c.size)
	return Work{Top: t.Root, Commit: h, Tree: id, Dirty: id != tree || c.absent}, nil
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
	tree     *Tree
	env      []string // in which git starts no filter
	board    string   // from the root, with slashes; empty: it is elsewhere
	mode     bool     // files say themselves whether they are executable
	symlinks bool     // links are links, and not files with a target in them

	entries []Entry
	read    []int // entries whose content git has to read
	nested  []int // entries that are other repositories
	links   links
	size    int  // digits of an id
	absent  bool // an entry stands for a file that is not there
}

// take makes entries of what git has said.
func (c *census) take(index string, changed []string, others string) error {
	looks := map[string]bool{} // changed, as far as git can see without reading
	for _, name := range changed {
		looks[name] = true
	}
	last := ""
	for e, err := range indexed(index, func(name string) bool { return !c.ofBoard(name) }) {
		// In a conflict, up to three entries stand for the one file that is there.
		sparse := strings.EqualFold(e.tag, "S")
		switch {
		case err != nil:
			return err
		case e.Name == last:
			continue
		case looks[e.Name], sparse, strings.ToLower(e.tag) == e.tag, e.Stage != 0:
			err = c.look(e.Entry, sparse)
		default:
			err = c.add(e.Entry)
		}
		if last = e.Name; err != nil {
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
	case err == nil && !c.links.above(e.Name):
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
	case old == symlink && !c.symlinks:
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

// links knows the folders of a work tree that are links, or are behind one.
type links struct {
	root  string
	known map[string]bool
}

// above reports whether a folder above a path is a link: what is behind it is not in the work
// tree.
func (l links) above(name string) bool {
	dir := path.Dir(name)
	if dir == "." {
		return false
	}
	is, known := l.known[dir]
	if !known {
		info, err := os.Lstat(filepath.Join(l.root, filepath.FromSlash(dir)))
		is = l.above(dir) || err == nil && info.Mode()&fs.ModeSymlink != 0
		l.known[dir] = is
	}
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
	names := make([]string, len(c.read))
	for k, i := range c.read {
		names[k] = c.entries[i].Name
	}
	found, err := c.tree.hashFiles(ctx, c.env, names)
	if err != nil {
		return err
	}
	var unlike []string // files of the index that are not as git would put them there now
	for _, i := range c.read {
		if e := c.entries[i]; e.ID != "" && e.ID != found[e.Name] {
			unlike = append(unlike, e.Name)
		}
	}
	// A file that was put there before a rule for its ends of lines is as it was.
	asIs, err := c.tree.hashFiles(ctx, c.env, unlike, "--no-filters")
	for _, i := range c.read {
		e := &c.entries[i]
		if id, ok := asIs[e.Name]; ok && (id == e.ID || e.Mode == symlink) {
			found[e.Name] = id
		}
		e.ID = found[e.Name]
	}
	return err
}

// hashFiles asks git what ids files would have, by their names, and writes none of them.
func (t *Tree) hashFiles(ctx context.Context, env, names []string, options ...string) (map[string]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var in bytes.Buffer
	for _, name := range names {
		in.WriteString(cQuote(name) + "\n")
	}
	out, err := t.run(ctx, call{env: env, stdin: in.Bytes(), patience: longPatience, limit: maxList}, append([]string{"hash-object", "--stdin-paths"}, options...)...)
	if err != nil {
		return nil, err
	}
	found := strings.Fields(out)
	if len(found) != len(names) {
		return nil, fmt.Errorf("git read %d of %d files", len(found), len(names))
	}
	byName := make(map[string]string, len(names))
	for i, name := range names {
		byName[name] = found[i]
	}
	return byName, ids(found...)
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

// head is the commit that HEAD is, and its tree without the board. Without a commit there is
// no tree.
func (t *Tree) head(ctx context.Context, board string) (commit, tree string, err error) {
	o, err := t.open(ctx)
	if err != nil {
		return "", "", err
	}
	defer o.close()
	at, text, err := o.read("HEAD^{commit}", maxList)
	if err != nil || at.kind != "commit" {
		return "", "", err
	}
	if tree, err = treeIn(at.id, text); err == nil && board != "" {
		tree, _, err = o.with(tree, strings.Split(board, "/"), Entry{})
		tree = cmp.Or(tree, treeID(nil, len(at.id))) // it had nothing but the board
	}
	return at.id, tree, err
}

// treeIn is the tree that the text of a commit names.
func treeIn(commit string, text []byte) (string, error) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	id, ok := strings.CutPrefix(string(line), "tree ")
	if !ok || ids(id) != nil {
		return "", fmt.Errorf("the commit %.12s cannot be read", commit)
	}
	return id, nil
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
		folder = append(folder, Entry{Name: name, Mode: folderMode, ID: treeOf(entries[:n], len(prefix), size)})
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
