package courier

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/userdir"
)

// Forget removes what is kept of a session in a state folder, for all addresses, and
// returns how many files that were. That its claims are to be given back is not forgotten.
func Forget(state, session string) (int, error) {
	own := userdir.Escape(session)
	removed := 0
	var failed []error
	addresses, _ := os.ReadDir(filepath.Join(state, "courier"))
	for _, at := range addresses {
		for _, dir := range []string{claimsDir, glancesDir, changedDir} {
			dir = filepath.Join(state, "courier", at.Name(), dir)
			files, _ := os.ReadDir(dir)
			for _, f := range files {
				name := strings.TrimPrefix(f.Name(), ownMark)
				if name != own && !strings.HasPrefix(name, own+helperMark) {
					continue
				}
				if err := os.Remove(filepath.Join(dir, f.Name())); err == nil {
					removed++
				} else if !os.IsNotExist(err) {
					failed = append(failed, err)
				}
			}
		}
	}
	return removed, errors.Join(failed...)
}
