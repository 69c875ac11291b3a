package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// A script is what somebody does to a board, a line each:
//
//	ada: create "Setup project" ref:setup | "Write code" after:setup
//	bob/s2 [op-1]: claim lease:15m
//	& eve: claim                              (in one batch with the line before)
//	wait 20m
//	board
//
// Before the colon stands the actor: name, session and agent, the session
// being the name's own where it is left out; and the op id in brackets.
// Revisions and tokens count from the first change of the board.

// A word of a line: plain, "quoted as in Go", 'just as it stands', or
// key:value with any of them.
type word struct {
	key   string // after and before in text:"x y" → text
	value string
}

var keyed = regexp.MustCompile(`^([+-]?[a-z]+):`)

// words splits a line.
func words(line string) ([]word, error) {
	var all []word
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		var w word
		if m := keyed.FindStringSubmatch(line); m != nil {
			w.key = m[1]
			line = line[len(m[0]):]
		}
		for line != "" && line[0] != ' ' {
			part, text, err := piece(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			w.value, line = w.value+text, line[len(part):]
		}
		all = append(all, w)
	}
	return all, nil
}

// piece returns the first piece of a line and what it stands for.
func piece(line string) (part, text string, err error) {
	switch line[0] {
	case '"':
		if part, err = strconv.QuotedPrefix(line); err == nil {
			text, err = strconv.Unquote(part)
		}
		return part, text, err
	case '\'':
		n := strings.IndexByte(line[1:], '\'')
		if n < 0 {
			return "", "", errors.New("the quote does not end")
		}
		return line[:n+2], line[1 : n+1], nil
	}
	if n := strings.IndexAny(line, ` "'`); n >= 0 {
		line = line[:n]
	}
	return line, line, nil
}

// args are the words of an op while it is being read. Reading one that is not
// as it should be keeps the first error; words that nobody asked for are one.
type args struct {
	words []word
	err   error
}

func (a *args) fail(format string, v ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, v...)
	}
}

// take removes the words with a key and returns their values.
func (a *args) take(key string) []string {
	var values []string
	a.words = slices.DeleteFunc(a.words, func(w word) bool {
		if w.key == key {
			values = append(values, w.value)
		}
		return w.key == key
	})
	return values
}

// list returns the values of a key, separated by commas.
func (a *args) list(key string) []string {
	var all []string
	for _, v := range a.take(key) {
		all = append(all, strings.Split(v, ",")...)
	}
	return all
}

func (a *args) text(key string) string { return strings.Join(a.take(key), " ") }

func (a *args) maybe(key string) *string {
	if values := a.take(key); len(values) > 0 {
		return &values[0]
	}
	return nil
}

// flag removes a plain word and reports whether it was there.
func (a *args) flag(name string) bool {
	n := len(a.words)
	a.words = slices.DeleteFunc(a.words, func(w word) bool { return w.key == "" && w.value == name })
	return len(a.words) < n
}

func (a *args) id(s string) pawl.ID {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		a.fail("%q is not an id", s)
	}
	return pawl.ID(n)
}

func (a *args) ids(values []string) []pawl.ID {
	var ids []pawl.ID
	for _, v := range values {
		ids = append(ids, a.id(v))
	}
	return ids
}

// ref reads an id, or the name of a task that is made in the same op.
func (a *args) ref(s string) pawl.Ref {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return pawl.RefID(pawl.ID(n))
	}
	return pawl.RefName(s)
}

func (a *args) refs(values []string) []pawl.Ref {
	var refs []pawl.Ref
	for _, v := range values {
		refs = append(refs, a.ref(v))
	}
	return refs
}

func (a *args) duration(key string) time.Duration {
	s := a.text(key)
	if s == "" {
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		a.fail("%v", err)
	}
	return d
}

func (a *args) token() pawl.Revision {
	s := a.text("token")
	if s == "" {
		return 0
	}
	return pawl.Revision(a.id(s))
}

func (a *args) priority(key string) *pawl.Priority {
	s := a.maybe(key)
	if s == nil {
		return nil
	}
	if n, err := strconv.Atoi(*s); err == nil {
		p := pawl.Priority(n) // one that does not exist
		return &p
	}
	p, err := pawl.ParsePriority(*s)
	if err != nil {
		a.fail("%v", err)
	}
	return &p
}

func (a *args) meta(key string) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	for _, pair := range a.take(key) {
		name, value, _ := strings.Cut(pair, "=")
		if m == nil {
			m = map[string]json.RawMessage{}
		}
		m[name] = json.RawMessage(value)
	}
	return m
}

