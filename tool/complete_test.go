package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
	"github.com/pawl-dev/pawl/tool"
)

// A bench is a board whose tasks have a check that a test plays.
type bench struct {
	*testing.T
	board  *pawl.Board
	tools  map[string]tool.Tool
	runs   int
	play   func(ctx context.Context, c tool.Completion) (tool.CheckReport, error)
	looked []tool.RanCheck
	end    context.CancelFunc
}

const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func newBench(t *testing.T, claude bool) *bench {
	b := &bench{T: t, board: pawl.NewBoard(memory.New()), tools: map[string]tool.Tool{}}
	life, end := context.WithCancel(context.Background())
	b.end = end
	t.Cleanup(end)
	o := tool.Options{Board: tool.OneBoard(b.board), Life: life, Complete: func(ctx context.Context, c tool.Completion) (tool.CheckReport, error) {
		b.runs++
		return b.play(ctx, c)
	}}
	make := tool.New
	if claude {
		make = tool.Claude
	}
	o.Looked = func(context.Context, *pawl.Task) ([]tool.RanCheck, error) { return b.looked, nil }
	for _, one := range make(o) {
		b.tools[one.Name] = one
	}
	_, err := b.board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada", Session: "s1"}, Op: pawl.All{Ops: []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "Parser", Checks: []pawl.Check{unit}}}}, pawl.ClaimTask{ID: 1},
	}}})
	must.Do(t, err)
	return b
}

var unit = pawl.Check{Name: "unit", Run: []string{"go", "test"}}

var bob = tool.Caller{Actor: pawl.Actor{Name: "bob", Session: "s2"}}

func (b *bench) call(by tool.Caller, name, args string) tool.Result {
	return b.tools[name].Call(b.Context(), by, json.RawMessage(args))
}

// task is the task as the board has it.
func (b *bench) task() *pawl.Task {
	b.Helper()
	found, err := query.Of(context.Background(), query.Local(b.board), query.Asker{}, query.TaskQuery{Names: []string{"1"}})
	must.Do(b, err)
	return &found.Tasks[0].Detail.Task
}

// lasting is a check that takes so long, and how it ends.
func (b *bench) lasting(d time.Duration, passed bool) func(context.Context, tool.Completion) (tool.CheckReport, error) {
	return func(ctx context.Context, c tool.Completion) (tool.CheckReport, error) {
		tasks, err := c.Read(ctx, c.Op.IDs)
		if err != nil {
			return tool.CheckReport{}, err
		}
		if !tasks[0].Open() {
			return tool.CheckReport{}, c.Do(ctx, c.Op)
		}
		c.Tell("running unit: go test")
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return tool.CheckReport{}, ctx.Err()
		}
		ran := tool.RanCheck{Check: "unit", Command: "go test", Tasks: c.Op.IDs, Passed: passed, Took: d, Line: "unit passed, " + d.String()}
		e := pawl.Evidence{Check: "unit", Sum: unit.Sum(), Tree: tree, Passed: passed}
		if !passed {
			ran.Exit, e.Exit, ran.Line, ran.Tail = 1, 1, "unit failed with exit code 1", "--- FAIL: TestX\nFAIL\n"
		}
		report := tool.CheckReport{Ran: []tool.RanCheck{ran}}
		record := pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{e}}
		if passed {
			c.Op.Tree = tree
			return report, c.Do(ctx, pawl.All{Ops: []pawl.Op{record, c.Op}})
		}
		if err := c.Do(ctx, record); err != nil {
			return report, err
		}
		why := pawl.Errorf(pawl.Unmet, "#1 is not shown to be done")
		why.IDs, why.Hint = []pawl.ID{1}, pawl.Hint{Step: pawl.HintCheck, IDs: []pawl.ID{1}}
		why.Faults = []pawl.Fault{{Path: "unit", Problem: "failed with exit code 1"}}
		return report, why
	}
}

