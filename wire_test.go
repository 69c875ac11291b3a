package pawl_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/memory"
)

// filler fills values of any type with what can be said in JSON.
type filler struct {
	t      *rapid.T
	odd    bool // some of it cannot be said
	inTask bool // the value is a part of a task
}

// oddly reports whether a value is to be one that cannot be said in JSON, or is
// not said as it is.
func (f filler) oddly() bool { return f.odd && rapid.IntRange(0, 9).Draw(f.t, "odd") == 0 }

var word = rapid.StringMatching(`[a-zäß<>&"\\ #\n☃🙂]{0,12}`)

func (f filler) fill(v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *pawl.Op:
		*p = f.op(true)
		return
	case *[]pawl.Op:
		for range rapid.IntRange(1, 3).Draw(f.t, "ops") {
			*p = append(*p, f.op(false))
		}
		return
	case *pawl.Ref:
		if *p = pawl.RefID(pawl.ID(rapid.Int64Range(1, int64(pawl.MaxID)).Draw(f.t, "id"))); rapid.Bool().Draw(f.t, "by name") {
			*p = pawl.RefName("x" + word.Draw(f.t, "name"))
		}
		return
	case *pawl.Priority:
		*p = rapid.SampledFrom([]pawl.Priority{pawl.Low, pawl.Medium, pawl.High}).Draw(f.t, "priority")
		if f.oddly() {
			*p = 7
		}
		return
	case *pawl.Kind:
		*p = rapid.SampledFrom([]pawl.Kind{pawl.Internal, pawl.Invalid, pawl.NotFound, pawl.Conflict, pawl.Blocked, pawl.Unavailable, pawl.Gone, pawl.Idle, pawl.Busy}).Draw(f.t, "kind")
		return
	case *pawl.Step:
		*p = pawl.Step(rapid.IntRange(0, int(pawl.HintUndo)).Draw(f.t, "step"))
		return
	case *pawl.Duration:
		*p = pawl.Duration(rapid.Int64Range(0, int64(pawl.MaxLease)).Draw(f.t, "lease"))
		return
	case *time.Time:
		if ms := rapid.Int64Range(0, 1<<42).Draw(f.t, "time"); ms > 0 {
			*p = time.UnixMilli(ms).UTC()
		}
		return
	case *json.RawMessage:
		*p = json.RawMessage(rapid.SampledFrom([]string{`1`, `null`, `"<b>&"`, `{"b":[1,2.50,"☃"],"a":null}`, `[[]]`, `true`}).Draw(f.t, "raw"))
		if f.oddly() {
			*p = rapid.SampledFrom([]json.RawMessage{nil, {}, []byte("{,"), []byte("\"\xff\""), []byte(`"\ud800"`), []byte(`{"\udc00":1}`)}).Draw(f.t, "raw")
		}
		return
	case *[]byte:
		*p = []byte(word.Draw(f.t, "bytes"))
		if len(*p) == 0 {
			*p = nil
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.SetString(word.Draw(f.t, "text")); f.oddly() {
			v.SetString("caf\xe9")
		}
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(f.t, "bool"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64Range(0, int64(pawl.MaxID)).Draw(f.t, "number"))
	case reflect.Pointer:
		if rapid.Bool().Draw(f.t, "there") {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Slice:
		if n := rapid.IntRange(0, 3).Draw(f.t, "length"); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				f.fill(v.Index(i))
			}
		}
	case reflect.Map:
		if n := rapid.IntRange(0, 3).Draw(f.t, "size"); n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				value := reflect.New(v.Type().Elem()).Elem()
				f.fill(value)
				v.SetMapIndex(reflect.ValueOf(word.Draw(f.t, "key")).Convert(v.Type().Key()), value)
			}
		}
	case reflect.Struct:
		inner := f
		inner.inTask = f.inTask || v.Type() == reflect.TypeFor[pawl.Task]()
		for field, v := range v.Fields() {
			if f.inTask && field.Name == "Merging" {
				continue // tasks in tasks in tasks would have no end
			}
			if field.IsExported() && field.Tag.Get("json") != "-" {
				inner.fill(v)
			}
		}
	default:
		f.t.Fatalf("no values for %v", v.Type())
	}
}

// required are lists that an op may not leave out.
var required = map[string]bool{"IDs": true, "Tasks": true, "Evidence": true}

func (f filler) op(whole bool) pawl.Op {
	all := pawl.Ops()
	if !whole {
		all = all[:len(all)-1] // without All
	}
	return f.like(rapid.SampledFrom(all).Draw(f.t, "op"))
}

