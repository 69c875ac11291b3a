package git

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const folderMode Mode = 0o040000

// maxMessage bounds a commit without its files.
const maxMessage = 16 << 20

// store writes objects of a kind as they are, and returns their ids.
func (t *Tree) store(ctx context.Context, kind string, bodies ...[]byte) ([]string, error) {
	if len(bodies) == 0 {
		return nil, nil
	}
	tmp, err := os.MkdirTemp("", "pawl-objects-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	var in bytes.Buffer
	for i, body := range bodies {
		path := filepath.Join(tmp, strconv.Itoa(i))
		if err := os.WriteFile(path, body, 0o600); err != nil {
			return nil, err
		}
		in.WriteString(filepath.ToSlash(path) + "\n")
	}
	out, err := t.change(ctx, nil, in.Bytes(), "hash-object", "-t", kind, "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return nil, err
	}
	found := strings.Fields(out)
	if len(found) != len(bodies) {
		return nil, fmt.Errorf("git stored %d of %d objects", len(found), len(bodies))
	}
	return found, ids(found...)
}

// A raw is a commit as git stores it, in parts that can be replaced.
type raw struct {
	tree      string
	parents   []string
	author    string
	committer string
	more      string // other headers, each with its end of line, without signatures, which would not fit
	message   string // and the empty line before it
}

// commit reads one.
func (o *objects) commit(id string) (raw, error) {
	found, text, err := o.read(id, maxMessage)
	if err != nil {
		return raw{}, err
	}
	if found.kind != "commit" {
		return raw{}, fmt.Errorf("%.12s is not a commit of this clone", id)
	}
	head, message, _ := strings.Cut(string(text), "\n\n")
	r := raw{message: "\n" + message}
	skip := false
	for line := range strings.Lines(head + "\n") {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case key == "": // goes on with the header before
			if !skip {
				r.more += line
			}
			continue
		case key == "tree":
			r.tree = value
		case key == "parent":
			r.parents = append(r.parents, value)
		case key == "author":
			r.author = value
		case key == "committer":
			r.committer = value
		}
		skip = slices.Contains([]string{"tree", "parent", "author", "committer", "gpgsig", "gpgsig-sha256", "mergetag"}, key)
		if !skip {
			r.more += line
		}
	}
	if err := ids(append([]string{r.tree}, r.parents...)...); err != nil || r.author == "" || r.committer == "" {
		return raw{}, fmt.Errorf("the commit %.12s cannot be read", id)
	}
	return r, nil
}

// asMessage is a text as the message of a [raw].
func asMessage(text string) string {
	return "\n" + strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")) + "\n"
}

func (r raw) bytes() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", r.tree)
	for _, p := range r.parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	fmt.Fprintf(&b, "author %s\ncommitter %s\n%s%s", r.author, r.committer, r.more, r.message)
	return b.Bytes()
}

