package external_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
)

var ada = pawl.Actor{Name: "ada", Session: "s1"}

// place is a project folder with a board in it, always looked at through a
// store that was just opened, as each new process does.
type place struct {
	*testing.T
	root, dir string
}

func newPlace(t *testing.T) *place {
	root := t.TempDir()
	return &place{t, root, filepath.Join(root, ".tasks")}
}

func (p *place) open() *pawl.Board {
	p.Helper()
	store := must.Get(file.Open(p.dir))(p)
	return pawl.NewBoard(store)
}

func (p *place) do(op pawl.Op) (pawl.Result, error) {
	p.Helper()
	board := p.open()
	defer board.Close()
	return board.Do(context.Background(), pawl.Request{By: ada, Op: op})
}

func (p *place) must(op pawl.Op) pawl.Result {
	p.Helper()
	res, err := p.do(op)
	if err != nil {
		p.Fatalf("%T: %v", op, err)
	}
	return res
}

// chain makes tasks that each wait for the one before.
func (p *place) chain(subjects ...string) {
	p.Helper()
	var op pawl.Create
	for i, s := range subjects {
		task := pawl.NewTask{Ref: s, Subject: s}
		if i > 0 {
			task.BlockedBy = []pawl.Ref{pawl.RefName(subjects[i-1])}
		}
		op.Tasks = append(op.Tasks, task)
	}
	p.must(op)
}

func (p *place) task(id pawl.ID) pawl.Task {
	p.Helper()
	board := p.open()
	defer board.Close()
	tasks := must.Get(board.Get(context.Background(), id))(p)
	return tasks[0]
}

func (p *place) ready(want ...pawl.ID) {
	p.Helper()
	if got := p.query(pawl.Query{Ready: true, Order: pawl.ByUrgency}); !slices.Equal(got, want) {
		p.Fatalf("ready: %v, want %v", got, want)
	}
}

func (p *place) query(q pawl.Query) (ids []pawl.ID) {
	p.Helper()
	board := p.open()
	defer board.Close()
	page := must.Get(board.Select(context.Background(), q))(p)
	for _, t := range page.Tasks {
		ids = append(ids, t.ID)
	}
	return ids
}

func (p *place) problems() (texts []string) {
	p.Helper()
	board := p.open()
	defer board.Close()
	problems := must.Get(board.Check(context.Background()))(p)
	for _, problem := range problems {
		texts = append(texts, problem.Kind+" "+problem.File+": "+problem.Text)
	}
	return texts
}

func (p *place) path(name string) string { return filepath.Join(p.dir, name) }

func (p *place) read(name string) string {
	p.Helper()
	text := must.Get(os.ReadFile(p.path(name)))(p)
	return string(text)
}

func (p *place) write(name, text string) {
	p.Helper()
	must.Do(p, os.WriteFile(p.path(name), []byte(text), 0o644))
}

func (p *place) replace(name, old, new string) {
	p.Helper()
	text := p.read(name)
	if strings.Count(text, old) != 1 {
		p.Fatalf("%s has %q %d times:\n%s", name, old, strings.Count(text, old), text)
	}
	p.write(name, strings.Replace(text, old, new, 1))
}

func (p *place) git(args ...string) string {
	p.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	cmd.Dir = p.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func ids(ids ...pawl.ID) []pawl.ID { return ids }

func TestNaiveManagerInTurns(t *testing.T) {
	p := newPlace(t)
	n := startNaive(t, p.dir)
	n.create("Setup project")
	n.create("Write code")
	n.create("Write tests")
	n.update(1, "", nil, []int{2})
	n.update(3, "", []int{2}, nil) // one side only
	p.ready(1)
	p.must(pawl.Start{IDs: ids(1)})
	if done := p.must(pawl.Complete{IDs: ids(1)}); !slices.Equal(done.Ready, ids(2)) {
		t.Fatalf("completing 1 made %v ready", done.Ready)
	}
	if by := n.load(2).ids("blockedBy"); len(by) != 0 {
		t.Fatalf("the file of 2 is still blocked by %v", by)
	}
	n.update(2, "completed", nil, nil)
	p.ready(3)
	if got := p.task(2); !slices.Equal(got.Blocks, ids(3)) {
		t.Errorf("2 forgot that 3 waited for it: %v", got.Blocks)
	}
	p.must(pawl.Reopen{IDs: ids(2)})
	if by := n.load(3).ids("blockedBy"); !slices.Equal(by, []int{2}) {
		t.Errorf("reopened, 2 blocks 3 in its file: %v", by)
	}
	p.ready(2)
	// Each makes tasks that the other sees.
	made := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "ours", BlockedBy: []pawl.Ref{pawl.RefID(3)}}}})
	again := startNaive(t, p.dir)
	if id := again.create("theirs"); id != int(made.IDs[0])+1 {
		t.Errorf("the naive manager gave id %d after ours was %v", id, made.IDs[0])
	}
	again.update(2, "completed", nil, nil)
	again.update(3, "completed", nil, nil)
	p.ready(4, 5)
}

