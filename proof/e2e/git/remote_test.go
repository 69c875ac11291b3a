//go:build unix

package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// What others do to the remote, with git alone. After each of them no clone has lost a
// task, and after `pawl sync --resume`, where it was needed, all have the same again.

// vandal is one of these others.
type vandal struct {
	name  string
	does  func(t *team, before, old string) // before is the first state that both clones had, old the last one
	stops bool                              // a sync stops, and asks
}

var vandals = []vandal{
	{"rewound", func(t *team, before, old string) { t.bare("update-ref", boardRef, before) }, true},
	{"deleted", func(t *team, before, old string) { t.bare("update-ref", "-d", boardRef) }, true},
	{"squashed", func(t *team, before, old string) {
		t.bare("update-ref", boardRef, t.bare("-c", "user.name=eve", "commit-tree", "-m", "Squashed", old+"^{tree}"))
	}, true},
	{"amended", func(t *team, before, old string) {
		t.bare("update-ref", boardRef, t.bare("-c", "user.name=eve", "commit-tree", "-m", "Amended", "-p", old+"^", old+"^{tree}"))
	}, true},
}

// worked makes two clones with tasks, of which each has something that it has not sent.
func (w *world) worked() (t *team, before, old string, want []string) {
	w.Helper()
	t = w.team([]string{"ada", "bob"}, "Base")
	ada, bob := t.clones[0], t.clones[1]
	want = []string{"Base"}
	add := func(c *clone, name string) { c.add(name); want = append(want, name) }
	for _, c := range t.clones {
		c.pawl("config", "set", "sync", "manual")
	}
	t.settle()
	before = t.bare("rev-parse", boardRef)
	add(ada, "Ada's")
	ada.sync()
	add(bob, "Bob's")
	bob.pawl("claim", "1")
	bob.pawl("done", "1")
	bob.sync()
	ada.sync()
	old = t.bare("rev-parse", boardRef)
	add(ada, "Ada's, not sent")
	add(bob, "Bob's, not sent")
	return t, before, old, want
}

// keeps checks that the clones have all that they had.
func (t *team) keeps(had map[*clone][]string) {
	t.Helper()
	for c, subjects := range had {
		now := c.subjects()
		for _, s := range subjects {
			if !slices.Contains(now, s) {
				t.Errorf("%s has lost %q: %q", c.who, s, now)
			}
		}
		if done := c.called("Base").Status; done != pawl.Completed {
			t.Errorf("%s: the task that was completed is %v", c.who, done)
		}
	}
}

// have is what each clone has.
func (t *team) have() map[*clone][]string {
	t.Helper()
	had := map[*clone][]string{}
	for _, c := range t.clones {
		had[c] = c.subjects()
	}
	return had
}

func TestRemoteChanged(t *testing.T) {
	for i, v := range vandals {
		if i%4 != 0 && !*long.Asked { // the others are kinds of these
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			team, before, old, want := newWorld(t, nets{}).worked()
			had := team.have()
			v.does(team, before, old)
			tip, _ := team.clones[0].run("git", "--git-dir="+team.remote, "rev-parse", boardRef)
			for _, c := range team.clones {
				out, code := c.run("pawl", "sync")
				if stopped := code != 0; stopped != v.stops {
					t.Errorf("%s: pawl sync: exit %d\n%s", c.who, code, out)
				} else if stopped && (!strings.Contains(out, "pawl sync --resume") || !strings.Contains(out, "pawl share --stop")) {
					t.Errorf("%s: pawl sync does not say what can be done:\n%s", c.who, out)
				}
				if out := c.pawl(); v.stops && !strings.Contains(out, "stopped: origin") {
					t.Errorf("%s: pawl does not say that it has stopped:\n%s", c.who, out)
				}
				id := fmt.Sprint(int64(c.called("Ada's").ID))
				if said := c.refused(4, "the remote lacks commits of the board that it had", "claim", id); !strings.Contains(said, "pawl: hint: pawl sync\n") {
					t.Errorf("%s: a claim that nobody can confirm names no way out:\n%s", c.who, said)
				}
				if task := c.called("Ada's"); task.Status != pawl.Pending || task.Owner != "" {
					t.Errorf("%s: the claim that was refused leaves %v of %q", c.who, task.Status, task.Owner)
				}
				c.pawl("note", id, "work goes on here, "+c.who)
			}
			if now, _ := team.clones[0].run("git", "--git-dir="+team.remote, "rev-parse", boardRef); v.stops && now != tip {
				t.Errorf("the remote was changed, unasked: %s, was %s", now, tip)
			}
			team.keeps(had)
			for _, c := range team.clones {
				c.sync("--resume")
			}
			team.settle()
			team.keeps(had)
			team.clones[0].has(want...)
			for _, c := range team.clones {
				id := fmt.Sprint(int64(c.called("Ada's").ID))
				c.pawl("claim", id)
				c.pawl("release", id)
				team.even()
			}
		})
	}
}

