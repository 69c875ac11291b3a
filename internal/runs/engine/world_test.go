package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A world is all that is outside a runner, and outlives it: a board, a repository,
// programs at work, the journal.
type world struct {
	t     testing.TB
	board query.Board

	mu      sync.Mutex
	dead    bool // the runner was killed: nothing that it still asks for is done
	records []runs.Record
	dieAt   int  // the record at which it is killed; 0: it is not
	keeps   bool // that record is written

	commits  map[string]commit
	branches map[string]string
	refs     map[string]string
	trees    map[string]*tree
	private  map[string]string
	dirty    []string
	inTheWay bool     // a file that is not tracked is where a merge would write
	told     []string // what a person was told
	shared   map[string]string
	merges   int

	procs  map[string]*proc // by attempt
	acts   func(a *runs.Attempt, turn Turn) act
	alive  int
	most   int
	starts map[string]int
	done   map[runs.Identity]int // completions
	ctl    []runs.Control
	broken func(files map[string]string, id pawl.ID) string // which check fails; empty: none
	passes func() []string                                  // the checks that pass; nil: none are named
	noisy  bool
	setups int                     // so often the set-up of the merged files fails
	faults int                     // so many calls of Save and Merge fail, one after the other
	refuse func(pawl.Request) bool // the board cannot be reached with a request; nil: it can
}

type commit struct {
	parent  string
	files   map[string]string
	message string
}

type tree struct {
	branch string
	files  map[string]string
	gone   bool
}

// An act is what an agent does in an attempt.
type act struct {
	takes   time.Duration
	write   map[string]string
	commits []map[string]string // that it makes itself, before it writes
	add     map[string]string   // lines that are added to files
	exit    bool                // with an error
	hangs   bool
	chatty  bool // prints all the time
	removes bool // its work tree
	cut     bool // nobody sees it end
	limited bool
	tokens  int64
	holds   string
	done    bool // says that the task is done
	edits   bool // the main checkout
	asks    func(w *world, a *runs.Attempt)
}

type proc struct {
	w       *world
	a       runs.Attempt
	act     act
	start   time.Time
	stopped chan struct{}
	ended   bool
	end     End
	why     string
}

var errDead = errors.New("the runner was killed")

func newWorld(t testing.TB) *world {
	w := &world{
		t: t, board: query.Local(pawl.NewBoard(memory.New())), commits: map[string]commit{}, branches: map[string]string{}, refs: map[string]string{},
		trees: map[string]*tree{}, procs: map[string]*proc{}, starts: map[string]int{}, shared: map[string]string{"config": "1"},
		done: map[runs.Identity]int{},
	}
	w.branches["refs/heads/main"] = w.commit("", map[string]string{"README": "x"})
	w.broken = func(files map[string]string, id pawl.ID) string {
		for name, text := range files {
			if strings.Contains(text, "bad") {
				return "fails in " + name
			}
		}
		return ""
	}
	return w
}

func (w *world) commit(parent string, files map[string]string) string {
	var lines []string
	for name, text := range files {
		lines = append(lines, name+"="+text)
	}
	slices.Sort(lines)
	id := fmt.Sprintf("c%d", len(w.commits)+1)
	w.commits[id] = commit{parent: parent, files: maps.Clone(files)}
	return id
}

func (w *world) ancestor(old, of string) bool {
	for ; of != ""; of = w.commits[of].parent {
		if of == old {
			return true
		}
	}
	return old == ""
}

// ---- the journal ----

func (w *world) Append(r runs.Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dead {
		return errDead
	}
	if w.dieAt > 0 && len(w.records)+1 == w.dieAt {
		if w.keeps {
			w.records = append(w.records, r)
		}
		w.dieAt, w.dead = 0, true
		return errDead
	}
	w.records = append(w.records, r)
	return nil
}

func (w *world) state() *runs.State {
	s := &runs.State{}
	for _, r := range w.records {
		s.Apply(r)
	}
	return s
}

// ---- the repository ----

func (w *world) enter() (func(), error) {
	w.mu.Lock()
	if w.dead {
		w.mu.Unlock()
		return nil, errDead
	}
	return w.mu.Unlock, nil
}

