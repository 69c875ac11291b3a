package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/show/term"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var logVerb = verb{
	name:  "log",
	use:   "[ID] [flags]",
	short: "show the history, newest first, or changes as they happen",
	long:  "Shows a line for each change of the board, or of one task: revision, time, who did what, and which tasks became ready. Changes that only renew leases are left out. Times are local on a terminal, and UTC in a pipe and with --json. --follow prints changes as they happen instead, until Ctrl-C: also edits by other programs, each as a line or, with --json, as an envelope of kind changes. If no board exists yet, it waits for one. An expired lease shows with the next change. With --json the verbs are those of the library: create for add and plan, complete for done, delete for rm.",
	kind:  "log",
	examples: []string{
		"pawl log 12 --verbose",
		"pawl log --after @3 --json",
		"pawl log 12 --follow",
	},
	max:   -1,
	build: buildLog,
}

// logFlags are what log was asked for.
type logFlags struct {
	cmd     *cobra.Command
	limit   int
	after   *pawl.Revision
	cursor  string
	verbose bool
	all     bool
	follow  bool
	timeout time.Duration
}

func buildLog(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	f := &logFlags{cmd: cmd}
	flags := cmd.Flags()
	pageFlags(cmd, &f.limit, &f.cursor)
	flags.Lookup("limit").Usage += "; with --follow: end after N changes"
	flags.BoolVar(&f.follow, "follow", false, "print changes as they happen; with --after, first those after the revision")
	flags.Var((*durationValue)(&f.timeout), "timeout", "`DURATION` with --follow: end after this time, such as 30s or 10m")
	f.after = revisionFlag(flags, "after", "`REV` show the changes after this revision, oldest first; 0: all")
	flags.BoolVar(&f.verbose, "verbose", false, "show each field before and after")
	flags.BoolVar(&f.all, "all", false, "include renewals of leases")
	return func(ctx context.Context, args []string) error {
		q, err := f.query()
		if err != nil {
			return err
		}
		timed := flags.Changed("timeout")
		switch {
		case f.follow && (f.cursor != "" || f.verbose):
			return usage("log", "--follow excludes --cursor and --verbose")
		case timed && (!f.follow || f.timeout <= 0):
			return usage("log", "--timeout goes with --follow, and must be above zero")
		case f.follow:
			follow := following{after: q.After, replay: q.Forward, task: strings.Join(args, " "), timeout: f.timeout, all: f.all}
			if flags.Changed("limit") {
				follow.count = f.limit
			}
			return a.follow(ctx, &follow)
		}
		if len(args) > 0 {
			ids, err := a.resolveWords(ctx, args)
			switch {
			case err != nil:
				return err
			case len(ids) > 1:
				return usage("log", "log takes one task")
			}
			q.Task = ids[0]
		}
		typed := ""
		if q.Forward && q.After > 0 {
			typed = strconv.FormatInt(int64(q.After), 10)
		}
		return a.asShort(ctx, a.log(ctx, f, q), typed)
	}
}

// A cursor of log: the page goes on with what came before or after a revision.
const (
	cursorBefore = "before."
	cursorAfter  = "after."
)

func (f *logFlags) query() (query.HistoryQuery, error) {
	q := query.HistoryQuery{After: *f.after, Forward: f.cmd.Flags().Changed("after"), Limit: f.limit, Renewals: f.all}
	if f.follow && f.limit < 1 {
		return q, usage("log", "--limit must be at least 1")
	} else if err := checkLimit(f.cmd, f.limit); err != nil && !f.follow {
		return q, err
	}
	if f.cursor == "" {
		return q, nil
	}
	prefix, from := cursorBefore, &q.Before
	if q.Forward {
		prefix, from = cursorAfter, &q.After
	}
	digits, fits := strings.CutPrefix(f.cursor, prefix)
	rev, ok := query.ParseRevision(digits)
	if !ok || rev == 0 || !fits {
		return q, usage("log", "%q is not a cursor of this log", text.Clip(f.cursor, 40))
	}
	*from = rev
	return q, nil
}

