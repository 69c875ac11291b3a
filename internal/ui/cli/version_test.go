package cli

import (
	"strings"
	"testing"
)

// What the linker was told comes before what the compiler noted; without either
// the program still says something.
func TestVersion(t *testing.T) {
	d := newFixture(t)
	d.build = Build{Version: "1.2.3", Commit: "5e0c8f1d", Date: "2026-11-20T16:04:05Z"}
	if got := d.must("version"); !strings.HasPrefix(got, "pawl 1.2.3 (5e0c8f1d) go1.") {
		t.Errorf("version prints %q", got)
	}
	j := d.json("version")
	if j["version"] != "1.2.3" || j["commit"] != "5e0c8f1d" || j["date"] != "2026-11-20T16:04:05Z" {
		t.Errorf("version --json says %v", j)
	}
	if j := newFixture(t).json("version"); j["version"] == "" || j["go"] == "" {
		t.Errorf("what nobody noted is %v", j)
	}
}