// A stale counter makes the naive manager overwrite a task of ours. Its new
// task stands under the id; ours is kept aside and named.
func TestNaiveManagerOverwritesOurTask(t *testing.T) {
	p := newPlace(t)
	n := startNaive(t, p.dir)
	n.create("first")
	ours := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "ours", Description: "a long brief"}}}).IDs[0]
	if id := n.create("theirs"); id != int(ours) {
		t.Fatalf("the naive manager gave id %d, not %v: there is nothing to test", id, ours)
	}
	if got := p.task(ours).Subject; got != "theirs" {
		t.Errorf("%v reads %q", ours, got)
	}
	next := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "next"}}}).IDs[0]
	if next != ours+1 {
		t.Errorf("the next id is %v", next)
	}
	if got := p.task(ours).Subject; got != "theirs" {
		t.Errorf("after a write of ours, %v reads %q", ours, got)
	}
	var kept [][]byte
	aside := must.Get(filepath.Glob(p.path(".pawl/lost+found/task_2.*")))(t)
	for _, path := range aside {
		text := must.Get(os.ReadFile(path))(t)
		kept = append(kept, text)
	}
	if len(kept) != 1 || !bytes.Contains(kept[0], []byte("a long brief")) {
		t.Errorf("kept aside: %q", kept)
	}
	if found := p.problems(); !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, "lost+found") }) {
		t.Errorf("the doctor does not tell: %q", found)
	}
}

func TestGitCheckoutAndBack(t *testing.T) {
	p := newPlace(t)
	p.git("init", "-q")
	p.chain("a", "b", "c")
	p.write(".gitignore", ".pawl/\n.lock\n")
	p.git("add", "-A")
	p.git("commit", "-qm", "plan")
	p.must(pawl.Complete{IDs: ids(1)})
	p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "d", BlockedBy: []pawl.Ref{pawl.RefID(2)}}}})
	p.git("add", "-A")
	p.git("commit", "-qm", "work")
	p.ready(2)
	p.git("checkout", "-q", "HEAD~1")
	p.ready(1)
	if got := p.query(pawl.Query{}); !slices.Equal(got, ids(1, 2, 3)) {
		t.Errorf("on the older commit: %v", got)
	}
	p.git("checkout", "-q", "main")
	p.ready(2)
	if got := p.task(4); !slices.Equal(got.BlockedBy, ids(2)) {
		t.Errorf("back again, 4 waits for %v", got.BlockedBy)
	}
	if status := p.git("status", "--porcelain"); status != "" {
		t.Errorf("reading changed files:\n%s", status)
	}
	// On the older commit a new task gets an id that the other branch has not used.
	p.git("checkout", "-q", "HEAD~1")
	if id := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "e"}}}).IDs[0]; id != 5 {
		t.Errorf("the id of a task on the other branch was given again: %v", id)
	}
}

func TestGitStashInTheMiddle(t *testing.T) {
	p := newPlace(t)
	p.git("init", "-q")
	p.chain("a", "b")
	p.write(".gitignore", ".pawl/\n.lock\n")
	p.git("add", "-A")
	p.git("commit", "-qm", "plan")
	claim := p.must(pawl.ClaimTask{})
	p.must(pawl.AddNote{ID: 2, Text: "remember"})
	p.git("stash", "-q")
	p.ready(1)
	if got := p.task(2); len(got.Notes) != 0 {
		t.Errorf("stashed, 2 still has %v", got.Notes)
	}
	p.git("stash", "pop", "-q")
	if got := p.task(1); got.Status != pawl.InProgress || got.Owner != "ada" {
		t.Errorf("back again, 1 is %s of %q", got.Status, got.Owner)
	}
	if got := p.task(2); len(got.Notes) != 1 {
		t.Errorf("back again, 2 has %v", got.Notes)
	}
	p.must(pawl.Complete{IDs: claim.IDs})
	p.ready(2)
}

