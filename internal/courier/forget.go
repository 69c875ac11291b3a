package courier

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// Forget removes the files of a session in a state folder, for all addresses, and
// returns how many there were. It drops the session's queued jobs, too: its leases end
// by themselves.
func Forget(state, session string) (int, error) {
	own := userdir.Escape(session)
	removed := 0
	var failed []error
	addresses, _ := os.ReadDir(filepath.Join(state, "courier"))
	for _, at := range addresses {
		p := &Post{o: Options{Now: time.Now}, dir: filepath.Join(state, "courier", at.Name())}
		if slices.ContainsFunc(p.jobs(), func(j Job) bool { return j.of(session) }) {
			failed = append(failed, p.queue(context.Background(), func(jobs []Job) []Job {
				return slices.DeleteFunc(jobs, func(j Job) bool { return j.of(session) })
			}))
		}
		for _, dir := range []string{claimsDir, glancesDir, changedDir} {
			files, _ := os.ReadDir(p.path(dir))
			for _, f := range files {
				name := strings.TrimPrefix(f.Name(), ownMark)
				if name != own && !strings.HasPrefix(name, own+helperMark) {
					continue
				}
				if err := os.Remove(p.path(dir, f.Name())); err == nil {
					removed++
				} else if !os.IsNotExist(err) {
					failed = append(failed, err)
				}
			}
		}
	}
	return removed, errors.Join(failed...)
}

// Leave removes everything that is kept of an address, queued jobs too.
func Leave(state string, a address.Address) error { return os.RemoveAll(folder(state, a)) }

func (j *Job) of(session string) bool { return j.Session == session || j.From == session }
