package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// ExitCode is the exit code for an error; 0 is success.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	switch pawl.KindOf(err) {
	case pawl.Invalid:
		return 2
	case pawl.NotFound:
		return 3
	case pawl.Conflict, pawl.Unconfirmed:
		return 4
	case pawl.Blocked:
		return 5
	case pawl.Unavailable:
		return 6
	case pawl.Gone:
		return 7
	case pawl.Unmet:
		return 8
	case pawl.Idle:
		return 9
	case pawl.Busy:
		return 10
	default:
		return 1
	}
}

// fail tells of an error, after what was printed already, and returns the exit
// code.
func (a *app) fail(err error) int {
	_ = a.flush() // when this fails too there is nobody left to tell
	if errors.Is(err, errUnmerged) {
		return 8
	}
	if ended, ok := errors.AsType[errEnded](err); ok {
		return int(ended)
	}
	if errors.Is(err, errFound) {
		return ExitCode(err)
	}
	if answered, ok := errors.AsType[errAnswered](err); ok {
		a.tellNoBoard()
		return ExitCode(answered.why)
	}
	e, ok := errors.AsType[*pawl.Error](err)
	if !ok {
		e = pawl.Errorf(pawl.Internal, "%w", err)
	}
	e = a.withoutBoard(e)
	hint, exit := a.hintFor(e), ExitCode(e)
	if a.wantsJSON() && wire.WriteJSON(a.env.Stdout, wire.ErrorJSON{Envelope: wire.NewEnvelope("error"), Error: wire.NewErrorBody(e, e.Message, hint), Exit: exit}) == nil {
		return exit
	}
	a.say("%s", a.sentence(e))
	if len(e.Faults) > 1 {
		for _, f := range e.Faults {
			a.say("  %s", f)
		}
	}
	if hint != "" {
		a.say("hint: %s", hint)
	}
	return exit
}

// sentence is what an error says: to somebody at a terminal with the times of
// their clock.
func (a *app) sentence(e *pawl.Error) string {
	message := e.Message
	switch {
	case len(e.Faults) == 1 && e.Kind == pawl.Unmet: // the fault is the task's, not that of what was typed
		message += ": " + strings.TrimSpace(e.Faults[0].Path+" "+e.Faults[0].Problem)
	case len(e.Faults) == 1:
		message = onlyFault(e)
	}
	if (e.Holder != nil || len(e.Workers) > 0 || !e.Since.IsZero()) && terminal.Is(a.env.Stderr) {
		message = show.ToPerson(e, message, a.name(), show.Clock{Now: time.Now(), Zone: time.Local})
	}
	return message
}

// onlyFault says what is wrong where one thing is: "the subject is blank". With
// more of a path, or a sentence of its own, it stays as it is.
func onlyFault(e *pawl.Error) string {
	f := e.Faults[0]
	word := strings.IndexFunc(f.Path, func(r rune) bool { return !unicode.IsLetter(r) }) < 0 && f.Path != ""
	verb, _, _ := strings.Cut(f.Problem, " ")
	if !word || !slices.Contains([]string{"is", "has", "names"}, verb) {
		return e.Error()
	}
	return "the " + f.Path + " " + f.Problem
}

// withoutBoard lets an error about what is not found, or is left, say so where
// there is no board at all.
func (a *app) withoutBoard(e *pawl.Error) *pawl.Error {
	if !a.none || e.Kind != pawl.NotFound && e.Kind != pawl.Idle {
		return e
	}
	return &pawl.Error{
		Kind: pawl.NotFound, Message: noBoard, IDs: e.IDs, Cause: e,
		Hint: pawl.Hint{Step: pawl.HintSay, Text: a.firstTask()},
	}
}

const noBoard = "no board exists here yet"

// firstTask is the command that begins a board; while a join is pending, what ends that first.
func (a *app) firstTask() string {
	board, err := a.project().Board()
	if refused, is := errors.AsType[*pawl.Error](project.Unjoined(a.env.Getenv, board.Dir)); err == nil && is && board.Pending != "" {
		return refused.Hint.Text
	}
	return a.command(`add "first task"`)
}

// errFound ends a verb that has told everything itself and found something bad.
var errFound = errors.New("found something")

// errUnmerged ends a check that has told everything itself, too: a merge of the
// board should have settled its findings.
var errUnmerged = errors.New("the board is not merged")

// errAnswered ends a verb whose answer, which was printed, says what is wrong, such
// as that nothing is ready: scripts learn why from the exit code.
type errAnswered struct{ why *pawl.Error }

func (e errAnswered) Error() string { return e.why.Error() }

// tellNoBoard explains an empty answer, and how to begin.
func (a *app) tellNoBoard() {
	if a.none {
		a.say("%s", noBoard)
		a.say("hint: %s", a.firstTask())
	}
}

// wantsJSON also holds for a command line that could not be read to its end.
func (a *app) wantsJSON() bool {
	if a.json {
		return true
	}
	for _, arg := range a.env.Args {
		if arg == "--" {
			return false
		}
		if value, ok := strings.CutPrefix(arg, "--json="); ok || arg == "--json" {
			if on, err := strconv.ParseBool(value); on || err != nil {
				return true
			}
		}
	}
	return false
}

// say prints a message on stderr.
func (a *app) say(format string, args ...any) {
	a.waiting.aside(func() {
		for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
			fmt.Fprintf(a.env.Stderr, "pawl: %s\n", text.Line(line))
		}
	})
}

// once says something that is worth saying once a command.
func (a *app) once(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !a.told[text] {
		if a.told == nil {
			a.told = map[string]bool{}
		}
		a.told[text] = true
		a.say("%s", text)
	}
}
