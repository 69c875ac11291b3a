package external_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// grace works on the board with docs/examples/board.py, a program that was
// written from docs/format.md and nothing else.
const grace = "grace"

// python is a running board.py. It is given a command a line, and reads the
// board again for each.
type python struct {
	*place
	in  io.WriteCloser
	out *bufio.Scanner
}

func (p *place) python() *python {
	p.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		mustrun.Skip(p, "python3 is not installed")
	}
	script, err := filepath.Abs("../../docs/examples/board.py")
	if err != nil {
		p.Fatal(err)
	}
	cmd := exec.Command(program, script, p.dir, "-")
	cmd.Stderr = p.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		p.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.Fatal(err)
	}
	must.Do(p, cmd.Start())
	p.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			p.Errorf("board.py: %v", err)
		}
	})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	return &python{p, in, lines}
}

// pythonAnswer is what board.py prints.
type pythonAnswer struct {
	Refused string
	ID      pawl.ID
	Ready   []pawl.ID
	Tasks   []struct {
		ID        pawl.ID
		Subject   string
		Status    pawl.Status
		Owner     string
		Parent    pawl.ID
		BlockedBy []pawl.ID
	}
	Damaged map[string]string
}

// ask gives one command. It may be called by another goroutine than the test's.
func (y *python) ask(words ...any) (a pythonAnswer, err error) {
	line, err := json.Marshal(words)
	if err != nil {
		return a, err
	}
	if _, err := y.in.Write(append(line, '\n')); err != nil {
		return a, err
	}
	if !y.out.Scan() {
		return a, fmt.Errorf("board.py ended at %s", line)
	}
	return a, json.Unmarshal(y.out.Bytes(), &a)
}

// tell gives a command that must work.
func (y *python) tell(words ...any) pythonAnswer {
	y.Helper()
	a, err := y.ask(words...)
	if err != nil || a.Refused != "" {
		y.Fatalf("board.py %v: %v, refused: %s", words, err, a.Refused)
	}
	return a
}

// agree compares what both programs see.
func (y *python) agree() {
	y.Helper()
	list := y.tell("list")
	if len(list.Damaged) > 0 {
		y.Fatalf("board.py cannot read %v", list.Damaged)
	}
	board := y.open()
	defer board.Close()
	page := must.Get(board.Select(context.Background(), pawl.Query{}))(y)
	line := func(id pawl.ID, subject string, status pawl.Status, owner string, parent pawl.ID, by []pawl.ID) string {
		return fmt.Sprintf("%v %s %s %q parent %d, waits for %v\n", id, subject, status, owner, parent, by)
	}
	var ours, theirs strings.Builder
	for _, t := range page.Tasks {
		ours.WriteString(line(t.ID, t.Subject, t.Status, t.Owner, t.Parent, slices.Sorted(slices.Values(t.BlockedBy))))
	}
	for _, t := range list.Tasks {
		theirs.WriteString(line(t.ID, t.Subject, t.Status, t.Owner, t.Parent, slices.Sorted(slices.Values(t.BlockedBy))))
	}
	if ours.String() != theirs.String() {
		y.Fatalf("Pawl sees\n%sboard.py sees\n%s", &ours, &theirs)
	}
	for _, name := range []string{grace, ada.Name} {
		page := must.Get(board.Select(context.Background(), pawl.Query{Ready: true, For: name, Order: pawl.ByUrgency}))(y)
		var want []pawl.ID
		for _, t := range page.Tasks {
			want = append(want, t.ID)
		}
		if got := y.tell("ready", "--as", name).Ready; !slices.Equal(got, want) {
			y.Fatalf("ready for %s: board.py says %v, Pawl %v\n%s", name, got, want, &ours)
		}
	}
	if problems := y.problems(); len(problems) > 0 {
		y.Fatalf("doctor finds: %s", strings.Join(problems, "\n"))
	}
}

// try is what Pawl would answer grace.
func (p *place) try(op pawl.Op) (pawl.Result, error) {
	p.Helper()
	board := p.open()
	defer board.Close()
	return board.Try(context.Background(), pawl.Request{By: pawl.Actor{Name: grace}, Op: op})
}

// move is one thing that either program can do to a board.
type move struct {
	op    pawl.Op
	words []any // the same for board.py
}

