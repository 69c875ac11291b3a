package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// opsJSON is a change of the board.
type opsJSON struct {
	OpID pawl.OpID `json:"opId,omitempty"` // made by the client: a request that is sent again under the same one runs once
	Dry  bool      `json:"dry,omitempty"`  // say what would happen, and write nothing
	Ops  []opJSON  `json:"ops"`            // in order, each on the result of those before it
}

// outcomeJSON is what came of ops.
type outcomeJSON struct {
	wire.Envelope
	Changed  bool               `json:"changed"`            // false: all of it was already so, and nothing was written
	Dry      bool               `json:"dry,omitempty"`      // nothing was written: the answer is what would happen
	Revision pawl.Revision      `json:"revision,omitempty"` // of the change; absent if nothing was written
	Said     string             `json:"said"`               // what happened, in words: "Completed #1 Set up; ready now: #2 Write the parser"
	IDs      []pawl.ID          `json:"ids"`                // the tasks that the ops were about, in their order
	Refs     map[string]pawl.ID `json:"refs,omitempty"`     // the ids of the new tasks that have a ref
	Ready    []query.Brief      `json:"ready"`              // what became ready by it, the most urgent first
	Warnings []string           `json:"warnings,omitempty"` // what force overrode, each in a sentence: whose work was ended or taken over, which hold was lifted
	Nothing  *wire.Nothing      `json:"nothing,omitempty"`  // of a claim alone that got no task: why, and until when
	Tasks    []wire.Task        `json:"tasks"`              // the tasks in ids after the change, without those deleted
}

func (v *visit) ops(_ http.ResponseWriter, r *http.Request) (any, error) {
	var asked opsJSON
	if err := readBody(r, &asked); err != nil {
		return nil, err
	}
	ops, err := asked.domain()
	if err != nil {
		return nil, err
	}
	board, note, err := v.forOps(r.Context(), &asked)
	if err != nil {
		return nil, err
	}
	var answer *outcomeJSON
	if undo, ok := asked.Ops[0].Op.(pawl.Undo); ok {
		answer, err = v.undo(r.Context(), board, &asked, undo.Revision)
	} else {
		answer, err = v.do(r.Context(), board, &asked, ops)
	}
	if err != nil {
		return nil, err
	}
	if note != "" {
		answer.Said += "; " + note
	}
	return answer, nil
}

// domain is what was asked for as one op. An undo stands alone, and what it is
// follows from history.
func (o *opsJSON) domain() (pawl.Op, error) {
	switch {
	case len(o.Ops) == 0:
		return nil, fault("ops", "is empty")
	case len(o.Ops) > pawl.MaxRequests:
		return nil, fault("ops", "has too many ops")
	}
	if i := slices.IndexFunc(o.Ops, func(op opJSON) bool { _, undo := op.Op.(pawl.Undo); return undo }); i >= 0 {
		if len(o.Ops) > 1 {
			return nil, fault("ops", "has an undo and others: an undo stands alone")
		}
		return nil, nil
	}
	if len(o.Ops) == 1 {
		return o.Ops[0].Op, nil
	}
	var all pawl.All
	for _, op := range o.Ops {
		all.Ops = append(all.Ops, op.Op)
	}
	return all, nil
}

func fault(path, problem string) error {
	return &pawl.Error{Kind: pawl.Invalid, Message: "the request cannot work as it stands", Faults: []pawl.Fault{{Path: path, Problem: problem}}}
}

// forOps opens the board to write. A first task makes one, nothing else does.
func (v *visit) forOps(ctx context.Context, asked *opsJSON) (query.Board, string, error) {
	creates := slices.ContainsFunc(asked.Ops, func(op opJSON) bool { _, create := op.Op.(pawl.Create); return create })
	if asked.Dry || !creates {
		if board, err := v.board(ctx); err != nil || asked.Dry {
			return board, "", err
		}
	}
	return v.Open(ctx, true)
}

