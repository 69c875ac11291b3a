package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/checks"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// project is what the caller works on.
func (a *app) project() *project.Project {
	if a.works == nil {
		a.works = project.Open(project.From{Dir: a.env.Dir, Getenv: a.env.Getenv, Address: a.address})
	}
	return a.works
}

// place finds the board, and tells what keeps it from being the one that the
// settings name.
func (a *app) place() (project.Board, error) {
	board, err := a.project().Board()
	for _, text := range board.Warnings {
		a.once("%s", text)
	}
	if e, ok := errors.AsType[*pawl.Error](err); ok && board.Source == project.Settings {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "bring it back, or make it: " + commandLine("pawl init", "--board", board.Dir)}
	}
	if err == nil && board.InDatabase() && a.env.Host == nil {
		err = project.NeedsServer(board.Address)
	}
	switch {
	case board.Pending != "":
		a.once("join of %s failed: the project's own board is read-only", board.Pending)
	case board.Stray != "":
		a.once("this clone does not use the board %s, which another clone joined: an earlier one in this folder, or the one that this is a copy of", text.Line(board.Stray))
		a.once("hint: %s", a.asPerson(commandLine("pawl join", board.Stray)))
	case address.Is(board.Untrusted):
		a.once("the settings name the board %s, which this clone has not joined; using the project's own board", board.Untrusted)
		a.once("hint: %s", a.asPerson("pawl join"))
	case board.Untrusted != "":
		a.once("the settings name the board %s, which is not trusted; using the project's own board", board.Untrusted)
		a.once("hint: %s", a.asPerson("pawl trust"))
	}
	return board, err
}

// asPerson is a next step for a person: an agent that follows hints must not be the
// one who trusts.
func (a *app) asPerson(command string) string {
	if a.caller().Person {
		return command
	}
	return "ask a person to run " + command
}

// open opens the board. Where there is none it is empty, and in the end stderr
// says so.
func (a *app) open() (query.Board, error) {
	if a.board != nil {
		return a.board, nil
	}
	place, err := a.place()
	if err != nil {
		return nil, err
	}
	if !place.Exists {
		a.board, a.none = a.env.Boards.Empty(), true
		return a.board, nil
	}
	open := a.env.Boards.Open
	if a.brief {
		open = a.env.Boards.Briefly
	}
	a.board, err = a.tellingMerges(a.openAt(place, open))
	return a.board, err
}

// openAt opens the board of a place that exists.
func (a *app) openAt(place project.Board, open func(project.Board) (query.Board, error)) (query.Board, error) {
	board, err := open(place)
	if b, is := board.(interface{ Back() bool }); is && err == nil && b.Back() {
		a.once("the board's files were missing; restored from git's folder")
	}
	return board, err
}

// openWatchedAt is openAt for a command that runs on.
func (a *app) openWatchedAt(place project.Board, warn func(string)) (query.Board, error) {
	return a.openAt(place, func(place project.Board) (query.Board, error) { return a.env.Boards.Watched(place, warn) })
}

// boardFor opens the board for requests that may be its first ones. For a dry
// run it is not made where there is none.
func (a *app) boardFor(ctx context.Context, dry bool, requests ...pawl.Request) (query.Board, error) {
	if !dry {
		return a.make(ctx, requests...)
	}
	place, err := a.place()
	if err != nil || place.Exists {
		return a.open()
	}
	a.say("would make a board %s", whereOf(&place))
	a.board = a.env.Boards.Empty()
	return a.board, nil
}

// make opens the board for requests that may be the first ones on it. Where
// there is none it is made, but not for requests that would be refused anyway.
func (a *app) make(ctx context.Context, requests ...pawl.Request) (query.Board, error) {
	place, err := a.place()
	if err != nil {
		return nil, err
	}
	if place.Exists {
		return a.open()
	}
	trial := a.env.Boards.Empty()
	defer trial.Close()
	for _, request := range requests { // one by one, for together they could fill the memory
		if _, err := trial.Do(ctx, request, 0); err != nil {
			return nil, err
		}
	}
	made, err := a.makeBoard(ctx, Making{Dir: place.Dir, Agent: a.agentName()})
	if err != nil {
		return nil, err
	}
	a.say("%s", madeLine(&place, made))
	a.board, err = a.tellingMerges(a.env.Boards.Open(place))
	return a.board, err
}