const done = `{"taskId":1,"status":"completed"}`

// A call does not wait for ever, what it began goes on, and its result comes once.
func TestCompleteWhileChecksRun(t *testing.T) {
	for _, passed := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, false)
			b.play = b.lasting(time.Minute, passed)
			began := time.Now()
			r := b.call(ada, "task_update", `{"taskId":1,"status":"completed","note":"all of it"}`)
			if r.Err != nil || time.Since(began) != tool.Patience || !strings.HasPrefix(r.LLMContent, "#1 is not completed yet: its checks are running, for 20s so far\n  running unit: go test\n") {
				t.Fatalf("after %v: %v\n%s", time.Since(began), r.Err, r.LLMContent)
			}
			if !strings.Contains(r.LLMContent, "task_update "+done) || b.task().Status != pawl.InProgress {
				t.Errorf("how to go on?\n%s", r.LLMContent)
			}
			if r = b.call(ada, "task_update", done); b.runs != 1 || !strings.Contains(r.LLMContent, "40s so far") {
				t.Errorf("run %d:\n%s", b.runs, r.LLMContent)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if is := b.task().Status == pawl.Completed; is != passed {
				t.Errorf("passed: %v, completed: %v", passed, is)
			}
			r = b.call(ada, "task_update", `{"taskId":1,"status":"completed","note":"all of it"}`)
			switch {
			case b.runs != 1:
				t.Errorf("%d runs", b.runs)
			case passed && (r.Err != nil || !strings.HasPrefix(r.LLMContent, "Completed #1 Parser")):
				t.Errorf("%v\n%s", r.Err, r.LLMContent)
			case !passed && (pawl.KindOf(r.Err) != pawl.Unmet || !strings.Contains(r.LLMContent, "  | --- FAIL: TestX\n  | FAIL\n")):
				t.Errorf("%v\n%s", r.Err, r.LLMContent)
			}
			if notes := len(b.task().Notes); notes != 1 {
				t.Errorf("one call was noted %d times", notes)
			}
			// What failed runs again with the next call, and only then.
			b.call(ada, "task_update", done)
			if again := b.runs; again != 2 {
				t.Errorf("%d runs", again)
			}
		})
	}
}

// A quick check is answered at once.
func TestCompleteAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false)
		b.play = b.lasting(time.Second, false)
		r := b.call(ada, "task_update", done)
		want := "#1 is not shown to be done: unit: failed with exit code 1\n" +
			"unit failed with exit code 1 (go test); it printed at its end:\n  | --- FAIL: TestX\n  | FAIL\n" +
			"Nothing is completed.\nNext: put it right, then task_update " + done
		if r.LLMContent != want {
			t.Errorf("got\n%s", r.LLMContent)
		}
		b.play = b.lasting(time.Second, true)
		if r = b.call(ada, "task_update", done); r.Err != nil || !strings.HasPrefix(r.LLMContent, "Completed #1 Parser") || !strings.Contains(r.LLMContent, "\nChecks: unit passed, 1s\n") {
			t.Errorf("%v\n%s", r.Err, r.LLMContent)
		}
	})
}

// The tools under the names of Claude Code's do the same.
func TestClaudeCompleteWhileChecksRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, true)
		b.play = b.lasting(time.Minute, false)
		r := b.call(ada, "TaskUpdate", done)
		if data, err := json.Marshal(r.Data); r.Err != nil || err != nil || !strings.Contains(string(data), `"success":false`) || !strings.Contains(string(data), `"running":true`) {
			t.Errorf("%v %s\n%s", r.Err, data, r.LLMContent)
		}
		if !strings.Contains(r.LLMContent, `TaskUpdate {"taskId":"1","status":"completed"}`) {
			t.Errorf("%s", r.LLMContent)
		}
		time.Sleep(time.Minute)
		if r = b.call(ada, "TaskUpdate", done); !strings.Contains(r.LLMContent, "--- FAIL: TestX") || b.runs != 1 {
			t.Errorf("run %d:\n%s", b.runs, r.LLMContent)
		}
	})
}

