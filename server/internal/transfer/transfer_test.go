package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/beads"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/server/pg"
	"github.com/pawl-dev/pawl/server/store/postgres"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/store/storetest"
)

var ada = pawl.Actor{Name: "ada", Session: "s"}

func do(t *testing.T, s pawl.Store, op pawl.Op) pawl.Result {
	t.Helper()
	res, err := pawl.NewBoard(s).Do(t.Context(), pawl.Request{By: ada, Op: op})
	if err != nil {
		t.Fatalf("%T: %v", op, err)
	}
	return res
}

// work gives a board a past.
func work(t *testing.T, s pawl.Store) {
	t.Helper()
	do(t, s, pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "a", Subject: "a «ü» <b>", Description: "two\nlines\t\u2028", Labels: []string{"x", "y"}, Priority: pawl.High},
		{Ref: "b", Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}, Owner: "bob"},
		{Subject: "c", Parent: pawl.RefName("b"), Metadata: map[string]json.RawMessage{"k": json.RawMessage(`{"n":1.50, "e": "\u00e9"}`)}},
		{Subject: "gone"},
		{Subject: "claimed"},
	}})
	do(t, s, pawl.Complete{IDs: []pawl.ID{1}})
	do(t, s, pawl.AddNote{ID: 2, Text: "note"})
	do(t, s, pawl.PutHold{IDs: []pawl.ID{3}, Reason: "why"})
	do(t, s, pawl.ClaimTask{ID: 5, Lease: time.Hour})
	do(t, s, pawl.Reopen{IDs: []pawl.ID{1}})
	do(t, s, pawl.Update{ID: 1, RemoveLabels: []string{"x"}, AddBlocks: []pawl.ID{4}})
	do(t, s, pawl.Delete{IDs: []pawl.ID{4}})
}

// real imports a real board and works on it.
func real(t *testing.T, s pawl.Store, name string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "internal", "imports", "beads", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	res, err := imports.Read(&beads.Format, &imports.Input{In: bytes.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, pawl.Import{Tasks: res.Merge(&beads.Format, nil)})
	board := pawl.NewBoard(s)
	for range 10 {
		res, err := board.Do(t.Context(), pawl.Request{By: ada, ID: pawl.OpID(fmt.Sprint(time.Now())), Op: pawl.ClaimTask{Lease: time.Hour}})
		if err != nil {
			break // nothing is left
		}
		do(t, s, pawl.AddNote{ID: res.IDs[0], Text: "looked at it"})
		if res.IDs[0]%3 != 0 {
			do(t, s, pawl.Complete{IDs: res.IDs})
		}
	}
}

func open(t *testing.T, dir string) *file.Store {
	t.Helper()
	s, err := file.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func copied(t *testing.T, from, to pawl.Store) transfer.Report {
	t.Helper()
	r, err := transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(to), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// files are the texts of the tasks in a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "task_*.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = string(text)
	}
	return all
}

func sameFiles(t *testing.T, one, other string) {
	t.Helper()
	a, b := files(t, one), files(t, other)
	if len(a) != len(b) {
		t.Errorf("%d files, and %d in the copy", len(a), len(b))
	}
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s was\n%s\nand is\n%s", name, text, b[name])
		}
	}
}

// state is all that a board shows, as text.
func state(t *testing.T, s pawl.Store) string {
	t.Helper()
	var b strings.Builder
	for item, err := range transfer.Store(s).Read(t.Context(), transfer.Fresh) {
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", text)
	}
	return b.String()
}

