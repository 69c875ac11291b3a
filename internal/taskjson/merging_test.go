package taskjson

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// Each story holds a file, tasks of another branch, and the file with them.
func TestMergingStories(t *testing.T) {
	for _, s := range stories(t, "merging", 3) {
		t.Run(filepath.Base(s.path), func(t *testing.T) {
			var others [][]byte
			for _, name := range []string{"first", "second"} {
				if part := s.parts[name]; part != "" {
					others = append(others, []byte(part))
				}
			}
			joined, err := Join([]byte(s.parts["own"]), others)
			must.Do(t, err)
			s.check(t, "joined", string(joined))
			own, apart, err := Split(joined)
			if err != nil || len(apart) != len(others) {
				t.Fatalf("%d tasks come out, %d went in: %v", len(apart), len(others), err)
			}
			if had, _, _ := Split([]byte(s.parts["own"])); !bytes.Equal(own, had) {
				t.Errorf("apart is\n%s\nwant\n%s", own, had)
			}
			for i := range others {
				if !bytes.Equal(bytes.TrimSpace(apart[i]), bytes.TrimSpace(others[i])) {
					t.Errorf("task %d is\n%s\nwant\n%s", i, apart[i], others[i])
				}
			}
		})
	}
}

// What stands inside a task of another branch comes out beside it, once.
func TestSplitIsFlat(t *testing.T) {
	text := []byte(`{"id":1,"subject":"a","merging":[{"id":1,"subject":"b","merging":[{"id":1,"subject":"c"}]},{"id":1,"subject":"d"}]}`)
	file, err := Decode(text)
	must.Do(t, err)
	var names string
	for _, task := range file.Task.Merging {
		names += task.Subject
		if task.Merging != nil {
			t.Errorf("%s holds tasks itself", task.Subject)
		}
	}
	own, others, err := Split(text)
	if names != "bcd" || err != nil || string(own) != `{"id":1,"subject":"a"}` || string(bytes.Join(others, nil)) != "{\"id\":1,\"subject\":\"b\"}\n{\"id\":1,\"subject\":\"c\"}\n{\"id\":1,\"subject\":\"d\"}\n" {
		t.Errorf("Decode has %q; Split gives %s and %q, %v", names, own, others, err)
	}
}

// A change of a task leaves those of another branch where they are.
func TestPatchKeepsMerging(t *testing.T) {
	text := []byte(`{"id":1,"subject":"a","merging": [ {"id":1, "subject":"b"} ]}`)
	file, _ := Decode(text)
	want := file.Task
	want.Subject, want.Merging = "new", nil
	patched, err := Patch(text, &want)
	if err != nil || !bytes.Contains(patched, []byte(`"merging": [ {"id":1, "subject":"b"} ]`)) || !bytes.Contains(patched, []byte(`"new"`)) {
		t.Errorf("patched: %s, %v", patched, err)
	}
}

// Values under the key that are not tasks belong to another program.
func TestForeignMerging(t *testing.T) {
	for _, value := range []string{`true`, `"x"`, `{}`, `[1]`, `[{}]`, `[{"id":1,"status":"odd"}]`, `[{"id":1,"id":1}]`} {
		text := []byte(`{"id":1,"merging":` + value + `}`)
		file, err := Decode(text)
		if err != nil || file.Task.Merging != nil || string(file.Task.Extra["merging"]) != value {
			t.Errorf("%s: %+v, %v", value, file.Task, err)
		}
		if own, others, err := Split(text); err != nil || len(others) > 0 || !bytes.Equal(own, text) {
			t.Errorf("%s comes apart: %s %q %v", value, own, others, err)
		}
		if joined, err := Join(text, [][]byte{[]byte(`{"id":1}`)}); err == nil {
			t.Errorf("%s is replaced: %s", value, joined)
		}
		if same, err := Join(text, nil); err != nil || !bytes.Equal(same, text) {
			t.Errorf("%s goes: %s, %v", value, same, err)
		}
	}
	deep := strings.Repeat("[", fileDepth) + strings.Repeat("]", fileDepth)
	if file, err := Decode([]byte(`{"id":1,"merging":` + deep + `}`)); err == nil {
		t.Errorf("too deep to be kept, and read: %+v", file)
	}
}

func TestCutWas(t *testing.T) {
	var was []pawl.ID
	for id := range pawl.ID(30) {
		was = append(was, id+1)
	}
	task := &pawl.Task{ID: 99, Was: was}
	file, err := Decode(Encode(task))
	if got := file.Task.Was; err != nil || len(got) != pawl.MaxWas || got[0] != 1 || got[1] != 16 || got[15] != 30 {
		t.Errorf("%v, %v", got, err)
	}
	if same := CutWas(was[:3]); len(same) != 3 {
		t.Errorf("few are cut: %v", same)
	}
}

// FuzzJoin joins two files. The whole is read as the first with the second in
// it, and comes apart into both.
func FuzzJoin(f *testing.F) {
	f.Add([]byte(`{"id":1}`), []byte(`{"id":1}`))
	f.Add([]byte("{\r\n\t\"id\": 1\r\n}\r\n"), []byte("\uFEFF{\n\"id\":\n\n 1}"))
	f.Add([]byte("\uFEFF {\"id\":1\n}"), Encode(full()))
	f.Add(Encode(full()), []byte(`{"merging":[{"id":3}],"id":2}`))
	f.Add([]byte(`{"merging":null,"id":2}`), []byte(`{"id":1,"metadata":`+strings.Repeat("[", pawl.MaxDepth)+strings.Repeat("]", pawl.MaxDepth)+`}`))
	f.Fuzz(func(t *testing.T, own, other []byte) {
		whole, err := Join(own, [][]byte{other})
		if err != nil {
			return
		}
		base, _, err := Split(own)
		must.Do(t, err)
		flat, inner, err := Split(other)
		must.Do(t, err)
		got, others, err := Split(whole)
		if err != nil {
			t.Fatalf("%v\n%s", err, whole)
		}
		ownFile, _ := Decode(base)
		gotFile, err := Decode(got)
		if err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		sameTask(t, &gotFile.Task, &ownFile.Task)
		if want := append([][]byte{flat}, inner...); len(others) != len(want) {
			t.Fatalf("%d tasks come out of\n%s\nwant %d", len(others), whole, len(want))
		} else {
			for i := range want {
				wantFile, _ := Decode(want[i])
				gotFile, _ := Decode(others[i])
				sameTask(t, &gotFile.Task, &wantFile.Task)
			}
		}
		if again, err := Join(got, others); err != nil || len(inner) == 0 && !bytes.Contains(own, []byte(`"merging"`)) && !bytes.Contains(other, []byte(`"merging"`)) && !bytes.Equal(again, whole) {
			t.Fatalf("joined again: %v\n%s\nwant\n%s", err, again, whole)
		}
	})
}
