package pawl

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/strictjson"
)

// ParseRequest reads a request from JSON, strictly: no unknown key, none twice,
// none missing, no other type. It fails with Invalid and names every fault with its
// path, such as op.tasks[2].subject. It does not check the request against the
// board: [Board.Do] does that.
func ParseRequest(text []byte) (Request, error) {
	var req Request
	err := parseStrict(text, &req)
	return req, err
}

// ParseOp reads an op as [ParseRequest] reads a request.
func ParseOp(text []byte) (Op, error) {
	var at struct{ Op }
	err := parseStrict(text, &at)
	return at.Op, err
}

// MarshalJSON writes the request, unless [Board.Do] would refuse it for a value
// that JSON cannot hold: a text that is not UTF-8 would become another one, and
// pass.
func (req Request) MarshalJSON() ([]byte, error) {
	if req.Op != nil {
		if !byValue(req.Op) {
			return nil, noOp()
		}
		if err := unsayable(req.faults()); err != nil {
			return nil, err
		}
		req.Op = named{req.Op}
	}
	type fields Request
	return Encode(fields(req))
}

// UnmarshalJSON is [ParseRequest].
func (req *Request) UnmarshalJSON(text []byte) error {
	parsed, err := ParseRequest(text)
	*req = parsed
	return err
}

func parseStrict(text []byte, into any) error {
	if len(text) > MaxRequestSize {
		return invalid("the request has %d bytes; the most is %d", len(text), MaxRequestSize)
	}
	// The value of a field may nest as deep as metadata, inside its containers.
	found, err := strictjson.Read(text, MaxDepth+8, into, forms)
	if err != nil {
		return invalid("the request %w", err)
	}
	if len(found) == 0 {
		return nil
	}
	e := invalid("the request cannot be read")
	for _, f := range found {
		e.Faults = append(e.Faults, Fault(f))
	}
	return e
}

// forms says how the types are read that have a form of their own.
func forms(t reflect.Type) strictjson.Form {
	switch t {
	case reflect.TypeFor[Op]():
		return readOp
	case reflect.TypeFor[struct{ Op }]():
		return func(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
			readOp(d, n, v.Field(0), path)
		}
	case reflect.TypeFor[Duration]():
		return (*strictjson.Decoder).Duration
	case reflect.TypeFor[Ref]():
		return readRef
	case reflect.TypeFor[Priority]():
		return readPriority
	case reflect.TypeFor[Check]():
		return readCheck
	}
	return nil
}

// readCheck reads a check: an object, or a line as [ParseCheck] reads it.
func readCheck(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
	if n.Kind != '"' {
		d.Object(n, v, path)
		return
	}
	c, err := ParseCheck(n.Own())
	if err == nil {
		v.Set(reflect.ValueOf(c))
		return
	}
	problem := err.Error()
	if e, ok := errors.AsType[*Error](err); ok && e.Hint.Step == HintSay {
		problem += "; " + e.Hint.Text
	}
	d.Fault(path, "%s", problem)
}

// readOp reads the op that the key op names.
func readOp(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
	if n.Kind != '{' {
		d.Fault(path, "is %s, not an object", n.What())
		return
	}
	at := "op"
	if path != "" {
		at = path + ".op"
	}
	name, ok := n.Word("op")
	if !ok {
		d.Fault(at, "says which op it is: one of %s", strings.Join(opNames(), ", "))
		return
	}
	for i := range ops {
		if ops[i].name == name {
			op := reflect.New(reflect.TypeOf(ops[i].zero)).Elem()
			d.Object(n, op, path, "op")
			v.Set(op)
			return
		}
	}
	d.Fault(at, "is %s, not an op: they are %s", strictjson.Quote(name), strings.Join(opNames(), ", "))
}

// readRef reads a task: its id, or the ref of one that the same op makes.
func readRef(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
	ref := v.Addr().Interface().(*Ref)
	switch n.Kind {
	case '0':
		id, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil || id < 1 {
			d.Fault(path, "is %s, no number of a task", clip(n.Text, 40))
		}
		ref.ID = ID(id)
	case '"':
		if ref.Name = n.Own(); n.Text == "" {
			d.Fault(path, "is empty: it is the number of a task, or the ref of one that the same op makes")
		}
	default:
		d.Fault(path, "is %s, not the number of a task nor the ref of one that the same op makes", n.What())
	}
}

func readPriority(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
	if n.Kind != '"' {
		d.Fault(path, "is %s, not a text", n.What())
		return
	}
	for p := Low; p <= High; p++ {
		if p.String() == n.Text {
			v.SetInt(int64(p))
			return
		}
	}
	d.Fault(path, "is %s, and none of high, medium, low", fmt.Sprintf("%q", clip(n.Text, 40)))
}