func sameState(t *testing.T, one, other pawl.Store) {
	t.Helper()
	a, b := strings.Split(state(t, one), "\n"), strings.Split(state(t, other), "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			t.Fatalf("of %d and %d lines, number %d is\n%s\nand in the copy\n%s", len(a), len(b), i, line(a, i), line(b, i))
		}
	}
	storetest.CheckInvariants(t, other)
	if is, ok := other.(pawl.Checker); ok {
		if found, err := is.Check(t.Context()); err != nil || len(found) > 0 {
			t.Errorf("doctor finds in the copy: %+v, %v", found, err)
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "missing"
}

// database opens the store of a board that does not exist in a new database.
func database(t *testing.T) pawl.Store {
	t.Helper()
	pgtest.Need(t)
	dsn := pgtest.Server(t).Database(t)
	if _, _, err := pg.Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	db, err := pg.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return postgres.Over(db).Board("shop")
}

// A board of files goes into another kind of store and back into a folder, and
// every file is the same, byte for byte.
func TestThereAndBack(t *testing.T) {
	t.Run("memory", func(t *testing.T) { thereAndBack(t, func(t *testing.T) pawl.Store { return memory.New() }) })
	t.Run("postgres", func(t *testing.T) { thereAndBack(t, database) })
}

func thereAndBack(t *testing.T, other func(t *testing.T) pawl.Store) {
	for name, fill := range map[string]func(*testing.T, pawl.Store){
		"work":   work,
		"viewer": func(t *testing.T, s pawl.Store) { real(t, s, "beads-viewer.jsonl") },
		"ui":     func(t *testing.T, s pawl.Store) { real(t, s, "beads-ui.jsonl") },
	} {
		t.Run(name, func(t *testing.T) {
			dir, back := filepath.Join(t.TempDir(), ".tasks"), filepath.Join(t.TempDir(), ".tasks")
			from, between, to := open(t, dir), other(t), open(t, back)
			fill(t, from)
			if r := copied(t, from, between); r.Sets == 0 || r.Tasks != len(files(t, dir)) || r.Updated || r.Resumed {
				t.Errorf("the first copy: %+v", r)
			}
			sameState(t, from, between)
			copied(t, between, to)
			sameFiles(t, dir, back)
			sameState(t, from, to)
			if r := copied(t, from, between); !r.Nothing() || r.Ahead != 0 {
				t.Errorf("the second run: %+v", r)
			}
			before := files(t, back)
			if r := copied(t, from, to); !r.Nothing() {
				t.Errorf("the second run: %+v", r)
			}
			// Something new comes on, and is brought.
			do(t, from, pawl.Create{Tasks: []pawl.NewTask{{Subject: "new", BlockedBy: []pawl.Ref{pawl.RefID(1)}}}})
			do(t, from, pawl.AddNote{ID: 2, Text: "later"})
			if r := copied(t, from, to); r.Nothing() || r.Sets != 2 || !r.Updated {
				t.Errorf("bringing what is new: %+v", r)
			}
			if len(files(t, back)) != len(before)+1 {
				t.Error("nothing new came")
			}
			sameFiles(t, dir, back)
			sameState(t, from, open(t, back))
		})
	}
}

// Files as others write them keep what they say, their keys in any order and those
// that Pawl does not know; their layout is Pawl's afterwards. A board that Pawl has
// never written to is copied too, and known again.
func TestForeignFiles(t *testing.T) {
	dir, back := t.TempDir(), filepath.Join(t.TempDir(), ".tasks")
	for name, text := range map[string]string{
		"task_1.json": `{"colour": {"b": 1.50, "a": "\u00e9"}, "status":"completed","id":"1","subject":"one", "blocks": [2, 9], "labels": 5}`,
		"task_2.json": "\ufeff" + `{"id": 2,"subject":"two","blockedBy":["9"],"notes":"look"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	from, between, to := open(t, dir), memory.New(), open(t, back)
	was := files(t, dir)
	copied(t, from, between)
	copied(t, between, to)
	for name, text := range files(t, dir) {
		if was[name] != text {
			t.Errorf("the copy changed %s", name)
		}
	}
	if r := copied(t, from, to); !r.Nothing() {
		t.Errorf("the second run: %+v", r)
	}
	is := files(t, back)
	for _, want := range []string{"\"b\": 1.50,\n    \"a\": \"\\u00e9\"", `"labels": 5`, `"blocks": [2, 9]`} {
		if !strings.Contains(is["task_1.json"], want) {
			t.Errorf("%s is not in\n%s", want, is["task_1.json"])
		}
	}
	if !strings.Contains(is["task_2.json"], `"blockedBy": [9]`) || !strings.Contains(is["task_2.json"], `"look"`) {
		t.Errorf("the second task is\n%s", is["task_2.json"])
	}
}

// A copy that has gone on by itself is left alone, and so is every other board.
func TestNothingIsOverwritten(t *testing.T) {
	refused := func(from, to pawl.Store) {
		t.Helper()
		before := state(t, to)
		_, err := transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(to), nil)
		if !errors.Is(err, pawl.Conflict) {
			t.Errorf("copying to another board: %v", err)
		}
		if state(t, to) != before {
			t.Error("the refused copy changed the board")
		}
	}
	from, to := open(t, filepath.Join(t.TempDir(), ".tasks")), open(t, filepath.Join(t.TempDir(), ".tasks"))
	work(t, from)
	other := memory.New()
	work(t, other)
	refused(from, other)
	refused(other, from)
	copied(t, from, to)
	do(t, to, pawl.AddNote{ID: 2, Text: "here"})
	if r := copied(t, from, to); !r.Nothing() || r.Ahead != 1 {
		t.Errorf("a copy that has gone on: %+v", r)
	}
	do(t, from, pawl.AddNote{ID: 2, Text: "there"})
	refused(from, to)
	do(t, from, pawl.AddNote{ID: 2, Text: "and there"})
	refused(from, to)
	refused(to, from)
}

// What is edited by hand, in the one board or its copy, counts as a change.
func TestEditsByHand(t *testing.T) {
	dir, copy := filepath.Join(t.TempDir(), ".tasks"), filepath.Join(t.TempDir(), ".tasks")
	work(t, open(t, dir))
	copied(t, open(t, dir), open(t, copy))
	edit := func(dir string) {
		t.Helper()
		name := filepath.Join(dir, "task_2.json")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, bytes.Replace(text, []byte(`"b"`), []byte(`"edited"`), 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit(dir)
	if r := copied(t, open(t, dir), open(t, copy)); r.Sets != 1 {
		t.Errorf("an edit in the first board: %+v", r)
	}
	sameFiles(t, dir, copy)
	edit(copy)
	if err := os.WriteFile(filepath.Join(copy, "task_70.json"), []byte(`{"id":70,"subject":"by hand"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := copied(t, open(t, dir), open(t, copy)); r.Ahead != 1 {
		t.Errorf("an edit in the copy: %+v", r)
	}
}

// A task that cannot be read, or was not merged, is named, and the other board is as it
// was, empty or an earlier copy. As long as nothing else is new, that has nothing to get.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	work(t, open(t, dir))
	empty, earlier := memory.New(), memory.New()
	copied(t, open(t, dir), earlier)
	name := filepath.Join(dir, "task_2.json")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Replace(whole, []byte(`"b"`), []byte(`"of another branch"`), 1)
	for text, step := range map[string]pawl.Step{
		`{"id": 2, "subject": `: pawl.HintDiagnose,
		"<<<<<<< HEAD\n" + string(whole) + "=======\n" + string(other) + ">>>>>>> side\n": pawl.HintMerge,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		was := state(t, earlier)
		if r := copied(t, open(t, dir), earlier); !r.Nothing() {
			t.Errorf("copying %q: %+v", text, r)
		}
		do(t, open(t, dir), pawl.AddNote{ID: 3, Text: "new"})
		for _, to := range []pawl.Store{empty, earlier} {
			_, err := transfer.Copy(t.Context(), transfer.Store(open(t, dir)), transfer.Store(to), nil)
			if e, ok := errors.AsType[*pawl.Error](err); !ok || e.Kind != pawl.Conflict || len(e.IDs) != 1 || e.IDs[0] != 2 || e.Hint.Step != step {
				t.Errorf("copying %q: %v", text, err)
			}
		}
		if state(t, earlier) != was {
			t.Error("the earlier copy changed")
		}
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		copied(t, open(t, dir), earlier)
		sameState(t, open(t, dir), earlier)
	}
	if err := empty.View(t.Context(), func(pawl.Reader) error { return nil }); err != nil {
		t.Errorf("the empty board: %v", err)
	}
}

// cut is a target that fails after some parts, as one that is killed.
type cut struct {
	transfer.Target
	left int
}

var errCut = errors.New("cut")

func (c *cut) Receive(ctx context.Context, part pawl.Part) error {
	if c.left == 0 {
		return errCut
	}
	c.left--
	return c.Target.Receive(ctx, part)
}

// A copy that was cut after any part goes on, also when the first board has changed
// since, and comes to the same end.
func TestCut(t *testing.T) {
	for _, kind := range []string{"memory", "file", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			from := open(t, filepath.Join(t.TempDir(), ".tasks"))
			real(t, from, "beads-viewer.jsonl")
			for parts := range 4 {
				dir := filepath.Join(t.TempDir(), ".tasks")
				var to pawl.Store = memory.New()
				switch kind {
				case "file":
					to = open(t, dir)
				case "postgres":
					to = database(t)
				}
				_, err := transfer.Copy(t.Context(), transfer.Store(from), &cut{transfer.Store(to), parts}, nil)
				if !errors.Is(err, errCut) {
					t.Fatalf("after %d parts: %v", parts, err)
				}
				if kind == "file" {
					to = open(t, dir)
				}
				if err := to.View(t.Context(), func(pawl.Reader) error { return nil }); parts > 0 && !errors.Is(err, pawl.Unavailable) {
					t.Errorf("looking at it after %d parts: %v", parts, err)
				}
				do(t, from, pawl.AddNote{ID: 3, Text: fmt.Sprint("after ", parts)})
				if r := copied(t, from, to); r.Resumed != (parts > 0) {
					t.Errorf("after %d parts: %+v", parts, r)
				}
				sameState(t, from, to)
			}
		})
	}
}

