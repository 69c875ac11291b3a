package web

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// runJSON is how pawl run stands in the clone of this server.
type runJSON struct {
	wire.Envelope
	Status *wire.RunStatus `json:"status,omitempty"` // how it stands; absent: no run ever was in this clone, or the server has none
}

// attemptsJSON are the attempts of runs at a task.
type attemptsJSON struct {
	wire.Envelope
	Attempts []wire.RunView `json:"attempts"` // the newest last, at most 20
}

// attemptDiffJSON is what an attempt changed.
type attemptDiffJSON struct {
	wire.Envelope
	Diff string `json:"diff"`          // as git shows it: text of an agent; empty: nothing
	Cut  bool   `json:"cut,omitempty"` // it is longer than 256 KiB; pawl run diff shows all of it
}

// runAskJSON is what a person asks of a run.
type runAskJSON struct {
	Ask  RunAsk `json:"ask"`            // what is asked
	Task string `json:"task"`           // whose attempt is meant: task of the attempt
	Text string `json:"text,omitempty"` // of retry: a remark for the agent
}

// A RunAsk says what is asked of a run: approve lets what waits for approval be
// integrated, retry lets another attempt follow, and sends back what waits, stop ends the
// agent and puts the task on hold.
type RunAsk string

// runAskedJSON is what follows what was asked.
type runAskedJSON struct {
	wire.Envelope
	Said string `json:"said"` // in words: "Approved attempt 1 at #9"
}

const (
	// mostAttempts is how many attempts at a task are shown.
	mostAttempts = 20
	// maxDiff bounds a diff on the page, in bytes.
	maxDiff = 256 << 10
	// diffFor is how long a page waits for one.
	diffFor = 20 * time.Second
)

var runAsks = map[RunAsk]runs.ControlOp{"approve": runs.Approve, "retry": runs.Retry, "stop": runs.StopOne}

func (v *visit) run(http.ResponseWriter, *http.Request) (any, error) {
	answer := runJSON{Envelope: wire.NewEnvelope("run")}
	if v.Runs == nil {
		return answer, nil
	}
	if st, ever := v.Runs.Status(); ever {
		answer.Status = new(wire.RunStatusOf(&st))
	}
	return answer, nil
}

// attempted is the task that an address names, for those who may see its attempts.
func (v *visit) attempted(r *http.Request) (runs.Identity, error) {
	if v.Runs == nil {
		return "", noRuns()
	}
	board, err := v.board(r.Context())
	if err != nil {
		return "", err
	}
	id, err := idOf(r)
	if err != nil {
		return "", err
	}
	found, err := query.Of(r.Context(), board, query.Asker{By: v.By}, query.TaskQuery{Names: []string{id.String()}})
	if err != nil {
		return "", err
	}
	if fault := found.Tasks[0].Fault; fault != nil {
		return "", fault
	}
	return runs.IdentityOf(&found.Tasks[0].Detail.Task), nil
}

func noRuns() error {
	return pawl.Errorf(pawl.NotFound, "this server sees no runs: they are those of a clone, and it has none")
}

func (v *visit) attempts(_ http.ResponseWriter, r *http.Request) (any, error) {
	answer := attemptsJSON{Envelope: wire.NewEnvelope("attempts"), Attempts: []wire.RunView{}}
	task, err := v.attempted(r)
	if err != nil {
		return nil, err
	}
	all := v.Runs.Attempts(task)
	all = all[max(0, len(all)-mostAttempts):]
	if st, ever := v.Runs.Status(); ever && len(all) > 0 { // which also knows what the last one is doing now
		last := &all[len(all)-1]
		st.Each(func(now *runs.View) {
			if now.Task == last.Task && now.N == last.N {
				*last = *now
			}
		})
	}
	for i := range all {
		answer.Attempts = append(answer.Attempts, wire.RunViewOf(&all[i]))
	}
	return answer, nil
}

func (v *visit) attemptDiff(_ http.ResponseWriter, r *http.Request) (any, error) {
	task, err := v.attempted(r)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(r.Context(), diffFor)
	defer stop()
	diff, err := v.Runs.Diff(ctx, task)
	if err != nil {
		return nil, err
	}
	answer := attemptDiffJSON{Envelope: wire.NewEnvelope("attemptDiff"), Diff: strings.ToValidUTF8(diff, "\uFFFD")}
	if len(answer.Diff) > maxDiff {
		answer.Diff, answer.Cut = strings.ToValidUTF8(answer.Diff[:maxDiff], ""), true
	}
	return answer, nil
}

// askRun asks the run for something. Only a person who may change the board does: tokens
// of agents and readers do not steer runs.
func (v *visit) askRun(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked runAskJSON
	if err := readBody(r, &asked); err != nil {
		return nil, err
	}
	op, known := runAsks[asked.Ask]
	switch {
	case v.Runs == nil:
		return nil, noRuns()
	case !v.Person || v.Role == access.Read:
		return nil, refused(http.StatusForbidden, "runs are for people to steer, and this token is not one of a person who may change the board")
	case !known:
		return nil, fault("ask", "is not approve, retry or stop")
	case asked.Text != "" && op != runs.Retry:
		return nil, fault("text", "goes with retry only")
	case len(asked.Text) > pawl.MaxNote:
		return nil, fault("text", "is too long")
	}
	said, err := v.Runs.Ask(runs.Control{Op: op, Task: runs.Identity(asked.Task), Text: asked.Text, By: v.By.Name})
	if err != nil {
		return nil, err
	}
	return runAskedJSON{wire.NewEnvelope("runAsked"), said}, nil
}

// How often it is looked how the run stands while there is a stream: it changes without a
// change of the board.
const (
	runAlive = time.Second
	runIdle  = 5 * time.Second
)

var runFrame = frame{text: []byte("event: run\ndata: {}\n\n")}

// watchRuns tells the streams when a run stands otherwise, until ctx ends.
func (f *feed) watchRuns(ctx context.Context) {
	before, _ := f.server.Runs.Status()
	for {
		wait := runIdle
		if before.Running {
			wait = runAlive
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		now, _ := f.server.Runs.Status()
		if !sameRun(before, now) {
			f.add(runFrame)
			before = now
		}
	}
}

// sameRun reports whether two looks at a run show the same: times within a part of a
// minute do not count.
func sameRun(a, b runs.Status) bool {
	return reflect.DeepEqual(coarse(a), coarse(b))
}

func coarse(st runs.Status) runs.Status {
	const part = 15 * time.Second
	st.Now = time.Time{}
	view := func(v runs.View) runs.View {
		v.Took, v.For = v.Took.Truncate(part), v.For.Truncate(part)
		return v
	}
	st.Slots = slices.Clone(st.Slots)
	for i := range st.Slots {
		if a := st.Slots[i].Attempt; a != nil {
			st.Slots[i].Attempt = new(view(*a))
		}
	}
	for _, all := range []*[]runs.View{&st.Queue, &st.Waiting, &st.Held, &st.Done} {
		*all = slices.Clone(*all)
		for i := range *all {
			(*all)[i] = view((*all)[i])
		}
	}
	return st
}