// someMove makes one up. Many of them cannot be carried out.
func someMove(r *rand.Rand, last int, ready []pawl.ID) move {
	id := func() pawl.ID { return pawl.ID(1 + r.IntN(last+1)) }
	one := id()
	switch r.IntN(12) {
	case 0, 1, 2:
		task := pawl.NewTask{Subject: fmt.Sprintf("task %d", r.IntN(1000))}
		fields := map[string]any{"subject": task.Subject}
		if n := r.IntN(3); n > 0 && last > 0 {
			blockers := map[pawl.ID]bool{}
			for range n {
				blockers[pawl.ID(1+r.IntN(last))] = true
			}
			list := slices.Sorted(maps.Keys(blockers))
			for _, b := range list {
				task.BlockedBy = append(task.BlockedBy, pawl.RefID(b))
			}
			fields["blockedBy"] = list
		}
		if r.IntN(4) == 0 && last > 0 {
			task.Parent = pawl.RefID(one)
			fields["parent"] = one
		}
		if r.IntN(3) == 0 {
			task.Priority = pawl.High
			fields["priority"] = "high"
		}
		return move{pawl.Create{Tasks: []pawl.NewTask{task}}, []any{"add", fields}}
	case 3:
		return move{pawl.Start{IDs: ids(one)}, []any{"start", one, grace}}
	case 4, 5, 6:
		if len(ready) > 0 && r.IntN(3) > 0 {
			one = ready[r.IntN(len(ready))]
		}
		return move{pawl.Complete{IDs: ids(one)}, []any{"done", one, grace}}
	case 7:
		return move{pawl.Release{IDs: ids(one)}, []any{"release", one, grace}}
	case 8:
		return move{pawl.Reopen{IDs: ids(one)}, []any{"reopen", one}}
	case 9:
		by := id()
		return move{pawl.Update{ID: one, AddBlockedBy: ids(by)}, []any{"block", one, by}}
	case 10:
		by := id()
		return move{pawl.Update{ID: one, RemoveBlockedBy: ids(by)}, []any{"unblock", one, by}}
	default:
		return move{pawl.Delete{IDs: ids(one)}, []any{"delete", one, grace}}
	}
}

// In turns, each program sees all that the other did, allows what the other
// would allow, and finds the same tasks ready in the same order.
func TestPythonInTurns(t *testing.T) {
	const moves = 50
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			y := p.python()
			r := rand.New(rand.NewPCG(seed, 12))
			last, refused, ready := 0, 0, 0
			for range moves {
				m := someMove(r, last, p.query(pawl.Query{Ready: true}))
				_, makes := m.op.(pawl.Create)
				if r.IntN(2) == 0 {
					if res, err := p.do(m.op); err != nil {
						refused++
					} else if makes {
						last = int(res.IDs[0])
					}
					y.agree()
					continue
				}
				would, wrong := p.try(m.op)
				got := must.Get(y.ask(m.words...))(t)
				switch {
				case (wrong != nil) != (got.Refused != ""):
					t.Fatalf("%v: Pawl would say %v, board.py said %q", m.words, wrong, got.Refused)
				case wrong != nil:
					refused++
				case makes && got.ID != would.IDs[0]:
					t.Fatalf("%v: board.py made %v, Pawl would have made %v", m.words, got.ID, would.IDs)
				case makes:
					last = int(got.ID)
				}
				if _, completes := m.op.(pawl.Complete); completes && wrong == nil {
					if !slices.Equal(slices.Sorted(slices.Values(got.Ready)), slices.Sorted(slices.Values(would.Ready))) {
						t.Fatalf("%v: board.py made %v ready, Pawl would have made %v", m.words, got.Ready, would.Ready)
					}
					ready += len(got.Ready)
				}
				y.agree()
			}
			t.Logf("%d of %d moves were refused, %d tasks became ready by board.py", refused, moves, ready)
			if last < 5 || refused == 0 || refused == moves {
				t.Errorf("the moves were too much alike: %d tasks, %d refused", last, refused)
			}
		})
	}
}

