package todofile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/todo"
)

// A check that a file's reader cannot read whole is none that runs, and none that is
// forgotten: the list stays, and the next change keeps the check as it stands.
func TestCheckInFile(t *testing.T) {
	const list = `{"version":1,"session":"one","todos":[{"id":"1","content":"a","status":"completed","priority":"low","activeForm":"a"}],`
	for name, c := range map[string]struct {
		text string
		is   pawl.Checked
		runs string // the command
	}{
		"none":          {`"project":"p"`, pawl.NotChecked, ""},
		"null":          {`"check":null,"checked":null`, pawl.NotChecked, ""},
		"a check":       {`"check":{"name":"x","run":["go","vet"]}`, pawl.CheckedOpen, "go vet"},
		"a line":        {`"check": "x: go vet"`, pawl.CheckedOpen, "go vet"},
		"a newer one":   {`"check":{"name":"x","run":["go"], "then":["rm"]}`, pawl.CheckedOpen, ""},
		"no program":    {`"check":{"name":"x"}`, pawl.CheckedOpen, ""},
		"outside":       {`"check":{"name":"x","run":["go"],"dir":"../x"}`, pawl.CheckedOpen, ""},
		"a number":      {`"check":7`, pawl.CheckedOpen, ""},
		"two":           {`"check":[{"name":"x","run":["go"]},{"name":"y","run":["go"]}]`, pawl.CheckedOpen, ""},
		"with labels":   {`"check":{"name":"x","run":["go"],"labels":["a"]}`, pawl.CheckedOpen, ""},
		"empty":         {`"check":""`, pawl.CheckedOpen, ""},
		"a run of none": {`"checked":{"sum":"x","passed":true}`, pawl.NotChecked, ""},
		"a bad run":     {`"check":{"name":"x","run":["go","vet"]},"checked":["passed"]`, pawl.CheckedOpen, "go vet"},
		"a forged run":  {`"check":{"name":"x","run":["go","vet"]},"checked":{"passed":true}`, pawl.CheckedOpen, "go vet"},
		"another run":   {`"check":{"name":"x","run":["go","vet"]},"checked":{"sum":"00","passed":true,"at":"2026-11-28T10:00:00Z"}`, pawl.CheckedOpen, "go vet"},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := place(t)
			write(t, filepath.Join(dir, "one.json"), list+c.text+"}")
			for range 2 { // as it was written, and as Pawl writes it
				got := load(t, s, one)
				if got.Standing() != c.is || (got.Check != nil) != (c.runs != "") || got.Check != nil && got.Check.Command() != c.runs || len(got.Items) != 1 {
					t.Errorf("it is %q: %+v %s", got.Standing(), got.Check, got.BadCheck)
				}
				must.Do(t, appending(one, "b")(t, s))
				must.Do(t, errOf(s.Update(t.Context(), one, func(l *todo.List) error { l.Items = l.Items[:1]; return nil })))
			}
			text, err := os.ReadFile(filepath.Join(dir, "one.json"))
			if err != nil || strings.Contains(string(text), "\n  \"check\": ") != (c.is != pawl.NotChecked) {
				t.Errorf("%s, %v", text, err)
			}
			if name == "a newer one" && !strings.Contains(string(text), `"check": {"name":"x","run":["go"],"then":["rm"]}`) {
				t.Errorf("%s", text)
			}
			if problems := s.Problems(); len(problems) > 0 {
				t.Errorf("%q", problems)
			}
		})
	}
}