func (w *world) Tip(_ context.Context, target string) (string, error) {
	leave, err := w.enter()
	if err != nil {
		return "", err
	}
	defer leave()
	return w.branches[target], nil
}

func (w *world) Begin(_ context.Context, a *runs.Attempt) error {
	leave, err := w.enter()
	if err != nil {
		return err
	}
	defer leave()
	if old := w.branches[a.Branch]; old != "" && old != a.Base {
		return errors.New("the branch has work")
	}
	w.branches[a.Branch] = a.Base
	w.trees[a.Tree] = &tree{branch: a.Branch, files: maps.Clone(w.commits[a.Base].files)}
	return nil
}

func (w *world) Verify(_ context.Context, a *runs.Attempt) error {
	leave, err := w.enter()
	if err != nil {
		return err
	}
	defer leave()
	if t := w.trees[a.Tree]; t == nil || t.gone || t.branch != a.Branch {
		return ErrWrongFolder
	}
	return nil
}

func (w *world) Sum(_ context.Context, a *runs.Attempt) (string, error) { return "", nil }

func (w *world) Save(_ context.Context, a *runs.Attempt) (Saved, error) {
	leave, err := w.enter()
	if err != nil {
		return Saved{}, err
	}
	defer leave()
	if w.faults > 0 {
		w.faults--
		return Saved{}, errors.New("git did not answer")
	}
	t := w.trees[a.Tree]
	tip := w.branches[a.Branch]
	s := Saved{Tip: tip, Gone: t == nil || t.gone}
	if !s.Gone && !maps.Equal(t.files, w.commits[tip].files) {
		s.Tip = w.commit(tip, t.files)
		w.commits[s.Tip] = commit{tip, w.commits[s.Tip].files, "left"}
		w.branches[a.Branch] = s.Tip
	}
	w.refs[a.Ref()] = s.Tip
	for name, text := range w.commits[s.Tip].files {
		if w.commits[a.Base].files[name] != text {
			s.Files = append(s.Files, name)
		}
	}
	slices.Sort(s.Files)
	return s, nil
}

func (w *world) Contains(_ context.Context, target, base, tip string) (bool, error) {
	leave, err := w.enter()
	if err != nil {
		return false, err
	}
	defer leave()
	return base != tip && w.ancestor(tip, w.branches[target]), nil
}

func (w *world) Steps(_ context.Context, base, tip string) ([]string, error) {
	leave, err := w.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	var steps []string
	for at := tip; at != base; at = w.commits[at].parent {
		if at == "" || w.commits[at].message == "left" {
			return nil, nil
		}
		steps = append(steps, at)
	}
	slices.Reverse(steps)
	return steps, nil
}

// Rebase puts the steps of a branch on a commit, or all of it as one.
func (w *world) Rebase(ctx context.Context, base, tip, onto, message string) (string, []string, error) {
	steps := []string{tip}
	if message == "" {
		w.mu.Lock()
		for at := w.commits[tip].parent; at != "" && at != base; at = w.commits[at].parent {
			steps = append(steps, at)
		}
		w.mu.Unlock()
		slices.Reverse(steps)
	}
	for _, step := range steps {
		commit, conflicts, err := w.put(ctx, base, step, onto, message)
		if err != nil || len(conflicts) > 0 {
			return "", conflicts, err
		}
		base, onto = step, commit
	}
	return onto, nil, nil
}

func (w *world) put(_ context.Context, base, tip, onto, message string) (string, []string, error) {
	leave, err := w.enter()
	if err != nil {
		return "", nil, err
	}
	defer leave()
	if w.setups > 0 {
		w.setups--
		return "", nil, &SetupError{"exit code 1", "no such package"}
	}
	was, mine, theirs := w.commits[base].files, w.commits[tip].files, w.commits[onto].files
	merged := maps.Clone(theirs)
	var conflicts []string
	for name, text := range mine {
		switch {
		case was[name] == text:
		case theirs[name] == was[name] || theirs[name] == text:
			merged[name] = text
		default:
			conflicts = append(conflicts, name)
		}
	}
	if slices.Sort(conflicts); len(conflicts) > 0 {
		return "", conflicts, nil
	}
	w.private = merged
	if maps.Equal(merged, theirs) {
		return onto, nil, nil
	}
	id := w.commit(onto, merged)
	w.commits[id] = commit{onto, w.commits[id].files, message}
	return id, nil, nil
}

