//go:build unix

package git_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// TestSoak lets several agents in each of two clones change the board at random, and
// the clones meet again and again, by merge and by rebase. Afterwards their boards are
// equal, and have all that was acknowledged.
func TestSoak(t *testing.T) {
	each(t, []nets{{true, true}, {false, true}, {}}, func(t *testing.T, w *world) {
		soak(w, "ada", "bob")
	})
}

// TestSoakOfThree: the same of three clones.
func TestSoakOfThree(t *testing.T) {
	each(t, []nets{{true, true}, {false, true}}, func(t *testing.T, w *world) {
		soak(w, "ada", "bob", "eve")
	})
}

// parts is in how many commits the changes of a clone come to a meeting.
const parts = 3

func soak(w *world, names ...string) {
	begin := *seed
	if begin == 0 {
		begin = uint64(time.Now().UnixNano())
	}
	w.Logf("-seed %d", begin)
	l := newLedger()
	clones := []*clone{w.first(names[0])}
	for _, name := range names[1:] {
		clones = append(clones, clones[0].clone(name))
	}
	stops, moves, started := 0, 0, time.Now()
	var merging time.Duration
	for l.round = 1; l.round <= *meetings; l.round++ {
		var group sync.WaitGroup
		for i, c := range clones {
			group.Go(func() { c.work(l, begin+uint64(i*1000+l.round)) })
		}
		group.Wait()
		if w.Failed() {
			return
		}
		way := ways[l.round%2]
		order := slices.Clone(clones)
		if l.round%4 > 1 {
			slices.Reverse(order)
		}
		// Each pulls from the one before, and then, until all have all, once more.
		met := time.Now()
		for i := 1; i < len(order); i++ {
			stops += order[i].pull(order[i-1], way)
		}
		for i := range order[:len(order)-1] {
			stops += order[i].pull(order[len(order)-1], way)
		}
		merging += time.Since(met)
		same(clones...)
		for _, c := range clones {
			c.sound()
		}
		l.check(clones[0])
		if w.Failed() {
			w.Fatalf("at meeting %d, by %s", l.round, way)
		}
	}
	for _, task := range clones[0].tasks() {
		moves += len(task.Was)
	}
	w.Logf("%d clones, %d meetings, %d changes, %d tasks left of %d, %d moves, git stopped %d times; %.1f s, %.1f of them to merge",
		len(clones), *meetings, l.count, len(clones[0].tasks()), len(l.tasks), moves, stops, time.Since(started).Seconds(), merging.Seconds())
	if l.count < *meetings**changes || moves == 0 {
		w.Errorf("%d changes, %d moves: the test did not test what it means to", l.count, moves)
	}
}

// work makes the changes of one clone for one meeting, by three agents at a time.
func (c *clone) work(l *ledger, seed uint64) {
	const agents = 3
	for part := range parts {
		var group sync.WaitGroup
		for i := range agents {
			a := &worker{
				clone: c, ledger: l, name: fmt.Sprintf("%s%d", c.who, i),
				rnd: rand.New(rand.NewPCG(seed, uint64(part*agents+i))),
			}
			group.Go(func() {
				for range *changes / parts / agents {
					a.step()
				}
			})
		}
		group.Wait()
		if c.Failed() {
			return
		}
		c.save(fmt.Sprintf("%s, round %d, part %d", c.who, l.round, part))
	}
}

// A worker is an agent: it runs the program, a process for each change.
type worker struct {
	*clone
	ledger *ledger
	name   string
	rnd    *rand.Rand
	n      int
}

// step makes one change that is acknowledged. What the board refuses is tried
// otherwise.
func (a *worker) step() {
	for range 50 {
		if a.Failed() || a.try() {
			return
		}
	}
	a.Errorf("%s: the board refuses everything", a.name)
}