// Two agents that ask for the same task get the same run; who may not complete it, none.
func TestCompleteTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false)
		b.play = b.lasting(15*time.Second, true)
		if r := b.call(bob, "task_update", done); pawl.KindOf(r.Err) != pawl.Conflict {
			t.Errorf("bob: %v\n%s", r.Err, r.LLMContent)
		}
		b.runs = 0
		answers := make(chan tool.Result, 2)
		for _, by := range []tool.Caller{ada, bob} {
			go func() { answers <- b.call(by, "task_update", done) }()
			synctest.Wait()
		}
		first, second := <-answers, <-answers
		if first.Err != nil || second.Err != nil && pawl.KindOf(second.Err) != pawl.Conflict {
			t.Errorf("%s\n%s", first.LLMContent, second.LLMContent)
		}
		if b.runs != 2 || len(b.task().Evidence) != 1 { // the second only finds out that it is completed
			t.Errorf("%d runs", b.runs)
		}
	})
}

// A client that goes away, and tools whose life ends, leave the task in progress or
// completed with evidence.
func TestCompleteLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false)
		b.play = b.lasting(10*time.Second, true)
		ctx, leave := context.WithCancel(context.Background())
		go func() {
			time.Sleep(time.Second)
			leave()
		}()
		if r := b.tools["task_update"].Call(ctx, ada, json.RawMessage(done)); r.Err == nil {
			t.Errorf("a client that left is told\n%s", r.LLMContent)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if is := b.task(); is.Status != pawl.Completed || len(is.Evidence) != 1 {
			t.Errorf("it is %+v", is)
		}

		b = newBench(t, false)
		b.play = b.lasting(10*time.Second, true)
		go func() {
			time.Sleep(time.Second)
			b.end()
		}()
		if r := b.call(ada, "task_update", done); r.Err == nil || b.task().Status != pawl.InProgress || len(b.task().Evidence) > 0 {
			t.Errorf("%v\n%s", r.Err, r.LLMContent)
		}
	})
}

// What the board refuses in any case is refused before anything runs or happens.
func TestCompleteRefusedBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false)
		b.play = func(ctx context.Context, c tool.Completion) (tool.CheckReport, error) {
			if _, err := c.Read(ctx, c.Op.IDs); err != nil {
				return tool.CheckReport{}, err
			}
			t.Error("it would have run")
			return tool.CheckReport{}, errors.New("it would have run")
		}
		r := b.call(bob, "task_update", `{"taskId":1,"status":"completed","note":"x"}`)
		if pawl.KindOf(r.Err) != pawl.Conflict || len(b.task().Notes) > 0 {
			t.Errorf("%v\n%s", r.Err, r.LLMContent)
		}
	})
}

// A client that asks for it is told what it waits for.
func TestCompleteProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false)
		b.play = b.lasting(12*time.Second, true)
		var told []string
		ctx := tool.WithProgress(context.Background(), func(line string) { told = append(told, line) })
		b.tools["task_update"].Call(ctx, ada, json.RawMessage(done))
		want := "running unit: go test; running unit: go test (5s so far); running unit: go test (10s so far)"
		if got := strings.Join(told, "; "); got != want {
			t.Errorf("told: %s", got)
		}
	})
}

