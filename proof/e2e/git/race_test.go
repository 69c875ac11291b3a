//go:build unix

package git_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/pawl-dev/pawl"

	"github.com/pawl-dev/pawl/internal/dev/long"
)

// An event is what the program acknowledged to an agent, kept outside of all boards.
type event struct {
	who       int // a clone's agent
	verb      string
	id        pawl.ID
	confirmed bool // of a claim: the remote has it
	from, to  int64
}

// A racer is an agent that claims and completes tasks of a shared board, a process for
// each step, until nothing is ready.
type racer struct {
	*clone
	n      int
	began  time.Time
	events []event
	lost   int             // claims that were refused
	waits  int             // how often nothing was ready
	took   []time.Duration // until a task was claimed, refusals included
	calls  []time.Duration // of each claim
}

func (r *racer) name() string { return fmt.Sprint("agent", r.n) }

// step runs a verb as this agent.
func (r *racer) step(args ...string) (out []byte, stderr string, code int) {
	cmd := r.command("pawl", append(args, "--json", "--as", r.name(), "--session", r.name())...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.Errorf("pawl %v: %v", args, err)
	}
	return out, said.String(), cmd.ProcessState.ExitCode()
}

// race claims and completes until all is done.
func (r *racer) race(tasks int) {
	wants := time.Now()
	for range 20 * tasks {
		from := time.Since(r.began).Nanoseconds()
		out, said, code := r.step("claim")
		to := time.Since(r.began).Nanoseconds()
		r.calls = append(r.calls, time.Duration(to-from))
		switch code {
		case 0:
			r.took = append(r.took, time.Since(wants))
		case 4: // another clone was first, again and again
			r.lost++
			continue
		case 9: // all is done
			return
		case 10: // what is left is claimed: by others, as far as this clone knows
			r.waits++
			if r.waits > 2 {
				return
			}
			for code := 4; code == 4; { // the clone's other agents tick the plan, too: the hint is to sync again
				if _, said, code = r.step("sync"); code != 0 && !strings.Contains(said, "hint: pawl sync") {
					r.Errorf("%s: pawl sync: exit %d\n%s", r.name(), code, said)
					return
				}
			}
			wants = time.Now()
			continue
		default:
			r.Errorf("%s: pawl claim: exit %d\n%s%s", r.name(), code, out, said)
			return
		}
		var c struct {
			Tasks []struct {
				ID    pawl.ID
				Claim struct {
					Token     pawl.Revision
					Confirmed time.Time
				}
			}
		}
		if err := json.Unmarshal(out, &c); err != nil || len(c.Tasks) != 1 {
			r.Errorf("%s: pawl claim says %v\n%s", r.name(), err, out)
			return
		}
		id, token := c.Tasks[0].ID, c.Tasks[0].Claim.Token
		confirmed := !c.Tasks[0].Claim.Confirmed.IsZero()
		if confirmed == strings.Contains(said, "here only") {
			r.Errorf("%s: the claim of %v is confirmed: %v, and it says %q\n%s", r.name(), id, confirmed, said, out)
		}
		r.events = append(r.events, event{r.n, "claim", id, confirmed, from, to})
		if *work > 0 {
			<-time.After(*work)
		}
		from = time.Since(r.began).Nanoseconds()
		out, said, code = r.step("done", fmt.Sprint(int64(id)), "--token", fmt.Sprint(int64(token)))
		to = time.Since(r.began).Nanoseconds()
		switch {
		case code == 0:
			r.events = append(r.events, event{r.n, "done", id, confirmed, from, to})
		case confirmed:
			r.Errorf("%s: pawl done %v of a confirmed claim: exit %d\n%s%s", r.name(), id, code, out, said)
		}
		wants = time.Now()
	}
	r.Errorf("%s does not come to an end", r.name())
}

// turn is one task, as the history of confirmed claims sees it: who has it, nobody, or
// it is done.
const (
	nobody   = -1
	finished = -2
)

var taskModel = porcupine.Model{
	Init: func() any { return nobody },
	Step: func(state, input, _ any) (bool, any) {
		e := input.(event)
		switch {
		case e.verb == "claim" && state == nobody:
			return true, e.who
		case e.verb == "done" && state == e.who:
			return true, finished
		}
		return false, state
	},
	Equal:             func(a, b any) bool { return a == b },
	DescribeOperation: func(input, _ any) string { return fmt.Sprint(input) },
}