// identity is who commits here now: the user as git knows them, or Pawl.
func (t *Tree) identity(ctx context.Context) string {
	out, err := t.ask(ctx, nil, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
	if who := strings.TrimSpace(out); err == nil && strings.Contains(who, "> ") && !strings.Contains(who, "\n") {
		return who
	}
	return fmt.Sprintf("Pawl <pawl@localhost> %d +0000", time.Now().Unix())
}

// entry returns what a tree has at a path; false: nothing.
func (o *objects) entry(tree string, names []string) (Entry, bool, error) {
	for i, name := range names {
		entries, err := o.folder(tree)
		if err != nil {
			return Entry{}, false, err
		}
		at := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
		if at < 0 {
			return Entry{}, false, nil
		}
		if i == len(names)-1 {
			return entries[at], true, nil
		}
		if entries[at].Mode != folderMode {
			return Entry{}, false, nil
		}
		tree = entries[at].ID
	}
	return Entry{}, false, nil
}

func (o *objects) folder(tree string) ([]Entry, error) {
	at, text, err := o.read(tree, maxList)
	if err != nil {
		return nil, err
	}
	if at.kind != "tree" {
		return nil, fmt.Errorf("this clone has no folder %.12s", tree)
	}
	return entriesOf(text, len(at.id)/2)
}

// graft makes a tree like one, with what another tree has at some paths.
func (t *Tree) graft(ctx context.Context, o *objects, tree, from string, paths []string) (string, error) {
	for _, p := range paths {
		names := strings.Split(p, "/")
		is, had, err := o.entry(tree, names)
		if err != nil {
			return "", err
		}
		want, wanted, err := o.entry(from, names)
		if err != nil {
			return "", err
		}
		if had == wanted && is.ID == want.ID && is.Mode == want.Mode {
			continue
		}
		if !wanted {
			want = Entry{Name: names[len(names)-1]}
		}
		id, bodies, err := o.with(tree, names, want)
		if err != nil {
			return "", err
		}
		if id == "" {
			id, bodies = treeID(nil, len(tree)), [][]byte{{}}
		}
		stored, err := t.store(ctx, "tree", bodies...)
		if err != nil {
			return "", err
		}
		if stored[len(stored)-1] != id {
			return "", fmt.Errorf("git stored a folder as %.12s that is %.12s", stored[len(stored)-1], id)
		}
		tree = id
	}
	return tree, nil
}

// with is a tree with another entry at a path, or without one if that has no id, and the
// new trees, the root last. Empty: nothing is left. Without a change it is the same tree.
func (o *objects) with(tree string, names []string, want Entry) (id string, bodies [][]byte, err error) {
	var entries []Entry
	if tree != "" {
		if entries, err = o.folder(tree); err != nil {
			return "", nil, err
		}
	}
	at := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == names[0] })
	if len(names) > 1 {
		below := ""
		if at >= 0 && entries[at].Mode == folderMode {
			below = entries[at].ID
		}
		var sub string
		if sub, bodies, err = o.with(below, names[1:], want); err != nil || sub == below {
			return tree, nil, err
		}
		want = Entry{Name: names[0], Mode: folderMode, ID: sub}
	}
	if at < 0 && want.ID == "" {
		return tree, nil, nil
	}
	if at >= 0 {
		entries = slices.Delete(entries, at, at+1)
	}
	if want.ID != "" {
		entries = append(entries, want)
		slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(sortName(a), sortName(b)) })
	}
	if len(entries) == 0 {
		return "", bodies, nil
	}
	size := len(entries[0].ID)
	return treeID(entries, size), append(bodies, treeBytes(entries)), nil
}

// sortName is a name as git sorts it: a folder as if its name ended in a slash.
func sortName(e Entry) string {
	if e.Mode == folderMode {
		return e.Name + "/"
	}
	return e.Name
}

// Strip makes the commits of a range again without what they did at some paths, such as
// the folder of a board: there, each has what base has. Base is to be the merge base
// with the target, so that the range has commits of the branch alone. Author, date and
// message stay, signatures do not. It returns tip itself when no commit of the range has
// anything else there.
func (t *Tree) Strip(ctx context.Context, base, tip string, paths []string) (string, error) {
	if err := ids(base, tip); err != nil {
		return "", err
	}
	paths = t.inside(paths)
	lines, err := t.lines(ctx, "rev-list", "--topo-order", "--reverse", "--parents", "--max-count="+strconv.Itoa(maxReplayed+1), tip, "^"+base)
	if err != nil {
		return "", err
	}
	if len(lines) > maxReplayed {
		return "", errReplayed
	}
	o, err := t.open(ctx)
	if err != nil {
		return "", err
	}
	defer o.close()
	from, err := o.commit(base)
	if err != nil {
		return "", err
	}
	now := map[string]string{}
	for _, line := range lines {
		c, err := o.commit(line.ID)
		if err != nil {
			return "", err
		}
		tree, err := t.graft(ctx, o, c.tree, from.tree, paths)
		if err != nil {
			return "", err
		}
		changed := tree != c.tree
		c.tree = tree
		for i, p := range c.parents {
			if id, ok := now[p]; ok && id != p {
				c.parents[i], changed = id, true
			}
		}
		now[line.ID] = line.ID
		if changed {
			made, err := t.store(ctx, "commit", c.bytes())
			if err != nil {
				return "", err
			}
			now[line.ID] = made[0]
		}
	}
	return cmp.Or(now[tip], tip), nil
}
