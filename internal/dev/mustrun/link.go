package mustrun

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Link makes name a symbolic link to target. It skips the test where links cannot
// be made: Windows requires a right that few users have, and Wine 8 reports success
// but makes nothing. Everywhere else a failure fails the test.
func Link(t T, target, name string) {
	t.Helper()
	err := os.Symlink(target, name)
	info, errStat := os.Lstat(name)
	switch {
	case err == nil && errStat == nil && info.Mode()&fs.ModeSymlink != 0:
	case noLinks(err):
		why := "it reports success"
		if err != nil {
			why = err.Error()
		}
		if UnderWine() {
			why = "Wine: " + why
		}
		NotHere(t, "symbolic links cannot be made: "+why)
	default:
		t.Fatalf("link %s: %v, %v", name, err, errStat)
	}
}

// NotUnderWine skips a test that Wine cannot run, though Windows could.
func NotUnderWine(t T, reason string) {
	t.Helper()
	if UnderWine() {
		NotHere(t, "Wine: "+reason)
	}
}

// Links reports whether this system makes symbolic links, for stories that skip
// a few lines where it does not.
var Links = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "links")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "link")
	_ = os.Symlink("gone", name)
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
})