// like is an op of the same type with values.
func (f filler) like(zero pawl.Op) pawl.Op {
	v := reflect.New(reflect.TypeOf(zero)).Elem()
	f.fill(v)
	for field, v := range v.Fields() {
		if required[field.Name] && v.Len() == 0 && !strings.Contains(field.Tag.Get("json"), ",") {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			f.fill(v.Index(0))
		}
	}
	return v.Interface().(pawl.Op)
}

// Every value that travels is the same value when it arrives.
func TestTravels(t *testing.T) {
	for _, zero := range []any{
		pawl.Request{}, pawl.Result{}, pawl.Task{}, pawl.Change{}, pawl.ChangeSet{}, pawl.Actor{}, pawl.Error{}, pawl.ClaimFilter{},
	} {
		t.Run(fmt.Sprintf("%T", zero), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				sent := reflect.New(reflect.TypeOf(zero))
				filler{t: rt}.fill(sent.Elem())
				text, err := pawl.Encode(sent.Interface())
				must.Do(rt, err)
				came := reflect.New(reflect.TypeOf(zero))
				if err := json.Unmarshal(text, came.Interface()); err != nil {
					rt.Fatalf("%s: %v", text, err)
				}
				if !reflect.DeepEqual(sent.Interface(), came.Interface()) {
					rt.Fatalf("sent %+v\ncame %+v\nas %s", sent.Elem(), came.Elem(), text)
				}
				plain, err := json.Marshal(sent.Interface())
				if err != nil || !json.Valid(plain) {
					rt.Fatalf("package json writes %s, %v", plain, err)
				}
			})
		})
	}
}

// Every op travels by itself, under its name.
func TestOpTravels(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sent := filler{t: rt}.op(true)
		text, err := pawl.Encode(sent)
		must.Do(rt, err)
		came, err := pawl.ParseOp(text)
		if err != nil || !reflect.DeepEqual(sent, came) {
			rt.Fatalf("sent %+v\ncame %+v, %v\nas %s", sent, came, err, text)
		}
		if _, all := sent.(pawl.All); !all && !strings.HasPrefix(string(text), `{"op":"`+sent.Verb()+`"`) {
			rt.Fatalf("%T is written as %s", sent, text)
		}
	})
}

// An op that cannot be said does not travel as another one: it is not written, or
// not read.
func TestOddOpTravelsOrIsRefused(t *testing.T) {
	written, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		sent := filler{t: rt, odd: true}.op(true)
		text, err := pawl.Encode(sent)
		if err != nil {
			if refused++; !errors.Is(err, pawl.Invalid) {
				rt.Fatalf("%+v: %v", sent, err)
			}
			return
		}
		written++
		came, err := pawl.ParseOp(text)
		if err == nil && reflect.DeepEqual(sent, came) {
			return
		}
		if err == nil { // the rules refuse it for another reason
			_, err = pawl.NewBoard(memory.New()).Do(t.Context(), pawl.Request{By: ada, Op: came})
		}
		if !errors.Is(err, pawl.Invalid) {
			rt.Fatalf("sent %+v\ncame %+v, %v\nas %s", sent, came, err, text)
		}
	})
	if written == 0 || refused == 0 {
		t.Errorf("%d were written and %d refused: this shows nothing", written, refused)
	}
}

// A text that is not UTF-8 does not travel as another one.
func TestRequestInOtherBytes(t *testing.T) {
	by := pawl.Actor{Name: "ada"}
	for name, req := range map[string]pawl.Request{
		"subject":  {By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "caf\xe9"}}}},
		"note":     {By: by, Op: pawl.AddNote{ID: 1, Text: "\xff"}},
		"actor":    {By: pawl.Actor{Name: "\xff"}, Op: pawl.Renew{}},
		"metadata": {By: by, Op: pawl.Update{ID: 1, Metadata: map[string]json.RawMessage{"a": json.RawMessage("\"\xff\"")}}},
		"session":  {By: by, Op: pawl.Renew{}, Sessions: []string{"a", "\xff"}},
		"priority": {By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "a", Priority: 7}}}},
		"no value": {By: by, Op: pawl.Update{ID: 1, Metadata: map[string]json.RawMessage{"a": nil}}},
		"half":     {By: by, Op: pawl.Update{ID: 1, Metadata: map[string]json.RawMessage{"a": json.RawMessage(`{"\ud83d":1}`)}}},
		"nested":   {By: by, Op: pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 1, Text: "\xff"}}}},
	} {
		_, refused := pawl.NewBoard(memory.New()).Do(t.Context(), req)
		_, err := json.Marshal(req)
		e, ok := errors.AsType[*pawl.Error](err)
		if !ok || e.Kind != pawl.Invalid || e.Error() != refused.Error() {
			t.Errorf("%s: %v; a board says %v", name, err, refused)
		}
	}
	if _, err := json.Marshal(pawl.Request{By: by, Op: pawl.AddNote{}}); err != nil {
		t.Errorf("what a board has to say is left to it: %v", err)
	}
}