// At once, nobody's task is lost or given another's number, and every edge has
// both its sides.
func TestPythonAtOnce(t *testing.T) {
	const workers, each = 3, 8 // of each program
	p := newPlace(t)
	p.chain("root")
	var mu sync.Mutex
	made := map[pawl.ID]string{}
	note := func(id pawl.ID, subject string) error {
		mu.Lock()
		defer mu.Unlock()
		if other, there := made[id]; there {
			return fmt.Errorf("%v was made twice: %s and %s", id, other, subject)
		}
		made[id] = subject
		return nil
	}
	var work sync.WaitGroup
	run := func(name string, add func(subject string) (pawl.ID, error), done func(pawl.ID) error) {
		work.Go(func() {
			for i := range each {
				subject := fmt.Sprintf("%s %d", name, i)
				id, err := add(subject)
				if err == nil {
					err = note(id, subject)
				}
				if err == nil && i%3 == 0 {
					err = done(id)
				}
				if err != nil {
					p.Errorf("%s: %v", subject, err)
					return
				}
			}
		})
	}
	// Every third task is completed by its maker and so waits for nothing; the
	// others wait for the root, whose file all of them must write.
	blockers := func(subject string) []pawl.ID {
		_, number, _ := strings.Cut(subject, " ")
		if i, err := strconv.Atoi(number); err != nil || i%3 == 0 {
			return nil
		}
		return ids(1)
	}
	for w := range workers {
		y := p.python()
		refusal := func(a pythonAnswer, err error) (pawl.ID, error) {
			if err == nil && a.Refused != "" {
				err = fmt.Errorf("refused: %s", a.Refused)
			}
			return a.ID, err
		}
		run(fmt.Sprint("python-", w), func(subject string) (pawl.ID, error) {
			return refusal(y.ask("add", map[string]any{"subject": subject, "blockedBy": blockers(subject)}))
		}, func(id pawl.ID) error {
			_, err := refusal(y.ask("done", id, grace))
			return err
		})
		run(fmt.Sprint("pawl-", w), func(subject string) (pawl.ID, error) {
			task := pawl.NewTask{Subject: subject}
			for _, b := range blockers(subject) {
				task.BlockedBy = append(task.BlockedBy, pawl.RefID(b))
			}
			res, err := p.do(pawl.Create{Tasks: []pawl.NewTask{task}})
			if err != nil {
				return 0, err
			}
			return res.IDs[0], nil
		}, func(id pawl.ID) error {
			_, err := p.do(pawl.Complete{IDs: ids(id)})
			return err
		})
	}
	work.Wait()
	if len(made) != 2*workers*each {
		t.Fatalf("%d tasks were made, not %d", len(made), 2*workers*each)
	}
	var waiting []pawl.ID
	for id, subject := range made {
		task := p.task(id)
		if task.Subject != subject {
			t.Errorf("%v is %q, and was made as %q", id, task.Subject, subject)
		}
		if wants := blockers(subject); len(wants) > 0 {
			waiting = append(waiting, id)
			if !slices.Equal(task.BlockedBy, wants) {
				t.Errorf("%v waits for %v, and was made to wait for %v", id, task.BlockedBy, wants)
			}
		} else if task.Status != pawl.Completed {
			t.Errorf("%v was completed, and is %s", id, task.Status)
		}
	}
	if got := p.task(1).Blocks; !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(waiting))) {
		t.Errorf("the root blocks %v, not %v", got, waiting)
	}
	p.python().agree() // and nothing lies in lost+found, which doctor would name
}

