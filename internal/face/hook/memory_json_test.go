package hook

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/nudge"
)

// wholeMemory has something in each field.
func wholeMemory(t testing.TB) memory {
	m := memory{
		Nudge: nudge.State{Notes: 2, Quiet: true}, Seen: []seen{{math.MaxUint64, 1795262400000, 1795262400001}, {1, 2, 0}}, Project: `/home/dev/a "b"` + "\n é <&>",
		RenewAt: time.Date(2026, 11, 21, 12, 0, 0, 5e6, time.UTC), Maker: "TaskCreate", Shown: "mcp__pawl__", Made: []pawl.ID{3, 999999999999999},
		Runs: []run{{math.MaxUint64, "call-1"}, {2, `"`}}, Waits: map[string][]string{"native-1": {"native-2", "native-3"}, "native-2": {}},
	}
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Fatalf("nothing is in %s: fill it, and have line and scan know it", v.Type().Field(i).Name)
		}
	}
	if len(memoryNames) != v.NumField() {
		t.Fatalf("there are %d names for %d fields", len(memoryNames), v.NumField())
	}
	return m
}

// A memory is written and read as package json would, and none of it by that.
func TestMemoryJSON(t *testing.T) {
	for _, m := range []memory{{}, wholeMemory(t), {Seen: []seen{{7, 8, 0}}}, {Project: "/src"}} {
		line, err := m.line()
		if err != nil {
			t.Fatal(err)
		}
		var slow, quick memory
		if err := json.Unmarshal(line, &slow); err != nil || !reflect.DeepEqual(slow, m) {
			t.Errorf("package json reads %s as\n     %+v\nwant %+v, %v", line, slow, m, err)
		}
		if !quick.scan(line) || !reflect.DeepEqual(quick, m) {
			t.Errorf("a scan reads %s as\n     %+v\nwant %+v", line, quick, m)
		}
	}
}

// What another version wrote is read as far as it is understood.
func TestMemoryOfAnotherVersion(t *testing.T) {
	m, err := readMemory([]byte(`{"nudge":{"notes":"two","calls":3},"later":[{"seen":1}],"project":"/src"}`))
	if err != nil || m.Nudge.Calls != 3 || m.Project != "/src" {
		t.Errorf("read as %+v, %v", m, err)
	}
	for _, line := range []string{`{"project":"/src"`, `{"project":1}`, ``, `{"nudge":{}}}`} {
		if m, err := readMemory([]byte(line)); err == nil {
			t.Errorf("%q was read as %+v", line, m)
		}
	}
}

func FuzzMemory(f *testing.F) {
	line, err := new(wholeMemory(f)).line()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Fuzz(func(t *testing.T, line []byte) {
		var quick memory
		if !quick.scan(line) {
			return
		}
		var slow memory
		if err := json.Unmarshal(line, &slow); err != nil {
			t.Errorf("%s was scanned, and package json says %v", line, err)
		}
		if !quick.RenewAt.Equal(slow.RenewAt) {
			t.Errorf("of %s a scan has %v, want %v", line, quick.RenewAt, slow.RenewAt)
		}
		quick.RenewAt, slow.RenewAt = time.Time{}, time.Time{}
		quick.Nudge, slow.Nudge = nudge.State{}, nudge.State{} // see package nudge
		if !reflect.DeepEqual(quick, slow) {
			t.Errorf("of %s a scan has\n     %+v\nwant %+v", line, quick, slow)
		}
	})
}