// TestRace: agents in many clones take the tasks of one board, with a bare repository
// between them and nothing else. Each task is claimed by one of them, and done once.
func TestRace(t *testing.T) {
	t.Parallel()
	var who []string
	for i := range *sharers {
		who = append(who, fmt.Sprint("c", i))
	}
	var subjects []string
	w := newWorld(t, nets{})
	team := w.project(who...)
	first := team.clones[0]
	first.pawl("init")
	for i := range *wanted {
		subjects = append(subjects, fmt.Sprint("- [ ] Task ", i, "\n"))
	}
	first.write("plan.md", strings.Join(subjects, ""))
	first.pawl("plan", "plan.md", "--parallel")
	for _, c := range team.clones {
		c.pawl("share", "--yes")
	}
	began := time.Now()
	var racers []*racer
	var group sync.WaitGroup
	for _, c := range team.clones {
		broken := func(fault) {}
		if *delay > 0 {
			broken = c.wire(team.remote)
			broken(fault{Delay: *delay})
		}
		defer broken(fault{})
		for range *agents {
			r := &racer{clone: c, n: len(racers), began: began}
			racers = append(racers, r)
			group.Go(func() {
				// Agents at work do not begin all at once; without work they race.
				<-time.After(*work * time.Duration(r.n) / time.Duration(*sharers**agents))
				r.race(*wanted)
			})
		}
	}
	group.Wait()
	took := time.Since(began)
	// A sync ticks the plan's boxes last, and notes that on the board. So the first clone
	// has to know all that was done before its last sync, which sends these notes.
	for _, c := range team.clones {
		c.sync()
	}
	team.settle()
	if text := first.read("plan.md"); strings.Count(text, "- [x] Task") != *wanted {
		t.Errorf("the plan is not ticked:\n%s", text)
	}
	byTask := map[pawl.ID][]porcupine.Operation{}
	claims, here, lost, completed := map[pawl.ID]int{}, 0, 0, map[pawl.ID]int{}
	winner := map[pawl.ID]string{}
	var got, calls []time.Duration
	var each []int
	for _, r := range racers {
		lost += r.lost
		got, calls, each = append(got, r.took...), append(calls, r.calls...), append(each, len(r.took))
		for _, e := range r.events {
			if !e.confirmed {
				here++
				continue
			}
			byTask[e.id] = append(byTask[e.id], porcupine.Operation{ClientId: e.who, Input: e, Call: e.from, Return: e.to})
			if e.verb == "claim" {
				claims[e.id]++
				winner[e.id] = r.name()
			} else {
				completed[e.id]++
			}
		}
	}
	for id, history := range byTask {
		if result := porcupine.CheckOperationsTimeout(taskModel, history, time.Minute); result != porcupine.Ok {
			t.Errorf("%v: two owners, or an owner from nowhere (%v):\n%v", id, result, history)
		}
	}
	tasks := team.decoded(team.tip())
	if len(tasks) != *wanted {
		t.Errorf("%d tasks are left of %d", len(tasks), *wanted)
	}
	for id, task := range tasks {
		if claims[id] > 1 || completed[id] > 1 {
			t.Errorf("%v was claimed %d times and done %d times", id, claims[id], completed[id])
		}
		if task.Status != pawl.Completed || winner[id] != "" && task.Owner != winner[id] {
			t.Errorf("%v is %v by %q, and %q had the claim", id, task.Status, task.Owner, winner[id])
		}
		if len(task.Notes) > 0 && here == 0 {
			t.Errorf("%v has notes: %v", id, task.Notes)
		}
	}
	slices.Sort(each)
	t.Logf("%d clones of %d agents, %d tasks: %d claims confirmed, %d claimed here only, %d refused; %.1f s", *sharers, *agents, *wanted, len(claims), here, lost, took.Seconds())
	t.Logf("until a task was claimed: %s; a call of claim: %s; tasks of an agent: %d to %d", spread(got), spread(calls), each[0], each[len(each)-1])
	if here > 0 {
		t.Error("claims count here only, with a remote that is there")
	}
	if len(claims) < *wanted/2 {
		t.Errorf("%d claims were confirmed: the test did not test what it means to", len(claims))
	}
}

// spread is how times are distributed.
func spread(of []time.Duration) string {
	slices.Sort(of)
	at := func(part float64) time.Duration {
		return of[min(len(of)-1, int(part*float64(len(of))))].Round(10 * time.Millisecond)
	}
	return fmt.Sprintf("p50 %v, p99 %v, at most %v", at(0.5), at(0.99), at(1))
}

// TestModelCatchesTwoOwners keeps the check honest.
func TestModelCatchesTwoOwners(t *testing.T) {
	for _, history := range [][]porcupine.Operation{
		{{Input: event{who: 0, verb: "claim"}, Call: 1, Return: 2}, {ClientId: 1, Input: event{who: 1, verb: "claim"}, Call: 3, Return: 4}},
		{{Input: event{who: 0, verb: "claim"}, Call: 1, Return: 2}, {ClientId: 1, Input: event{who: 1, verb: "done"}, Call: 3, Return: 4}},
	} {
		if porcupine.CheckOperations(taskModel, history) {
			t.Errorf("%v passes for a correct history", history)
		}
	}
}

// TestBurst: all clones have something to send, and sync at once.
func TestBurst(t *testing.T) {
	long.Only(t)
	t.Parallel()
	var who []string
	for i := range *sharers {
		who = append(who, fmt.Sprint("c", i))
	}
	team := newWorld(t, nets{}).team(who, "Base")
	for _, c := range team.clones {
		c.pawl("config", "set", "sync", "manual")
		c.add("From " + c.who)
	}
	var group sync.WaitGroup
	began := time.Now()
	for _, c := range team.clones {
		group.Go(func() { c.sync() })
	}
	group.Wait()
	took := time.Since(began)
	t.Logf("%d clones synced at once, the last one after %.1f s", len(team.clones), took.Seconds())
	if *long.Asked && took > 30*time.Second {
		t.Errorf("a burst took %v", took)
	}
	if tasks := team.decoded(team.tip()); len(tasks) != 1+len(team.clones) {
		t.Errorf("the remote has %d tasks", len(tasks))
	}
	team.settle()
}