// Half a character is refused wherever it stands: in a key it was read as U+FFFD.
func TestHalfACharacter(t *testing.T) {
	for _, value := range []string{`"\ud83d"`, `"\udc00\ud83d"`, `{"\ud83d":1}`, `{"\ud83dx":1}`} {
		text := `{"op":{"op":"update","id":1,"metadata":{"a":` + value + `}}}`
		if _, err := pawl.ParseRequest([]byte(text)); !errors.Is(err, pawl.Invalid) {
			t.Errorf("%s: %v", value, err)
		}
	}
	if _, err := pawl.ParseRequest([]byte(`{"op":{"op":"update","id":1,"metadata":{"\ud83d\ude42":"\\ud83d"}}}`)); err != nil {
		t.Error(err)
	}
}

// Whatever a call returned can be written: no error becomes {}.
func TestEncodeError(t *testing.T) {
	blocked := pawl.Errorf(pawl.Blocked, "it waits")
	for name, c := range map[string]struct {
		err  error
		text string
	}{
		"one of a board":  {blocked, `{"kind":"blocked","message":"it waits"}`},
		"one in another":  {fmt.Errorf("the plan: %w", blocked), `{"kind":"blocked","message":"it waits"}`},
		"one of a stream": {errors.New("broken pipe"), `{"kind":"internal","message":"broken pipe"}`},
		"a kind":          {pawl.Blocked, `"blocked"`},
	} {
		if text, err := pawl.Encode(c.err); err != nil || string(text) != c.text {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
	if text, err := pawl.Encode(&pawl.BatchError{Errs: []error{blocked}}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a batch: %s, %v", text, err)
	}
}

// A request is read as it is meant, or refused with each fault and its path.
func TestParseRequestStrict(t *testing.T) {
	for name, c := range map[string]struct{ text, faults string }{
		"an unknown key":     {`{"op":{"op":"lift","ids":[1]},"opID":"x"}`, "opID: is not a key here: did you mean opId?"},
		"a key twice":        {`{"op":{"op":"lift","ids":[1],"ids":[2]}}`, "op.ids: is given twice"},
		"the op twice":       {`{"op":{"op":"lift","op":"hold","ids":[1]}}`, "op.op: is given twice"},
		"no op":              {`{"by":{"name":"ada"}}`, "op: is missing"},
		"an op of nobody":    {`{"op":{"op":"finish"}}`, `op.op: is "finish", not an op: they are create, import, update, claim, start, complete, reopen, release, assign, hold, lift, note, check, delete, renew, undo, all`},
		"a lease in numbers": {`{"op":{"op":"claim","lease":900}}`, `op.lease: is a number, not a duration such as "15m"`},
		"deep in a plan": {
			`{"op":{"op":"all","ops":[{"op":"create","tasks":[{"subject":"a"},{"subject":"b"},{"subject":3,"parent":0,"priority":"urgent"}]}]}}`,
			`op.ops[0].tasks[2].subject: is a number, not a text; op.ops[0].tasks[2].parent: is 0, no number of a task; op.ops[0].tasks[2].priority: is "urgent", and none of high, medium, low`,
		},
		"in an import":        {`{"op":{"op":"import","tasks":[{"subject":"a","id":1,"createdAt":"yesterday","notes":[{"txt":"x"}]}]}}`, `op.tasks[0].createdAt: is "yesterday", not a time such as "2026-11-21T10:00:00Z"; op.tasks[0].notes[0].text: is missing; op.tasks[0].notes[0].txt: is not a key here: did you mean text?`},
		"what is not a claim": {`{"op":{"op":"claim","filter":{"ids":[3]}}}`, "op.filter.ids: is not a key here"},
		"an undo's images":    {`{"op":{"op":"undo","revision":3,"changes":[]}}`, "op.changes: is not a key here"},
	} {
		_, err := pawl.ParseRequest([]byte(c.text))
		e, ok := errors.AsType[*pawl.Error](err)
		if !ok || e.Kind != pawl.Invalid {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var faults []string
		for _, f := range e.Faults {
			faults = append(faults, f.String())
		}
		if got := strings.Join(faults, "; "); got != c.faults {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.faults)
		}
	}
	if _, err := pawl.ParseOp(make([]byte, pawl.MaxRequestSize+1)); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a request that is too large: %v", err)
	}
}

// History of a later version can be read: what is not known is passed over.
func TestHistoryLenient(t *testing.T) {
	var set pawl.ChangeSet
	text := `{"revision":7,"verb":"merge","from":"afar","by":{"name":"ada","key":"k"},"changes":[{"id":3,"fields":["priority","mood"],
		"after":{"id":3,"subject":"x","priority":"urgent","mood":"good","claim":{"token":7,"lease":"15m","kind":"new"}}}]}`
	must.Do(t, json.Unmarshal([]byte(text), &set))
	after := set.Changes[0].After
	if set.Verb != "merge" || set.By.Name != "ada" || after.Subject != "x" || after.Priority != pawl.Medium || time.Duration(after.Claim.Lease) != 15*time.Minute {
		t.Errorf("%+v", set)
	}
	var e pawl.Error
	if err := json.Unmarshal([]byte(`{"kind":"tired","message":"no","hint":{"step":"sleep"}}`), &e); err != nil || e.Kind != pawl.Internal || e.Hint.Step != pawl.HintNone {
		t.Errorf("%+v, %v", e, err)
	}
}

// What is written of a task that says little is short, and has no year 1.
func TestTaskJSON(t *testing.T) {
	text, err := pawl.Encode(pawl.Task{ID: 3, Subject: "a <b>", Status: pawl.Pending})
	if want := `{"id":3,"subject":"a <b>","status":"pending"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

func FuzzParseRequest(f *testing.F) {
	for _, zero := range pawl.Ops() {
		values := rapid.Custom(func(t *rapid.T) pawl.Op { return filler{t: t}.like(zero) })
		for seed := range 3 {
			text, err := pawl.Encode(pawl.Request{By: ada, Op: values.Example(seed), ID: "k", Sessions: []string{"s"}})
			must.Do(f, err)
			if _, err := pawl.ParseRequest(text); err != nil {
				f.Fatalf("a seed is refused: %s: %v", text, err)
			}
			f.Add(string(text))
		}
	}
	f.Add(`{"op":{"op":"all","ops":[{"op":"update","id":1,"metadata":{"a":{"b":null}},"parent":0}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		req, err := pawl.ParseRequest([]byte(text))
		if err != nil {
			if !errors.Is(err, pawl.Invalid) {
				t.Fatal(err)
			}
			return
		}
		again, err := pawl.Encode(req)
		must.Do(t, err)
		same, err := pawl.ParseRequest(again)
		if third, _ := pawl.Encode(same); err != nil || string(third) != string(again) {
			t.Fatalf("%s\nis read as %s\nand then as %s, %v", text, again, third, err)
		}
		var lenient pawl.ChangeSet
		json.Unmarshal([]byte(text), &lenient) // must not panic
	})
}

// The request that docs/library.md shows can be read.
func TestRequestInDocs(t *testing.T) {
	page, err := os.ReadFile("docs/library.md")
	must.Do(t, err)
	_, block, found := strings.Cut(string(page), "### Requests as JSON")
	_, block, found2 := strings.Cut(block, "```json\n")
	block, _, found3 := strings.Cut(block, "```")
	if !found || !found2 || !found3 {
		t.Fatal("docs/library.md shows no request")
	}
	req, err := pawl.ParseRequest([]byte(block))
	if claim, ok := req.Op.(pawl.ClaimTask); err != nil || !ok || time.Duration(claim.Lease) != 15*time.Minute || claim.Filter.Labels[0] != "docs" {
		t.Errorf("%+v, %v", req, err)
	}
}

// Metadata as deep as it may be travels, wherever it stands.
func TestDeepMetadataTravels(t *testing.T) {
	deep := json.RawMessage(strings.Repeat("[", pawl.MaxDepth) + "1" + strings.Repeat("]", pawl.MaxDepth))
	task := pawl.NewTask{Subject: "one", Metadata: map[string]json.RawMessage{"deep": deep}}
	op := pawl.All{Ops: []pawl.Op{pawl.Create{Tasks: []pawl.NewTask{task}}}}
	newWorld(t).must(ada, op)
	text, err := pawl.Encode(pawl.Request{By: ada, Op: op})
	must.Do(t, err)
	if _, err := pawl.ParseRequest(text); err != nil {
		t.Error(err)
	}
}
