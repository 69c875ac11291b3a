package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/draw"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var logVerb = verb{
	name:  "log",
	use:   "[ID] [flags]",
	short: "show the history, newest first",
	long:  "Shows a line for each change of the board, or of one task: revision, time, who did what, and which tasks became ready. Changes that only renew leases are left out. Times are local on a terminal, and UTC in a pipe and with --json. With --json the verbs are those of the library: create for add and plan, complete for done, delete for rm.",
	kind:  "log",
	examples: []string{
		"pawl log 12 --verbose",
		"pawl log --after 1790000000123 --json",
	},
	max:   1,
	build: buildLog,
}

// logFlags are what log was asked for.
type logFlags struct {
	cmd     *cobra.Command
	limit   int
	after   int64
	cursor  string
	verbose bool
	all     bool
}

func buildLog(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	f := &logFlags{cmd: cmd}
	flags := cmd.Flags()
	pageFlags(cmd, &f.limit, &f.cursor)
	flags.Int64Var(&f.after, "after", 0, "`REV` show the changes after this revision, oldest first; 0: all")
	flags.BoolVar(&f.verbose, "verbose", false, "show each field before and after")
	flags.BoolVar(&f.all, "all", false, "include renewals of leases")
	return func(ctx context.Context, args []string) error {
		at, err := f.start()
		if err != nil {
			return err
		}
		board, err := a.read()
		if err != nil {
			return err
		}
		if len(args) == 1 {
			ids, err := a.resolve(ctx, args[0])
			switch {
			case err != nil:
				return err
			case len(ids) > 1:
				return usage("log", "log takes one task")
			}
			at.Task = ids[0]
		}
		return a.log(ctx, board, f, at)
	}
}

// place is where a page of log begins.
type place struct {
	pawl.Span
	before pawl.Revision // with Backward: only what came before it; zero: all
}

// A cursor of log: the page goes on with what came before or after a revision.
const (
	cursorBefore = "before."
	cursorAfter  = "after."
)

func (f *logFlags) start() (place, error) {
	at := place{Span: pawl.Span{After: pawl.Revision(f.after), Backward: !f.cmd.Flags().Changed("after")}}
	if err := checkLimit(f.cmd, f.limit); err != nil {
		return at, err
	}
	if f.after < 0 {
		return at, usage("log", "a revision cannot be negative")
	}
	if f.cursor == "" {
		return at, nil
	}
	prefix := cursorAfter
	if at.Backward {
		prefix = cursorBefore
	}
	digits, fits := strings.CutPrefix(f.cursor, prefix)
	rev, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || rev < 1 || !fits {
		return at, usage("log", "%q is not a cursor of this log", text.Clip(f.cursor, 40))
	}
	if at.Backward {
		at.before = pawl.Revision(rev)
	} else {
		at.After = pawl.Revision(rev)
	}
	return at, nil
}

// logPage is a page of history.
type logPage struct {
	sets    []pawl.ChangeSet
	undone  map[pawl.Revision]bool // of these, those that a later one took back
	names   ask.Subjects
	more    bool
	trimmed bool          // earlier sets existed, and are no longer kept
	why     string        // with trimmed: which, and why
	last    pawl.Revision // of the board
}

// logJSON is the envelope of log.
type logJSON struct {
	wire.Envelope
	Revision pawl.Revision    `json:"revision"`          // the board's last one
	Changes  []wire.ChangeSet `json:"changes"`           // newest first; with --after oldest first
	HasMore  bool             `json:"hasMore"`           // there is a further page
	Cursor   string           `json:"cursor,omitempty"`  // for --cursor, where there is a further page
	Trimmed  bool             `json:"trimmed,omitempty"` // what came before is no longer kept
}

func (a *app) log(ctx context.Context, board *pawl.Board, f *logFlags, at place) error {
	page, err := readLog(ctx, board, f, at)
	if err != nil {
		return err
	}
	if at.Task != 0 && len(page.sets) == 0 && at.before == 0 && at.After == 0 {
		if _, err := board.Get(ctx, at.Task); err != nil {
			return err
		}
	}
	if a.json {
		answer := logJSON{
			Envelope: wire.NewEnvelope("log"), Revision: page.last, Changes: make([]wire.ChangeSet, len(page.sets)),
			HasMore: page.more, Cursor: page.cursor(at), Trimmed: page.trimmed,
		}
		for i := range page.sets {
			answer.Changes[i] = wire.NewChangeSet(&page.sets[i], page.names)
		}
		return a.printJSON(answer)
	}
	for i, line := range page.lines(a.screen, a.paint, time.Now(), at.Task) {
		a.print("%s\n", line)
		if f.verbose {
			a.logDetails(&page, &page.sets[i])
		}
	}
	if err := a.flush(); err != nil {
		return err
	}
	switch {
	case page.more:
		a.say("%d shown; next page: %s", len(page.sets), a.again("cursor", page.cursor(at)))
	case page.trimmed:
		a.say("%s", page.why)
	case len(page.sets) == 0 && !a.none:
		a.say("the history is empty")
	}
	return nil
}

