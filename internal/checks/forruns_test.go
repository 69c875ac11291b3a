package checks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// runSettings are a project's and a user's, as their files have them.
func runSettings(t *testing.T, project, user string) forRuns {
	t.Helper()
	dir := t.TempDir()
	var files []*settings.File
	for name, text := range map[string]string{"project": project, "user": user} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	files = append(files, settings.Read(settings.Project, filepath.Join(dir, "project")), settings.Read(settings.User, filepath.Join(dir, "user")))
	for _, f := range files {
		if len(f.Problems) > 0 {
			t.Fatal(f.Problems)
		}
	}
	return readForRuns(settings.Merge(files...))
}

// A project's set-up and paths count only once a person has trusted exactly them; the
// user's count at once.
func TestTrustsRun(t *testing.T) {
	ctx := context.Background()
	s := newStage(t)
	look := func(setup string, copies ...string) ForRuns {
		t.Helper()
		is := must.Get(s.TrustsRun())(t)
		if got := is.Setup.Command(); got != setup || !slices.Equal(is.Copy, copies) {
			t.Errorf("%q and %q, want %q and %q; waiting: %+v", got, is.Copy, setup, copies, is.Waiting)
		}
		return is
	}
	trust := func() {
		t.Helper()
		wanted := must.Get(s.Wanted(nil, nil))(t)
		must.Do(t, s.TrustParts(ctx, wanted))
	}
	look("")
	s.runs = runSettings(t, `{"run.setup": "npm ci", "run.copy": [".env", "web/.env"]}`, `{}`)
	if is := look(""); len(is.Waiting) != 3 {
		t.Errorf("%+v", is.Waiting)
	}
	trust()
	if is := look("npm ci", ".env", "web/.env"); len(is.Waiting) != 0 {
		t.Errorf("%+v", is)
	}
	// A change of one has to be trusted again.
	s.runs = runSettings(t, `{"run.setup": "npm install", "run.copy": [".env", "secrets"]}`, `{}`)
	if is := look("", ".env"); len(is.Waiting) != 2 {
		t.Errorf("%+v", is.Waiting)
	}
	s.runs = runSettings(t, `{"run.setup": "npm ci"}`, `{}`)
	look("npm ci")
	// The user's own need no trust, and replace the project's.
	s.runs = runSettings(t, `{"run.setup": "evil", "run.copy": ["x"]}`, `{"run.setup": "make deps", "run.copy": [".envrc"]}`)
	if is := look("make deps", ".envrc"); len(is.Waiting) != 0 {
		t.Errorf("%+v", is.Waiting)
	}
	s.runs = runSettings(t, `{"run.setup": "evil"}`, `{"run.setup": ""}`)
	look("")
	must.Get(s.list.Forget(ctx, s.place.Of))(t)
	s.runs = runSettings(t, `{"run.setup": "npm ci"}`, `{}`)
	look("")
}

// Trust in a check is none in a set-up or in a path of the same words, nor the other way
// round.
func TestPartsAreNoChecks(t *testing.T) {
	ctx := context.Background()
	s := newStage(t)
	s.runs = runSettings(t, `{"run.setup": "x", "run.copy": ["x"]}`, `{}`)
	check := pawl.Check{Name: "x", Run: []string{"x"}}
	must.Do(t, s.Trust(ctx, []pawl.Check{check}, nil))
	wanted, err := s.Wanted([]pawl.Task{{ID: 1, Checks: []pawl.Check{check}}}, nil)
	if err != nil || len(wanted) != 2 || wanted[0].Part != SetupPart || wanted[1].Part != CopyPart {
		t.Fatalf("%+v, %v", wanted, err)
	}
	must.Do(t, s.TrustParts(ctx, wanted[1:]))
	if is, err := s.TrustsRun(); err != nil || len(is.Setup.Run) != 0 || !slices.Equal(is.Copy, []string{"x"}) {
		t.Errorf("%+v, %v", is, err)
	}
	must.Get(s.list.Forget(ctx, s.place.Of))(t)
	if err := s.TrustParts(ctx, append(wanted, Wanted{Check: check})); err != nil { // a check is not trusted that way
		t.Fatal(err)
	}
	if items, err := s.Items(&pawl.Task{Checks: []pawl.Check{check}}); err != nil || items[0].Trusted {
		t.Errorf("%+v, %v", items, err)
	}
}
