package storetest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/pawl-dev/pawl"
)

var update = flag.Bool("update", false, "write what came of each line into the stories")

// TestStories says what stories there are, and with -update rewrites them.
// What was written has to be read: it is what every store will be held to.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("scripts/*.txt")
	if err != nil || len(files) < 15 || len(files) != len(storyChecks()) {
		t.Fatalf("%d files, %d checks, %v", len(files), len(storyChecks()), err)
	}
	if !*update {
		return
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			o := sound(func(s pawl.Store) pawl.Store { return s })
			told := tell(newWorld(t, o), string(text))
			if err := os.WriteFile(file, []byte(told), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}
