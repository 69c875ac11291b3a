package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// Types of parameters in an address, as a route's table names them.
const (
	ofText     = "string"
	ofFlag     = "boolean"  // true or false
	ofCount    = "integer"  // a whole number from 0 on
	ofID       = "id"       // of a task
	ofRevision = "revision" // of a change
	ofLevel    = "level"    // high, medium or low
)

// maxText bounds a text in an address: it is searched for in every task.
const maxText = 500

// asked are the parameters of an address that [route.ask] has checked.
type asked url.Values

// ask reads the parameters of a request, and returns all their faults.
func (r *route) ask(req *http.Request) (asked, error) {
	if !strings.HasPrefix(r.path, "/api/") { // the page has no parameters: it ignores them
		return nil, nil
	}
	values, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return nil, pawl.Errorf(pawl.Invalid, "the address cannot be read: the part after its ? is not a list of KEY=VALUE")
	}
	var faults []pawl.Fault
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(r.query, func(p param) bool { return p.name == name })
		if i < 0 {
			faults = append(faults, pawl.Fault{Path: text.Clip(name, 40), Problem: "is not a parameter here"})
			continue
		}
		p := r.query[i]
		if len(values[name]) > 1 && !p.many {
			faults = append(faults, pawl.Fault{Path: name, Problem: fmt.Sprintf("is given %d times", len(values[name]))})
		}
		if len(values[name]) > pawl.MaxRequests {
			faults = append(faults, pawl.Fault{Path: name, Problem: fmt.Sprintf("is given %d times; the most is %d", len(values[name]), pawl.MaxRequests)})
			continue
		}
		for _, text := range values[name] {
			if problem := p.fault(text); problem != "" {
				faults = append(faults, pawl.Fault{Path: name, Problem: problem})
			}
		}
	}
	if len(faults) > 0 {
		return nil, &pawl.Error{Kind: pawl.Invalid, Message: "the parameters of the address are wrong", Faults: faults}
	}
	return asked(values), nil
}

// fault returns what is wrong with a value, or "".
func (p param) fault(s string) string {
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return "is not text"
	}
	quoted := strconv.Quote(text.Clip(s, 40))
	n, err := number(s)
	switch p.of {
	case ofFlag:
		if s != "true" && s != "false" {
			return "is " + quoted + ", neither true nor false"
		}
	case ofLevel:
		if _, known := levels[wire.Level(s)]; !known {
			return "is " + quoted + ", not high, medium or low"
		}
	case ofCount, ofRevision:
		if err != nil {
			return "is " + quoted + ", not a whole number from 0 on"
		}
	case ofID:
		if err != nil || n == 0 {
			return "is " + quoted + ", not the number of a task"
		}
	default:
		if utf8.RuneCountInString(s) > maxText {
			return fmt.Sprintf("has %d characters; the most is %d", utf8.RuneCountInString(s), maxText)
		}
	}
	return ""
}

// number reads digits, up to the largest number that JSON keeps exactly.
func number(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && (n < 0 || n > int64(pawl.MaxID) || strconv.FormatInt(n, 10) != text) {
		err = strconv.ErrRange
	}
	return n, err
}

// levels are the priorities by name.
var levels = map[wire.Level]pawl.Priority{"high": pawl.High, "medium": pawl.Medium, "low": pawl.Low}

// askedOf is what the address of a request asks for.
func askedOf(req *http.Request) asked {
	a, _ := req.Context().Value(askedKey{}).(asked)
	return a
}

// askedKey is under what a request's context has what it asks for.
type askedKey struct{}

func (a asked) has(name string) bool    { return len(a[name]) > 0 }
func (a asked) text(name string) string { return url.Values(a).Get(name) }
func (a asked) flag(name string) bool   { return a.text(name) == "true" }

// number is a number in the address, or the default.
func (a asked) number(name string, unless int64) int64 {
	if !a.has(name) {
		return unless
	}
	n, _ := number(a.text(name))
	return n
}

func (a asked) id(name string) pawl.ID { return pawl.ID(a.number(name, 0)) }

func (a asked) ids(name string) []pawl.ID {
	var ids []pawl.ID
	for _, text := range a[name] {
		n, _ := number(text)
		ids = append(ids, pawl.ID(n))
	}
	return ids
}

// tasks is the choice of tasks that filterParams make.
func (a asked) tasks(me string) pawl.Query {
	q := pawl.Query{Labels: a["label"], Text: a.text("text"), Owner: a.text("owner"), Parent: a.id("parent")}
	if q.Owner == "@me" {
		q.Owner = me
	}
	q.Owner = strings.TrimPrefix(q.Owner, "@")
	if a.has("priority") {
		q.Priority = new(levels[wire.Level(a.text("priority"))])
	}
	return q
}

// idOf reads the number of a task in a path.
func idOf(req *http.Request) (pawl.ID, error) {
	n, err := number(req.PathValue("id"))
	if err != nil || n == 0 {
		return 0, pawl.Errorf(pawl.Invalid, "%q is not the number of a task", text.Clip(req.PathValue("id"), 40))
	}
	return pawl.ID(n), nil
}
