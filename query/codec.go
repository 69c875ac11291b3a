package query

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/strictjson"
)

// A form reads a question of one kind, and its answer.
type form struct {
	question func(text []byte) (Question, error)
	answer   func(*json.Decoder) (Answer, error)
}

func formOf[Q Asks[A], A any, P interface {
	*A
	Answer
}]() form {
	return form{
		func(text []byte) (Question, error) {
			var q Q
			err := readStrictly(text, &q)
			return q, err
		},
		func(d *json.Decoder) (Answer, error) {
			a := P(new(A))
			err := d.Decode(a)
			return a, err
		},
	}
}

// forms are the questions there are. They are made when one is first asked for.
var forms = sync.OnceValue(func() map[string]form {
	return map[string]form{
		"glance":   formOf[GlanceQuery, Glance](),
		"overview": formOf[OverviewQuery, Overview](),
		"tasks":    formOf[TasksQuery, Tasks](),
		"pages":    formOf[PagesQuery, Pages](),
		"task":     formOf[TaskQuery, Details](),
		"resolve":  formOf[ResolveQuery, Resolved](),
		"lanes":    formOf[LanesQuery, Lanes](),
		"graph":    formOf[GraphQuery, GraphTasks](),
		"find":     formOf[FindQuery, Rows](),
		"facets":   formOf[FacetsQuery, Facets](),
		"agents":   formOf[AgentsQuery, Agents](),
		"history":  formOf[HistoryQuery, History](),
		"problems": formOf[ProblemsQuery, Problems](),
	}
})

// KindNames are the names of the questions there are, sorted.
func KindNames() []string { return slices.Sorted(maps.Keys(forms())) }

// formFor returns the form of a kind of question.
func formFor(kind string) (form, error) {
	f, known := forms()[kind]
	if !known {
		return f, pawl.Errorf(pawl.Invalid, "%q is not a question", clip(kind))
	}
	return f, nil
}

// envelope is a question or an answer on its way: {"ask":"lanes","data":{…}}.
type envelope struct {
	Ask  string          `json:"ask"`
	Data json.RawMessage `json:"data"`
}

// EncodeQuestion writes a question as JSON.
func EncodeQuestion(q Question) ([]byte, error) { return seal(q.kind(), q) }

// DecodeQuestion reads what [EncodeQuestion] wrote, strictly: no unknown key, none
// twice, none missing, no other type. It fails with Invalid, and names every fault.
func DecodeQuestion(text []byte) (Question, error) {
	if len(text) > pawl.MaxRequestSize {
		return nil, pawl.Errorf(pawl.Invalid, "the question has %d bytes; the most is %d", len(text), pawl.MaxRequestSize)
	}
	var e envelope
	if err := readStrictly(text, &e); err != nil {
		return nil, err
	}
	f, err := formFor(e.Ask)
	if err != nil {
		return nil, err
	}
	return f.question(e.Data)
}

// Answers reports whether an answer is of the type that a question has.
func Answers(q Question, a Answer) bool { return a != nil && q.kind() == a.answers() }

// EncodeAnswer writes an answer as JSON.
func EncodeAnswer(a Answer) ([]byte, error) { return seal(a.answers(), a) }

// DecodeAnswer reads what [EncodeAnswer] wrote. It ignores unknown keys: a server
// may be newer than its client.
func DecodeAnswer(text []byte) (a Answer, err error) {
	if kind, data, plain := unsealed(text); plain {
		if f, err := formFor(kind); err == nil {
			if decode(data, func(d *json.Decoder) (err error) { a, err = f.answer(d); return err }) == nil {
				return a, nil
			}
		}
	}
	var e envelope // of a newer server, or it is wrong: then this says how
	if err := decode(text, func(d *json.Decoder) error { return d.Decode(&e) }); err != nil {
		return nil, err
	}
	f, err := formFor(e.Ask)
	if err != nil {
		return nil, err
	}
	err = decode(e.Data, func(d *json.Decoder) error {
		a, err = f.answer(d)
		return err
	})
	return a, err
}

func seal(kind string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, pawl.Errorf(pawl.Internal, "%s cannot be written as JSON: %w", kind, err)
	}
	text := make([]byte, 0, len(data)+64) // Marshal would go through data again
	text = append(text, begun(kind)...)
	return append(append(text, data...), '}'), nil
}

// begun is how an envelope begins that [seal] wrote.
func begun(kind string) string { return `{"ask":"` + kind + `","data":` }

// unsealed returns what is in an envelope that [seal] wrote. Reading it as any envelope
// would go through a large answer twice more.
func unsealed(text []byte) (kind string, data []byte, ok bool) {
	rest, ok := bytes.CutPrefix(text, []byte(`{"ask":"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 {
		return "", nil, false
	}
	kind = string(rest[:min(end, 40)])
	data, ok = bytes.CutPrefix(text, []byte(begun(kind)))
	return kind, bytes.TrimSuffix(data, []byte("}")), ok && bytes.HasSuffix(text, []byte("}"))
}

// decode reads one JSON value, and nothing after it.
func decode(text []byte, read func(*json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if err := read(d); err != nil {
		return pawl.Errorf(pawl.Invalid, "the JSON cannot be read: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return pawl.Errorf(pawl.Invalid, "something follows the JSON")
	}
	return nil
}

// deepest is how deep a question nests, with some to spare.
const deepest = 16

func readStrictly(text []byte, into any) error {
	found, err := strictjson.Read(text, deepest, into, words)
	if err != nil {
		return pawl.Errorf(pawl.Invalid, "the question %w", err)
	}
	if len(found) == 0 {
		return nil
	}
	e := pawl.Errorf(pawl.Invalid, "the question cannot be read")
	for _, f := range found {
		e.Faults = append(e.Faults, pawl.Fault(f))
	}
	return e
}

// words reads the types that are a word in JSON.
func words(t reflect.Type) strictjson.Form {
	if t == reflect.TypeFor[pawl.Duration]() {
		return (*strictjson.Decoder).Duration
	}
	if !reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) || t == reflect.TypeFor[time.Time]() {
		return nil
	}
	return func(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
		read := v.Addr().Interface().(encoding.TextUnmarshaler)
		if n.Kind != '"' {
			d.Fault(path, "is %s, not a text", n.What())
		} else if err := read.UnmarshalText([]byte(n.Text)); err != nil || fmt.Sprint(v.Interface()) != n.Text {
			d.Fault(path, "is %s, which is unknown", strictjson.Quote(n.Text))
		}
	}
}

func (GlanceQuery) kind() string            { return "glance" }
func (GlanceQuery) answer(a Answer) *Glance { return a.(*Glance) }
func (*Glance) answers() string             { return "glance" }

func (TaskQuery) kind() string             { return "task" }
func (TaskQuery) answer(a Answer) *Details { return a.(*Details) }
func (*Details) answers() string           { return "task" }

func (ResolveQuery) kind() string              { return "resolve" }
func (ResolveQuery) answer(a Answer) *Resolved { return a.(*Resolved) }
func (*Resolved) answers() string              { return "resolve" }

func (LanesQuery) kind() string           { return "lanes" }
func (LanesQuery) answer(a Answer) *Lanes { return a.(*Lanes) }
func (*Lanes) answers() string            { return "lanes" }

func (GraphQuery) kind() string                { return "graph" }
func (GraphQuery) answer(a Answer) *GraphTasks { return a.(*GraphTasks) }
func (*GraphTasks) answers() string            { return "graph" }

func (AgentsQuery) kind() string            { return "agents" }
func (AgentsQuery) answer(a Answer) *Agents { return a.(*Agents) }
func (*Agents) answers() string             { return "agents" }
