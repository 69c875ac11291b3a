package stories_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/stories"
)

// cmd/pawl has each test that it keeps.
func TestTests(t *testing.T) {
	files, err := filepath.Glob("../../../cmd/pawl/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests of cmd/pawl: %v", err)
	}
	var defined []string
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(text, -1) {
			defined = append(defined, string(found[1]))
		}
	}
	for _, name := range stories.Here {
		if !slices.Contains(defined, name) {
			t.Errorf("cmd/pawl has no %s", name)
		}
	}
}
