// Package docs_test holds the pages to what they show.
package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// root is the folder of the module, and outside is the environment as it was
// before the examples got theirs.
var (
	root    string
	outside = os.Environ()
)

// TestMain has the examples run where a user of them would: in a project, with a
// home. Neither is anybody's.
func TestMain(m *testing.M) { os.Exit(away(m.Run)) }

func away(run func() int) int {
	dir, err := os.MkdirTemp("", "pawl-docs")
	if err == nil {
		defer os.RemoveAll(dir)
		root, err = filepath.Abs("..")
	}
	if err == nil {
		for name, value := range home(dir) {
			os.Setenv(name, value)
		}
		err = os.Chdir(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return run()
}

// home is an environment that leads nowhere but into dir.
func home(dir string) map[string]string {
	return map[string]string{
		"HOME": dir, "XDG_STATE_HOME": filepath.Join(dir, "state"), "XDG_CONFIG_HOME": filepath.Join(dir, "config"),
	}
}
