package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/strictjson"
)

// readBody reads a body into a value of a struct, strictly: see [strictjson]. It
// tells all that is wrong, each with its path.
func readBody(r *http.Request, into any) error {
	text, err := io.ReadAll(r.Body)
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refused(http.StatusRequestEntityTooLarge, "a body has at most %d bytes", large.Limit)
	}
	if err != nil {
		return refused(http.StatusBadRequest, "the body ends too early")
	}
	return strict(text, into)
}

func strict(text []byte, into any) error {
	faults, err := strictjson.Read(text, pawl.MaxDepth, into, forms)
	if err != nil {
		return pawl.Errorf(pawl.Invalid, "the body %w", err)
	}
	if len(faults) == 0 {
		return nil
	}
	e := &pawl.Error{Kind: pawl.Invalid, Message: "the body is not what this takes"}
	for _, f := range faults {
		if f.Path == "" {
			f.Path = "body"
		}
		e.Faults = append(e.Faults, pawl.Fault(f))
	}
	return e
}

// An opJSON is one op as it is sent.
type opJSON struct{ pawl.Op }

// forms says how the types are read that have a form of their own.
func forms(t reflect.Type) strictjson.Form {
	if t == reflect.TypeFor[opJSON]() {
		return readOp
	}
	return nil
}

// readOp reads an op, which package pawl knows how to read. Those are left out
// that are not for people.
func readOp(d *strictjson.Decoder, n strictjson.Node, v reflect.Value, path string) {
	op, err := pawl.ParseOp(n.Raw())
	if e, ok := errors.AsType[*pawl.Error](err); ok {
		for _, f := range e.Faults {
			d.Fault(join(path, f.Path), "%s", f.Problem)
		}
		if len(e.Faults) == 0 {
			d.Fault(path, "%s", e.Message)
		}
		return
	}
	for _, key := range otherKeys(op) {
		d.Fault(join(path, key), "is not a key here")
	}
	switch op := op.(type) {
	case pawl.Import, pawl.Renew, pawl.AddEvidence, pawl.All:
		d.Fault(join(path, "op"), "is %s, which is not done here", strictjson.Quote(op.Verb()))
	}
	v.Set(reflect.ValueOf(opJSON{op}))
}

// notForPeople are keys of an op that are not for people: their claims do not end by
// themselves and are the same in every terminal, and what they undo follows from the
// history of all of them.
func notForPeople(verb string) []string {
	return map[string][]string{
		pawl.VerbUpdate:   {"metadata", "token", "was"},
		pawl.VerbClaim:    {"filter", "skip", "lease", "token"},
		pawl.VerbStart:    {"lease"},
		pawl.VerbComplete: {"token", "rules", "tree", "unchecked"},
		pawl.VerbRelease:  {"token"},
		pawl.VerbAssign:   {"force"},
		pawl.VerbUndo:     {"everywhere", "pass", "rules"},
	}[verb]
}

// otherKeys lists the keys of an op that are given and are not for people.
func otherKeys(op pawl.Op) (keys []string) {
	if create, ok := op.(pawl.Create); ok {
		for i := range create.Tasks {
			if create.Tasks[i].Metadata != nil {
				keys = append(keys, fmt.Sprintf("tasks[%d].metadata", i))
			}
		}
	}
	v := reflect.ValueOf(op)
	for i := range v.NumField() {
		key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if !v.Field(i).IsZero() && slices.Contains(notForPeople(op.Verb()), key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