// checks reads checks as unit=go,test or, of one that is optional, unit=go,test?.
func (a *args) checks(key string) []pawl.Check {
	var all []pawl.Check
	for _, value := range a.take(key) {
		command, optional := strings.CutSuffix(value, "?")
		name, run, ok := strings.Cut(command, "=")
		if !ok {
			a.fail("%q is not a check", value)
		}
		all = append(all, pawl.Check{Name: name, Run: strings.Split(run, ","), Optional: optional})
	}
	return all
}

// tree is the id of a work tree's files, named by a letter from a to f.
func (a *args) tree() string {
	s := a.text("tree")
	if len(s) == 1 {
		return strings.Repeat(s, 40)
	}
	return s
}

func (a *args) filter() pawl.ClaimFilter {
	q := a.query()
	return pawl.ClaimFilter{Labels: q.Labels, Parent: q.Parent, Priority: q.Priority, Owner: q.Owner, Text: q.Text}
}

func (a *args) query() pawl.Query {
	q := pawl.Query{
		Ready: a.flag("ready"), Blocked: a.flag("blocked"), Held: a.flag("held"),
		For: a.text("for"), Owner: a.text("owner"), Session: a.text("session"), Labels: a.list("label"),
		Priority: a.priority("pri"), Text: a.text("text"), Refs: a.list("ref"),
	}
	for _, s := range a.list("status") {
		q.Status = append(q.Status, pawl.Status(s))
	}
	if parent := a.text("parent"); parent != "" {
		q.Parent = a.id(parent)
	}
	if a.flag("urgent") {
		q.Order = pawl.ByUrgency
	}
	return q
}

// rest returns what is left as plain words, and complains of anything else.
func (a *args) rest() []string {
	var values []string
	for _, w := range a.words {
		if w.key != "" {
			a.fail("nobody knows what %s: means here", w.key)
		}
		values = append(values, w.value)
	}
	a.words = nil
	return values
}

// parseOp reads verb and arguments.
func parseOp(line string) (pawl.Op, error) {
	verb, line, _ := strings.Cut(line, " ")
	if verb == "create" || verb == "import" {
		return parseTasks(verb, line)
	}
	if verb == "all" {
		var all pawl.All
		for _, part := range strings.Split(line, " | ") {
			op, err := parseOp(part)
			if err != nil {
				return nil, err
			}
			all.Ops = append(all.Ops, op)
		}
		return all, nil
	}
	ws, err := words(line)
	if err != nil {
		return nil, err
	}
	a := &args{words: ws}
	read, ok := ops[verb]
	if !ok {
		return nil, fmt.Errorf("unknown op %q", verb)
	}
	op := read(a)
	if left := a.rest(); len(left) > 0 {
		a.fail("nobody asked for %q", left)
	}
	return op, a.err
}