// A claim comes back with a task that git takes away and brings back, also when a write
// has seen the board without it: with a stash, also of a task that no commit has, and
// with another branch. A second clone has the text and not the claim.
func TestGitBringsClaimsBack(t *testing.T) {
	p := newPlace(t)
	p.git("init", "-q")
	p.chain("a", "b")
	p.git("add", "-A")
	p.git("commit", "-qm", "plan")
	p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "new"}}})
	p.git("add", "-A")
	var tokens []pawl.Revision
	for _, id := range ids(1, 3) {
		p.must(pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Hour)})
		tokens = append(tokens, p.task(id).Claim.Token)
	}
	still := func(when string) {
		t.Helper()
		for i, id := range ids(1, 3) {
			if got := p.task(id); got.Claim.Token != tokens[i] || time.Duration(got.Claim.Lease) != time.Hour {
				t.Errorf("%s, %s has the claim %+v", when, id, got.Claim)
			}
		}
	}
	p.git("stash", "-q")
	p.must(pawl.AddNote{ID: 2, Text: "meanwhile"})
	p.ready(1)
	p.git("stash", "pop", "-q")
	still("after a stash")
	p.git("add", "-A")
	p.git("commit", "-qm", "claimed")
	p.git("checkout", "-q", "HEAD~1")
	p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "elsewhere"}}})
	p.git("checkout", "-q", "main")
	still("after another branch")
	p.must(pawl.AddNote{ID: 2, Text: "later"})
	still("once it is recorded")

	other := newPlace(t)
	other.git("clone", "-q", p.root, ".")
	other.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "theirs"}}})
	other.git("checkout", "-q", "HEAD~1")
	other.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "theirs too"}}})
	other.git("checkout", "-q", "main")
	if got := other.task(1); got.Status != pawl.InProgress || got.Claim.Live() {
		t.Errorf("another clone has it %s with %+v", got.Status, got.Claim)
	}
	p.must(pawl.Complete{IDs: ids(1), Token: tokens[0]})
}

// While git is at work on the index, a writer keeps to its own files and takes
// nothing of what it sees for somebody's edit.
func TestWriteDuringCheckout(t *testing.T) {
	p := newPlace(t)
	p.git("init", "-q")
	p.chain("a", "b", "c")
	p.replace("task_2.json", `"subject": "b"`, `"subject": "half way"`)
	must.Do(t, os.WriteFile(filepath.Join(p.root, ".git", "index.lock"), nil, 0o644))
	p.must(pawl.AddNote{ID: 3, Text: "n"})
	board := p.open()
	defer board.Close()
	for set, err := range board.Changes(context.Background(), pawl.Span{}) {
		if err != nil {
			t.Fatal(err)
		}
		if set.By.Name == pawl.ExternalName {
			t.Errorf("an edit was recorded in the middle of a checkout: %+v", set.Changes)
		}
	}
	if !strings.Contains(p.read("task_2.json"), "half way") {
		t.Error("a file of the checkout was written")
	}
}

func TestEditorThatRenames(t *testing.T) {
	p := newPlace(t)
	p.chain("a", "b")
	// Write a new file beside, move the old one away, move the new one in.
	text := strings.Replace(p.read("task_1.json"), `"subject": "a"`, `"subject": "renamed in"`, 1)
	p.write("4913", "")
	must.Do(t, os.Remove(p.path("4913")))
	must.Do(t, os.Rename(p.path("task_1.json"), p.path("task_1.json~")))
	p.write("task_1.json", text)
	if got := p.task(1).Subject; got != "renamed in" {
		t.Errorf("1 reads %q", got)
	}
	p.must(pawl.Complete{IDs: ids(1)})
	if got := p.task(1); got.Subject != "renamed in" || got.Status != pawl.Completed {
		t.Errorf("completed, 1 is %s %q", got.Status, got.Subject)
	}
	if got := p.query(pawl.Query{}); !slices.Equal(got, ids(1, 2)) {
		t.Errorf("the editor's backup counts as a task: %v", got)
	}
}