func (w *world) Private() string { return "private" }

func (w *world) Merge(_ context.Context, target, onto, commit string) error {
	leave, err := w.enter()
	if err != nil {
		return err
	}
	defer leave()
	switch w.branches[target] {
	case commit:
		return nil
	case onto:
		if w.inTheWay {
			return ErrInTheWay
		}
		w.branches[target] = commit
		w.merges++
		return nil
	}
	return ErrMoved
}

func (w *world) Standing(context.Context, string) (Standing, error) {
	leave, err := w.enter()
	if err != nil {
		return Standing{}, err
	}
	defer leave()
	return Standing{Dirty: slices.Clone(w.dirty), Shared: maps.Clone(w.shared)}, nil
}

func (w *world) SetBranch(_ context.Context, branch, from, to string) error {
	leave, err := w.enter()
	if err != nil {
		return err
	}
	defer leave()
	w.branches[branch] = to
	return nil
}

func (w *world) Clean(_ context.Context, a *runs.Attempt) error {
	leave, err := w.enter()
	if err != nil {
		return err
	}
	defer leave()
	delete(w.trees, a.Tree)
	return nil
}

func (w *world) MergeBoard(context.Context, string) error { return nil }

func (w *world) Unpushed(context.Context, string) string { return "" }

// ---- agents ----

func (w *world) Setup(context.Context, *runs.Attempt) (string, string, error) { return "", "", nil }

func (w *world) Start(_ context.Context, a *runs.Attempt, turn Turn) (Process, error) {
	leave, err := w.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	p := &proc{w: w, a: *a, act: w.acts(a, turn), start: time.Now(), stopped: make(chan struct{})}
	w.procs[a.Key.String()] = p
	if w.starts[a.Key.String()]++; len(w.starts) > 200 {
		panic("it goes on for ever")
	}
	w.alive++
	w.most = max(w.most, w.alive)
	go p.live()
	return p, nil
}

func (w *world) Find(_ context.Context, a *runs.Attempt) (Process, error) {
	leave, err := w.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	if p := w.procs[a.Key.String()]; p != nil {
		return p, nil
	}
	return nil, nil
}

// live is the agent's program, which knows nothing of the runner.
func (p *proc) live() {
	wait := p.act.takes
	if p.act.hangs {
		wait = math.MaxInt64
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	end := End{OK: true, How: "exit code 0"}
	select {
	case <-timer.C:
		p.works(&end)
	case <-p.stopped:
		end = End{How: "killed"}
	}
	p.w.mu.Lock()
	p.ended, p.end = true, end
	p.w.alive--
	p.w.mu.Unlock()
}

func (p *proc) works(end *End) {
	p.w.mu.Lock()
	if t := p.w.trees[p.a.Tree]; t != nil && !t.gone {
		for _, files := range p.act.commits {
			maps.Copy(t.files, files)
			p.w.branches[p.a.Branch] = p.w.commit(p.w.branches[p.a.Branch], t.files)
		}
		maps.Copy(t.files, p.act.write)
		for name, text := range p.act.add {
			if !strings.Contains(t.files[name], text) {
				t.files[name] += text
			}
		}
		if p.act.removes {
			p.w.branches[p.a.Branch] = p.w.commit(p.w.branches[p.a.Branch], t.files)
			t.gone = true
		}
	}
	if p.act.edits {
		p.w.dirty = append(p.w.dirty, "main.go")
	}
	p.w.mu.Unlock()
	by := pawl.Actor{Name: p.a.Agent, Session: p.a.Session}
	if p.act.holds != "" {
		_, _ = p.w.board.Do(context.Background(), pawl.Request{By: by, Op: pawl.PutHold{IDs: []pawl.ID{p.a.ID}, Reason: p.act.holds}}, 0)
	}
	if p.act.done {
		_, _ = p.w.board.Do(context.Background(), pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{p.a.ID}}}, 0)
	}
	if p.act.asks != nil {
		p.act.asks(p.w, &p.a)
	}
	if p.act.cut {
		*end = End{Lost: true, How: "not known"}
	}
	if p.act.exit || p.act.limited {
		*end = End{How: "exit code 1", Tail: "it broke"}
	}
}