func readLog(ctx context.Context, board *pawl.Board, f *logFlags, at place) (logPage, error) {
	page := logPage{undone: map[pawl.Revision]bool{}}
	for set, err := range board.Changes(ctx, at.Span) {
		if err != nil {
			e, ok := errors.AsType[*pawl.Error](err)
			if ok && e.Kind == pawl.Gone && (at.Backward || len(page.sets) > 0) {
				page.trimmed, page.why = true, e.Message
				break
			}
			if ok && e.Kind == pawl.Gone {
				e.Hint = pawl.Hint{Step: pawl.HintHistory}
			}
			return page, err
		}
		if set.Undoes != 0 && !page.undone[set.Revision] {
			page.undone[set.Undoes] = true
		}
		if at.before != 0 && set.Revision >= at.before || !f.all && ask.Renewal(&set) {
			continue
		}
		if len(page.sets) == f.limit {
			page.more = true
			break
		}
		page.sets = append(page.sets, set)
	}
	err := board.View(ctx, func(r pawl.Reader) (err error) {
		page.last = r.Revision()
		page.names, err = ask.LoadSubjects(r, page.sets...)
		return err
	})
	return page, err
}

func (p *logPage) cursor(at place) string {
	if !p.more {
		return ""
	}
	last := strconv.FormatInt(int64(p.sets[len(p.sets)-1].Revision), 10)
	if at.Backward {
		return cursorBefore + last
	}
	return cursorAfter + last
}

// lines are the change sets, a line each. On a terminal their times are those
// of the place, and no line is wider than it.
//
//	1790000000123  2026-11-21 07:07:34 UTC  ada completed #1 Set up the project
func (p *logPage) lines(screen screen, paint paint, now time.Time, asked pawl.ID) []string {
	times := make([]string, len(p.sets))
	width := 0
	for i := range p.sets {
		times[i] = screen.clock(now).Spell(p.sets[i].At)
		width = max(width, len(times[i]))
	}
	lines := make([]string, len(p.sets))
	for i := range p.sets {
		rev := strconv.FormatInt(int64(p.sets[i].Revision), 10)
		undone := ""
		if p.undone[p.sets[i].Revision] {
			undone = " (undone)"
		}
		line := screen.telling(say.Telling{Names: p.names, Asked: asked}, &p.sets[i], len(rev)+width+2*len(gap)+len(undone))
		lines[i] = paint.as(faint, rev) + gap + draw.Pad(times[i], width) + gap + line + undone
	}
	return lines
}

// Subjects in the line of a change are shortened in steps, down to what one still
// knows a task by.
const (
	longestSubject  = 60
	shortestSubject = 8
	subjectStep     = 4
)

// telling is the line of a change set. On a terminal, where so many columns are
// taken, subjects are shortened, and then fewer tasks named, before anything is cut.
func (s screen) telling(t say.Telling, set *pawl.ChangeSet, taken int) string {
	line := t.Line(set)
	if !s.on {
		return line
	}
	room := max(20, s.Width-taken)
	for _, t.Few = range []bool{false, true} {
		for t.Most = longestSubject; t.Most >= shortestSubject && draw.Width(line) > room; t.Most -= subjectStep {
			line = t.Line(set)
		}
	}
	return s.Fit(line, room)
}

// zone is where the one is who looks; nil: a program does.
func (s screen) zone() *time.Location {
	if s.on {
		return time.Local
	}
	return nil
}

// clock spells moments for who looks at now.
func (s screen) clock(now time.Time) say.Clock { return say.Clock{Now: now, Zone: s.zone()} }

// gap is between two columns.
const gap = "  "

// logDetails prints what a line left out.
func (a *app) logDetails(page *logPage, set *pawl.ChangeSet) {
	var who []string
	for _, part := range []struct{ name, value string }{{"session", set.By.Session}, {"agent", set.By.Agent}, {"op id", string(set.OpID)}} {
		if part.value != "" {
			who = append(who, part.name+" "+text.Line(part.value))
		}
	}
	if len(who) > 0 {
		a.print("  %s\n", strings.Join(who, ", "))
	}
	if set.Bulk {
		ids := make([]pawl.ID, len(set.Changes))
		for i, c := range set.Changes {
			ids[i] = c.ID
		}
		slices.Sort(ids)
		a.print("  %s\n", say.IDs(ids))
		return
	}
	a.details(set.Changes, page.names, "  ")
}
