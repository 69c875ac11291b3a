package term

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/query"
)

// brief is a task with something in every field.
func brief() *query.Detail {
	all := mixed()
	return &query.Detail{
		Task: pawl.Task{
			ID: 12, Subject: "Refactor the auth middleware", Status: pawl.InProgress, Owner: "ada", Priority: pawl.Low, Urgency: pawl.High,
			ActiveForm: "Refactoring auth", Labels: []string{"auth", "api"}, BlockedBy: []pawl.ID{4}, Children: []pawl.ID{1, 9}, OpenChildren: 1,
			Claim:       pawl.Claim{Session: "s1", Agent: "reviewer", Token: 41, Lease: pawl.Duration(time.Hour), Until: noon.Add(10 * time.Minute)},
			Metadata:    map[string]json.RawMessage{"ref": []byte(`"bv-2a4"`)},
			Description: "Extract the JWT logic into a module that the gateway and the workers share.\n\n- one place for keys\n- no copy in internal/jwt, which has been the source of two bugs this year\n\nStatus     ✔ completed\n\x1b[2J",
			Notes: []pawl.Note{
				{At: ago(2 * time.Hour), By: "bob", Text: "Found a second copy\nin internal/jwt."},
				{By: "", Text: "Nobody knows when.\n#13 is next"},
			},
			CreatedAt: ago(80 * time.Hour), StartedAt: ago(3 * time.Minute), UpdatedAt: ago(time.Minute),
		},
		Parent: &all[7], Blockers: all[:2], Blocks: all[3:5], Children: []pawl.Task{all[0], all[5]}, Lost: []pawl.ID{77},
	}
}

func TestDetail(t *testing.T) {
	var b strings.Builder
	for _, sc := range []Screen{{120, true}, {60, true}, {60, false}} {
		lines := sc.Detail("Claimed ", brief(), facts(), nil)
		for _, l := range lines {
			if s := l.String(); Width(s) > sc.Width || strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("not fit for %d columns: %q", sc.Width, s)
			}
		}
		b.WriteString(textOf(lines) + "\n")
	}
	for _, l := range modern.Detail("", brief(), facts(), nil)[:8] {
		b.WriteString(marked(l) + "\n")
	}
	sample.Golden(t, "detail.txt", b.String())
}

// Each row of another task tells which one it is, and no other row does.
func TestDetailRows(t *testing.T) {
	var ids []pawl.ID
	for _, row := range modern.DetailRows("", brief(), facts(), nil) {
		if row.Task != 0 {
			ids = append(ids, row.Task)
			if !strings.Contains(row.Line.String(), row.Task.String()+" ") {
				t.Errorf("the row of %v is %q", row.Task, row.Line)
			}
		}
	}
	d := brief()
	if want := 1 + len(d.Lost) + len(d.Blockers) + len(d.Blocks) + len(d.Children); len(ids) != want {
		t.Errorf("there are rows of %v, want %d", ids, want)
	}
}

// Of very many neighbours the first are shown, and the others counted.
func TestDetailOfManyNeighbours(t *testing.T) {
	d := &query.Detail{Task: pawl.Task{ID: 1, Subject: "One", Status: pawl.Pending}}
	for i := range 30 {
		d.Blocks = append(d.Blocks, pawl.Task{ID: pawl.ID(i + 2), Subject: "Other", Status: pawl.Pending})
	}
	got := textOf(modern.Detail("", d, facts(), nil))
	if strings.Count(got, "Other") != 20 || !strings.Contains(got, "and 10 more") {
		t.Errorf("30 neighbours are\n%s", got)
	}
}

func FuzzDetail(f *testing.F) {
	for i, s := range nasty {
		f.Add(s, s, i*9)
	}
	f.Fuzz(func(t *testing.T, subject, words string, width int) {
		sc := Screen{20 + abs(width)%150, width%2 == 0}
		d := brief()
		d.Task.Subject, d.Task.Description, d.Task.ActiveForm, d.Task.Owner = subject, words, words, subject
		d.Task.Notes[0] = pawl.Note{At: noon, By: subject, Text: words}
		d.Task.Labels, d.Task.Claim.Session = []string{subject, words}, words
		d.Blockers[0].Subject, d.Parent.Subject = subject, words
		own := true
		for _, l := range sc.Detail("", d, facts(), nil) {
			s := l.String()
			if Width(s) > sc.Width || strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("not fit for %d columns: %q", sc.Width, s)
			}
			if s == "Description" {
				own = false
			} else if !own && s != "" && s != "Notes" && !strings.HasPrefix(s, "  ") {
				t.Errorf("a line of the task's own words passes for one of ours: %q", s)
			}
		}
	})
}