// do carries out one op for the caller on a board that is there.
func (a *app) do(ctx context.Context, op pawl.Op) (*outcome, error) {
	if a.offline {
		if err := a.consents("claim a task of a shared board without its remote", a.sameLine()); err != nil {
			return nil, err
		}
	}
	board, err := a.open()
	if err != nil {
		return nil, err
	}
	request := a.request(op)
	if request.Seen, err = a.mayTake(ctx, board, op); err != nil {
		return nil, err
	}
	return a.carry(ctx, board, request)
}

// mayTake refuses to end a hold that another session has put, and to take away what was
// asked, but for a person at a terminal, and force of an agent.
func (a *app) mayTake(ctx context.Context, board query.Board, op pawl.Op) (*pawl.Seen, error) {
	if a.mayConsent() || !checks.Takes(op) {
		return nil, nil
	}
	requests, err := a.screened(ctx, board, a.request(op))
	return requests[0].Seen, err
}

// asked asks the board a question for the caller.
func asked[A any](ctx context.Context, a *app, q query.Asks[A]) (A, error) {
	return askedFor(ctx, a, 0, q)
}

// askedFor is asked for one who is shown no completed task longer than this.
func askedFor[A any](ctx context.Context, a *app, archive time.Duration, q query.Asks[A]) (A, error) {
	board, err := a.open()
	if err != nil {
		var none A
		return none, err
	}
	return query.Of(ctx, board, query.Asker{By: pawl.Actor{Name: a.name()}, Archive: archive}, q)
}

