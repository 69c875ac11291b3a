package todofile

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// texts are lists as Pawl writes them, and as somebody else could.
func texts(t testing.TB) (ours, theirs []string) {
	for _, list := range []todo.List{working(one), rich(), {Key: one}} {
		disk := toDisk(&list)
		disk.CallLog = &mark{7, 100}
		text, err := (&document{}).encode(&disk)
		must.Do(t, err)
		ours = append(ours, string(text))
	}
	base := `{"version":1,"session":"one","todos":[{"id":"1","content":"a","status":"pending","priority":"low","activeForm":"b"}]}`
	for _, change := range [][2]string{
		{`"version":1`, `"version":1.5`}, {`"version":1`, `"version":01`}, {`"version":1`, `"version":1e2`}, {`"version":1`, `"version":-1`},
		{`"version":1`, `"version":9999999999999999`}, {`"version":1`, `"Version":1`}, {`"version":1`, `"\u0076ersion":1`}, {`"version":1`, `"version":null`},
		{`"version":1`, `"version":1,"x":2`}, {`"version":1`, `"version":1,"version":2`}, {`"version":1`, `"version":1,"todos":[{"content":"z"}]`},
		{`"version":1`, `"version":1,"pause":{"reason":"r"},"pause":{"at":"2026-01-01T00:00:00Z"}`}, {`"version":1`, `"version":1,"callLog":"mine"`}, {`"version":1`, `"version":1,"callLog":null`},
		{`"a"`, `"a\u00e9\n\ud83d\ude00\ud83d"`}, {`"a"`, "\"a\nb\""}, {`"a"`, "\"a\xffb\""}, {`"a"`, `"a\x"`}, {`"a"`, `"a`}, {`"a"`, `7`}, {`"a"`, `null`},
		{`"1"`, `1`}, {`}]}`, `},]}`}, {`}]}`, `}]}x`}, {`}]}`, `}] } ` + "\n\t\r"}, {`}]}`, `}]`}, {`"b"}`, `"b","blocked":yes}`}, {`"b"}`, `"b","blocked":true,"task":12}`},
		{`"b"}`, `"b","createdAt":"2026-01-01"}`}, {`"b"}`, `"b","createdAt":"2026-01-01T00:00:00.5+01:00"}`}, {`"b"}`, `"b","toolCalls":[]}`},
		{`"b"}`, `"b","toolCalls":[{"id":"c","parameters":{"a": [1, -2.5e+3, true, null, "\"x\\"], "b":{}}, "outcome":"failed"}]}`},
		{`"b"}`, `"b","toolCalls":[{"parameters":{"a":01}}]}`}, {`"b"}`, `"b","toolCalls":[{"parameters":{"a":"\x"}}]}`}, {`"b"}`, `"b","toolCalls":[{"timestamp":"2026-01-01T00:00:00Z"}]}`},
		{`"b"}`, `"b","toolCalls":[{"parameters":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}]}`},
	} {
		theirs = append(theirs, strings.Replace(base, change[0], change[1], 1))
	}
	return ours, append(theirs, "{}", "[]", "{", `{"todos":[]}`, base)
}

// rich has all that a list can have.
func rich() todo.List {
	item := todo.Item{
		ID: "a", Content: "Write <tests> “now”\n\té\u2028 \"漢\"", Status: todo.InProgress, Priority: todo.High, ActiveForm: "Writing", Blocked: true, Task: 12,
		Subtasks:  []todo.Subtask{{ID: "a1", Content: "first", Status: todo.Completed, ToolCalls: working(one).Items[0].ToolCalls}},
		CreatedAt: working(one).UpdatedAt, StartedAt: working(one).UpdatedAt, CompletedAt: working(one).UpdatedAt,
	}
	at := item.CreatedAt
	return todo.List{
		Key: two, Project: "/p", StartedAt: at, UpdatedAt: at, Items: []todo.Item{item}, Pause: &todo.Pause{Reason: "r", At: at},
		Past: []todo.Past{{Item: item, How: todo.Finished, At: at}}, News: []string{"n"}, NewsAt: at, FinishedAt: at,
		Before: &todo.Snapshot{What: "w", At: at, Items: []todo.Item{item}},
	}
}

// checkScan wants of a scan what package json says, or that it gives up.
func checkScan(t *testing.T, text []byte) (took bool) {
	t.Helper()
	var quick, slow diskList
	if took = scanned(text, &quick); took {
		if err := strict(text, &slow); err != nil || !reflect.DeepEqual(quick, slow) {
			t.Errorf("of %q a scan has\n     %+v,\nwant %+v, %v", text, quick, slow, err)
		}
	}
	var quickNote, slowNote diskNote
	if scanned(text, &quickNote) {
		if err := json.Unmarshal(text, &slowNote); err != nil || !reflect.DeepEqual(quickNote, slowNote) {
			t.Errorf("of %q a scan has\n     %+v,\nwant %+v, %v", text, quickNote, slowNote, err)
		}
	}
	return took
}