// A task whose file a person removed is missing: what waits for it waits on in the copy,
// also in one that had the file.
func TestMissing(t *testing.T) {
	dir, back := filepath.Join(t.TempDir(), ".tasks"), filepath.Join(t.TempDir(), ".tasks")
	from, to, late := open(t, dir), open(t, back), open(t, filepath.Join(t.TempDir(), ".tasks"))
	do(t, from, pawl.Create{Tasks: []pawl.NewTask{{Ref: "a", Subject: "a"}, {Subject: "b", BlockedBy: []pawl.Ref{pawl.RefName("a")}}}})
	copied(t, from, to)
	if err := os.Remove(filepath.Join(dir, "task_1.json")); err != nil {
		t.Fatal(err)
	}
	copied(t, from, to)
	copied(t, from, late)
	for _, s := range []pawl.Store{to, late} {
		if is, was := state(t, s), state(t, from); is != was {
			t.Errorf("the copy is\n%s\nof\n%s", is, was)
		}
		if _, err := pawl.NewBoard(s).Do(t.Context(), pawl.Request{By: ada, Op: pawl.ClaimTask{ID: 2}}); err == nil {
			t.Error("what waits for a missing task was claimed")
		}
	}
}

// Where neither board has anything, nothing is written: they may be one board, under two
// names, which would wait for itself.
func TestEmpty(t *testing.T) {
	board := memory.New()
	for _, to := range []pawl.Store{board, memory.New()} {
		r, err := transfer.Copy(t.Context(), transfer.Store(board), transfer.Store(to), nil)
		if err != nil || !r.Nothing() {
			t.Errorf("copying nothing: %+v, %v", r, err)
		}
		if err := to.View(t.Context(), func(pawl.Reader) error { return nil }); err != nil {
			t.Error(err)
		}
	}
}

