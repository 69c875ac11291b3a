package taskjson

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// scramble changes some fields of a task at random.
func scramble(r *rand.Rand, t *pawl.Task) {
	texts := []string{"", "a", "two\nlines", `"q" \ / <b>`, "é😀\u2028", "\x01\x7f", strings.Repeat("long ", 30)}
	text := func() string { return texts[r.IntN(len(texts))] }
	raw := func() json.RawMessage {
		values := []string{"null", "1", "1.50", `"\u00e9"`, "[]", "{}", `{"a":[1,{"b":[]}]}`, `[[1],"]\\\"["]`, "true", `"x"`, "[1]", `{"reason":1}`}
		return json.RawMessage(values[r.IntN(len(values))])
	}
	object := func() map[string]json.RawMessage {
		m := map[string]json.RawMessage{}
		for range r.IntN(4) {
			m[[]string{"ref", "", "a\"b", "color", "z"}[r.IntN(5)]] = raw()
		}
		return m
	}
	ids := func(have []pawl.ID) []pawl.ID {
		var list []pawl.ID
		for _, id := range have {
			if r.IntN(3) > 0 {
				list = append(list, id)
			}
		}
		for range r.IntN(3) {
			list = append(list, 1+pawl.ID(r.Int64N(int64(pawl.MaxID))))
		}
		return list
	}
	at := func() time.Time {
		if r.IntN(3) == 0 {
			return time.Time{}
		}
		return time.UnixMilli(r.Int64N(4e12) - 1e12).UTC()
	}
	status := []pawl.Status{pawl.Pending, pawl.InProgress, pawl.Completed}
	for range 1 + r.IntN(4) {
		switch r.IntN(23) {
		case 0:
			t.Subject = text()
		case 1:
			t.Description = text()
		case 2:
			t.Status = status[r.IntN(3)]
		case 3:
			t.BlockedBy = ids(t.BlockedBy)
		case 4:
			t.Blocks = ids(t.Blocks)
		case 5:
			t.Owner = text()
		case 6:
			t.ActiveForm = text()
		case 7:
			t.Priority = pawl.Priority(r.IntN(3) - 1)
		case 8:
			t.Parent = pawl.ID(r.IntN(3))
		case 9:
			t.Labels = []string{text(), text(), "x"}[:r.IntN(4)]
		case 10:
			if n := len(t.Notes); n > 0 && r.IntN(2) == 0 {
				t.Notes = t.Notes[1:]
			} else {
				t.Notes = append(t.Notes[:n:n], pawl.Note{At: at(), By: text(), Text: text()})
			}
		case 11:
			t.Hold = nil
		case 12:
			t.Hold = &pawl.Hold{Reason: text(), By: text(), At: at()}
		case 13:
			t.Metadata = object()
		case 14:
			t.CreatedAt, t.UpdatedAt = at(), at()
		case 15:
			t.StartedAt = at()
		case 16:
			t.CompletedAt = at()
		case 17:
			t.Extra = object()
			t.Extra[keyNames[r.IntN(len(keyNames))]] = raw()
		case 19:
			t.Was = ids(t.Was)
			t.Merging = nil
		case 20:
			t.Checks = mixed(r, t.Checks, newCheck(r), func(a, b *pawl.Check) bool { return a.Name == b.Name })
		case 21:
			t.Accept = mixed(r, t.Accept, newCriterion(r, at()), func(a, b *pawl.Criterion) bool { return a.Text == b.Text })
			if n := len(t.Accept); n > 0 {
				c := &t.Accept[r.IntN(n)] // ticked, or not ticked again
				if c.At, c.By = at(), []string{"", "ada"}[r.IntN(2)]; !c.Ticked() {
					c.By = ""
				}
			}
		case 22:
			t.Evidence = mixed(r, t.Evidence, newRun(r, at()), func(a, b *pawl.Evidence) bool { return a.Sum == b.Sum })
		case 18:
			t.ID = 1 + pawl.ID(r.Int64N(int64(pawl.MaxID)))
		}
	}
}

// mixed leaves out some elements of a list, and takes one in unless the list has it.
func mixed[T any](r *rand.Rand, all []T, one T, same func(a, b *T) bool) []T {
	var kept []T
	for _, e := range all {
		if r.IntN(4) > 0 {
			kept = append(kept, e)
		}
	}
	if slices.ContainsFunc(kept, func(e T) bool { return same(&e, &one) }) || len(kept) >= pawl.MaxChecks {
		return kept
	}
	return slices.Insert(kept, r.IntN(len(kept)+1), one)
}

