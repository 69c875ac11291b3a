package pawl

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"
)

// Encode writes a value of this package as JSON on one line: an op, a [Request],
// [Result], [Task], [Change], [ChangeSet] or [Actor], or an error. Package json
// writes the same value, but spells raw metadata differently.
//
// It fails with Invalid for an op or a request with a value that JSON cannot
// hold, such as a text that is not UTF-8. Of an error it writes the [*Error] in
// it, or one of kind Internal; a [*BatchError] is written one by one ([ErrorAt]).
func Encode(v any) ([]byte, error) {
	switch it := v.(type) {
	case Op:
		if it = plainOp(it); it == nil {
			return nil, invalid("the op is missing")
		}
		if err := unsayable(it.check()); err != nil {
			return nil, err
		}
	case Kind, *Error:
	case *BatchError:
		return nil, invalid("a batch has an error for each request: encode what ErrorAt returns")
	case error:
		e, ok := errors.AsType[*Error](it)
		if !ok {
			e = Errorf(Internal, "%w", it)
		}
		v = e
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			return nil, e // without the words of package json
		}
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// named writes the fields of an op behind its name.
func named(name string, fields any) ([]byte, error) {
	text, err := Encode(fields)
	if err != nil {
		return nil, err
	}
	head := `{"op":"` + name + `"`
	if string(text) != "{}" {
		head += ","
	}
	return append([]byte(head), text[1:]...), nil
}

// MarshalJSON writes the op with its name under the key op.
func (op Create) MarshalJSON() ([]byte, error) {
	type fields Create
	return named(VerbCreate, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Import) MarshalJSON() ([]byte, error) {
	type fields Import
	return named(VerbImport, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Update) MarshalJSON() ([]byte, error) {
	type fields Update
	return named(VerbUpdate, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op ClaimTask) MarshalJSON() ([]byte, error) {
	type fields ClaimTask
	return named(VerbClaim, struct {
		fields
		Lease period `json:"lease,omitzero"`
	}{fields(op), period(op.Lease)})
}

// MarshalJSON writes the op with its name under the key op.
func (op Start) MarshalJSON() ([]byte, error) {
	type fields Start
	return named(VerbStart, struct {
		fields
		Lease period `json:"lease,omitzero"`
	}{fields(op), period(op.Lease)})
}

// MarshalJSON writes the op with its name under the key op.
func (op Complete) MarshalJSON() ([]byte, error) {
	type fields Complete
	return named(VerbComplete, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Reopen) MarshalJSON() ([]byte, error) {
	type fields Reopen
	return named(VerbReopen, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Release) MarshalJSON() ([]byte, error) {
	type fields Release
	return named(VerbRelease, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Assign) MarshalJSON() ([]byte, error) {
	type fields Assign
	return named(VerbAssign, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op PutHold) MarshalJSON() ([]byte, error) {
	type fields PutHold
	return named(VerbHold, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op LiftHold) MarshalJSON() ([]byte, error) {
	type fields LiftHold
	return named(VerbLift, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op AddNote) MarshalJSON() ([]byte, error) {
	type fields AddNote
	return named(VerbNote, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op AddEvidence) MarshalJSON() ([]byte, error) {
	type fields AddEvidence
	return named(VerbCheck, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Delete) MarshalJSON() ([]byte, error) {
	type fields Delete
	return named(VerbDelete, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op Renew) MarshalJSON() ([]byte, error) {
	type fields Renew
	return named(VerbRenew, struct {
		fields
		Lease period `json:"lease,omitzero"`
	}{fields(op), period(op.Lease)})
}

// MarshalJSON writes the op with its name under the key op.
func (op Undo) MarshalJSON() ([]byte, error) {
	type fields Undo
	return named(VerbUndo, fields(op))
}

// MarshalJSON writes the op with its name under the key op.
func (op All) MarshalJSON() ([]byte, error) {
	type fields All
	return named(VerbAll, fields(op))
}

// A period is a duration in JSON: "15m0s".
type period time.Duration

func (p period) MarshalText() ([]byte, error) { return []byte(time.Duration(p).String()), nil }

func (p *period) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*p = period(d)
	return err
}

// MarshalJSON writes a reference as the id, or as the name in quotes.
func (r Ref) MarshalJSON() ([]byte, error) {
	if r.ID != 0 || r.Name == "" {
		return json.Marshal(r.ID)
	}
	return Encode(r.Name)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Ref) UnmarshalJSON(text []byte) error {
	*r = Ref{}
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &r.Name)
	}
	return json.Unmarshal(text, &r.ID)
}

// MarshalText is [Priority.String].
func (p Priority) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText writes. Any other word is medium, so that
// history of a later version can be read.
func (p *Priority) UnmarshalText(text []byte) error {
	*p, _ = ParsePriority(string(text))
	return nil
}

// claimFields is a claim without its methods.
type claimFields Claim

type claimJSON struct {
	claimFields
	Lease period `json:"lease,omitzero"`
}

// MarshalJSON writes the lease as a duration: "15m0s".
func (c Claim) MarshalJSON() ([]byte, error) {
	return Encode(claimJSON{claimFields(c), period(c.Lease)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Claim) UnmarshalJSON(text []byte) error {
	var j claimJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*c = Claim(j.claimFields)
	c.Lease = time.Duration(j.Lease)
	return nil
}

// MarshalText returns the kind's name: "not_found".
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.Error()), nil }

// UnmarshalText reads what MarshalText writes. A name that it does not know is
// Internal.
func (k *Kind) UnmarshalText(text []byte) error {
	*k = Internal
	for i, name := range kindNames {
		if name == string(text) {
			*k = Kind(i)
		}
	}
	return nil
}

// String returns the step's name in JSON: "claim".
func (s Step) String() string {
	if int(s) < len(stepNames) {
		return stepNames[s]
	}
	return ""
}

// MarshalText is [Step.String].
func (s Step) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes. A name that it does not know is
// HintNone.
func (s *Step) UnmarshalText(text []byte) error {
	*s = HintNone
	for i, name := range stepNames {
		if name == string(text) {
			*s = Step(i)
		}
	}
	return nil
}
