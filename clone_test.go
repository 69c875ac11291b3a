package pawl_test

import (
	"testing"

	"github.com/pawl-dev/pawl"
)

func TestCloneHost(t *testing.T) {
	for clone, want := range map[string]string{
		"mac-mini-3f2a9c1d": "mac-mini",
		"ada-00000000":      "ada",
		"mac-mini":          "mac-mini",
		"mac-mini-3f2a9c1":  "mac-mini-3f2a9c1",
		"mac-mini-3F2A9C1D": "mac-mini-3F2A9C1D",
		"-3f2a9c1d":         "-3f2a9c1d",
		"3f2a9c1d":          "3f2a9c1d",
		"":                  "",
	} {
		if got := pawl.CloneHost(clone); got != want {
			t.Errorf("%q: %q, want %q", clone, got, want)
		}
	}
}