// What cannot be, both refuse.
func TestPythonRefuses(t *testing.T) {
	p := newPlace(t)
	y := p.python()
	p.chain("one", "two", "three")
	p.must(pawl.Create{Tasks: []pawl.NewTask{{Ref: "parent", Subject: "parent"}, {Subject: "child", Parent: pawl.RefName("parent")}}})
	p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "held"}, {Subject: "ada's"}, {Subject: "done"}}})
	p.must(pawl.PutHold{IDs: ids(6), Reason: "not yet"})
	p.must(pawl.Start{IDs: ids(7)})
	p.must(pawl.Complete{IDs: ids(8)})
	for _, m := range []move{
		{pawl.Update{ID: 1, AddBlockedBy: ids(1)}, []any{"block", 1, 1}},
		{pawl.Update{ID: 1, AddBlockedBy: ids(3)}, []any{"block", 1, 3}},
		{pawl.Update{ID: 5, AddBlockedBy: ids(4)}, []any{"block", 5, 4}},
		{pawl.Update{ID: 1, AddBlockedBy: ids(99)}, []any{"block", 1, 99}},
		{pawl.Start{IDs: ids(2)}, []any{"start", 2, grace}},
		{pawl.Start{IDs: ids(6)}, []any{"start", 6, grace}},
		{pawl.Start{IDs: ids(7)}, []any{"start", 7, grace}},
		{pawl.Start{IDs: ids(8)}, []any{"start", 8, grace}},
		{pawl.Complete{IDs: ids(2)}, []any{"done", 2, grace}},
		{pawl.Complete{IDs: ids(4)}, []any{"done", 4, grace}},
		{pawl.Complete{IDs: ids(6)}, []any{"done", 6, grace}},
		{pawl.Complete{IDs: ids(7)}, []any{"done", 7, grace}},
		{pawl.Release{IDs: ids(7)}, []any{"release", 7, grace}},
		{pawl.Release{IDs: ids(8)}, []any{"release", 8, grace}},
		{pawl.Delete{IDs: ids(7)}, []any{"delete", 7, grace}},
		{pawl.Create{Tasks: []pawl.NewTask{{Subject: " "}}}, []any{"add", map[string]any{"subject": " "}}},
		{pawl.Create{Tasks: []pawl.NewTask{{Subject: "x", Parent: pawl.RefID(8)}}}, []any{"add", map[string]any{"subject": "x", "parent": 8}}},
		{pawl.Create{Tasks: []pawl.NewTask{{Subject: "x", Parent: pawl.RefID(4), BlockedBy: []pawl.Ref{pawl.RefID(4)}}}},
			[]any{"add", map[string]any{"subject": "x", "parent": 4, "blockedBy": []int{4}}}},
	} {
		if _, err := p.try(m.op); err == nil {
			t.Errorf("Pawl would do %v", m.words)
		}
		if got, err := y.ask(m.words...); err != nil || got.Refused == "" {
			t.Errorf("board.py did %v, %v", m.words, err)
		}
	}
	y.agree()
}

// What one program does not understand it leaves to the other.
func TestPythonKeepsAndIsKept(t *testing.T) {
	p := newPlace(t)
	y := p.python()
	y.tell("add", map[string]any{"subject": "one", "x-colour": map[string]any{"deep": []any{1, "two", nil}}, "number": 12345678901234567})
	p.must(pawl.Update{ID: 1, AddLabels: []string{"a"}})
	p.must(pawl.AddNote{ID: 1, Text: "a note"})
	p.must(pawl.Release{IDs: ids(1), Hold: "not yet"})
	p.replace("task_1.json", `"owner": ""`, `"owner": "", "later": {"z": 1, "a": 2}`)
	y.tell("set", 1, map[string]any{"priority": "high"})
	p.must(pawl.LiftHold{IDs: ids(1)})
	y.tell("start", 1, grace)
	y.tell("done", 1, grace)

	var file map[string]any
	text := p.read("task_1.json")
	must.Do(t, json.Unmarshal([]byte(text), &file))
	for key, want := range map[string]string{
		"x-colour": `{"deep":[1,"two",null]}`, "later": `{"a":2,"z":1}`, "labels": `["a"]`, "priority": `"high"`, "status": `"completed"`,
	} {
		if got, _ := json.Marshal(file[key]); string(got) != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if !strings.Contains(text, "12345678901234567") || !strings.Contains(text, "a note") || strings.Contains(text, "not yet") {
		t.Errorf("the file is\n%s", text)
	}
	if strings.Index(text, `"owner"`) > strings.Index(text, `"later"`) || strings.Index(text, `"z"`) > strings.Index(text, `"a"`) {
		t.Errorf("keys were put in another order:\n%s", text)
	}
}

// An id that was given is not given again, whichever program deleted its task.
func TestPythonKeepsTheHighWatermark(t *testing.T) {
	p := newPlace(t)
	y := p.python()
	p.chain("one", "two", "three")
	y.tell("delete", 3, grace)
	if err := os.RemoveAll(p.path(".pawl")); err != nil { // which remembers it too
		t.Fatal(err)
	}
	if got := p.must(pawl.Create{Tasks: []pawl.NewTask{{Subject: "four"}}}).IDs; !slices.Equal(got, ids(4)) {
		t.Errorf("after board.py deleted 3, Pawl made %v", got)
	}
	p.must(pawl.Delete{IDs: ids(4)})
	if got := y.tell("add", map[string]any{"subject": "five"}).ID; got != 5 {
		t.Errorf("after Pawl deleted 4, board.py made %v", got)
	}
	y.agree()
}
