package file

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

const (
	ownKin   = "00112233445566778899aabbccddeeff"
	otherKin = "ffeeddccbbaa99887766554433221100"
)

// files are all texts of a folder and those in it.
func (n *node) files(at string, all map[string]string) map[string]string {
	for name, m := range n.names {
		if m.kind == kindFolder {
			m.files(at+name+"/", all)
		} else {
			all[at+name] = string(m.data)
		}
	}
	return all
}

// foreign puts the state folder of another clone on a disk, as a checkout does: with a
// commit that is not in the files, and history that has the op ids of the steps.
func foreign(t testing.TB) func(*disk) {
	return func(d *disk) {
		d.kin, d.seen = otherKin, true
		s := simStore(t, d.process())
		for i := range 5 {
			must.Do(t, apply(s, i))
		}
		d.drop(indexName)
		d.drop(logName)
		for id := range pawl.ID(4) {
			d.drop(taskName(id + 1))
		}
		d.put(tmpDir+"/1.2", "half a text")
		p := d.process()
		must.Do(t, p.SyncAll())
		d.kin, d.calls = ownKin, 0
	}
}

// The state folder of another clone is as good as none: nothing of it is read, and a
// reader leaves it as it is. The first write puts all of it aside.
func TestForeignState(t *testing.T) {
	d := newDisk()
	foreign(t)(d)
	d.put(taskName(7), `{"id":7,"subject":"theirs","status":"pending","blockedBy":[],"blocks":[],"owner":""}`)
	before := d.root.files("", map[string]string{})
	s := simStore(t, d.process())
	if got := sets(t, s); len(got) > 0 {
		t.Errorf("its history is read: %q", got)
	}
	if now := state(t, s); strings.Contains(now, "parse") || !strings.HasPrefix(now, "last #7\n") {
		t.Errorf("the board is\n%s", now)
	}
	if after := d.root.files("", map[string]string{}); !maps.Equal(before, after) {
		t.Errorf("a reader wrote: %v", slices.Sorted(maps.Keys(after)))
	}
	d.git = true
	if err := apply(simStore(t, d.process()), 0); !errors.Is(err, pawl.Unavailable) || d.text(kinName) != otherKin+"\n" {
		t.Errorf("while git writes: %v", err)
	}
	d.git = false
	must.Do(t, apply(simStore(t, d.process()), 0))
	s = simStore(t, d.process())
	if got := sets(t, s); !slices.Equal(got, []string{"external ", "create step 0"}) {
		t.Errorf("the history is %q", got)
	}
	if d.text(taskName(8)) == "" || d.text(taskName(1)) != "" || strings.TrimSpace(d.text(kinName)) != ownKin {
		t.Errorf("the board is\n%s", state(t, s))
	}
	if lost := missing(before, d); len(lost) > 0 {
		t.Errorf("nothing has %v", lost)
	}
	if d.text(stateIgnoreName) != privateIgnore || d.text(ignoreName) == "" || d.text(attributesName) == "" {
		t.Errorf("the folder has %v", slices.Sorted(maps.Keys(d.root.files("", map[string]string{}))))
	}
}

// missing are the files of another clone whose text is nowhere.
func missing(before map[string]string, d *disk) (lost []string) {
	now := slices.Collect(maps.Values(d.root.files("", map[string]string{})))
	for name, text := range before {
		if strings.HasPrefix(name, stateDir) && name != kinName && !slices.Contains(now, text) {
			lost = append(lost, name)
		}
	}
	return lost
}

// A simProcess dies at each call with which it puts the folder of another clone aside: the
// next one goes on with that, nothing of the other clone is done again, nothing of ours is
// lost.
func TestForeignStateCrashes(t *testing.T) {
	prepare := foreign(t)
	clean := traceOf(t, sound)
	tr := traceOf(t, prepare)
	if !slices.Equal(tr.states, clean.states) || !slices.Equal(tr.sets, clean.sets) {
		t.Fatalf("the board is\n%s%q", tr.states[len(steps)], tr.sets)
	}
	fired := 0
	for at := 0; at < 150; at += stride() {
		for _, power := range []bool{false, true} {
			c := scenario{crashes: []int{at, at / 2}, power: []bool{power, false}, seed: uint64(at)}
			n, problem := c.run(t, tr, prepare, usual)
			if fired += n; problem != "" {
				t.Fatalf("%v: %s", c, problem)
			}
		}
		d := newDisk()
		prepare(d)
		before := d.root.files("", map[string]string{})
		d.before = func(call int, _, _ string) error {
			if call > at {
				return errDead
			}
			return nil
		}
		labour(t, d, usual, 0)
		if d.before = nil; len(missing(before, d)) > 0 {
			t.Fatalf("after %d calls nothing has %v", at, missing(before, d))
		}
	}
	if fired < 400/stride() {
		t.Errorf("only %d crashes happened", fired)
	}
}