// put makes a commit in the remote with these files, which may have any names, on a
// parent if there is one, and moves the board's reference there. Of a name that ends
// with @ the text is a link.
func (t *team) put(parent string, files map[string]string) {
	t.Helper()
	c := t.clones[0]
	folder := t.TempDirOf("rubbish")
	var b strings.Builder
	marks := 0
	for name, text := range files {
		marks++
		mode := "100644"
		if link, ok := strings.CutSuffix(name, "@"); ok {
			name, mode = link, "120000"
		}
		fmt.Fprintf(&b, "%s %s 0\t%s\n", mode, t.blob(folder, text), name)
	}
	index := filepath.Join(folder, "index")
	cmd := c.command("git", "--git-dir="+t.remote, "update-index", "--add", "--index-info")
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git update-index: %v\n%s", err, out)
	}
	cmd = c.command("git", "--git-dir="+t.remote, "write-tree")
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	tree, err := cmd.Output()
	must.Do(t.TB, err)
	args := []string{"commit-tree", "-m", "rubbish", strings.TrimSpace(string(tree))}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	t.bare("update-ref", boardRef, t.bare(args...))
}

func (t *team) blob(folder, text string) string {
	t.Helper()
	file := filepath.Join(folder, "blob")
	must.Do(t.TB, os.WriteFile(file, []byte(text), 0o644))
	return t.bare("hash-object", "-w", file)
}

// TempDirOf makes a folder beside the clones.
func (t *team) TempDirOf(name string) string {
	t.Helper()
	dir, err := os.MkdirTemp(t.dir, name)
	must.Do(t.TB, err)
	return dir
}