// logJSON is the envelope of log.
type logJSON struct {
	wire.Envelope
	Revision pawl.Revision    `json:"revision"`          // the board's last one
	Changes  []wire.ChangeSet `json:"changes"`           // newest first; with --after oldest first
	HasMore  bool             `json:"hasMore"`           // another page follows
	Cursor   string           `json:"cursor,omitempty"`  // for --cursor, if there is another page
	Trimmed  bool             `json:"trimmed,omitempty"` // older changes are no longer kept
}

func (a *app) log(ctx context.Context, f *logFlags, q query.HistoryQuery) error {
	page, err := asked(ctx, a, q)
	switch {
	case err != nil:
		return err
	case page.Fault != nil:
		return page.Fault
	case a.json:
		answer := logJSON{
			Envelope: wire.NewEnvelope("log"), Revision: page.Revision, Changes: make([]wire.ChangeSet, len(page.Sets)),
			HasMore: page.More, Cursor: logCursor(&page, q.Forward), Trimmed: page.Trimmed != nil,
		}
		for i := range page.Sets {
			answer.Changes[i] = wire.NewChangeSet(&page.Sets[i], page.Names, page.Origin)
		}
		return a.printJSON(answer)
	}
	for i, line := range a.logLines(&page, time.Now(), q.Task) {
		a.print("%s\n", line)
		if f.verbose {
			a.logDetails(&page.Sets[i], page.Names)
		}
	}
	if err := a.flush(); err != nil {
		return err
	}
	switch {
	case page.More:
		a.say("%d shown; next page: %s", len(page.Sets), a.again("cursor", logCursor(&page, q.Forward)))
	case page.Trimmed != nil:
		a.say("%s", page.Trimmed.Message)
	case len(page.Sets) == 0 && !a.none:
		a.say("the history is empty")
	}
	return nil
}

func logCursor(page *query.History, forward bool) string {
	if !page.More {
		return ""
	}
	last := page.Sets[len(page.Sets)-1].Revision.Short(page.Origin)
	if forward {
		return cursorAfter + last
	}
	return cursorBefore + last
}

// logLines are the change sets, a line each. On a terminal their times are those
// of the place, and no line is wider than it.
//
//	@3  2026-11-21 07:07:34 UTC  ada completed #1 Set up the project
func (a *app) logLines(page *query.History, now time.Time, about pawl.ID) []string {
	times, revs := make([]string, len(page.Sets)), make([]string, len(page.Sets))
	width, wide := 0, 0
	for i := range page.Sets {
		revs[i] = page.Sets[i].Revision.Short(page.Origin)
		wide = max(wide, len(revs[i]))
		times[i] = a.screen.clock(now).Spell(page.Sets[i].At)
		width = max(width, len(times[i]))
	}
	lines := make([]string, len(page.Sets))
	for i := range page.Sets {
		set := &page.Sets[i]
		rev := term.Pad(revs[i], wide)
		undone := ""
		if slices.Contains(page.Undone, set.Revision) {
			undone = " (undone)"
		}
		line := a.screen.telling(show.Telling{Names: page.Names, Asked: about, Origin: page.Origin}, set, len(rev)+width+2*len(gap)+len(undone))
		lines[i] = a.paint.as(faint, rev) + gap + term.Pad(times[i], width) + gap + line + undone
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
func (s screen) telling(t show.Telling, set *pawl.ChangeSet, taken int) string {
	line := t.Line(set)
	if !s.on {
		return line
	}
	room := max(20, s.Width-taken)
	for _, t.Few = range []bool{false, true} {
		for t.Most = longestSubject; t.Most >= shortestSubject && term.Width(line) > room; t.Most -= subjectStep {
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
func (s screen) clock(now time.Time) show.Clock { return show.Clock{Now: now, Zone: s.zone()} }

// gap is between two columns.
const gap = "  "

// logDetails prints what a line left out.
func (a *app) logDetails(set *pawl.ChangeSet, names query.Subjects) {
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
		a.print("  %s\n", show.IDs(ids))
		return
	}
	a.details(set.Changes, names, "  ")
}
