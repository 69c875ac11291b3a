package stories_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/stories"
)

// What cmd/pawl leaves out, one package runs: each part has one, and each of its tests is
// there.
func TestParts(t *testing.T) {
	files, err := filepath.Glob("../../../cmd/pawl/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests of cmd/pawl: %v", err)
	}
	defined := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			defined[string(found[1])] = true
		}
	}
	var packages []string
	runs, err := filepath.Glob("../../../proof/stories/*/main_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range runs {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := regexp.MustCompile(`stories\.Main\("(\w+)"\)`).FindSubmatch(text); found == nil || string(found[1]) != filepath.Base(filepath.Dir(file)) {
			t.Errorf("%s does not run the part of its name", file)
		}
		packages = append(packages, filepath.Base(filepath.Dir(file)))
	}
	if parts := slices.Sorted(maps.Keys(stories.Parts)); !slices.Equal(parts, packages) {
		t.Errorf("the parts are %q, the packages that run them %q", parts, packages)
	}
	seen := map[string]bool{}
	for part, names := range stories.Parts {
		for _, name := range names {
			if !defined[name] {
				t.Errorf("%s: cmd/pawl has no %s", part, name)
			}
			if seen[name] {
				t.Errorf("%s: another part runs %s, too", part, name)
			}
			seen[name] = true
		}
	}
}