// What Pawl writes is scanned, or reading it would be slow; the rest may be.
func TestScan(t *testing.T) {
	ours, theirs := texts(t)
	for _, text := range ours {
		if !checkScan(t, []byte(text)) {
			t.Errorf("what Pawl writes is not scanned:\n%s", text)
		}
	}
	took := 0
	for _, text := range theirs {
		if checkScan(t, []byte(text)) {
			took++
		}
	}
	if took == 0 || took > len(theirs)/2 {
		t.Errorf("%d of %d strange texts are scanned", took, len(theirs))
	}
	for _, n := range []todo.CallNote{
		{Todo: "1", Content: 1 << 31, Subtask: 5, Project: "/p", Call: working(one).Items[0].ToolCalls[0]},
		{Ends: todo.One, Call: todo.ToolCall{ID: "\"é", EndedAt: working(one).UpdatedAt, Outcome: todo.Failed}},
		{Ends: todo.All, Call: todo.ToolCall{EndedAt: working(one).UpdatedAt, Outcome: todo.Interrupted}},
	} {
		line, err := noteLine(&n)
		if err != nil || !scanned(line, new(diskNote)) {
			t.Errorf("not scanned is %q, %v", line, err)
		}
		n.Call.StartedAt, n.Call.EndedAt = n.Call.StartedAt.UTC(), n.Call.EndedAt.UTC()
		if got := notes(line); len(got) != 1 || !reflect.DeepEqual(got[0], n) {
			t.Errorf("%+v became %+v", n, got)
		}
	}
}

func FuzzScan(f *testing.F) {
	ours, theirs := texts(f)
	for _, text := range append(ours, theirs...) {
		f.Add([]byte(text))
	}
	line, err := noteLine(&todo.CallNote{Todo: "1", Content: 5, Call: working(one).Items[0].ToolCalls[0]})
	must.Do(f, err)
	f.Add(line)
	f.Fuzz(func(t *testing.T, text []byte) {
		checkScan(t, text)
		parseBrief(text, nothing)
	})
}

// Whatever a log has, the list is there, and can be written and noted for.
func FuzzLog(f *testing.F) {
	call := working(one).Items[0].ToolCalls[0]
	line, err := noteLine(&todo.CallNote{Todo: "a", Content: todo.ContentSum("a"), Call: call})
	must.Do(f, err)
	end, err := noteLine(&todo.CallNote{Ends: todo.All, Call: todo.ToolCall{Outcome: todo.Interrupted}})
	must.Do(f, err)
	whole := "{\"callLog\":1}\n" + string(line) + string(end)
	for _, text := range []string{whole, whole[:len(whole)-20], whole + string(line[:30]) + "\n" + string(line), "", "\n\n", "{\"callLog\":-1}\n", "{\"callLog\":9007199254740993}\n" + string(line), strings.Repeat("\x00", 300), string(line), strings.TrimSuffix("{\"callLog\":1}\n"+string(line), "\n")} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := open(t, filepath.Join(t.TempDir(), "todos"))
		must.Do(t, appending(one, "a")(t, s))
		write(t, filepath.Join(s.dir, "one.calls"), string(text))
		note := func(id string) {
			call.ID = id
			must.Do(t, s.LogCall(t.Context(), one, id, func(l *todo.List) (todo.CallNote, bool) {
				return todo.CallNote{Todo: "a", Content: todo.ContentSum("a"), Call: call}, true
			}))
		}
		was := len(load(t, s, one).Items[0].ToolCalls)
		note("fuzz 1")
		must.Do(t, appending(one, "b")(t, s))
		note("fuzz 2")
		list := load(t, s, one)
		calls := list.Items[0].ToolCalls
		if len(text) > 0 && text[len(text)-1] != '\n' && len(calls) > was+2 {
			was++ // of the last line only the end was missing, which the next one brought
		}
		if n := min(was+2, todo.MaxToolCalls); len(list.Items) != 2 || len(calls) != n || calls[n-2].ID != "fuzz 1" || calls[n-1].ID != "fuzz 2" {
			t.Errorf("with %d calls before there are %+v", was, calls)
		}
	})
}

// working is a list as a session has it: some todos, the tool calls of each,
// and what went before.
func working(key todo.Key) todo.List {
	l := todo.List{Key: key, Project: "/home/ann/shop", StartedAt: time.Unix(1767261600, 0), UpdatedAt: time.Unix(1767265200, 0)}
	for n := range 8 {
		item := todo.Item{
			ID: fmt.Sprint(n), Content: strings.Repeat("some words ", 5), Status: todo.Pending, Priority: todo.Medium,
			ActiveForm: strings.Repeat("some words ", 5), CreatedAt: time.Unix(1767261600, 0),
		}
		for c := range 5 {
			item.ToolCalls = append(item.ToolCalls, todo.ToolCall{
				ID: fmt.Sprint(n, c), Name: "Edit", Parameters: []byte(`{"file_path":"/home/ann/shop/cart.go"}`), StartedAt: time.Unix(1767261600, 0), Outcome: todo.Succeeded,
			})
		}
		l.Items = append(l.Items, item)
	}
	return l
}
