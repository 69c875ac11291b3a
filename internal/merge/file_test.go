package merge

import (
	"bytes"
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

var update = flag.Bool("update", false, "write the results in testdata again")

// Each case has a number, two sides and perhaps a base, and the file that they
// make; without it they cannot be merged.
func TestFile(t *testing.T) {
	cases(t, "file", 18, func(t *testing.T, part map[string][]byte) {
		id := taskjson.Mark(part["id"])
		merged, ok := File(id, part["base"], part["ours"], part["theirs"])
		expect(t, part, "merged", merged, ok)
		checkFile(t, id, part["base"], part["ours"], part["theirs"])
	})
}

// checkFile checks what holds for any three texts.
func checkFile(t failer, id pawl.ID, base, ours, theirs []byte) {
	t.Helper()
	merged, ok := File(id, base, ours, theirs)
	swapped, ok2 := File(id, base, theirs, ours)
	if ok != ok2 || !bytes.Equal(merged, swapped) {
		t.Fatalf("the sides count: %v %s\nswapped: %v %s", ok, merged, ok2, swapped)
	}
	if !ok {
		if merged != nil {
			t.Fatalf("not ok, and yet %q", merged)
		}
		return
	}
	file, err := taskjson.Decode(merged)
	if err != nil || !json.Valid(bytes.TrimPrefix(merged, []byte("\uFEFF"))) || file.Task.ID != id {
		t.Fatalf("merged cannot be read as %v: %v\n%s", id, err, merged)
	}
	const layout = 1 << 10 // keys and white space
	if most := 2*(len(ours)+len(theirs)) + layout; len(merged) > most {
		t.Fatalf("%d bytes and %d bytes make %d", len(ours), len(theirs), len(merged))
	}
	for _, side := range [][]byte{ours, theirs} {
		side, err := taskjson.Decode(side)
		if err != nil || side.Task.ID != id {
			continue
		}
		// What is merged is merged: the side that went into it changes nothing.
		again, ok := File(id, nil, merged, merged)
		if !ok || !bytes.Equal(again, merged) {
			t.Fatalf("merged with itself: %v\n%s\nwant\n%s", ok, again, merged)
		}
	}
	for _, side := range [][]byte{ours, theirs} {
		if f, err := taskjson.Decode(side); err != nil || f.Task.ID != id {
			continue
		}
		again, ok := File(id, side, merged, side)
		if !ok || !bytes.Equal(again, merged) {
			t.Fatalf("merged with a side again: %v\n%s\nwant\n%s\nthe side is\n%s", ok, again, merged, side)
		}
	}
}

// expect compares a result with a part of the case, or writes it there. Without ok
// there must be none.
func expect(t *testing.T, part map[string][]byte, name string, got []byte, ok bool) {
	t.Helper()
	want, there := part[name]
	if ok == there && (!ok || bytes.Equal(got, want)) {
		return
	}
	if !*update {
		t.Errorf("%s is (%v)\n%s\nwant (%v)\n%s", name, ok, got, there, want)
		return
	}
	path := string(part[""])
	archive, err := txtar.ParseFile(path)
	must.Do(t, err)
	var files []txtar.File
	for _, f := range archive.Files {
		if f.Name != name {
			files = append(files, f)
		}
	}
	if ok {
		files = append(files, txtar.File{Name: name, Data: got})
	}
	archive.Files = files
	writeFile(t, path, txtar.Format(archive))
}

// FuzzFile merges any three texts.
func FuzzFile(f *testing.F) {
	eachCase(f, "file", func(_ string, part map[string][]byte) {
		id := taskjson.Mark(part["id"])
		f.Add(int64(id), part["base"], part["ours"], part["theirs"])
	})
	f.Fuzz(func(t *testing.T, id int64, base, ours, theirs []byte) {
		checkFile(t, pawl.ID(id), base, ours, theirs)
	})
}

// The name of a file says what it is about, and nothing else does.
func TestDriver(t *testing.T) {
	task, other := []byte(`{"id": 12, "subject": "a"}`), []byte(`{"id": 12, "subject": "a", "labels": ["x"]}`)
	for path, ok := range map[string]bool{
		".tasks/task_12.json": true, "task_12.json": true, "a/b c/.tasks/task_12.json": true, `it's "here"/.tasks/task_12.json`: true,
		".tasks/task_012.json": false, ".tasks/task_12.json.bak": false, ".tasks/task_13.json": false, ".tasks/pawl.jsonc": false,
		"": false, "/": false, ".tasks/task_12.json/x": false, ".tasks/task_#12.json": false, ".tasks/task_ 12.json": false, ".tasks/task_99999999999999999999.json": false,
		".tasks/TASK_12.JSON": false, ".highwatermark": false,
	} {
		merged, err := Driver(path, task, task, other)
		if (err == nil) != ok || ok && !bytes.Equal(merged, other) {
			t.Errorf("%q: %q, %v", path, merged, err)
		}
		if err != nil && path != "" && !strings.Contains(err.Error(), path) {
			t.Errorf("%q is not named: %v", path, err)
		}
	}
	if merged, err := Driver("a/.tasks/.highwatermark", nil, []byte("3\n"), []byte("12\n")); err != nil || string(merged) != "12\n" {
		t.Errorf("the mark is %q, %v", merged, err)
	}
}

// failer is a test, or one run of a random one.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}