func TestForeignStateFaults(t *testing.T) {
	if _, c, problem := hunt(t, *faults, foreign(t), usual); problem != "" {
		t.Errorf("%v: %s", c, problem)
	}
}

// A board is one's own as long as nothing says for sure that it is another clone's.
func TestWhose(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, project string)
		other  bool
	}{
		"as it was":             {func(*testing.T, string) {}, false},
		"another secret":        {func(t *testing.T, p string) { put(t, p+"/.git/pawl/secret", strings.Repeat("ab", 16)+"\n") }, true},
		"a fresh clone":         {func(t *testing.T, p string) { remove(t, p+"/.git/pawl") }, true},
		"a damaged secret":      {func(t *testing.T, p string) { put(t, p+"/.git/pawl/secret", "x") }, false},
		"no git here":           {func(t *testing.T, p string) { remove(t, p+"/.git") }, false},
		"git's folder is away":  {func(t *testing.T, p string) { remove(t, p+"/.git"); put(t, p+"/.git", "gitdir: /nowhere/x\n") }, false},
		"of nobody":             {func(t *testing.T, p string) { remove(t, p+"/.tasks/.pawl/clone") }, false},
		"a torn name":           {func(t *testing.T, p string) { put(t, p+"/.tasks/.pawl/clone", "\x00\x00") }, false},
		"git's folder is a new": {func(t *testing.T, p string) { remove(t, p+"/.git"); put(t, p+"/.git/HEAD", "ref: refs/heads/main\n") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			put(t, project+"/.git/HEAD", "ref: refs/heads/main\n")
			dir := filepath.Join(project, ".tasks")
			addTask(t, dir, "One")
			c.change(t, project)
			s := openAt(t, dir)
			if s.IsForeign() != c.other || (len(sets(t, s)) == 0) != c.other {
				t.Fatalf("another clone's: %v; history %q", s.IsForeign(), sets(t, s))
			}
			if _, ok, err := s.Glance(t.Context(), pawl.GlanceQuery{IDs: []pawl.ID{1}}); ok == c.other || err != nil {
				t.Errorf("a hook sees its index: %v, %v", ok, err)
			}
			addTask(t, dir, "Two")
			if s = openAt(t, dir); s.IsForeign() || len(sets(t, s)) != 2 {
				t.Errorf("after a write, another clone's: %v; history %q", s.IsForeign(), sets(t, s))
			}
			if _, err := os.Stat(dir + "/.pawl/others"); (err == nil) != c.other {
				t.Errorf("put aside: %v", err)
			}
		})
	}
}

// Stores that meet the folder of another clone at once agree, those too that had the
// board loaded before it came: one of them puts it aside, and no write is lost.
func TestForeignTogether(t *testing.T) {
	project := t.TempDir()
	put(t, project+"/.git/HEAD", "ref: refs/heads/main\n")
	dir := filepath.Join(project, ".tasks")
	addTask(t, dir, "One")
	stores := make([]*Store, 8)
	for i := range stores {
		stores[i] = openAt(t, dir)
		if i%2 == 0 {
			_ = state(t, stores[i])
		}
	}
	put(t, dir+"/.pawl/clone", otherKin+"\n")
	var all sync.WaitGroup
	for _, s := range stores {
		all.Go(func() {
			if err := apply(s, 9); err != nil { // two tasks
				t.Error(err)
			}
		})
	}
	all.Wait()
	if now := state(t, openAt(t, dir)); !strings.HasPrefix(now, "last #3\n") || strings.Count(now, "\n") != 4 {
		t.Errorf("the board is\n%s", now) // of one op id there is one result
	}
	if got := sets(t, openAt(t, dir)); !slices.Equal(got, []string{"external ", "create step 9"}) {
		t.Errorf("the history is %q", got)
	}
	if kept, err := filepath.Glob(dir + "/.pawl/others/*"); err != nil || len(kept) != 1 || filepath.Base(kept[0]) != otherKin {
		t.Errorf("put aside: %q, %v", kept, err)
	}
}

