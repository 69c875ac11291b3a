package cli

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/query"
)

// ailing is a board that has problems.
type ailing struct {
	query.Board
	has query.Problems
}

func (b ailing) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if _, ok := q.(query.ProblemsQuery); ok {
		return &b.has, nil
	}
	return b.Board.Ask(ctx, who, q)
}

// Every kind of problem that the source has, and the exit code of doctor --ci for it. A new
// kind needs a line here.
var kindsOfProblems = map[string]int{
	"claim": 1, "conflicted": 8, "counter": 1, "cycle": 8, "damaged": 1, "database": 1, "displaced": 1, "ghost": 8,
	"history": 1, "journal": 1, "merging": 8, "misnamed": 1, "missing": 1, "one-sided": 8, "outdated": 1,
	"overrun": 1, "server": 1, "sharing": 1, "twice": 8, "unreadable": 1, "unshown": 1,
}

func TestDoctorCIKnowsAllKindsOfProblems(t *testing.T) {
	found := map[string]bool{}
	literal := regexp.MustCompile(`(?:pawl\.Problem\{+\s*Kind:|\bp\.Kind =|\.problem\() ?"([a-z-]+)"`)
	for _, folder := range []string{"../../../store", "../../../server/store", "."} {
		must.Do(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
				found[m[1]] = true
			}
			return err
		}))
	}
	if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(kindsOfProblems)); !slices.Equal(got, want) {
		t.Errorf("the source has the problems\n%v, and this test\n%v", got, want)
	}
}

// doctor --ci let pass a completed task whose check had failed, and what plain doctor finds
// beside the files.
func TestDoctorCIFailsOnEveryProblem(t *testing.T) {
	d := newFixture(t)
	d.must("add", "One")
	d.ails = &query.Problems{Tasks: 1}
	d.must("doctor", "--ci")
	for kind, code := range kindsOfProblems {
		d.ails, d.sharing = &query.Problems{Tasks: 1}, nil
		switch kind {
		case "unshown":
			d.ails.Unshown = 1
		case "sharing":
			d.sharing = &Sharing{
				Status: func(string, bool) (*share.Status, error) {
					return &share.Status{Remote: "origin", Failed: "refused"}, nil
				},
				Plan: func(context.Context, ToShare) (SharePlan, error) { return SharePlan{}, nil },
			}
		default:
			d.ails.Problems = []pawl.Problem{{Kind: kind, Text: "something is wrong"}}
		}
		for _, form := range []string{"--json=false", "--json"} {
			if a := d.run("doctor", "--ci", form); a.code != code || strings.Contains(a.out, "no problems") || strings.Contains(a.out, `"sound":true`) {
				t.Errorf("%s: exit code %d, want %d\n%s%s", kind, a.code, code, a.out, a.err)
			}
		}
	}
}
