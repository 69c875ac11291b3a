// Package sample has helpers for tests of texts: a board with one of everything,
// and golden files.
package sample

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden fails unless got is the text of a file in the package's testdata. With
// -update it writes the file.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; -update writes it again\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

// Checks of #8 of [Board]: one passed, one failed, one that is optional did not end, and
// one has not run.
var (
	unit = pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	page = pawl.Check{Name: "page", Run: []string{"npm", "test"}, Dir: "web", Timeout: pawl.Duration(time.Minute), Env: []string{"CI"}}
	lint = pawl.Check{Name: "lint", Run: []string{"lint"}, Optional: true}
)

// id is the name of a commit or of a tree, of these two digits.
func id(digits string) string { return strings.Repeat(digits, 20) }

// Board is a board with one of everything, by ada in session s1. The checks of #9 cannot
// be read.
func Board(t *testing.T) *pawl.Board {
	t.Helper()
	clock := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	board := pawl.NewBoard(memory.New(memory.WithClock(func() time.Time {
		clock = clock.Add(time.Second)
		return clock
	})))
	ada := pawl.Actor{Name: "ada", Session: "s1"}
	ctx := context.Background()
	for _, op := range []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{
			{Ref: "db", Subject: "Setup DB"},
			{Ref: "api", Subject: "API routes", BlockedBy: []pawl.Ref{pawl.RefName("db")}},
			{Ref: "auth", Subject: "Auth module", Description: "Extract JWT logic.\n\nStatus: completed\n\x1b[2J", Priority: pawl.Low,
				Labels: []string{"auth", "api"}, ActiveForm: "Extracting JWT", BlockedBy: []pawl.Ref{pawl.RefName("db")},
				Metadata: map[string]json.RawMessage{"ref": []byte(`"bv-2a4"`)}},
			{Ref: "all", Subject: "Integration", BlockedBy: []pawl.Ref{pawl.RefName("db"), pawl.RefName("api"), pawl.RefName("auth")}},
			{Subject: "Deploy", Priority: pawl.High, BlockedBy: []pawl.Ref{pawl.RefName("all")}},
			{Subject: "Release", Ref: "release"},
			{Subject: "Announce", Parent: pawl.RefName("release")},
		}},
		pawl.Complete{IDs: []pawl.ID{1}},
		pawl.Update{ID: 3, Parent: new(pawl.ID(6))},
		pawl.ClaimTask{ID: 3, Lease: pawl.Duration(15 * time.Minute)},
		pawl.AddNote{ID: 3, Text: "Found a second copy\nin internal/jwt."},
		pawl.Release{IDs: []pawl.ID{7}, Hold: "waits for marketing"},
		pawl.Create{Tasks: []pawl.NewTask{{
			Subject: "Rotate keys", Checks: []pawl.Check{unit, page, lint, {Name: "load", Run: []string{"./load.sh", "-n", "10 000"}}},
			Accept: []string{"Old keys are refused", "No secret is logged"},
		}}},
		pawl.AddEvidence{ID: 8, Evidence: []pawl.Evidence{
			{Check: unit.Name, Sum: unit.Sum(), Commit: id("c0"), Tree: id("7e"), Passed: true, Millis: 4210, Output: "sha256:" + id("5a") + id("5a")[:24]},
			{Check: page.Name, Sum: page.Sum(), Commit: id("c0"), Tree: id("7e"), Dirty: true, Exit: 1, Millis: 900},
			{Check: lint.Name, Sum: lint.Sum(), Tree: pawl.NoTree, Exit: pawl.NoExit, Millis: 60_000},
		}},
		pawl.Update{ID: 8, Tick: []string{"Old keys are refused"}},
		pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "Publish"}, Extra: map[string]json.RawMessage{"checks": []byte(`{"run":"make publish"}`)}}}},
	} {
		if _, err := board.Do(ctx, pawl.Request{By: ada, Op: op}); err != nil {
			t.Fatal(err)
		}
	}
	return board
}
