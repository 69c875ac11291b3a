package gitshare

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/share"
)

// entry is one of a tree: mode, and the id of what it is.
type entry struct{ mode, id string }

// rubbish pushes a commit to the remote as anybody can who may push, and checks
// nothing.
type rubbish struct {
	*field
}

func (r rubbish) input(in []byte, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"--git-dir=" + r.remote()}, args...)...)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func (r rubbish) blob(text string) string {
	return r.input([]byte(text), "hash-object", "-w", "--stdin")
}

// tree makes one with paths of any kind, folders included.
func (r rubbish) tree(files map[string]entry) string {
	below := map[string]map[string]entry{}
	var in bytes.Buffer
	for path, e := range files {
		if dir, rest, ok := strings.Cut(path, "/"); ok {
			if below[dir] == nil {
				below[dir] = map[string]entry{}
			}
			below[dir][rest] = e
			continue
		}
		kind := map[string]string{"040000": "tree", "160000": "commit"}[e.mode]
		if kind == "" {
			kind = "blob"
		}
		fmt.Fprintf(&in, "%s %s %s\t%s\x00", e.mode, kind, e.id, path)
	}
	for dir, files := range below {
		fmt.Fprintf(&in, "040000 tree %s\t%s\x00", r.tree(files), dir)
	}
	return r.input(in.Bytes(), "mktree", "-z", "--missing")
}

func (r rubbish) commit(tree string) string {
	id := r.input(nil, "-c", "user.name=x", "-c", "user.email=x", "commit-tree", "-m", "x", tree)
	r.input(nil, "update-ref", "refs/pawl/board", id)
	return id
}

// What a commit has that a board has not is left out, or named; and nothing is done
// with it.
func TestRubbish(t *testing.T) {
	t.Parallel()
	f := newField(t)
	r := f.clone("ada")
	ctx := t.Context()
	x := rubbish{f}
	file := func(text string) entry { return entry{"100644", x.blob(text)} }
	link := entry{"120000", x.blob("/etc/passwd")}
	module := entry{"160000", strings.Repeat("1", 40)}
	big := file(strings.Repeat("x", maxFile+1))
	deep := file(strings.Repeat("[", 1<<20))
	for name, c := range map[string]struct {
		files map[string]entry
		says  string // of the error; empty: it is read
		tasks int
	}{
		"left out": {files: map[string]entry{
			"readme": file("x"), "tasks/0/notes.txt": file("x"), "tasks/0/task_01.json": file("x"), "tasks/0/task_150.json": file("x"), "tasks/00/task_5.json": file("x"),
			"tasks/x/task_5.json": file("x"), "tasks/0/task_5.json.lock": file("x"), "tasks/0/sub/task_5.json": file("x"), "tasks/0/task_0.json": file("x"), "tasks/0/task_-1.json": file("x"),
			"tasks/0/task_7.1.json": file("x"), "tasks/0/task_\n\x1b.json": file("x"), "TASKS/0/task_9.json": file("x"), ".git/config": file("x"), "tasks/0/..\\task_5.json": file("x"),
			"tasks/99999999999999999999/task_1.json": file("x"), "link": link, "module": module, "tasks/0/link": link, "run": {"100755", x.blob("#!")}, "gone/0/task_7.1000.json": file("x"),
			"tasks/0/task_12.json": file("{}"), "tasks/0/TASK_12.JSON": file("{}"),
		}, tasks: 1},
		"executable":          {files: map[string]entry{"tasks/0/task_1.json": {"100755", x.blob("{}")}}, tasks: 1},
		"not JSON":            {files: map[string]entry{"tasks/0/task_1.json": file("\x00\xff<")}, tasks: 1}, // as a damaged file of a board is
		"beside of nothing":   {files: map[string]entry{"tasks/0/beside.json": file(`{"3": {"turn": 1}}`)}},
		"more than we know":   {files: map[string]entry{"tasks/0/beside.json": file(`{"3": {"turn": 1, "new": [1]}}`), "pawl.json": file(`{"format": 1, "new": {}}`)}},
		"link for a task":     {files: map[string]entry{"tasks/0/task_1.json": link}, says: "tasks/0/task_1.json is something else"},
		"link for a folder":   {files: map[string]entry{"tasks": link}, says: "tasks is something else"},
		"module for a folder": {files: map[string]entry{"tasks/0": module}, says: "tasks/0 is something else"},
		"folder for a task":   {files: map[string]entry{"tasks/0/task_1.json/x": file("x")}, says: "tasks/0/task_1.json is something else"},
		"file for a folder":   {files: map[string]entry{"tasks/0": file("x")}, says: "tasks/0 is something else"},
		"missing":             {files: map[string]entry{"pawl.json": {}}, says: "pawl.json is missing"},
		"huge":                {files: map[string]entry{"tasks/0/task_1.json": big}, says: "tasks/0/task_1.json cannot be read: git has an object that is too large"},
		"huge mark":           {files: map[string]entry{"highwatermark": file("9" + strings.Repeat("0", 30))}, says: "highwatermark is not a number"},
		"odd mark":            {files: map[string]entry{"highwatermark": file("-1\n")}, says: "highwatermark is not a number"},
		"mark as a link":      {files: map[string]entry{"highwatermark": link}, says: "highwatermark is something else"},
		"from the future":     {files: map[string]entry{"pawl.json": file(`{"format": 2}`)}, says: "Update Pawl"},
		"far future":          {files: map[string]entry{"pawl.json": file(`{"format": 1e999}`)}, says: "does not say what format"},
		"no format":           {files: map[string]entry{"pawl.json": file(`{}`)}, says: "does not say what format"},
		"format of rubbish":   {files: map[string]entry{"pawl.json": deep}, says: "does not say what format"},
		"nested":              {files: map[string]entry{"tasks/0/beside.json": deep}, says: "beside.json"},
		"beside no JSON":      {files: map[string]entry{"tasks/0/beside.json": file("<html>")}, says: "is not an object"},
		"beside twice":        {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {}, "1": {}}`)}, says: "names it twice"},
		"beside elsewhere":    {files: map[string]entry{"tasks/0/beside.json": file(`{"100": {}}`)}, says: "in another folder"},
		"beside odd key":      {files: map[string]entry{"tasks/0/beside.json": file(`{"01": {}}`)}, says: "names a task"},
		"beside and more":     {files: map[string]entry{"tasks/0/beside.json": file("{} {}")}, says: "behind its JSON"},
		"beside half":         {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {}`)}, says: "is not JSON"},
		"turn below zero":     {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"turn": -1}}`)}, says: "out of range"},
		"turn of all":         {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"turn": 9223372036854775807}}`)}, says: "out of range"},
		"turn too large":      {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"turn": 1e30}}`)}, says: "cannot be read"},
		"lease of ages":       {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"held": {"clone": "a", "lease": "99999h"}}}`)}, says: "lease is out of range"},
		"lease of rubbish":    {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"held": {"clone": "a", "lease": "-1s"}}}`)}, says: "lease is out of range"},
		"clone of rubbish":    {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"held": {"clone": "../\u001b"}}}`)}, says: "clone is not"},
		"session of rubbish":  {files: map[string]entry{"tasks/0/beside.json": file(`{"1": {"held": {"clone": "a", "session": "\u001b[31m"}}}`)}, says: "not a name"},
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			files := map[string]entry{"pawl.json": file(`{"format": 1}`)}
			for path, e := range c.files {
				if files[path] = e; e.mode == "" {
					delete(files, path)
				}
			}
			tip := x.commit(x.tree(files))
			// What no board has is not fetched into where it could do harm; git itself
			// refuses some of it.
			got, err := r.Fetch(ctx)
			if err == nil {
				_, err = r.Read(ctx, got)
			}
			if c.says == "" {
				if name == "left out" && err != nil && !errors.Is(err, ErrUnfit) {
					// .git as a name: git does not take such a commit.
					delete(files, ".git/config")
					tip = x.commit(x.tree(files))
					got, err = r.Fetch(ctx)
				}
				must.Do(t, err)
				if b := read(t, r, tip); got != tip || len(b.Tasks) != c.tasks || len(b.Beside)+len(b.Gone) > 0 {
					t.Errorf("%d tasks %q, beside %v, gone %v", len(b.Tasks), b.Tasks, b.Beside, b.Gone)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("it says %q, want %q", err, c.says)
			}
			if future := name == "from the future"; errors.Is(err, ErrNewer) != future {
				t.Errorf("the format is newer: %v", err)
			}
			for _, kind := range []error{share.ErrAway, share.ErrLogin, share.ErrRace, share.ErrRefused} {
				if errors.Is(err, kind) {
					t.Errorf("it is taken for %v", kind)
				}
			}
		})
	}
	if own, err := r.Own(ctx); own != "" || err != nil {
		t.Errorf("own is %q, %v", own, err)
	}
	if left, _ := filepath.Glob(filepath.Join(f.dir, "ada", "*")); len(left) > 1 { // .git
		t.Errorf("files came up: %v", left)
	}
}

