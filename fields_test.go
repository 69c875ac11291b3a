package pawl

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"
)

// other returns a value of a type that is not zero, with memory of its own.
func other(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.UnixMilli(1)))
		return v
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte("1"))
		return v
	}
	switch t.Kind() {
	case reflect.String:
		v.SetString("a")
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(other(t.Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, 1, 1))
		if t.Elem() != reflect.TypeFor[Task]() {
			v.Index(0).Set(other(t.Elem()))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(other(t.Key()), other(t.Elem()))
	case reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(other(t.Field(i).Type))
		}
	}
	return v
}

// shared names what two values have in the same memory.
func shared(a, b reflect.Value) (paths []string) {
	switch a.Kind() {
	case reflect.Pointer:
		if a.Pointer() == b.Pointer() && !a.IsNil() {
			return []string{"*"}
		}
	case reflect.Slice:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return []string{"[]"}
		}
		for i := range min(a.Len(), b.Len()) {
			paths = append(paths, shared(a.Index(i), b.Index(i))...)
		}
	case reflect.Map:
		if a.Len() > 0 && a.Pointer() == b.Pointer() {
			return []string{"map"}
		}
		for _, key := range a.MapKeys() {
			if other := b.MapIndex(key); other.IsValid() {
				paths = append(paths, shared(a.MapIndex(key), other)...)
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.Type != reflect.TypeFor[time.Time]() {
				for _, path := range shared(a.Field(i), b.Field(i)) {
					paths = append(paths, f.Name+" "+path)
				}
			}
		}
	}
	return paths
}

// A field of a task is compared, carried and cloned, whichever it is.
func TestEachField(t *testing.T) {
	full := other(reflect.TypeFor[Task]()).Interface().(Task)
	clone := full.Clone()
	if !reflect.DeepEqual(full, clone) {
		t.Errorf("a clone of %+v is %+v", full, clone)
	}
	if all := shared(reflect.ValueOf(full), reflect.ValueOf(clone)); len(all) > 0 {
		t.Errorf("a clone shares %q", all)
	}
	names := []Field{
		FieldSubject, FieldDescription, FieldStatus, FieldBlockedBy, FieldBlocks, FieldOwner, FieldActiveForm, FieldPriority, FieldParent, FieldWas,
		FieldLabels, FieldNotes, FieldHold, FieldChecks, FieldAccept, FieldEvidence, FieldMetadata,
		FieldCreatedAt, FieldUpdatedAt, FieldStartedAt, FieldCompletedAt, FieldExtra, FieldClaim, FieldExpired,
	}
	if got := Diff(&Task{}, &full); !slices.Equal(got, names) {
		t.Errorf("the fields are %q, not %q", got, names)
	}
	for _, name := range names {
		var one Task
		CopyFields(&one, &full, name)
		if got := Diff(&Task{}, &one); !slices.Equal(got, []Field{name}) {
			t.Errorf("%s was carried, and %q differ", name, got)
		}
		if all := shared(reflect.ValueOf(full), reflect.ValueOf(one)); len(all) > 0 {
			t.Errorf("after %s was carried, both share %q", name, all)
		}
	}
	trimmed := Change{Before: &full, After: &full}.Trim()
	if got := Diff(trimmed.Before, &full); len(got) > 0 || trimmed.After.Blockers != nil || len(shared(reflect.ValueOf(full), reflect.ValueOf(*trimmed.After))) > 0 {
		t.Errorf("a whole change is trimmed to %+v", trimmed.After)
	}
}

// A plain field is set, checked and compared by each request that can have it.
func TestPlainFields(t *testing.T) {
	wrong := map[reflect.Type]any{reflect.TypeFor[string](): "\xff", reflect.TypeFor[Priority](): Priority(7)}
	for _, p := range plain() {
		typ := structs[inTask].Field(p.at[inTask]).Type
		value, bad := other(typ), reflect.ValueOf(wrong[typ])
		pointer := func(v reflect.Value) reflect.Value {
			to := reflect.New(typ)
			to.Elem().Set(v)
			return to
		}
		n, update := NewTask{Subject: "s"}, Update{ID: 1, Was: &Was{}}
		var task Task
		p.of(&n, inNew).Set(value)
		p.put(&task, p.of(&n, inNew))
		if got := Diff(&Task{}, &task); !slices.Equal(got, []Field{p.name}) {
			t.Errorf("%s was set, and %q differ", p.name, got)
		}
		for _, faulty := range []bool{false, true} {
			v := value
			if faulty {
				v = bad
			}
			p.of(&n, inNew).Set(v)
			p.of(&update, inUpdate).Set(pointer(v))
			p.of(update.Was, inWas).Set(pointer(v))
			want := []Fault(nil)
			if faulty {
				want = []Fault{{Path: string(p.name)}, {Path: "was." + string(p.name)}}
			}
			got := update.check()
			for i := range got {
				got[i].Problem = ""
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s is %v: an update has the faults %v", p.name, v, got)
			}
			if got := (Create{Tasks: []NewTask{n}}).check(); (len(got) == 1 && got[0].Path == "tasks[0]."+string(p.name)) != faulty {
				t.Errorf("%s is %v: a new task has the faults %v", p.name, v, got)
			}
		}
	}
}