// resolve turns what was typed into ids: 12, #12, "8,11", names that tasks had
// in another tracker, or a whole subject. It reports all that cannot be found at once. Ids alone are
// not looked for: the request or question that follows does that.
func (a *app) resolve(ctx context.Context, lists ...string) ([]pawl.ID, error) {
	var names, foreign []string
	for _, list := range lists {
		for _, name := range namesIn(list) {
			names = append(names, name)
			if _, err := pawl.ParseID(name); err != nil {
				foreign = append(foreign, name)
			}
		}
	}
	if _, err := a.open(); err != nil {
		return nil, err
	}
	found := map[string]pawl.ID{}
	var faults []*pawl.Error
	for some := range slices.Chunk(foreign, query.MostNames) {
		answer, err := asked(ctx, a, query.ResolveQuery{Names: some})
		if err != nil {
			return nil, err
		}
		for i, fault := range answer.Faults {
			switch {
			case fault == nil:
				found[some[i]] = answer.IDs[i]
			case fault.Kind != pawl.NotFound:
				return nil, fault
			default:
				id, better, err := a.byTitle(ctx, some[i])
				switch {
				case err != nil:
					return nil, err
				case id != 0:
					found[some[i]] = id
				case better != nil && better.Kind != pawl.NotFound:
					return nil, better
				case better != nil:
					faults = append(faults, better)
				default:
					faults = append(faults, fault)
				}
			}
		}
	}
	switch len(faults) {
	case 0:
	case 1:
		return nil, faults[0]
	default:
		e := &pawl.Error{Kind: pawl.NotFound, Message: "several tasks are not on this board", Hint: pawl.Hint{Step: pawl.HintList}}
		for _, fault := range faults {
			e.Faults = append(e.Faults, pawl.Fault{Problem: fault.Error()})
		}
		return nil, e
	}
	var ids []pawl.ID
	for _, name := range names {
		id, err := pawl.ParseID(name)
		if err != nil {
			id = found[name]
		}
		if !slices.Contains(ids, id) { // typed twice is meant once
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// one is resolve for what names one task; refusal says so.
func (a *app) one(ctx context.Context, name, verb, refusal string) (pawl.ID, error) {
	ids, err := a.resolve(ctx, name)
	if err != nil {
		return 0, err
	}
	if len(ids) != 1 {
		return 0, usage(verb, "%s", refusal)
	}
	return ids[0], nil
}

// namesIn are the names in a list with commas; one that has words is a subject,
// commas and all.
func namesIn(list string) []string {
	names := strings.Split(list, ",")
	for i := range names {
		if names[i] = strings.TrimSpace(names[i]); strings.ContainsAny(names[i], " \t\n") {
			return []string{list}
		}
	}
	return names
}

// byTitle is the task whose whole subject was typed, for a command that changes
// it. Text that only resembles a subject is not enough for that: better then asks back.
func (a *app) byTitle(ctx context.Context, typed string) (id pawl.ID, better *pawl.Error, err error) {
	tasks, fit, err := a.titled(ctx, typed)
	switch {
	case err != nil || len(tasks) == 0:
		return 0, nil, err
	case len(tasks) == 1 && fit == wholeTitle:
		return tasks[0].ID, nil, nil
	}
	if known := numbered(typed, tasks); fit == titleBegins && len(known) > 0 {
		if tasks = known; len(known) == 1 {
			return known[0].ID, nil, nil
		}
	}
	better = fitting(typed, tasks)
	if verb := firstWord(a.env.Args); len(tasks) == 1 && verb != "rm" { // a hint never destroys anything
		if line := a.withID(typed, tasks[0].ID); line != "" {
			better.Hint = pawl.Hint{Step: pawl.HintSay, Text: line}
		}
	}
	return 0, better, nil
}

// numbered are the tasks whose subjects begin with what was typed, if that is a
// number that another program gave them: T002, BACK-97, 1.2.
func numbered(typed string, tasks []pawl.Task) (known []pawl.Task) {
	typed = folded(typed)
	if !strings.ContainsAny(typed, "0123456789") || strings.Contains(typed, " ") {
		return nil
	}
	for i := range tasks {
		first, _, _ := strings.Cut(folded(tasks[i].Subject), " ")
		if strings.Trim(first, "[]().:") == strings.Trim(typed, "[]().:") {
			known = append(known, tasks[i])
		}
	}
	return known
}

// withID is the command line as it was typed, with a number in the place of a name;
// empty: the name does not stand in it alone.
func (a *app) withID(typed string, id pawl.ID) string {
	_, words := split(a.env.Args)
	i := slices.Index(words, typed)
	if i < 1 || slices.Contains(words, "--") {
		return ""
	}
	words = slices.Clone(words)
	words[i] = strings.TrimPrefix(id.String(), "#")
	return commandLine("pawl", words...)
}

// resolveWords is resolve for a verb whose arguments are nothing but tasks: several
// words without a number may be the one subject that nobody quoted.
func (a *app) resolveWords(ctx context.Context, args []string) ([]pawl.ID, error) {
	number := func(arg string) bool { _, err := pawl.ParseID(arg); return err == nil }
	if len(args) < 2 || slices.ContainsFunc(args, number) {
		return a.resolve(ctx, args...)
	}
	whole := strings.Join(args, " ")
	tasks, fit, err := a.titled(ctx, whole)
	if err == nil && len(tasks) == 1 && fit == wholeTitle {
		return []pawl.ID{tasks[0].ID}, nil
	}
	if err != nil {
		return nil, err
	}
	ids, each := a.resolve(ctx, args...)
	if each == nil || len(tasks) == 0 {
		return ids, each
	}
	e := fitting(whole, tasks)
	if verb := firstWord(a.env.Args); len(tasks) == 1 && verb != "rm" {
		if line := a.withOne(args, tasks[0].ID); line != "" {
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: line}
		}
	}
	return nil, e
}

// withOne is the command line as it was typed, flags and all, with a number in the place
// of its arguments; empty: it has others.
func (a *app) withOne(args []string, id pawl.ID) string {
	_, words := split(a.env.Args)
	v, ok := find(words[0])
	if !ok {
		return ""
	}
	flags := v.command(a).Flags()
	line, found := []string{words[0]}, []string(nil)
	argument := func(words ...string) {
		if len(found) == 0 {
			line = append(line, strings.TrimPrefix(id.String(), "#"))
		}
		found = append(found, words...)
	}
	for i := 1; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			if i+1 < len(words) {
				argument(words[i+1:]...)
			}
			break
		}
		if !looksLikeFlag(word) {
			argument(word)
			continue
		}
		line = append(line, word)
		name, _, has := strings.Cut(word, "=")
		f := flags.Lookup(strings.TrimPrefix(name, "--"))
		if len(name) == 2 {
			f = flags.ShorthandLookup(name[1:])
		}
		if f == nil {
			return ""
		}
		if !has && f.NoOptDefVal == "" && i+1 < len(words) {
			i++
			line = append(line, words[i])
		}
	}
	if !slices.Equal(found, args) {
		return ""
	}
	return commandLine("pawl", line...)
}

// refs are ids as an op that makes tasks takes them.
func refs(ids []pawl.ID) []pawl.Ref {
	out := make([]pawl.Ref, len(ids))
	for i, id := range ids {
		out[i] = pawl.RefID(id)
	}
	return out
}