func (a *worker) try() bool {
	tasks := a.look()
	op := []string{
		"add", "add", "add", "add", "done", "done", "claim", "release", "note", "note", "title", "text", "label", "priority",
		"block", "block", "unblock", "rm", "reopen", "hold", "lift", "meta", "parent",
	}[a.rnd.IntN(23)]
	if len(tasks) == 0 {
		op = "add"
	}
	if op == "add" {
		return a.addOne(tasks)
	}
	t, other := tasks[a.rnd.IntN(len(tasks))], tasks[a.rnd.IntN(len(tasks))]
	id, k := fmt.Sprint(int64(t.ID)), key(&t)
	nothing := func(*entry) {}
	changed := func(e *entry) { e.changed[a.who] = a.ledger.round }
	a.n++
	token := fmt.Sprintf("n-%s-%d-%d", a.name, a.ledger.round, a.rnd.Uint64())
	about := fmt.Sprintf("%s about #%d [%s]", token, other.ID, key(&other))
	switch op {
	case "done":
		return a.say(k, func(e *entry) { e.done = true }, "done", id, "--force")
	case "claim":
		return a.say(k, nothing, "claim", id)
	case "release":
		return a.say(k, nothing, "release", id)
	case "note":
		return a.say(k, func(e *entry) { changed(e); e.notes[token] = a.who }, "note", id, about)
	case "title":
		return a.say(k, changed, "update", id, "--subject", token)
	case "text":
		return a.say(k, changed, "update", id, "--desc", about)
	case "label":
		return a.say(k, nothing, "update", id, "--add-label", "l"+token[len(token)-1:])
	case "priority":
		return a.say(k, nothing, "update", id, "--priority", []string{"high", "medium", "low"}[a.rnd.IntN(3)])
	case "hold":
		return a.say(k, nothing, "hold", id, "wait a little")
	case "lift":
		return a.say(k, nothing, "hold", "--lift", id)
	case "meta":
		return a.say(k, nothing, "update", id, "--meta", "m"+token[len(token)-1:]+"="+token)
	case "reopen":
		return a.say(k, func(e *entry) { e.open = true }, "reopen", id)
	case "parent":
		if !a.ledger.older(key(&other), k) {
			return false
		}
		if !a.say(k, nothing, "update", id, "--parent", fmt.Sprint(int64(other.ID))) {
			return false
		}
		a.ledger.wrote(key(&other), func(e *entry) { e.open = true })
		return true
	case "block":
		if !a.ledger.older(key(&other), k) || !a.runs("block", id, "--by", fmt.Sprint(int64(other.ID))) {
			return false
		}
		a.ledger.linked(k, key(&other), true)
		return true
	case "unblock":
		if len(t.BlockedBy) == 0 {
			return false
		}
		by := t.BlockedBy[a.rnd.IntN(len(t.BlockedBy))]
		i := slices.IndexFunc(tasks, func(t pawl.Task) bool { return t.ID == by })
		if i < 0 {
			return false
		}
		a.ledger.linked(k, key(&tasks[i]), false) // before it is done: who reads the ledger meanwhile must not expect it
		a.runs("block", id, "--by", fmt.Sprint(int64(by)), "--remove")
		return true
	case "rm":
		if a.rnd.IntN(3) > 0 {
			return false
		}
		return a.say(k, func(e *entry) { e.deleted[a.who] = a.ledger.round; delete(e.changed, a.who) }, "rm", id, "--force")
	}
	panic(op)
}

func (a *worker) addOne(tasks []pawl.Task) bool {
	a.n++
	k := fmt.Sprintf("k-%s-%d-%x", a.name, a.ledger.round, a.rnd.Uint32())
	args := []string{"add", "Task " + k, "--label", k}
	var blockers []string
	if len(tasks) > 0 && a.rnd.IntN(2) == 0 {
		b := tasks[a.rnd.IntN(len(tasks))]
		if b.Status != pawl.Completed && a.ledger.has(key(&b)) {
			blockers = []string{key(&b)}
			args = append(args, "--blocked-by", fmt.Sprint(int64(b.ID)))
		}
	}
	parent := ""
	if len(tasks) > 0 && a.rnd.IntN(6) == 0 {
		p := tasks[a.rnd.IntN(len(tasks))]
		if len(blockers) == 0 && a.ledger.has(key(&p)) {
			parent = key(&p)
			args = append(args, "--parent", fmt.Sprint(int64(p.ID)))
		}
	}
	if !a.runs(args...) {
		return false
	}
	a.ledger.added(k, blockers, parent)
	return true
}

// say runs pawl for one task and records what it acknowledged. Another agent may see a
// task before its maker has recorded it, and leaves it alone.
func (a *worker) say(k string, change func(e *entry), args ...string) bool {
	if !a.ledger.has(k) || !a.runs(args...) {
		return false
	}
	a.ledger.wrote(k, change)
	return true
}

// runs runs pawl, and reports whether it acknowledged a change. It may refuse, but not
// fail.
func (a *worker) runs(args ...string) bool {
	cmd := a.command("pawl", append(args, "--json", "--as", a.name, "--session", a.name)...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if code := exit.ExitCode(); code != 2 && code != 3 && code != 4 && code != 5 {
			a.Errorf("%s: pawl %s: exit %d\n%s%s", a.name, strings.Join(args, " "), code, out, exit.Stderr)
		}
		return false
	}
	if err != nil {
		a.Error(err)
		return false
	}
	var answer struct{ Changed bool }
	if err := json.Unmarshal(out, &answer); err != nil {
		a.Errorf("%s: pawl %s: %v\n%s", a.name, strings.Join(args, " "), err, out)
	}
	return answer.Changed
}

// look reads the tasks while others write them.
func (c *clone) look() (tasks []pawl.Task) {
	names, err := filepath.Glob(filepath.Join(c.board, "task_*.json"))
	must.Do(c.TB, err)
	found := map[pawl.ID]pawl.Task{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		f, err := taskjson.Decode(text)
		if err != nil {
			c.Errorf("%s: %v", name, err)
			continue
		}
		found[f.Task.ID] = f.Task
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		tasks = append(tasks, found[id])
	}
	return tasks
}
