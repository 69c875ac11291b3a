package todofile

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// A look has all of a list but its past, however the file is laid out, and reads
// past the past where Pawl laid it out.
func TestLook(t *testing.T) {
	s, dir := place(t)
	path := filepath.Join(dir, fileName(two))
	want := rich()
	want.Past = append(want.Past, want.Past...)
	must.Do(t, errOf(s.Update(t.Context(), two, func(l *todo.List) error { *l = want.Clone(); return nil })))
	data, err := os.ReadFile(path)
	must.Do(t, err)
	text, brief := string(data), 0
	for name, text := range map[string]string{
		"as it was written":    text,
		"with nothing after":   text[:strings.Index(text, "\n  ],\n  \"news\"")] + "\n  ]\n}\n",
		"on one line":          strings.ReplaceAll(text, "\n", " "),
		"with other ends":      strings.ReplaceAll(text, "\n  ],", "],"),
		"with another key":     strings.Replace(text, "\n  \"past\"", "\n  \"colour\": \"red\",\n  \"past\"", 1),
		"with a key inside":    strings.Replace(text, "\n  ],\n  \"news\"", "],\n  \"x\": [\n    {}\n  ],\n  \"news\"", 1),
		"with a past in front": strings.Replace(text, "{\n", "{\n  \"past\": [\n  ],\n", 1),
		"with returns":         strings.ReplaceAll(text, "\n", "\r\n"),
		"without a past":       text[:strings.Index(text, ",\n  \"past\"")] + "\n}\n",
	} {
		write(t, path, text)
		if parseBrief([]byte(text), nothing) != nil {
			brief++
		}
		full, looked := load(t, s, two), todo.List{}
		if looked, err = s.Look(t.Context(), two); err != nil {
			t.Fatal(err)
		}
		full.Past = nil
		if len(looked.Items) != 1 || !reflect.DeepEqual(looked, full) {
			t.Errorf("%s: a look has\n     %+v,\nwant %+v", name, looked, full)
		}
	}
	if brief != 2 {
		t.Errorf("%d texts were read in brief, want the first two", brief)
	}
	write(t, path, `{"version":1,"todos":[`)
	if looked, err := s.Look(t.Context(), two); err != nil || !looked.Blank() || len(s.Problems()) != 1 {
		t.Errorf("of a torn list a look has %+v, %v", looked, err)
	}
}

// The end of a call is noted wherever the call is, though a look need not have
// read that.
func TestCallOfThePast(t *testing.T) {
	s, dir := place(t)
	leave := func(t testing.TB, s *Store) error {
		_, err := s.Update(t.Context(), one, func(l *todo.List) error {
			l.Past = append(l.Past, todo.Past{Item: l.Items[0], How: todo.Dropped})
			l.Items = l.Items[1:]
			return nil
		})
		return err
	}
	calls := func() (all []string) {
		list := load(t, s, one)
		for _, p := range list.Past {
			all = append(all, noted(todo.List{Items: []todo.Item{p.Item}})...)
		}
		return append(all, noted(list)...)
	}
	do(t, s, appending(one, "a"), appending(one, "b"), noting(one, `"1" <é>`, todo.Running), noting(one, "2", todo.Running), noting(one, "3", todo.Running), leave)
	lists := todo.New(s, s.now)
	must.Do(t, errors.Join(lists.CallEnded(t.Context(), one, `"1" <é>`, todo.Failed), lists.CallEnded(t.Context(), one, "4", todo.Failed)))
	text, err := os.ReadFile(filepath.Join(dir, "one.calls"))
	if got := strings.Count(string(text), "\n"); got != 2 {
		t.Errorf("the log has %d lines, want its number and an end, %v:\n%s", got, err, text)
	}
	must.Do(t, lists.CallsInterrupted(t.Context(), one))
	if got := calls(); !slices.Equal(got, []string{`"1" <é> failed`, "2 interrupted", "3 interrupted"}) {
		t.Errorf("the calls are %q", got)
	}

	// One that began while its todo was leaving: the log says what the list, as
	// it is, does not have.
	do(t, s, noting(one, "5", todo.Running))
	log, err := os.ReadFile(filepath.Join(dir, "one.calls"))
	must.Do(t, err)
	do(t, s, leave)
	_, line, _ := strings.Cut(string(log[strings.LastIndex(string(log[:len(log)-1]), "\n"):]), "\n")
	write(t, filepath.Join(dir, "one.calls"), "{\"callLog\":9}\n"+strings.Replace(line, `"id":"5"`, `"id":"6"`, 1))
	must.Do(t, lists.CallEnded(t.Context(), one, "6", todo.Succeeded))
	if got := calls(); !slices.Equal(got[3:], []string{"5 running", "6 succeeded"}) {
		t.Errorf("the calls are %q", got)
	}
}