// TestRubbish: somebody pushes what no board has, on top of what is there. A clone
// takes what is a board's, names the rest or leaves it, and writes nothing elsewhere.
func TestRubbish(t *testing.T) {
	task := func(id, rest string) string {
		return `{"id": ` + id + `, "subject": "From afar` + rest + `", "description": "", "status": "pending", "blockedBy": [], "blocks": [], "owner": ""}` + "\n"
	}
	deep := strings.Repeat("[", 100_000)
	for _, r := range []struct {
		name  string
		files map[string]string
		from  bool // they stand beside what the board has
	}{
		{"beside", map[string]string{
			"README.md": "hello", "tasks/0/notes.txt": "no", "tasks/7/8/9/task_1.json": task("1", ""), "hooks/post-merge": "#!/bin/sh\ntouch /tmp/owned\n",
			".gitattributes": "* filter=evil", "tasks/0/task_01.json": task("1", ""), "tasks/0/TASK_9.JSON": task("9", ""), "pawl.jsonc": `{"board": "/etc"}`,
			"tasks/0/task_-3.json": task("-3", ""), "tasks/0/task_99999999999999999999.json": task("99999999999999999999", ""),
		}, true},
		{"links", map[string]string{"tasks/0/task_77.json@": "/etc/passwd", "tasks/0/beside.json@": "../../pawl.json", "gone@": "/etc"}, true},
		{"torn", map[string]string{"tasks/0/task_77.json": `{"id": 77, "subj`, "tasks/0/beside.json": `{"77": {"turn": -5}, `, "gone/0/beside.json": deep}, true},
		{"deep", map[string]string{"tasks/0/task_77.json": deep, "tasks/0/task_78.json": `{"id": 78, "x": ` + deep, "pawl.json": deep}, true},
		{"other task in the file", map[string]string{"tasks/0/task_77.json": task("78", "")}, true},
		{"huge", map[string]string{"tasks/0/task_77.json": task("77", strings.Repeat("x", 3<<20))}, true},
		{"later format", map[string]string{"pawl.json": `{"format": 9}`}, true},
		{"mark", map[string]string{"highwatermark": "9223372036854775807\n"}, true},
		{"mark is not a number", map[string]string{"highwatermark": "many"}, true},
		{"escapes", map[string]string{"tasks/0/task_77.json": task("77", `\u001b]52;c;aGk=\u0007 \u202e`)}, true},
		{"only rubbish", map[string]string{"README.md": "hello"}, false},
		{"empty", map[string]string{}, false},
		{"at once", map[string]string{ // what each commit tries of those above, in one team
			"README.md": "hello", "hooks/post-merge": "#!/bin/sh\ntouch /tmp/owned\n", "tasks/0/TASK_9.JSON": task("9", ""), "pawl.jsonc": `{"board": "/etc"}`,
			"tasks/0/task_71.json@": "/etc/passwd", "gone@": "/etc", "tasks/0/task_72.json": `{"id": 72, "subj`, "gone/0/beside.json": deep, "tasks/0/task_73.json": deep,
			"tasks/0/task_74.json": task("75", ""), "tasks/0/task_76.json": task("76", strings.Repeat("x", 3<<20)), "tasks/0/task_77.json": task("77", `\u001b]52;c;aGk=\u0007 \u202e`),
		}, true},
	} {
		if !*long.Asked && !slices.Contains([]string{"at once", "only rubbish"}, r.name) {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			team, _, old, want := newWorld(t, nets{}).worked()
			had := team.have()
			files := map[string]string{}
			if r.from {
				files = team.tree(old)
			}
			for name, text := range r.files {
				delete(files, strings.TrimSuffix(name, "@"))
				files[name] = text
			}
			team.put(old, files)
			outside := team.outside()
			for _, c := range team.clones {
				out, code := c.run("pawl", "sync")
				t.Logf("%s: exit %d: %.600s", c.who, code, out)
				if code > 10 || code < 0 || strings.Contains(out, "panic") || strings.Contains(out, "goroutine ") {
					t.Errorf("%s: pawl sync: exit %d\n%s", c.who, code, out)
				}
				if strings.ContainsAny(out, "\x1b\x07") || strings.Contains(out, "\u202e") {
					t.Errorf("%s: what the remote says reaches the terminal: %q", c.who, out)
				}
				c.pawl("list")
				c.add("Later, " + c.who)
				c.pawl("note", fmt.Sprint(int64(c.called("Later, "+c.who).ID)), "goes on")
			}
			if r.from { // a tree without the tasks deletes what had been synced
				team.keeps(had)
			}
			if now := team.outside(); !slices.Equal(now, outside) {
				t.Errorf("there are other files outside of the boards:\n%q\nwere\n%q", now, outside)
			}
			// Somebody puts the remote back to what it was: all is as before.
			team.bare("update-ref", boardRef, old)
			for _, c := range team.clones {
				c.sync("--resume")
			}
			team.even() // what came in a file with another name is damage, and is named
			for _, c := range team.clones {
				for _, s := range append(want, "Later, ada", "Later, bob") {
					c.called(s)
				}
			}
		})
	}
}

// outside are the names of all files, but for boards and for what Pawl keeps.
func (t *team) outside() (names []string) {
	t.Helper()
	must.Do(t.TB, filepath.WalkDir(t.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == ".tasks" || name == "pawl" || name == "remote.git" || name == "home" || strings.HasPrefix(name, "rubbish")) {
			return filepath.SkipDir
		}
		names = append(names, path)
		return nil
	}))
	return names
}

// TestBackup restores .tasks of one clone from a backup, with its history: nothing that was
// sent since is undone in any clone, and what is done after it is sent.
func TestBackup(t *testing.T) {
	t.Parallel()
	team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base", "Noted", "Claimed")
	ada, bob := team.clones[0], team.clones[1]
	for _, c := range team.clones {
		c.pawl("config", "set", "sync", "manual")
	}
	ada.pawl("claim", "3")
	team.settle()
	saved := filepath.Join(team.dir, "backup")
	must.Do(t, os.CopyFS(saved, os.DirFS(ada.board)))
	ada.pawl("release", "3")
	ada.pawl("done", "1")
	ada.sync()
	bob.sync()
	bob.pawl("note", "2", "bob's")
	bob.pawl("claim", "3")
	bob.sync()
	ada.sync()
	must.Do(t, os.RemoveAll(ada.board))
	must.Do(t, os.CopyFS(ada.board, os.DirFS(saved)))
	ada.pawl("note", "2", "ada's")
	ada.refused(4, "#3", "done", "3")
	team.settle()
	for _, c := range team.clones {
		if c.called("Base").Status != pawl.Completed || len(c.called("Noted").Notes) != 2 || c.called("Claimed").Owner != "bob" {
			t.Errorf("%s has %+v, %+v, %+v", c.who, c.called("Base"), c.called("Noted"), c.called("Claimed"))
		}
	}
	bob.pawl("done", "3")
}
