package nudge

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// wholeState has something in each field.
func wholeState(t testing.TB) State {
	at := time.Date(2026, 11, 21, 12, 0, 0, 5e6, time.UTC)
	s := State{
		Held:  []Held{{12, at}, {999999999999999, at.Add(time.Hour)}},
		Notes: 1, Level: 2, Left: 18446744073709551615, Quiet: true, Spent: true, Worked: true, Interrupted: true, Helpers: []uint32{0, 4294967295},
		Echo: Echo{Size: 3, Sum: 18446744073709551614}, Wordings: 255, Calls: 4, Complex: 5, Ordered: true, Suggested: at, Stale: at, Compacted: true, Given: 6,
		Asked: true, Rest: at, Commit: 7, Inherited: at,
	}
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Fatalf("nothing is in %s: fill it, and have MarshalJSON and scan know it", v.Type().Field(i).Name)
		}
	}
	if len(stateNames) != v.NumField() {
		t.Fatalf("there are %d names for %d fields", len(stateNames), v.NumField())
	}
	return s
}

// A state is written and read as package json would, and none of it by that.
func TestStateJSON(t *testing.T) {
	type plain State
	states := []State{{}, wholeState(t), {Notes: 1}, {Echo: Echo{Size: 1}}, {Held: []Held{{ID: 1}}}, {Wordings: 3, Given: 4}}
	for _, s := range states {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var read, quick State
		if err := json.Unmarshal(text, (*plain)(&read)); err != nil || !reflect.DeepEqual(read, s) {
			t.Errorf("package json reads %s as\n     %+v\nwant %+v, %v", text, read, s, err)
		}
		if !quick.scan(text) || !reflect.DeepEqual(quick, s) {
			t.Errorf("a scan reads %s as\n     %+v\nwant %+v", text, quick, s)
		}
	}
	if want, err := json.Marshal(plain(wholeState(t))); err != nil {
		t.Error(err)
	} else if text, _ := json.Marshal(wholeState(t)); string(text) != string(want) {
		t.Errorf("it is written as\n     %s\nwant %s", text, want)
	}
}

// A number that is too large for its field is left to package json.
func TestStateScanGivesUp(t *testing.T) {
	for _, text := range []string{`{"helpers": [4294967296]}`, `{"wordings": 256}`, `{"calls": -4}`, `{"Calls": 4}`, `{"echo": {"size": 1}, "echo": {"sum": 2}}`} {
		if new(State).scan([]byte(text)) {
			t.Errorf("%s was scanned", text)
		}
	}
}

func FuzzStateJSON(f *testing.F) {
	type plain State
	text, err := json.Marshal(wholeState(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"helpers": [], "held": [{"id": 3}], "later": {"Held": 1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var quick, slow State
		if !quick.scan(text) {
			return
		}
		if err := json.Unmarshal(text, (*plain)(&slow)); err != nil || !equalStates(quick, slow) {
			t.Errorf("of %s a scan has\n     %+v\nwant %+v, %v", text, quick, slow, err)
		}
	})
}

// equalStates compares states whose times may be of any zone.
func equalStates(a, b State) bool {
	utc := func(s State) State {
		s.Suggested, s.Stale, s.Held = s.Suggested.UTC(), s.Stale.UTC(), append([]Held(nil), s.Held...)
		for i := range s.Held {
			s.Held[i].CreatedAt = s.Held[i].CreatedAt.UTC()
		}
		if len(s.Helpers) == 0 {
			s.Helpers = nil
		}
		return s
	}
	return reflect.DeepEqual(utc(a), utc(b))
}