// A write on a board that git sees restores what keeps machinery out of git, and a read
// does not. What people wrote there stays.
func TestFilesForGit(t *testing.T) {
	const ours = ".pawl/\n.lock\n"
	for name, c := range map[string]struct {
		ignore, attributes string // before the second write; empty: none
		want               string // .gitignore after it
		rules              bool   // and .gitattributes has ours
		exclude            string
	}{
		"a checkout":         {"", "", ours + restoredIgnore, true, ""},
		"other lines":        {"notes.md", "*.md text\n", "notes.md\n" + ours, true, ""},
		"of Windows":         {"a\r\nb\r\n", "", "a\r\nb\r\n.pawl/\r\n.lock\r\n", true, ""},
		"one line":           {"/.lock\n", "", "/.lock\n.pawl/\n", true, ""},
		"other rules":        {"!.pawl\n.lock\n", "task_*.json merge=x\n/.highwatermark binary\n", "!.pawl\n.lock\n", false, ""},
		"private":            {"*\n", "", "*\n", false, ""},
		"hidden in info":     {"", "", "", false, "# mine\n/.tasks/\n"},
		"other folders only": {"", "", ours + restoredIgnore, true, "/.tasks/x\n/a/.tasks/\n"},
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			put(t, project+"/.git/HEAD", "ref: refs/heads/main\n")
			dir := filepath.Join(project, ".tasks")
			addTask(t, dir, "One") // as a program that embeds Pawl: nothing ran init
			if got := read(t, dir+"/.gitignore"); got != ours || read(t, dir+"/.pawl/.gitignore") != "*\n" || !strings.Contains(read(t, dir+"/.gitattributes"), "task_*.json -merge") {
				t.Fatalf("a new board has %q", got)
			}
			put(t, project+"/.git/info/exclude", c.exclude)
			for name, text := range map[string]string{dir + "/.gitignore": c.ignore, dir + "/.gitattributes": c.attributes} {
				remove(t, name)
				if text != "" {
					put(t, name, text)
				}
			}
			remove(t, dir+"/.pawl/.gitignore")
			_ = state(t, openAt(t, dir))
			if got := read(t, dir+"/.gitignore"); got != c.ignore {
				t.Errorf("a read wrote %q", got)
			}
			for range 2 {
				addTask(t, dir, "Two")
				if got := read(t, dir+"/.gitignore"); got != c.want {
					t.Errorf(".gitignore is %q, want %q", got, c.want)
				}
				if got := read(t, dir+"/.gitattributes"); strings.Contains(got, "-merge") != c.rules || !strings.HasPrefix(got, c.attributes) {
					t.Errorf(".gitattributes is %q", got)
				}
				if got := read(t, dir+"/.pawl/.gitignore"); got != "*\n" {
					t.Errorf(".pawl/.gitignore is %q", got)
				}
			}
		})
	}
	dir := filepath.Join(t.TempDir(), ".tasks")
	addTask(t, dir, "One")
	if read(t, dir+"/.gitignore")+read(t, dir+"/.gitattributes")+read(t, dir+"/.pawl/clone") != "" {
		t.Error("outside of git it has files for git")
	}
}

func openAt(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	must.Do(t, err)
	return s
}

func addTask(t *testing.T, dir, subject string) {
	t.Helper()
	req := pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: subject}}}}
	must.Do(t, errOf(pawl.NewBoard(openAt(t, dir)).Do(t.Context(), req)))
}

func put(t *testing.T, name, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must.Do(t, os.WriteFile(name, []byte(text), 0o644))
}

func remove(t *testing.T, name string) {
	t.Helper()
	must.Do(t, os.RemoveAll(name))
}

// read is the text of a file; empty: there is none.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
