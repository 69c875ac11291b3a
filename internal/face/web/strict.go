package web

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"

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
	for key, given := range otherKeys(op) {
		if given {
			d.Fault(join(path, key), "is not a key here")
		}
	}
	switch op := op.(type) {
	case pawl.Import, pawl.Renew, pawl.All:
		d.Fault(join(path, "op"), "is %s, which is not done here", strictjson.Quote(op.Verb()))
	case pawl.Undo:
		if op.Everywhere || op.Pass != 0 {
			d.Fault(path, "chooses a change by more than its revision, which is not done here")
		}
	}
	v.Set(reflect.ValueOf(opJSON{op}))
}

// otherKeys reports which keys of an op are given that are not for people, whose
// claims do not end by themselves and are the same in every terminal.
func otherKeys(op pawl.Op) map[string]bool {
	switch op := op.(type) {
	case pawl.Create:
		return map[string]bool{"metadata": slices.ContainsFunc(op.Tasks, func(t pawl.NewTask) bool { return t.Metadata != nil })}
	case pawl.Update:
		return map[string]bool{"metadata": op.Metadata != nil, "token": op.Token != 0, "was": op.Was != nil}
	case pawl.ClaimTask:
		return map[string]bool{"filter": !reflect.ValueOf(op.Filter).IsZero(), "lease": op.Lease != 0, "token": op.Token != 0}
	case pawl.Start:
		return map[string]bool{"lease": op.Lease != 0}
	case pawl.Complete:
		return map[string]bool{"token": op.Token != 0}
	case pawl.Release:
		return map[string]bool{"token": op.Token != 0}
	case pawl.Assign:
		return map[string]bool{"force": op.Force}
	}
	return nil
}

func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}