// ops reads each op. Ids come last, because they are what is left.
var ops = map[string]func(a *args) pawl.Op{
	"update": func(a *args) pawl.Op {
		op := pawl.Update{
			Subject: a.maybe("subject"), Description: a.maybe("desc"), ActiveForm: a.maybe("active"),
			Priority: a.priority("pri"), AddLabels: a.list("+label"), RemoveLabels: a.list("-label"), Metadata: a.meta("meta"),
			AddBlockedBy: a.ids(a.list("after")), RemoveBlockedBy: a.ids(a.list("-after")),
			AddBlocks: a.ids(a.list("blocks")), RemoveBlocks: a.ids(a.list("-blocks")), Token: a.token(),
			AddChecks: a.checks("+check"), RemoveChecks: a.list("-check"), AddAccept: a.list("+accept"), RemoveAccept: a.list("-accept"),
			Tick: a.list("tick"), Untick: a.list("untick"),
		}
		if parent := a.maybe("parent"); parent != nil {
			id := a.id(*parent)
			op.Parent = &id
		}
		op.ID = a.one()
		return op
	},
	"claim": func(a *args) pawl.Op {
		op := pawl.ClaimTask{Lease: pawl.Duration(a.duration("lease")), Token: a.token(), Force: a.flag("force"), Filter: a.filter()}
		if len(a.words) > 0 {
			op.ID = a.one()
		}
		return op
	},
	"start": func(a *args) pawl.Op {
		return pawl.Start{Lease: pawl.Duration(a.duration("lease")), Force: a.flag("force"), IDs: a.many()}
	},
	"complete": func(a *args) pawl.Op {
		op := pawl.Complete{Token: a.token(), Force: a.flag("force"), Tree: a.tree(), Unchecked: a.text("unchecked")}
		for _, c := range a.checks("rule") {
			op.Rules = append(op.Rules, pawl.CheckRule{Check: c})
		}
		for _, c := range a.checks("labelled") {
			op.Rules = append(op.Rules, pawl.CheckRule{Check: c, Labels: []string{"x"}})
		}
		op.IDs = a.many()
		return op
	},
	"reopen": func(a *args) pawl.Op { return pawl.Reopen{IDs: a.many()} },
	"release": func(a *args) pawl.Op {
		return pawl.Release{Hold: a.text("hold"), Token: a.token(), Force: a.flag("force"), IDs: a.many()}
	},
	"assign": func(a *args) pawl.Op { return pawl.Assign{Owner: a.text("to"), Force: a.flag("force"), IDs: a.many()} },
	"hold":   func(a *args) pawl.Op { return pawl.PutHold{Reason: a.text("why"), IDs: a.many()} },
	"lift":   func(a *args) pawl.Op { return pawl.LiftHold{IDs: a.many()} },
	"note":   func(a *args) pawl.Op { return pawl.AddNote{Text: a.text("text"), ID: a.one()} },
	"check": func(a *args) pawl.Op {
		op, tree := pawl.AddEvidence{}, a.tree()
		for key, passed := range map[string]bool{"passed": true, "failed": false} {
			for _, c := range a.checks(key) {
				e := pawl.Evidence{Check: c.Name, Sum: c.Sum(), Tree: tree, Passed: passed}
				if !passed {
					e.Exit = 1
				}
				op.Evidence = append(op.Evidence, e)
			}
		}
		op.ID = a.one()
		return op
	},
	"delete": func(a *args) pawl.Op { return pawl.Delete{Force: a.flag("force"), IDs: a.many()} },
	"renew": func(a *args) pawl.Op {
		return pawl.Renew{Lease: pawl.Duration(a.duration("lease")), Token: a.token(), IDs: a.many()}
	},
	"undo": func(a *args) pawl.Op { return pawl.Undo{Revision: pawl.Revision(a.one())} },
}

func (a *args) many() []pawl.ID { return a.ids(a.rest()) }

func (a *args) one() pawl.ID {
	ids := a.many()
	if len(ids) != 1 {
		a.fail("one id, not %d", len(ids))
		return 0
	}
	return ids[0]
}

// parseTasks reads tasks with a bar between them.
func parseTasks(verb, line string) (pawl.Op, error) {
	var create pawl.Create
	var imports pawl.Import
	for _, part := range strings.Split(line, " | ") {
		ws, err := words(part)
		if err != nil {
			return nil, err
		}
		a := &args{words: ws}
		task := pawl.NewTask{
			Ref: a.text("ref"), Description: a.text("desc"), ActiveForm: a.text("active"), Owner: a.text("owner"),
			Labels: a.list("label"), BlockedBy: a.refs(a.list("after")), Blocks: a.refs(a.list("blocks")), Metadata: a.meta("meta"),
			Checks: a.checks("check"), Accept: a.list("accept"),
		}
		if p := a.priority("pri"); p != nil {
			task.Priority = *p
		}
		if parent := a.text("parent"); parent != "" {
			task.Parent = a.ref(parent)
		}
		if verb == "create" {
			task.Subject = strings.Join(a.rest(), " ")
			create.Tasks = append(create.Tasks, task)
		} else {
			in := pawl.ImportTask{NewTask: task, Status: pawl.Status(a.text("status")), Extra: a.meta("extra")}
			if id := a.text("id"); id != "" {
				in.ID = a.id(id)
			}
			if at := a.text("created"); at != "" {
				if in.CreatedAt, err = time.Parse(time.RFC3339, at); err != nil {
					a.fail("%v", err)
				}
			}
			in.Subject = strings.Join(a.rest(), " ")
			imports.Tasks = append(imports.Tasks, in)
		}
		if a.err != nil {
			return nil, a.err
		}
	}
	if verb == "create" {
		return create, nil
	}
	return imports, nil
}

// parseActor reads "ada", "ada/s2", "ada/s2/explore" and "nobody".
func parseActor(s string) pawl.Actor {
	if s == "nobody" {
		return pawl.Actor{}
	}
	parts := strings.SplitN(s, "/", 3)
	by := pawl.Actor{Name: parts[0], Session: parts[0]}
	if len(parts) > 1 {
		by.Session = parts[1]
	}
	if len(parts) > 2 {
		by.Agent = parts[2]
	}
	return by
}
