package hook

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/nudge"
)

// wholeMemory has something in each field.
func wholeMemory(t testing.TB) memory {
	m := memory{
		Nudge: nudge.State{Notes: 2, Quiet: true}, Seen: []seen{{math.MaxUint64, 1795262400000, 1795262400001}, {1, 2, 0}}, Project: `/home/dev/a "b"` + "\n é <&>",
		RenewAt: time.Date(2026, 11, 21, 12, 0, 0, 5e6, time.UTC), Maker: "TaskCreate", Shown: "mcp__pawl__", Model: "claude-opus-5-5", Goal: true, Made: []pawl.ID{3, 999999999999999},
		Distant: &distant{At: "https://pawl.test/boards/shop", Ends: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Lost: true},
		Runs:    []run{{math.MaxUint64, "call-1"}, {2, `"`}}, Proxied: true, Waits: map[string][]string{"native-1": {"native-2", "native-3"}, "native-2": {}},
	}
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Fatalf("nothing is in %s: fill it here", v.Type().Field(i).Name)
		}
	}
	return m
}

// A memory that was written is read as it was.
func TestMemoryJSON(t *testing.T) {
	for _, m := range []memory{{}, wholeMemory(t), {Seen: []seen{{7, 8, 0}}}, {Project: "/src"}} {
		line := must.Get(json.Marshal(m))(t)
		var read memory
		if err := json.Unmarshal(line, &read); err != nil || !reflect.DeepEqual(read, m) {
			t.Errorf("%s is read as\n     %+v\nwant %+v, %v", line, read, m, err)
		}
	}
}

// What another version wrote is read as far as it is understood.
func TestMemoryOfAnotherVersion(t *testing.T) {
	var m memory
	err := json.Unmarshal([]byte(`{"nudge":{"notes":"two","calls":3},"later":[{"seen":1}],"project":"/src"}`), &m)
	if err != nil || m.Nudge.Calls != 3 || m.Project != "/src" {
		t.Errorf("read as %+v, %v", m, err)
	}
	for _, line := range []string{`{"project":"/src"`, `{"project":1}`, ``, `{"nudge":{}}}`} {
		var m memory
		if err := json.Unmarshal([]byte(line), &m); err == nil {
			t.Errorf("%q was read as %+v", line, m)
		}
	}
}
