package cli

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/transfer"
	"github.com/pawl-dev/pawl/internal/wire"
)

var copyVerb = verb{
	name:  "copy",
	use:   "FROM TO",
	short: "copy a board to another place, history and claims included",
	long: "Makes TO the copy of the board FROM: tasks, dependencies, history, claims with their leases and tokens, and what requests led to, all with the same numbers and times. Each is a folder, https://HOST/boards/NAME (with a token of role admin), or postgres://HOST/DATABASE?board=NAME.\n\n" +
		"FROM stays as it is, and may be in use. TO has to be empty, or an earlier copy of FROM that nobody has changed since: then it gets what is new. It cannot be used until all of it is there. After an interruption, repeat the command: it goes on where it was.\n\n" +
		"To move a board, copy it, let everybody stop, copy again, and go on at TO: a claim holds on both boards, and changes of one do not reach the other. Todo lists of sessions, tokens of a server and the sharing through a git remote are not part of a board.",
	kind: "copy",
	examples: []string{
		"pawl copy . 'postgres://db.example.org/pawl?board=shop'",
		"pawl copy https://pawl.example.org/boards/shop backup",
	},
	min: 2, max: 2,
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(ctx context.Context, args []string) error { return a.copyBoard(ctx, args[0], args[1]) }
	},
}

// copyJSON is the envelope of copy.
type copyJSON struct {
	wire.Envelope
	From     string        `json:"from"`             // the board that was copied
	To       string        `json:"to"`               // its copy
	Done     string        `json:"done"`             // copied, resumed, updated, unchanged, or ahead: TO was changed since, and FROM has nothing new
	Tasks    int           `json:"tasks"`            // number of tasks of FROM
	Changes  int           `json:"changes"`          // number of changes that were brought
	Revision pawl.Revision `json:"revision"`         // the latest change that both have
	Ahead    int           `json:"ahead,omitempty"`  // number of changes that only TO has
	Origin   pawl.Revision `json:"origin,omitempty"` // what short revisions count from
}

func (a *app) copyBoard(ctx context.Context, from, to string) error {
	source, err := a.placeOf("FROM", from)
	if err != nil {
		return err
	}
	target, err := a.placeOf("TO", to)
	if err != nil {
		return err
	}
	if (source.InDatabase() || target.InDatabase()) && !a.env.Serving {
		return a.startServer(ctx)
	}
	none := pawl.Errorf(pawl.NotFound, "no board exists %s", whereOf(&source))
	switch {
	case !source.Exists:
		return none
	case source.Distant() && source.Address == target.Address, !source.Distant() && !target.Distant() && sameFolder(source.Dir, target.Dir):
		return usage("copy", "FROM and TO are the same board")
	}
	r, err := a.env.Copy(ctx, source, target, func() error {
		if target.Exists || target.Distant() {
			return nil
		}
		made, err := a.makeBoard(ctx, Making{Dir: target.Dir, Agent: a.agentName(), Asked: true})
		if err == nil {
			a.say("%s", madeLine(&target, made))
		}
		return err
	})
	if e, ok := errors.AsType[*pawl.Error](err); ok && e.Kind == pawl.NotFound && e.Hint.Step == pawl.HintNone {
		return none // with a hint it is about a token, of either board
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(copyJSON{
			Envelope: wire.NewEnvelope("copy"), From: nameAt(&source), To: nameAt(&target), Done: doneOf(&r),
			Tasks: r.Tasks, Changes: r.Sets, Revision: r.Revision, Ahead: r.Ahead, Origin: r.Origin,
		})
	}
	a.tellCopy(&r, &target, to)
	return nil
}

func doneOf(r *transfer.Report) string {
	switch {
	case r.Ahead > 0:
		return "ahead"
	case r.Nothing():
		return "unchanged"
	case r.Updated:
		return "updated"
	case r.Resumed:
		return "resumed"
	}
	return "copied"
}

func (a *app) tellCopy(r *transfer.Report, target *project.Board, to string) {
	changes := text.Count(r.Sets, "change", "changes")
	at := r.Revision.Short(r.Origin)
	switch doneOf(r) {
	case "ahead":
		a.print("Nothing new: the board %s has %s of its own since %s\n", whereOf(target), text.Count(r.Ahead, "change", "changes"), at)
	case "unchanged":
		a.print("Nothing new: the board %s is the same, at %s\n", whereOf(target), at)
	case "updated":
		a.print("Brought %s: the board %s is the same again, at %s\n", changes, whereOf(target), at)
	case "resumed":
		a.print("Finished the copy with %s and %s: the board %s is the same, at %s\n", text.Count(r.Tasks, "task", "tasks"), changes, whereOf(target), at)
	default:
		a.print("Copied %s and %s: the board %s is the same, at %s\n", text.Count(r.Tasks, "task", "tasks"), changes, whereOf(target), at)
		a.say("claims hold on both boards: from now on let everybody work on one of them")
		if target.InDatabase() {
			a.say("to use this one: pawl serve --store ADDRESS, and then: pawl join https://HOST/boards/%s", target.Address.Board)
			return
		}
		a.say("to use this one: %s", commandLine("pawl ready", "--board", to))
	}
}

// placeOf is the board that an argument names: a folder, or an address.
func (a *app) placeOf(what, arg string) (project.Board, error) {
	if arg == "" {
		return project.Board{}, usage("copy", "%s is empty: perhaps it comes from a variable that is not set", what)
	}
	p := project.Open(project.From{Dir: a.env.Dir, Getenv: a.env.Getenv, Address: arg})
	board, err := p.Board()
	if err != nil || board.Exists || address.Is(arg) {
		return board, err
	}
	return p.ForInit(arg)
}

// nameAt names a board to programs.
func nameAt(b *project.Board) string {
	if b.Distant() {
		return b.Address.String()
	}
	return b.Dir
}

func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return errors.Join(err, err2) == nil && os.SameFile(one, other)
}