// The ends of what many checks printed have room in one answer.
func TestCompleteIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false)
		b.play = func(context.Context, tool.Completion) (tool.CheckReport, error) {
			var r tool.CheckReport
			for range pawl.MaxChecks {
				r.Ran = append(r.Ran, tool.RanCheck{Check: strings.Repeat("漢", pawl.MaxCheckName), Command: strings.Repeat("漢", 1000), Tail: strings.Repeat("漢字\x1b[31m\n", 1000), Exit: 1})
			}
			why := pawl.Errorf(pawl.Unmet, "it failed")
			why.IDs = []pawl.ID{1}
			return r, why
		}
		r := b.call(ada, "task_update", done)
		data, err := json.Marshal(r.Data)
		if err != nil || len(r.LLMContent) > mostSaid || len(data) > mostSaid || strings.Contains(r.LLMContent, "\x1b") {
			t.Errorf("%d bytes for a model, %d for a program: %v", len(r.LLMContent), len(data), err)
		}
	})
}

// task_get shows what failed checks printed where the caller works, within its room, and
// nothing of a check that passed. The rest of the task is there, a part at a time.
func TestGetShowsTails(t *testing.T) {
	b := newBench(t, false)
	failed := pawl.AddEvidence{ID: 1, Evidence: []pawl.Evidence{{Check: "unit", Sum: unit.Sum(), Tree: tree, Exit: 1}}}
	b.looked = []tool.RanCheck{{Check: "unit", Tail: "--- FAIL: TestX\n\x1b[31mFAIL\n"}, {Check: "vet", Passed: true, Tail: "nothing"}}
	if r := b.call(ada, "task_get", `{"taskId":1}`); strings.Contains(r.LLMContent, "printed") {
		t.Errorf("without evidence:\n%s", r.LLMContent)
	}
	must.Do(t, errOf(b.board.Do(t.Context(), pawl.Request{By: ada.Actor, Op: pawl.All{Ops: []pawl.Op{failed, pawl.AddNote{ID: 1, Text: strings.Repeat("long ", 3000)}}}})))
	if r := b.call(ada, "task_get", `{"taskId":1}`); !strings.Contains(r.LLMContent, "unit printed at its end:\n  | --- FAIL: TestX\n") || strings.Contains(r.LLMContent, "\x1b") || strings.Contains(r.LLMContent, "nothing") {
		t.Errorf("%v\n%s", r.Err, r.LLMContent)
	}
	for range pawl.MaxChecks {
		b.looked = append(b.looked, tool.RanCheck{Check: strings.Repeat("漢", pawl.MaxCheckName), Tail: strings.Repeat("漢字\x1b[31m\n", 1000)})
	}
	all, offset := "", 0
	for range 20 {
		r := b.call(ada, "task_get", fmt.Sprintf(`{"taskId":1,"offset":%d}`, offset))
		if r.Err != nil || len(r.LLMContent) > mostSaid || strings.Contains(r.LLMContent, "\x1b") {
			t.Fatalf("%d bytes: %v", len(r.LLMContent), r.Err)
		}
		all += r.LLMContent
		data, err := json.Marshal(r.Data)
		must.Do(t, err)
		var page struct{ Next int }
		must.Do(t, json.Unmarshal(data, &page))
		if offset = page.Next; offset == 0 {
			break
		}
	}
	if offset != 0 || strings.Count(all, "long ") < 2900 {
		t.Errorf("the note has %d of 3000 words, then %d", strings.Count(all, "long "), offset)
	}
}

// Labels in one text are split at commas, whichever argument has them.
func TestLabelsInOneText(t *testing.T) {
	b := newBench(t, false)
	for _, test := range []struct{ args, want string }{
		{`{"taskId":1,"addLabels":"a, b"}`, "a b"},
		{`{"taskId":1,"removeLabels":"b,a"}`, ""},
		{`{"taskId":1,"labels":"c, d"}`, "c d"},
	} {
		if r := b.call(bob, "task_update", test.args); r.Err != nil {
			t.Fatal(r.Err)
		}
		err := b.board.View(context.Background(), func(r pawl.Reader) error {
			tasks, err := r.Get(1)
			if err == nil && strings.Join(tasks[0].Labels, " ") != test.want {
				t.Errorf("%s: labels %q", test.args, tasks[0].Labels)
			}
			return err
		})
		must.Do(t, err)
	}
}