func newCheck(r *rand.Rand) pawl.Check {
	words := []string{"go", "", "./...", "a b", `"'\\`, "é😀\u2028", "\x01", "-x", "two\nlines"}
	c := pawl.Check{Name: []string{"tests", "lint: all", "a b", "é"}[r.IntN(4)], Run: []string{"sh"}}
	for range r.IntN(4) {
		c.Run = append(c.Run, words[r.IntN(len(words))])
	}
	c.Dir = []string{"", "web", "a b/ü"}[r.IntN(3)]
	c.Timeout = pawl.Duration([]time.Duration{0, time.Second, 1500 * time.Millisecond, pawl.MaxCheckTimeout}[r.IntN(4)])
	c.Env = [][]string{nil, {"CI"}, {"B", "A_1", "B"}}[r.IntN(3)]
	c.Expect = []int{0, 1, 255}[r.IntN(3)]
	c.Optional = r.IntN(3) == 0
	return c
}

func newCriterion(r *rand.Rand, at time.Time) pawl.Criterion {
	c := pawl.Criterion{Text: []string{"Reads well", `says "so"`, "é", "<b>", "a: b"}[r.IntN(5)], At: at}
	if c.Ticked() {
		c.By = []string{"", "ada"}[r.IntN(2)]
	}
	return c
}

func newRun(r *rand.Rand, at time.Time) pawl.Evidence {
	hash := func(n int) string { return strings.Repeat([]string{"0", "a", "f9"}[r.IntN(3)], n)[:n] }
	e := pawl.Evidence{Check: "tests", Sum: hash(64), At: at, By: []string{"", "ada"}[r.IntN(2)], Tree: []string{pawl.NoTree, hash(40), hash(64)}[r.IntN(3)]}
	e.Dirty, e.Exit, e.Millis = r.IntN(2) == 0, r.IntN(4)-1, int64(r.IntN(3)*700)
	e.Passed = e.Exit == 0
	if r.IntN(2) == 0 {
		e.Commit, e.Output = hash(40), "sha256:"+hash(64)
	}
	return e
}

// FuzzPatch gives Patch a text and a random change of what it says. The text
// changes as it must and nowhere else, and only JSON is ever read as a task.
func FuzzPatch(f *testing.F) {
	for _, dir := range []string{"patch", "decode"} {
		paths, _ := os.ReadDir("testdata/" + dir)
		for i, path := range paths {
			text, err := os.ReadFile("testdata/" + dir + "/" + path.Name())
			must.Do(f, err)
			for _, part := range strings.Split(string(text), " --\n")[1:] {
				part, _, _ = strings.Cut(part, "-- ")
				for seed := range 20 {
					f.Add([]byte(part), uint64(20*i+seed))
				}
			}
		}
	}
	f.Add(Encode(full()), uint64(1))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		file, err := Decode(text)
		if err != nil {
			if fault := err.(*Fault); fault.Line < 1 || fault.Column < 1 || fault.Problem == "" {
				t.Fatalf("a fault without a place: %v", fault)
			}
			DecodeFields(text) // must not panic either
			return
		}
		if !json.Valid(trimMark(text)) {
			t.Fatalf("read as a task, but it is not JSON: %q", text)
		}
		if same, err := Patch(text, &file.Task); err != nil || !bytes.Equal(same, text) {
			t.Fatalf("nothing changed, and the text did: %v\n%s\nwant\n%s", err, same, text)
		}
		want := file.Task.Clone()
		scramble(rand.New(rand.NewPCG(seed, 0)), &want)
		after, err := Patch(text, &want)
		must.Do(t, err)
		checkPatch(t, text, after, &want)
		history, err := DecodeFields(EncodeFields(&file.Task, nil))
		must.Do(t, err)
		sameTask(t, history, &file.Task)
	})
}

// What was written is read again, and our own files patched are the files we
// would write.
func TestRandomTasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		task := &pawl.Task{ID: 1, Status: pawl.Pending}
		for range r.IntN(12) {
			scramble(r, task)
		}
		for _, text := range [][]byte{Encode(task), EncodeLine(task)} {
			file, err := Decode(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			sameTask(t, &file.Task, readable(task))
		}
		next := task.Clone()
		scramble(r, &next)
		patched, err := Patch(Encode(task), &next)
		must.Do(t, err)
		if want := Encode(&next); !slices.ContainsFunc(extras(task), isOurs) && !slices.ContainsFunc(extras(&next), isOurs) && !bytes.Equal(patched, want) {
			t.Fatalf("patched\n%s\nwant\n%s", patched, want)
		}
	}
}

// isOurs reports whether a name of what a file does not know is one of Pawl's own
// after all: a value under it keeps its place in the file.
func isOurs(name string) bool { return keyOf([]byte(name), unknown) != unknown }