func (p *proc) Look() Look {
	l := Look{Sign: p.start, Session: "talk-" + p.a.Key.String(), Usage: runs.Usage{Tokens: p.act.tokens}}
	if p.act.chatty {
		l.Sign = time.Now()
	}
	if p.act.limited {
		l.Limited, l.Failed, l.Until = true, "usage limit reached", p.start.Add(p.act.takes+10*time.Minute)
	}
	return l
}

func (p *proc) Wait(ctx context.Context) (End, error) {
	for {
		p.w.mu.Lock()
		ended, end := p.ended, p.end
		p.w.mu.Unlock()
		if ended {
			return end, nil
		}
		if err := sleep(ctx, time.Second); err != nil {
			return End{}, err
		}
	}
}

func (p *proc) Stop(_ context.Context, why string) error {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	if p.w.dead {
		return errDead
	}
	if p.why == "" {
		p.why = why
		close(p.stopped)
	}
	return nil
}

// ---- checks ----

type checker struct{ w *world }

func (c checker) Run(ctx context.Context, dir string, id pawl.ID, tell func(string)) (Checked, error) {
	leave, err := c.w.enter()
	if err != nil {
		return Checked{}, err
	}
	defer leave()
	files := c.w.private
	if dir != "private" {
		t := c.w.trees[dir]
		if t == nil || t.gone {
			return Checked{}, ErrWrongFolder
		}
		files = t.files
	}
	checked := Checked{Files: strings.Repeat("f", 40)}
	if why := c.w.broken(files, id); why != "" {
		checked.Failed, checked.Why, checked.Tail = "tests", "failed", why
	} else if c.w.passes != nil {
		checked.Passed = c.w.passes()
	}
	return checked, nil
}

// ---- the board, as long as the runner lives ----

type mortal struct {
	query.Board
	w *world
}

func (m mortal) Do(ctx context.Context, req pawl.Request, want query.Want) (query.Outcome, error) {
	leave, err := m.w.enter()
	if err != nil {
		return query.Outcome{}, err
	}
	leave()
	if m.w.refuse != nil && m.w.refuse(req) {
		return query.Outcome{}, pawl.Errorf(pawl.Unavailable, "no network")
	}
	out, err := m.Board.Do(ctx, req, want)
	if c, is := req.Op.(pawl.Complete); is && err == nil && !out.Result.Repeated {
		m.w.mu.Lock()
		for _, id := range c.IDs {
			m.w.done[runs.Identity(fmt.Sprint(id))]++
		}
		m.w.mu.Unlock()
	}
	return out, err
}

// run lets a runner work in the world until it ends or is killed.
func (w *world) run(run runs.Run) (Ended, error) {
	w.mu.Lock()
	w.dead = false
	state := w.state()
	w.mu.Unlock()
	run.Began = time.Now()
	if run.Standing == nil {
		run.Standing = map[string]string{"config": "1"}
	}
	r := New(Options{
		Board: mortal{w.board, w}, Repo: w, Agents: w, Checks: checker{w}, Journal: w, State: state, Run: run,
		Folder: func(id runs.Identity, n int) string { return fmt.Sprintf("%s-%d", id, n) },
		Free:   func() int64 { return runs.MinFree }, Now: time.Now,
		Controls: func() ([]runs.Control, int64, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			from := state.Done
			return slices.Clone(w.ctl[from:]), int64(len(w.ctl)), nil
		},
		Tell: func(line string) {
			w.mu.Lock()
			w.told = append(w.told, line)
			w.mu.Unlock()
			if w.noisy {
				w.t.Log(time.Now().Format("15:04:05"), line)
			}
		},
	})
	state = r.state
	return r.Run(context.Background())
}

func (w *world) add(tasks ...pawl.NewTask) {
	must.Get(w.board.Do(context.Background(), pawl.Request{By: pawl.Actor{Name: "ada"}, Op: pawl.Create{Tasks: tasks}}, 0))(w.t)
}

func (w *world) all() []pawl.Task {
	found := must.Get(query.Of(context.Background(), w.board, query.Asker{}, query.TasksQuery{}))(w.t)
	return found.Page.Tasks
}
