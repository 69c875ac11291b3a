package ask

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/pawl-dev/pawl"
)

// A form reads a question of one kind, and its answer.
type form struct {
	question func(*json.Decoder) (Question, error)
	answer   func(*json.Decoder) (Answer, error)
}

func formOf[Q Asks[A], A any, P interface {
	*A
	Answer
}]() form {
	return form{
		func(d *json.Decoder) (Question, error) {
			var q Q
			err := d.Decode(&q)
			return q, err
		},
		func(d *json.Decoder) (Answer, error) {
			a := P(new(A))
			err := d.Decode(a)
			return a, err
		},
	}
}

// formFor returns the form of a kind of question, if there is such a kind.
func formFor(kind string) (form, bool) {
	switch kind {
	case "glance":
		return formOf[GlanceQuery, Glance](), true
	case "overview":
		return formOf[OverviewQuery, Overview](), true
	case "tasks":
		return formOf[TasksQuery, Tasks](), true
	case "pages":
		return formOf[PagesQuery, Pages](), true
	case "task":
		return formOf[TaskQuery, Details](), true
	case "resolve":
		return formOf[ResolveQuery, Resolved](), true
	case "lanes":
		return formOf[LanesQuery, Lanes](), true
	case "graph":
		return formOf[GraphQuery, GraphTasks](), true
	case "find":
		return formOf[FindQuery, Rows](), true
	case "facets":
		return formOf[FacetsQuery, Facets](), true
	case "agents":
		return formOf[AgentsQuery, Agents](), true
	case "history":
		return formOf[HistoryQuery, History](), true
	case "problems":
		return formOf[ProblemsQuery, Problems](), true
	}
	return form{}, false
}

// envelope is a question or an answer on its way: {"ask":"lanes","data":{…}}.
type envelope struct {
	Ask  string          `json:"ask"`
	Data json.RawMessage `json:"data"`
}

// EncodeQuestion writes a question as JSON.
func EncodeQuestion(q Question) ([]byte, error) { return seal(q.kind(), q) }

// DecodeQuestion reads what [EncodeQuestion] wrote, and refuses what it does not
// know.
func DecodeQuestion(text []byte) (Question, error) {
	return open(text, func(f form) func(*json.Decoder) (Question, error) { return f.question })
}

// EncodeAnswer writes an answer as JSON.
func EncodeAnswer(a Answer) ([]byte, error) { return seal(a.answers(), a) }

// DecodeAnswer reads what [EncodeAnswer] wrote.
func DecodeAnswer(text []byte) (Answer, error) {
	return open(text, func(f form) func(*json.Decoder) (Answer, error) { return f.answer })
}

func seal(kind string, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, pawl.Errorf(pawl.Internal, "%s cannot be written as JSON: %w", kind, err)
	}
	return json.Marshal(envelope{kind, data})
}

func open[T any](text []byte, read func(form) func(*json.Decoder) (T, error)) (v T, err error) {
	var e envelope
	if err := strictly(text, func(d *json.Decoder) error { return d.Decode(&e) }); err != nil {
		return v, err
	}
	f, ok := formFor(e.Ask)
	if !ok {
		return v, pawl.Errorf(pawl.Invalid, "%q is not a question", e.Ask)
	}
	err = strictly(e.Data, func(d *json.Decoder) error {
		v, err = read(f)(d)
		return err
	})
	return v, err
}

// strictly reads one JSON value with no unknown keys, and nothing after it.
func strictly(text []byte, read func(*json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := read(d); err != nil {
		return pawl.Errorf(pawl.Invalid, "the JSON cannot be read: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return pawl.Errorf(pawl.Invalid, "something follows the JSON")
	}
	return nil
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