// A board that is refused as a target stays as it is, also if Pawl has never written to it.
func TestRefusedFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "task_3.json"), []byte(`{"id":3,"subject":"another board"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	worked, plain := memory.New(), filepath.Join(t.TempDir(), ".tasks")
	work(t, worked)
	if err := os.CopyFS(plain, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, from := range []pawl.Store{worked, open(t, plain)} {
		_, err := transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(open(t, dir)), nil)
		if !errors.Is(err, pawl.Conflict) {
			t.Errorf("copying to another board: %v", err)
		}
		if all := everything(t, dir); len(all) != 1 {
			t.Errorf("the refused copy left %d files", len(all))
		}
	}
}

// A board that keeps no history is copied, known again, gone on with after a cut, and
// brought up to date.
func TestNoHistory(t *testing.T) {
	from := open(t, filepath.Join(t.TempDir(), ".tasks"))
	work(t, from)
	begun := memory.New() // whose history begins where the other board was copied
	if _, err := transfer.Copy(t.Context(), since{transfer.Store(from)}, transfer.Store(begun), nil); err != nil {
		t.Fatal(err)
	}
	for _, to := range []pawl.Store{memory.New(), open(t, filepath.Join(t.TempDir(), ".tasks"))} {
		for left := range 2 {
			if _, err := transfer.Copy(t.Context(), transfer.Store(begun), &cut{transfer.Store(to), left}, nil); !errors.Is(err, errCut) {
				t.Fatalf("after %d parts: %v", left, err)
			}
		}
		copied(t, begun, to)
		sameState(t, begun, to)
		if r := copied(t, begun, to); !r.Nothing() {
			t.Errorf("the second run: %+v", r)
		}
	}
	to := memory.New()
	copied(t, begun, to)
	do(t, begun, pawl.AddNote{ID: 1, Text: "later"})
	if r := copied(t, begun, to); r.Sets != 1 {
		t.Errorf("bringing what is new: %+v", r)
	}
	sameState(t, begun, to)
}

// since is a board of which only the present is read.
type since struct{ transfer.Local }

func (s since) Read(ctx context.Context, after pawl.Revision) iter.Seq2[transfer.Item, error] {
	return func(yield func(transfer.Item, error) bool) {
		is, err := s.Look(ctx, 0)
		if err == nil {
			after = is.Revision
		}
		for item, err := range s.Local.Read(ctx, after) {
			if !yield(item, err) {
				return
			}
		}
	}
}

// Ids that a folder has given out before it became empty are not given again.
func TestFormerNumbers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".highwatermark"), []byte("50"), 0o600); err != nil {
		t.Fatal(err)
	}
	from, to := memory.New(), open(t, dir)
	work(t, from)
	do(t, from, pawl.Delete{IDs: []pawl.ID{5}}) // the last one: no file shows its id
	copied(t, from, to)
	if r := copied(t, from, to); !r.Nothing() {
		t.Errorf("the second run: %+v", r)
	}
	if res := do(t, open(t, dir), pawl.Create{Tasks: []pawl.NewTask{{Subject: "next"}}}); res.IDs[0] != 51 {
		t.Errorf("the next id is %v", res.IDs)
	}
}

// What a person writes into the folder while a copy comes stays, is named, and keeps the copy
// from being finished; without it the copy goes on.
func TestEditedDuringCopy(t *testing.T) {
	from := open(t, filepath.Join(t.TempDir(), ".tasks"))
	work(t, from)
	for name, at := range map[string]int{"task_70.json": 4, "task_3.json": 3, "task_1.json": 6} {
		dir := filepath.Join(t.TempDir(), ".tasks")
		path := filepath.Join(dir, name)
		var was []byte
		edit := func(<-chan struct{}) {
			was, _ = os.ReadFile(path)
			if err := os.WriteFile(path, []byte(`{"id":`+strings.TrimSuffix(strings.TrimPrefix(name, "task_"), ".json")+`,"subject":"by hand"}`), 0o600); err != nil {
				t.Error(err)
			}
		}
		_, err := transfer.Copy(t.Context(), transfer.Store(from), &small{transfer.Store(open(t, dir)), at, edit}, nil)
		if !errors.Is(err, pawl.Conflict) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := transfer.Copy(t.Context(), transfer.Store(from), transfer.Store(open(t, dir)), nil); !errors.Is(err, pawl.Conflict) {
			t.Errorf("%s, again: %v", name, err)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "by hand") {
			t.Errorf("%s is now %s, %v", name, text, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if was != nil {
			if err := os.WriteFile(path, was, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		copied(t, from, open(t, dir))
		sameState(t, from, open(t, dir))
	}
}
