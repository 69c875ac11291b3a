package pawl

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Field names a field of a task as its JSON does. Claim and Expired, which are
// kept beside the file, count too.
type Field string

// The fields that a change can name.
const (
	FieldSubject     Field = "subject"
	FieldDescription Field = "description"
	FieldStatus      Field = "status"
	FieldBlockedBy   Field = "blockedBy"
	FieldBlocks      Field = "blocks"
	FieldOwner       Field = "owner"
	FieldActiveForm  Field = "activeForm"
	FieldPriority    Field = "priority"
	FieldParent      Field = "parent"
	FieldWas         Field = "was"
	FieldLabels      Field = "labels"
	FieldNotes       Field = "notes"
	FieldHold        Field = "hold"
	FieldChecks      Field = "checks"
	FieldAccept      Field = "accept"
	FieldEvidence    Field = "evidence"
	FieldMetadata    Field = "metadata"
	FieldCreatedAt   Field = "createdAt"
	FieldUpdatedAt   Field = "updatedAt"
	FieldStartedAt   Field = "startedAt"
	FieldCompletedAt Field = "completedAt"
	FieldExtra       Field = "extra"
	FieldClaim       Field = "claim"
	FieldExpired     Field = "expired"
)

// plain are the fields that a request sets to a value as it is. [Task], [NewTask], [Update]
// and [Was] each have a field of that name, and what they do with it follows from the row.
// Tests of internal/taskjson, internal/wire and internal/show name what else a new field
// needs; internal/merge has a row for each field of which the higher value stands.
var plain = sync.OnceValue(func() []plainField {
	rows := []plainField{
		{name: FieldSubject, oneLine: true, check: func(f *faults, path string, v any) { f.required(path, *v.(*string), MaxSubject) }},
		{name: FieldDescription, check: func(f *faults, path string, v any) { f.text(path, *v.(*string), MaxDescription) }},
		{name: FieldActiveForm, oneLine: true, check: func(f *faults, path string, v any) { f.line(path, *v.(*string), MaxActiveForm) }},
		{name: FieldPriority, check: func(f *faults, path string, v any) { f.priority(path, *v.(*Priority)) }},
	}
	for i := range rows {
		for in, t := range structs {
			rows[i].at[in] = indexOf(t, rows[i].name)
		}
	}
	return rows
})

type plainField struct {
	name    Field
	check   func(f *faults, path string, v any) // v points to the value
	oneLine bool                                // a text without line breaks
	at      [len(structs)]int                   // where each of structs has it
}

// structs are those that have the plain fields; inTask and so on are their places.
var structs = [...]reflect.Type{reflect.TypeFor[Task](), reflect.TypeFor[NewTask](), reflect.TypeFor[Update](), reflect.TypeFor[Was]()}

const (
	inTask = iota
	inNew
	inUpdate
	inWas
)

func indexOf(t reflect.Type, name Field) int {
	for i := range t.NumField() {
		if nameOf(t.Field(i)) == name {
			return i
		}
	}
	panic(t.Name() + " has no field " + string(name))
}

func nameOf(f reflect.StructField) Field {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return Field(name)
}

// of is the field of one of structs, to which a pointer leads.
func (p *plainField) of(v any, in int) reflect.Value {
	return reflect.ValueOf(v).Elem().Field(p.at[in])
}

// put sets the field of a task to a value as a request has it.
func (p *plainField) put(t *Task, v reflect.Value) { p.of(t, inTask).Set(p.stored(v)) }

// stored is a value as a task has it.
func (p *plainField) stored(v reflect.Value) reflect.Value {
	if p.oneLine {
		return reflect.ValueOf(oneLine(v.String()))
	}
	return v
}

// changed reports whether a field is neither as it was read nor as it will be. Both are
// pointers.
func (p *plainField) changed(is, was, will reflect.Value) bool {
	return !was.IsNil() && !is.Equal(was.Elem()) && (will.IsNil() || !is.Equal(p.stored(will.Elem())))
}

// fields are those that a change can name, in the order of a task's file: the fields of a
// [Task] but for its number and what is derived.
var fields = sync.OnceValue(func() (all struct {
	names []Field
	at    []int
}) {
	t := reflect.TypeFor[Task]()
	for i, extra := 1, indexOf(t, FieldExtra); i < t.NumField(); i++ {
		if name := nameOf(t.Field(i)); i <= extra || name == FieldClaim || name == FieldExpired {
			all.names, all.at = append(all.names, name), append(all.at, i)
		}
	}
	return all
})

// same compares a field of two tasks.
func same(a, b reflect.Value) bool {
	switch v := a.Addr().Interface().(type) {
	case *[]ID:
		return sameBy(v, b, slices.Equal[[]ID])
	case *[]string:
		return sameBy(v, b, slices.Equal[[]string])
	case *[]Note:
		return sameBy(v, b, each(func(a, b Note) bool { return a.By == b.By && a.Text == b.Text && a.At.Equal(b.At) }))
	case **Hold:
		return sameBy(v, b, sameHold)
	case *[]Check:
		return sameBy(v, b, each(func(a, b Check) bool { return a.Equal(&b) }))
	case *[]Criterion:
		return sameBy(v, b, each(func(a, b Criterion) bool { return a.Text == b.Text && a.By == b.By && a.At.Equal(b.At) }))
	case *[]Evidence:
		return sameBy(v, b, each(func(a, b Evidence) bool { return a.Equal(&b) }))
	case *map[string]json.RawMessage:
		return sameBy(v, b, func(a, b map[string]json.RawMessage) bool {
			return maps.EqualFunc(a, b, func(x, y json.RawMessage) bool { return bytes.Equal(x, y) })
		})
	case *time.Time:
		return sameBy(v, b, time.Time.Equal)
	case *Claim:
		return sameBy(v, b, sameClaim)
	}
	return a.Equal(b)
}

func sameBy[T any](a *T, b reflect.Value, same func(a, b T) bool) bool {
	return same(*a, *b.Addr().Interface().(*T))
}

func each[T any](same func(a, b T) bool) func(a, b []T) bool {
	return func(a, b []T) bool { return slices.EqualFunc(a, b, same) }
}

func sameHold(a, b *Hold) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Reason == b.Reason && a.By == b.By && a.At.Equal(b.At)
}

func sameClaim(a, b Claim) bool {
	return a.Session == b.Session && a.Agent == b.Agent && a.Token == b.Token && a.Lease == b.Lease && a.Until.Equal(b.Until) &&
		a.Clone == b.Clone // Confirmed does not count: nothing happened to the task
}

// Diff names the fields in which a and b differ, in the order of a task's
// file. Derived fields do not count.
func Diff(a, b *Task) []Field {
	var diff []Field
	x, y, all := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem(), fields()
	for i, at := range all.at {
		if !same(x.Field(at), y.Field(at)) {
			diff = append(diff, all.names[i])
		}
	}
	return diff
}

// CopyFields carries the named fields from src to dst.
func CopyFields(dst, src *Task, names ...Field) {
	var some Task
	share(&some, src, names)
	some = some.Clone()
	share(dst, &some, names)
}

// share sets fields of dst to those of src, with the memory that they have.
func share(dst, src *Task, names []Field) {
	to, from, all := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem(), fields()
	for i, at := range all.at {
		if slices.Contains(names, all.names[i]) {
			to.Field(at).Set(from.Field(at))
		}
	}
}
