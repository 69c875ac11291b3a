//go:build unix

// Package crowd proves what holds when many processes work on one board of
// files: it has tests only. Each worker is a process of its own (this test
// binary, started again), so that locks, the journal and the index are used as
// real agents use them.
//
//	go -C proof test ./crowd                        a commit's share
//	go -C proof test ./crowd -run Kill -rounds 200  the long run of one; the
//	                                                    others have -each and -tasks
package crowd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
)

var (
	rounds = flag.Int("rounds", 5, "how often the kill test kills")
	each   = flag.Int("each", 100, "how many tasks each process creates")
	shared = flag.Int("tasks", 250, "for how many tasks the processes compete")
)

// jobVar holds a worker's job, and tells it that it is one.
const jobVar = "PAWL_TEST_JOB"

// A job is what one worker process does.
type job struct {
	Kind   string
	Board  string
	Worker int
	Count  int
	Seed   uint64
}

// An ack is a line of a worker's output: something that it was told is done.
type ack struct {
	Worker   int
	OpID     pawl.OpID     `json:",omitempty"`
	Verb     string        `json:",omitempty"`
	Revision pawl.Revision `json:",omitempty"`
	Target   pawl.ID       `json:",omitempty"` // the one task that was asked for by id
	IDs      []pawl.ID     `json:",omitempty"`
	Err      string        `json:",omitempty"`
	Start    int64         // monotonic, in nanoseconds, the same clock for all processes
	End      int64
}

var jobs = map[string]func(w *worker){
	"create": (*worker).create,
	"edit":   (*worker).edit,
	"claim":  (*worker).claim,
	"mixed":  (*worker).mixed,
	"read":   (*worker).read,
}

func TestMain(m *testing.M) {
	if text := os.Getenv(jobVar); text != "" {
		var j job
		if err := json.Unmarshal([]byte(text), &j); err != nil {
			panic(err)
		}
		work(j)
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// worker is a worker process from within.
type worker struct {
	job
	board *pawl.Board
	by    pawl.Actor
	out   *json.Encoder
	sent  int
}

func work(j job) {
	store, err := file.Open(j.Board)
	if err != nil {
		fmt.Fprintln(os.Stderr, "open:", err)
		os.Exit(1)
	}
	w := &worker{job: j, board: pawl.NewBoard(store), out: json.NewEncoder(os.Stdout)}
	w.by = pawl.Actor{Name: fmt.Sprintf("w%d", j.Worker), Session: fmt.Sprintf("s%d", j.Worker)}
	jobs[j.Kind](w)
	if err := w.board.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "close:", err)
		os.Exit(1)
	}
}

// do carries out an op and says so, only after it is done.
func (w *worker) do(op pawl.Op) (pawl.Result, error) {
	w.sent++
	id := pawl.OpID(fmt.Sprintf("w%d.%x.%d", w.Worker, w.Seed, w.sent))
	start := monotonic()
	res, err := w.board.Do(context.Background(), pawl.Request{By: w.by, ID: id, Op: op})
	a := ack{Worker: w.Worker, OpID: id, Verb: fmt.Sprintf("%T", op), Revision: res.Revision, IDs: res.IDs, Start: start, End: monotonic()}
	switch op := op.(type) {
	case pawl.ClaimTask:
		a.Target = op.ID
	case pawl.Release:
		a.Target = op.IDs[0]
	case pawl.Complete:
		a.Target = op.IDs[0]
	}
	if err != nil {
		a.Err = err.Error()
		if kind := pawl.KindOf(err); kind == pawl.Internal || kind == pawl.Unavailable {
			fmt.Fprintln(os.Stderr, a.Verb, err)
			os.Exit(1)
		}
	}
	if err := w.out.Encode(a); err != nil {
		os.Exit(1)
	}
	return res, err
}

// process is a worker process from outside.
type process struct {
	*exec.Cmd
	lines chan ack // closed when the process has ended
	err   error    // of the process, once lines is closed
	noise strings.Builder
}

func start(t testing.TB, j job) *process {
	t.Helper()
	text := must.Get(json.Marshal(j))(t)
	self := must.Get(os.Executable())(t)
	p := &process{Cmd: exec.Command(self), lines: make(chan ack, 100_000)}
	p.Env = append(os.Environ(), jobVar+"="+string(text))
	p.Stderr = &p.noise
	out := must.Get(p.StdoutPipe())(t)
	must.Do(t, p.Start())
	t.Cleanup(func() { p.Process.Kill() })
	go p.listen(out)
	return p
}

func (p *process) listen(out io.Reader) {
	defer close(p.lines)
	for s := bufio.NewScanner(out); s.Scan(); {
		var a ack
		if json.Unmarshal(s.Bytes(), &a) != nil {
			break // a line cut short by a kill was not heard
		}
		p.lines <- a
	}
	p.err = p.Wait()
}

// finish returns all that the process was told, and fails when it failed.
func (p *process) finish(t testing.TB) []ack {
	t.Helper()
	acks := p.drain()
	if p.err != nil {
		t.Fatalf("worker: %v\n%s", p.err, p.noise.String())
	}
	return acks
}

func (p *process) drain() (acks []ack) {
	for a := range p.lines {
		acks = append(acks, a)
	}
	return acks
}

// crowd runs n workers of one kind to their end.
func crowd(t *testing.T, n int, j job) (acks []ack) {
	t.Helper()
	var all []*process
	for i := range n {
		j.Worker = i
		all = append(all, start(t, j))
	}
	for _, p := range all {
		acks = append(acks, p.finish(t)...)
	}
	return acks
}

// newBoard makes a board of files with n tasks that wait for nothing.
func newBoard(t testing.TB, n int) (string, *pawl.Board) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".tasks")
	store := must.Get(file.Open(dir))(t)
	board := pawl.NewBoard(store)
	t.Cleanup(func() { board.Close() })
	for n > 0 {
		var op pawl.Create
		for range min(n, pawl.MaxBatch) {
			op.Tasks = append(op.Tasks, pawl.NewTask{Subject: "task"})
		}
		n -= len(op.Tasks)
		if _, err := board.Do(context.Background(), pawl.Request{Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	return dir, board
}

func everything(t testing.TB, b *pawl.Board) (tasks []pawl.Task) {
	t.Helper()
	for q := (pawl.Query{}); ; {
		page := must.Get(b.Select(context.Background(), q))(t)
		tasks = append(tasks, page.Tasks...)
		if q.After = page.Next; q.After == nil {
			return tasks
		}
	}
}

// within is how long a test waits before it calls something stuck.
const within = 2 * time.Minute
