// Package workflows holds the hosted workflows to what they must run. It has
// tests only; whether the files are workflows at all is actionlint's to say.
package workflows

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const root = "../.."

// workflow is the part of a file that is looked at.
type workflow struct {
	On   map[string]any
	Jobs map[string]job
}

type job struct {
	Strategy struct{ Matrix map[string][]string }
	Env      map[string]string
	Steps    []struct {
		Name, Uses, Run, If string
	}
}

func (j job) runs(command string) bool {
	for _, step := range j.Steps {
		if step.Run == command {
			return true
		}
	}
	return false
}

func load(t *testing.T, name string) workflow {
	t.Helper()
	var w workflow
	if err := yaml.Unmarshal([]byte(read(t, ".github/workflows/"+name)), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEachChange: a change is checked by .ci/run, and tested on each system.
func TestEachChange(t *testing.T) {
	w := load(t, "ci.yml")
	for _, event := range []string{"push", "pull_request"} {
		if _, ok := w.On[event]; !ok {
			t.Errorf("it does not run on %s", event)
		}
	}
	if !w.Jobs["check"].runs(".ci/run") {
		t.Error("the job check does not run .ci/run")
	}
	test := w.Jobs["test"]
	if !test.runs("go test ./... ./server/... ./proof/...") {
		t.Error("the job test does not run all tests")
	}
	want := []string{"ubuntu-latest", "macos-latest", "windows-latest"}
	if got := test.Strategy.Matrix["os"]; !slices.Equal(got, want) {
		t.Errorf("tested on %v, want %v", got, want)
	}
}

// TestNightly: each step of .ci/long runs every night.
func TestNightly(t *testing.T) {
	found := regexp.MustCompile(`(?m)^steps=\((.*)\)$`).FindStringSubmatch(read(t, ".ci/long"))
	if found == nil {
		t.Fatal("the steps of .ci/long are not found")
	}
	w := load(t, "nightly.yml")
	if _, ok := w.On["schedule"]; !ok {
		t.Error("it has no schedule")
	}
	long := w.Jobs["long"]
	if !long.runs(".ci/long ${{ matrix.step }}") {
		t.Error("the job long does not run .ci/long")
	}
	if got, want := long.Strategy.Matrix["step"], strings.Fields(found[1]); !slices.Equal(got, want) {
		t.Errorf("steps %v, .ci/long has %v", got, want)
	}
}

// TestSite: the website is published by the program that .ci/run tries.
func TestSite(t *testing.T) {
	if w := load(t, "site.yml"); !w.Jobs["publish"].runs(`go -C tools run ./site -out "$RUNNER_TEMP/site"`) {
		t.Error("the job publish does not make the site")
	}
	if !strings.Contains(read(t, ".ci/run"), "go -C tools run ./site -out ") {
		t.Error(".ci/run does not make the site")
	}
}

// TestRelease: a tag that is not the version in the tree releases nothing, all checks run
// first, and what needs a secret is left out without it.
func TestRelease(t *testing.T) {
	w := load(t, "release.yml")
	release := w.Jobs["release"]
	at := func(text string) int {
		return slices.IndexFunc(release.Steps, func(s struct{ Name, Uses, Run, If string }) bool {
			return strings.Contains(s.Uses+" "+s.Run, text)
		})
	}
	order := []string{"packaging/version.txt", ".ci/run", "goreleaser/goreleaser-action", "-C proof run ./packages", "gh release upload", "npm publish", "publisher@"}
	last := -1
	for _, text := range order {
		if i := at(text); i <= last {
			t.Fatalf("step %d runs %q, after step %d", i, text, last)
		} else {
			last = i
		}
	}
	for text, guard := range map[string]string{
		"docker login": "env.PAWL_IMAGE != ''", "npm publish": "env.NPM_TOKEN != ''", "devcontainers/action": "vars.PAWL_FEATURE == 'true'", "publisher@": "vars.MCP_REGISTRY == 'true'",
	} {
		if step := release.Steps[at(text)]; !strings.Contains(step.If, guard) {
			t.Errorf("%q runs if %q", text, step.If)
		}
		if name, ok := strings.CutPrefix(guard, "env."); ok {
			if name, _, _ = strings.Cut(name, " "); release.Env[name] == "" {
				t.Errorf("%q: the job has no %s", text, name)
			}
		}
	}
	for i, step := range release.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %d has an expression in its script", i)
		}
	}
}

// TestActionsArePinned: each action says its version, and all files the same one.
func TestActionsArePinned(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, ".github/workflows/*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no workflows", err)
	}
	versions := map[string]string{}
	for _, file := range files {
		for _, job := range load(t, filepath.Base(file)).Jobs {
			for _, step := range job.Steps {
				if step.Uses == "" {
					continue
				}
				action, version, _ := strings.Cut(step.Uses, "@")
				if !regexp.MustCompile(`^(v\d+|[0-9a-f]{40})$`).MatchString(version) {
					t.Errorf("%s: %s has no version", file, step.Uses)
				}
				if other := versions[action]; other != "" && other != version {
					t.Errorf("%s: %s, elsewhere %s", file, step.Uses, other)
				}
				versions[action] = version
			}
		}
	}
}