// A reference that is no commit, and a commit of more files than a board can have.
func TestRubbishInMass(t *testing.T) {
	t.Parallel()
	f := newField(t)
	r := f.clone("ada")
	ctx := t.Context()
	x := rubbish{f}
	one := x.commit(x.tree(map[string]entry{"pawl.json": {"100644", x.blob(`{"format": 1}`)}}))
	tag := x.input([]byte("object "+one+"\ntype commit\ntag x\ntagger x <x> 1 +0000\n\nx\n"), "hash-object", "-w", "-t", "tag", "--stdin")
	for name, id := range map[string]string{"tag": tag, "tree": x.tree(map[string]entry{}), "blob": x.blob("x")} {
		x.input(nil, "update-ref", "refs/pawl/board", id)
		tip, err := r.Fetch(ctx)
		if err == nil {
			_, err = r.Read(ctx, tip)
		}
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("a %s is read as a board: %v", name, err)
		}
	}
	blob := x.blob("x")
	var in bytes.Buffer
	for i := range 5_000 { // few files with long names: git takes seconds for many
		fmt.Fprintf(&in, "100644 blob %s\t%02000d\x00", blob, i)
	}
	many := x.input(in.Bytes(), "mktree", "-z", "--missing")
	for name, tree := range map[string]string{
		"root":   many,
		"folder": x.tree(map[string]entry{"pawl.json": {"100644", x.blob(`{"format": 1}`)}, "tasks": {"040000", many}}),
	} {
		x.commit(tree)
		tip, err := r.Fetch(ctx)
		if err == nil {
			_, err = r.Read(ctx, tip)
		}
		if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), "too large") {
			t.Errorf("10 MB of names in the %s: %v", name, err)
		}
	}
	// What cannot be read is not written either.
	b := board(3)
	b.Tasks[2] = make([]byte, pawl.MaxTask+1)
	if _, err := r.Write(ctx, share.Commit{Board: b}, b); err == nil || !strings.Contains(err.Error(), "#2") {
		t.Errorf("a file that is too large was written: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(f.dir, "ada", ".git", "FETCH_HEAD")); err == nil {
		t.Errorf("the user's clone got %q", text)
	}
}