func TestPersonRemovesOneSideOfAnEdge(t *testing.T) {
	for _, tt := range []struct{ file, old, new string }{
		{"task_2.json", `"blockedBy": [1]`, `"blockedBy": []`},
		{"task_1.json", `"blocks": [2]`, `"blocks": []`},
	} {
		p := newPlace(t)
		p.chain("a", "b")
		p.replace(tt.file, tt.old, tt.new)
		p.ready(1, 2)
		if found := p.problems(); len(found) != 1 || !strings.Contains(found[0], "one-sided") {
			t.Errorf("%s: the doctor finds %q", tt.file, found)
		}
		p.must(pawl.AddNote{ID: 1, Text: "n"})
		p.must(pawl.AddNote{ID: 2, Text: "n"})
		p.ready(1, 2)
		if found := p.problems(); len(found) > 0 {
			t.Errorf("%s: written again, the doctor finds %q", tt.file, found)
		}
		if !strings.Contains(p.read("task_1.json"), `"blocks": []`) || !strings.Contains(p.read("task_2.json"), `"blockedBy": []`) {
			t.Errorf("%s: written again, the files still have the edge:\n%s%s", tt.file, p.read("task_1.json"), p.read("task_2.json"))
		}
	}
}

func TestPersonAddsOneSideOfAnEdge(t *testing.T) {
	for _, tt := range []struct{ file, old, new string }{
		{"task_2.json", `"blockedBy": []`, `"blockedBy": [1]`},
		{"task_1.json", `"blocks": []`, `"blocks": [2]`},
	} {
		p := newPlace(t)
		p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "a"}, {Subject: "b"}}})
		p.replace(tt.file, tt.old, tt.new)
		p.ready(1)
		if done := p.must(pawl.Complete{IDs: ids(1)}); !slices.Equal(done.Ready, ids(2)) {
			t.Errorf("%s: completing 1 made %v ready", tt.file, done.Ready)
		}
		p.must(pawl.Reopen{IDs: ids(1)})
		p.ready(1)
	}
}

func TestDamagedFiles(t *testing.T) {
	for name, text := range map[string]string{
		"conflict markers": "{\n<<<<<<< HEAD\n  \"id\": 1,\n=======\n  \"id\": 1,\n>>>>>>> other\n}\n",
		"torn":             "{\n  \"id\": 1,\n  \"subj",
		"empty":            "",
		"other id":         "{\"id\": 7, \"subject\": \"x\", \"status\": \"pending\"}",
		"unknown status":   "{\"id\": 1, \"subject\": \"x\", \"status\": \"banana\"}",
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.chain("a", "b")
			p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "free"}}})
			p.write("task_1.json", text)
			p.ready(3)
			if _, err := p.do(pawl.Complete{IDs: ids(2)}); !errors.Is(err, pawl.Blocked) {
				t.Errorf("completing what waits for it: %v", err)
			}
			_, err := p.do(pawl.Complete{IDs: ids(1)})
			if !errors.Is(err, pawl.Internal) || !strings.Contains(err.Error(), "task_1.json") {
				t.Errorf("completing the damaged one: %v", err)
			}
			p.must(pawl.Complete{IDs: ids(3)})
			if got := p.read("task_1.json"); got != text {
				t.Errorf("the damaged file was touched:\n%s", got)
			}
			if found := p.problems(); !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, "task_1.json") }) {
				t.Errorf("the doctor does not name it: %q", found)
			}
			// Mended, it goes on.
			p.write("task_1.json", `{"id": 1, "subject": "mended", "status": "completed", "blocks": [2]}`)
			p.ready(2)
		})
	}
}

func TestDeletedFile(t *testing.T) {
	p := newPlace(t)
	p.chain("a", "b")
	must.Do(t, os.Remove(p.path("task_1.json")))
	p.ready()
	if got := p.task(2); !slices.Equal(got.BlockedBy, ids(1)) {
		t.Errorf("2 waits for %v", got.BlockedBy)
	}
	if found := p.problems(); !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, "#1") }) {
		t.Errorf("the doctor does not name it: %q", found)
	}
	if id := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "new"}}}).IDs[0]; id != 3 {
		t.Errorf("the next id is %v", id)
	}
	p.must(pawl.Update{ID: 2, RemoveBlockedBy: ids(1)})
	p.ready(2, 3)
}