// do carries out an op, and says what came of it.
func (v *visit) do(ctx context.Context, board query.Board, asked *opsJSON, op pawl.Op) (*outcomeJSON, error) {
	request, err := v.screened(ctx, board, pawl.Request{By: v.By, Op: op, ID: asked.OpID})
	if err != nil {
		return nil, err
	}
	o, err := carry(ctx, board, asked.Dry, request)
	if nothing := v.nothing(asked, err); nothing != nil {
		return nothing, nil
	}
	if err != nil {
		return nil, v.placed(asked, err)
	}
	answer := v.outcome(asked, &o)
	answer.Said = show.Outcome(request, &o, 0, inUTC)
	answer.Warnings = append(show.Cuts(&o.Result), show.Overridden(o.Result.Changes, v.By.Name)...)
	if !o.Merged.Nothing() && !o.Merged.Report.Empty() {
		answer.Warnings = append(answer.Warnings, "the board was merged with another branch: "+show.Merged(&o.Merged.Report, v.By.Name))
	}
	answer.Warnings = append(answer.Warnings, show.ClaimShared(&o, v.By.Name)...)
	if o.Result.Repeated {
		answer.Said = v.again(ctx, board, o.Result.Revision)
	}
	return answer, nil
}

// screened is a request with the checks that the project asks of its tasks. No check runs
// here, so that tasks with some are completed in a terminal.
func (s *Server) screened(ctx context.Context, board query.Board, r pawl.Request) (pawl.Request, error) {
	if s.Screened == nil {
		return r, nil
	}
	return s.Screened(ctx, board, r)
}

// carry has a request done, or tried.
func carry(ctx context.Context, board query.Board, dry bool, request pawl.Request) (query.Outcome, error) {
	const want = query.WantNames | query.WantEdges | query.WantUndid | query.WantAlready
	if !dry {
		return board.Do(ctx, request, want)
	}
	outcomes, err := board.Try(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

// outcome is what a result tells without words.
func (v *visit) outcome(asked *opsJSON, o *query.Outcome) *outcomeJSON {
	answer := &outcomeJSON{Ready: []query.Brief{}, Tasks: wire.TasksOf(v.By.Name, o.Result.Tasks, o.Waiting)}
	for _, id := range o.Result.Ready {
		if near, there := o.Names[id]; there {
			answer.Ready = append(answer.Ready, query.Brief{ID: id, Subject: near.Subject})
		}
	}
	answer.take(asked, &o.Result)
	return answer
}

// take adds what the result says itself.
func (a *outcomeJSON) take(asked *opsJSON, result *pawl.Result) {
	a.Envelope = wire.NewEnvelope("outcome")
	a.Changed, a.Dry, a.Revision, a.Refs = result.Changed, asked.Dry, result.Revision, result.Refs
	a.IDs = append([]pawl.ID{}, result.IDs...)
}

// again says what came of a request when it ran before.
func (v *visit) again(ctx context.Context, board query.Board, rev pawl.Revision) string {
	const plain = "This was done already"
	h, err := query.Of(ctx, board, v.asking(nil), query.HistoryQuery{At: rev})
	if err != nil {
		return plain
	}
	told := show.Telling{Names: h.Names, Most: show.SaidName, Words: true}
	if undid, ok := h.Undid[rev]; ok {
		told.Undid = &undid
	}
	return plain + ": " + told.Deed(&h.Sets[0])
}

// nothing is the answer to a claim of the next task when all is done or others
// are at work: that is not a failure, unless other ops waited for it.
func (v *visit) nothing(asked *opsJSON, err error) *outcomeJSON {
	e, ok := err.(*pawl.Error)
	if !ok || e.Kind != pawl.Idle && e.Kind != pawl.Busy || len(asked.Ops) > 1 {
		return nil
	}
	answer := &outcomeJSON{Said: strings.TrimSuffix(v.sentence(e), "."), Ready: []query.Brief{}, Tasks: []wire.Task{}}
	answer.take(asked, &pawl.Result{})
	answer.Nothing = wire.NewNothing(e, v.sentence(e), hint(e))
	return answer
}

// placed lets the faults of a request that had one op say where in the body
// they are, as those of several do.
func (v *visit) placed(asked *opsJSON, err error) error {
	e, ok := err.(*pawl.Error)
	if !ok || len(asked.Ops) != 1 || e.Kind == pawl.Unmet { // whose faults are of the task
		return err
	}
	placed := *e
	placed.Faults = slices.Clone(e.Faults)
	for i := range placed.Faults {
		if f := &placed.Faults[i]; f.Path != "opId" && f.Path != "" {
			f.Path = "ops[0]." + f.Path
		}
	}
	return &placed
}
