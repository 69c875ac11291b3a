package checklist

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Doc gathers the tasks of one file.
type Doc struct {
	Result imports.Result
	In     *imports.Input
	Base   string // what the names of its tasks begin with: "speckit:001-cart"
	Chain  bool   // everything is in a row

	steps []plan.Step
	texts [][]string
	parts map[int][]int // of each task
	keys  map[string]bool
	full  bool // there are more tasks than a file may have
}

// Words is the name of the sum that tells a line from others when its number has
// changed.
const Words = "words"

// File is the name under which a task keeps the file that it is from, below
// the project.
const File = "file"

// maxTasks is how many tasks one file may have: many times what anybody reads.
const maxTasks = 2_000

// Sum is the sum of a line's words.
func Sum(text string) string {
	h := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return hex.EncodeToString(h[:6])
}

// Add makes a task of a line: key is its name in the file, such as T001, words
// what it says without that. It returns the task's index, or -1 if the line has no
// subject or the file has too many tasks; [Doc.End] reports the latter.
func (d *Doc) Add(key, subject, words string, l Line, s plan.Step) int {
	if d.full = d.full || len(d.steps) == maxTasks; d.full {
		return -1
	}
	if d.keys == nil {
		d.keys, d.parts = map[string]bool{}, map[int][]int{}
	}
	if key == "" {
		key = "=" + Sum(words)
	}
	for n, first := 2, key; d.keys[key]; n++ {
		key = first + "'" + strconv.Itoa(n)
	}
	at := imports.Position{File: d.In.Path, Line: l.No}
	d.In.Reading(at)
	t := imports.New(d.Base+"/"+key, at)
	if !t.SetSubject(&d.Result, subject) {
		d.Result.Leave(at, "no subject", "")
		return -1
	}
	d.keys[key] = true
	if d.In.Place != "" {
		t.Keep(File, d.In.Place)
	}
	t.Keep(Words, Sum(words))
	if l.Box != 0 {
		t.Keep("box", true)
	}
	t.Status = pawl.Pending
	if s.Done {
		t.Status = pawl.Completed
	}
	d.Result.Tasks = append(d.Result.Tasks, t)
	d.steps = append(d.steps, s)
	d.texts = append(d.texts, nil)
	if s.Parent >= 0 {
		d.Result.Tasks[len(d.Result.Tasks)-1].Parent = pawl.RefName(d.Result.Tasks[s.Parent].Ref)
		d.parts[s.Parent] = append(d.parts[s.Parent], len(d.steps)-1)
	}
	return len(d.steps) - 1
}

// Task is the task with an index.
func (d *Doc) Task(i int) *imports.Task { return &d.Result.Tasks[i] }

// Step is the step of the task with an index.
func (d *Doc) Step(i int) *plan.Step { return &d.steps[i] }

// Steps counts the tasks.
func (d *Doc) Steps() int { return len(d.steps) }

// Describe adds a line to a task's description; not to none.
func (d *Doc) Describe(i int, line string) {
	if i >= 0 {
		d.texts[i] = append(d.texts[i], line)
	}
}

// Parts are the tasks that are part of a task.
func (d *Doc) Parts(of int) []int { return d.parts[of] }

// Drop removes a task and its names, if it is the last one: an index that outlived
// its task would be that of another one.
func (d *Doc) Drop(i int, names map[string]int) {
	if i < 0 || i != len(d.steps)-1 {
		return
	}
	maps.DeleteFunc(names, func(_ string, of int) bool { return of == i })
	delete(d.keys, strings.TrimPrefix(d.Result.Tasks[i].Ref, d.Base+"/"))
	if up := d.steps[i].Parent; up >= 0 {
		d.parts[up] = d.parts[up][:len(d.parts[up])-1]
	}
	d.Result.Tasks, d.steps, d.texts = d.Result.Tasks[:i], d.steps[:i], d.texts[:i]
}

// End makes the result: groups that are done with all of their parts, texts and
// edges.
func (d *Doc) End() (*imports.Result, error) {
	r := &d.Result
	if d.full {
		return nil, pawl.Errorf(pawl.Invalid, "%s has more than %d tasks", d.In.Name(), maxTasks)
	}
	for i := range slices.Backward(r.Tasks) {
		s := &d.steps[i]
		if parts := d.Parts(i); s.Group && len(parts) > 0 && r.Tasks[i].Status != pawl.Completed {
			open := slices.ContainsFunc(parts, func(p int) bool { return !d.steps[p].Done })
			if s.Done = !open; s.Done && r.Tasks[i].Status == pawl.Pending && !d.boxed(i) {
				r.Tasks[i].Status = pawl.Completed
			}
		}
	}
	for i := range r.Tasks {
		if text := strings.Trim(strings.Join(d.texts[i], "\n"), "\n"); text != "" {
			r.Tasks[i].SetDescription(r, text)
		}
	}
	if !d.In.Parallel {
		if d.In.Chain {
			for i := range d.steps {
				d.steps[i].Row, d.steps[i].Band = true, ""
			}
		}
		for i, waits := range plan.Arrange(d.steps) {
			for _, on := range waits {
				r.Tasks[i].After(r.Tasks[on].Ref)
			}
		}
	}
	return r, nil
}

func (d *Doc) boxed(i int) bool { return slices.Contains(d.Result.Tasks[i].Kept(), "box") }

// Counts says how many tasks a file has besides its groups, and how many of them
// are done.
func (d *Doc) Counts() (tasks, done int) {
	for i, s := range d.steps {
		if s.Group && !d.boxed(i) {
			continue
		}
		tasks++
		if s.Done {
			done++
		}
	}
	return tasks, done
}

// Told are the counts in words: "4 tasks, 1 done".
func (d *Doc) Told() string {
	tasks, done := d.Counts()
	told := text.Count(tasks, "task", "tasks")
	if done > 0 {
		told += fmt.Sprintf(", %d done", done)
	}
	return told
}
