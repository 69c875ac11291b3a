package pawl

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Encode writes a value of this package as JSON on one line: an op, a [Request],
// [Result], [Task], [Change], [ChangeSet] or [Actor], or an error. Package json
// writes the same value, but spells raw metadata differently, and leaves out the name of an op.
//
// It fails with Invalid for an op or a request with a value that JSON cannot
// hold, such as a text that is not UTF-8. Of an error it writes the [*Error] in
// it, or one of kind Internal; a [*BatchError] is written one by one ([ErrorAt]).
func Encode(v any) ([]byte, error) {
	switch it := v.(type) {
	case Op:
		if !byValue(it) {
			return nil, noOp()
		}
		if err := unsayable(it.check()); err != nil {
			return nil, err
		}
		v = named{it}
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
	return encode(v)
}

// encode is Encode of anything but an op and an error that is none of this package.
func encode(v any) ([]byte, error) {
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

// named is an op that JSON has with its name under the key op.
type named struct{ Op }

func (n named) MarshalJSON() ([]byte, error) {
	if !byValue(n.Op) {
		return nil, noOp()
	}
	name := n.Op.Verb()
	if all, is := n.Op.(All); is {
		name, all.Ops = VerbAll, slices.Clone(all.Ops)
		for i, op := range all.Ops {
			all.Ops[i] = named{op}
		}
		n.Op = all
	}
	text, err := encode(n.Op)
	if err != nil {
		return nil, err
	}
	head := `{"op":"` + name + `"`
	if string(text) != "{}" {
		head += ","
	}
	return append([]byte(head), text[1:]...), nil
}

// A Duration is a [time.Duration] that JSON has as a text: "15m0s".
type Duration time.Duration

// String is [time.Duration.String].
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText is [Duration.String].
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is [time.ParseDuration].
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
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
