package mustrun

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fake is a test that is asked to fail or skip, and goes on.
type fake struct{ failed, skipped string }

func (*fake) Helper()                          {}
func (f *fake) Fatalf(format string, a ...any) { f.failed = fmt.Sprintf(format, a...) }
func (f *fake) Skipf(format string, a ...any)  { f.skipped = fmt.Sprintf(format, a...) }

func TestSkipFailsInCI(t *testing.T) {
	t.Setenv("CI", "true")
	var f fake
	Skip(&f, "strace is not installed")
	if !strings.Contains(f.failed, "strace is not installed") || f.skipped != "" {
		t.Errorf("in CI: failed %q, skipped %q; want a failure with the reason", f.failed, f.skipped)
	}
}

func TestSkipSkipsElsewhere(t *testing.T) {
	t.Setenv("CI", "")
	var f fake
	Skip(&f, "strace is not installed")
	if f.failed != "" || !strings.Contains(f.skipped, "strace is not installed") {
		t.Errorf("elsewhere: failed %q, skipped %q; want a skip with the reason", f.failed, f.skipped)
	}
}

func TestNotHereNeverFails(t *testing.T) {
	t.Setenv("CI", "true")
	var f fake
	NotHere(&f, "root may write everywhere")
	if f.failed != "" || f.skipped != NotHereMark+"root may write everywhere" {
		t.Errorf("failed %q, skipped %q; want a marked skip", f.failed, f.skipped)
	}
}

// A link that was reported but is not there would let a test pass that proves
// nothing.
func TestLink(t *testing.T) {
	name := filepath.Join(t.TempDir(), "link")
	var f fake
	Link(&f, "gone", name)
	_, err := os.Lstat(name)
	if runtime.GOOS == "windows" {
		if (f.skipped == "") != (err == nil) && !UnderWine() || UnderWine() && !strings.HasPrefix(f.skipped, NotHereMark) {
			t.Errorf("skipped %q, and the link: %v", f.skipped, err)
		}
		return
	}
	if f != (fake{}) || err != nil {
		t.Errorf("skipped %q, failed %q, and the link: %v", f.skipped, f.failed, err)
	}
	if Link(&f, "gone", name); f.failed == "" {
		t.Error("a link over another one did not fail")
	}
}