func TestPawlFolderRemoved(t *testing.T) {
	p := newPlace(t)
	p.chain("a", "b", "c")
	p.must(pawl.ClaimTask{})
	p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "d"}}})
	p.must(pawl.Delete{IDs: ids(4)})
	before := p.task(1)
	must.Do(t, os.RemoveAll(p.path(".pawl")))
	got := p.task(1)
	if got.Status != pawl.InProgress || got.Owner != "ada" || got.Claim.Live() {
		t.Errorf("1 is %s of %q, claim %+v", got.Status, got.Owner, got.Claim)
	}
	if got := p.task(3); !slices.Equal(got.BlockedBy, ids(2)) {
		t.Errorf("3 waits for %v", got.BlockedBy)
	}
	made := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "e"}}})
	if made.IDs[0] != 5 {
		t.Errorf("the next id is %v: the id of a deleted task was given again", made.IDs[0])
	}
	if made.Revision <= before.Claim.Token {
		t.Errorf("revision %d does not come after token %d", made.Revision, before.Claim.Token)
	}
	p.must(pawl.Complete{IDs: ids(1)})
	p.ready(2, 5)
}

// The index is a cache. Without it, the journal must not bring back what was
// deleted after the record that made it, by Pawl or by another program.
func TestDeletedStaysDeletedWithoutIndex(t *testing.T) {
	lose := func(p *place) {
		p.Helper()
		for _, name := range []string{".pawl/index", ".pawl/index.log"} {
			must.Do(p, os.Remove(p.path(name)))
		}
	}
	t.Run("by another program", func(t *testing.T) {
		p := newPlace(t)
		for range 4 {
			p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "t"}}})
		}
		must.Do(t, os.Remove(p.path("task_2.json")))
		lose(p)
		p.ready(1, 3, 4)
		p.must(pawl.AddNote{ID: 1, Text: "n"})
		p.ready(1, 3, 4)
	})
	t.Run("by us, with a broken line in the journal", func(t *testing.T) {
		p := newPlace(t)
		for range 3 {
			p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "t"}}})
		}
		p.must(pawl.Delete{IDs: ids(3)})
		for range 4 {
			p.must(pawl.AddNote{ID: 1, Text: "n"})
		}
		p.replace(".pawl/journal/1.jsonl", `"verb":"delete"`, `"verb":"d-l-t-"`)
		lose(p)
		p.ready(1, 2)
		if id := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "new"}}}).IDs[0]; id != 4 {
			t.Errorf("the next id is %v", id)
		}
		p.ready(1, 2, 4)
	})
}

// A newer Pawl may keep its state in another form. An older one reads the
// tasks, and touches nothing.
func TestNewerFormat(t *testing.T) {
	p := newPlace(t)
	p.chain("a", "b")
	index := p.read(".pawl/index")
	const at = 8 // the format, after the magic
	p.write(".pawl/index", index[:at]+"\x09"+index[at+1:])
	p.ready(1)
	refused := func() {
		t.Helper()
		_, err := p.do(pawl.Complete{IDs: ids(1)})
		if !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "format 9") {
			t.Errorf("a write on a newer board: %v", err)
		}
		p.ready(1)
	}
	refused()
	// Only the journal is of the newer form.
	p.write(".pawl/index", index)
	journal := strings.Replace(p.read(".pawl/journal/1.jsonl"), `"body":{"format":2,`, `"body":{"format":9,`, 1)
	p.write(".pawl/journal/1.jsonl", journal)
	refused()
	if p.read(".pawl/journal/1.jsonl") != journal {
		t.Error("the newer journal was written to")
	}
}

// Fields of other programs stay, in place, whatever Pawl does to the task.
func TestForeignFieldsStay(t *testing.T) {
	p := newPlace(t)
	must.Do(t, os.MkdirAll(p.dir, 0o755))
	text := "{\n    \"worktree\": {\"path\": \"x\",  \"n\": 1e2},\n    \"id\": 1,\n    \"subject\": \"a\",\n    \"status\": \"pending\",\n    \"created_at\": 1700000000.25,\n    \"blockedBy\": []\n}"
	p.write("task_1.json", text)
	p.must(pawl.Update{ID: 1, AddLabels: []string{"l"}, Metadata: map[string]json.RawMessage{"k": json.RawMessage("1")}})
	p.must(pawl.Complete{IDs: ids(1)})
	got := p.read("task_1.json")
	for _, part := range []string{
		"{\n    \"worktree\": {\"path\": \"x\",  \"n\": 1e2},\n    \"id\": 1,\n    \"subject\": \"a\",\n",
		"\n    \"status\": \"completed\",\n    \"created_at\": 1700000000.25,\n    \"blockedBy\": [],\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("the file is now\n%s\nwithout\n%s", got, part)
		}
	}
	if strings.HasSuffix(got, "\n") {
		t.Error("a newline at the end was added")
	}
}
