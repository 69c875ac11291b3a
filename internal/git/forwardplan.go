package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// A change is what two commits have at a path. Without id: nothing.
type change struct {
	path     string
	old, now Entry
}

// changes are those from one commit to another one, of files.
func (t *Tree) changes(ctx context.Context, from, commit string) ([]change, error) {
	out, err := t.list(ctx, plainDiff("--raw", "-z", "--no-abbrev", from, commit)...)
	if err != nil {
		return nil, err
	}
	var all []change
	for fields := strings.Split(out, "\x00"); len(fields) >= 2; fields = fields[2:] { // :100644 100755 1a2b… 3c4d… M
		what := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		if len(what) != 5 {
			return nil, fmt.Errorf("git's answer cannot be read: %.80q", fields[0])
		}
		c := change{path: fields[1]}
		for i, e := range []*Entry{&c.old, &c.now} {
			mode, err := strconv.ParseUint(what[i], 8, 32)
			if err != nil || !gitdir.IsID(what[2+i]) {
				return nil, fmt.Errorf("git's answer cannot be read: %.80q", fields[0])
			}
			if mode != 0 {
				*e = Entry{Mode: Mode(mode), ID: what[2+i]}
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// A local is what is here at the paths of changes.
type local struct {
	tree      *Tree
	env       []string // of the index, and in which git starts no filter
	modes     bool     // files say themselves whether they are executable
	links     bool     // links are links, and not files with a target in them
	has       map[string]Entry
	known     map[string]bool // the file is what the index has
	unmerged  map[string]bool
	byPath    map[string]change
	behind    links
	converted map[string]string // ids of files, as git would put them there
	plain     map[string]string // and as they are
}

// local asks git what is here.
func (t *Tree) local(ctx context.Context, env []string, changes []change) (*local, error) {
	quiet, config, err := t.quietConfig(ctx)
	if err != nil {
		return nil, err
	}
	l := &local{
		tree: t, env: slices.Concat(quiet, env), modes: flag(config, "core.filemode"), links: flag(config, "core.symlinks"),
		has: map[string]Entry{}, known: map[string]bool{}, unmerged: map[string]bool{}, byPath: map[string]change{},
		behind: links{t.Root, map[string]bool{}},
	}
	for _, c := range changes {
		l.byPath[c.path] = c
	}
	listed, err := t.run(ctx, call{env: l.env, patience: longPatience, limit: maxList}, "ls-files", "--stage", "-v", "-z")
	if err != nil {
		return nil, err
	}
	for e, err := range indexed(listed, func(name string) bool { _, ok := l.byPath[name]; return ok }) {
		if err != nil {
			return nil, err
		}
		l.has[e.Name], l.known[e.Name] = Entry{Mode: e.Mode, ID: e.ID}, e.tag == "H"
		if e.Stage != 0 {
			l.unmerged[e.Name] = true
		}
	}
	changed, err := t.changedFiles(ctx, l.env)
	if err != nil {
		return nil, err
	}
	for _, name := range changed {
		l.known[name] = false
	}
	return l, l.hash(ctx, changes)
}

// hash reads the files that git does not know to be as in the index.
func (l *local) hash(ctx context.Context, changes []change) (err error) {
	var names []string
	for _, c := range changes {
		if info, err := os.Lstat(l.at(c.path)); !l.known[c.path] && err == nil && info.Mode().IsRegular() && !l.behind.above(c.path) {
			names = append(names, c.path)
		}
	}
	if l.converted, err = l.tree.hashFiles(ctx, l.env, names); err == nil {
		l.plain, err = l.tree.hashFiles(ctx, l.env, names, "--no-filters")
	}
	return err
}

func (l *local) at(name string) string {
	return filepath.Join(l.tree.Root, filepath.FromSlash(name))
}

// A plan is what a fast-forward has to do that git would refuse or not see.
type plan struct {
	blocked []string     // what would be lost
	set     bytes.Buffer // entries that the index is to have before
	done    bytes.Buffer // and those that it has by then
	write   bytes.Buffer // files that are written afterwards
}

// plan decides for each change.
func (l *local) plan(changes []change) (*plan, error) {
	p := &plan{}
	for _, c := range changes {
		is, tracked := l.has[c.path]
		if l.unmerged[c.path] || is != c.old && is != c.now {
			p.blocked = append(p.blocked, c.path)
			continue
		}
		if is == c.now {
			c.entry(&p.done)
		}
		if tracked && l.known[c.path] || is.Mode == submodule {
			continue
		}
		there, err := l.look(c)
		switch {
		case err != nil:
			return nil, err
		case there.strange != "":
			p.blocked = append(p.blocked, there.strange)
		case there.absent: // to write it loses nothing
		case there.now && is == c.old:
			p.take(c)
		case there.old && tracked && is == c.old: // git would take it for changed
			p.take(c)
			if c.now.ID != "" {
				p.write.WriteString(c.path + "\x00")
			}
		}
	}
	return p, nil
}

// take has the index take what the newer commit has.
func (p *plan) take(c change) {
	c.entry(&p.set)
	c.entry(&p.done)
}

// entry writes what the newer commit has, as update-index --index-info reads it.
func (c change) entry(to *bytes.Buffer) {
	if c.now.ID == "" {
		fmt.Fprintf(to, "0 %s\t%s\x00", strings.Repeat("0", len(c.old.ID)), c.path)
		return
	}
	fmt.Fprintf(to, "%06o %s 0\t%s\x00", uint32(c.now.Mode), c.now.ID, c.path)
}

// A place is what the disk has at a path.
type place struct {
	absent, old, now bool
	strange          string // what would be lost there
}

func (l *local) look(c change) (place, error) {
	if above := l.above(c.path); above != "" {
		return place{strange: above}, nil
	}
	if l.behind.above(c.path) { // a link that goes away
		return place{absent: true}, nil
	}
	info, err := os.Lstat(l.at(c.path))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return place{absent: true}, nil
	case err != nil:
		return place{}, err
	case info.IsDir():
		strange, err := l.inside(c.path)
		return place{absent: strange == "", strange: strange}, err
	}
	pl := place{old: l.equal(c.path, info, c.old), now: l.equal(c.path, info, c.now)}
	if !pl.old && !pl.now {
		pl.strange = c.path
	}
	return pl, nil
}

// above is a file or link in the place of a folder that a path needs, unless a change
// takes it away, or has put it there.
func (l *local) above(name string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := os.Lstat(l.at(dir))
		if err != nil || info.IsDir() || l.behind.above(dir) {
			continue
		}
		c, ok := l.byPath[dir]
		goes := c.now.ID == "" && (l.known[dir] || l.equal(dir, info, c.old))
		came := l.known[dir] && l.has[dir] == c.now || l.equal(dir, info, c.now)
		if !ok || !goes && !came {
			return dir
		}
	}
	return ""
}

// inside is a file in a folder that no change takes away; empty: there is none.
func (l *local) inside(name string) (string, error) {
	strange := ""
	err := filepath.WalkDir(l.at(name), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(l.tree.Root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		info, err := d.Info()
		if err != nil {
			return err
		}
		if c, ok := l.byPath[rel]; !ok || c.now.ID != "" || !l.known[rel] && !l.equal(rel, info, c.old) {
			strange = rel
			return fs.SkipAll
		}
		return nil
	})
	return strange, err
}

// equal reports whether a file is what a commit has.
func (l *local) equal(name string, info fs.FileInfo, e Entry) bool {
	switch {
	case e.ID == "":
		return false
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(l.at(name))
		return err == nil && e.Mode == symlink && objectID("blob", []byte(filepath.ToSlash(to)), len(e.ID)) == e.ID
	case !info.Mode().IsRegular(), e.Mode == submodule, e.Mode == symlink && l.links:
		return false
	case e.Mode.Regular() && l.modes && (info.Mode()&0o100 != 0) != (e.Mode == executable):
		return false
	}
	return l.converted[name] == e.ID || l.plain[name] == e.ID
}
