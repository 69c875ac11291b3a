package courier

import (
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A Stamp tells one state of a file from others. The zero value is that of none.
type Stamp struct {
	Size int64 `json:"size,omitempty"`
	Time int64 `json:"time,omitempty"` // Unix nanoseconds
}

func stampOf(path string) Stamp {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}
	}
	return Stamp{info.Size(), info.ModTime().UnixNano()}
}

// folder is where everything of an address is kept.
func folder(state string, a address.Address) string {
	return filepath.Join(state, "courier", userdir.Escape(a.String()))
}

const (
	changedDir = "changed"
	everybody  = "all"
	ownMark    = "s-"    // before the name of a session
	helperMark = "+"     // between the names of a session and of one of its agents
	maxMarks   = 1 << 10 // bytes, then a file of marks begins again
)

// Changed returns a function that a client of an address calls before and after it
// sends changes, so that hooks on this machine discard older answers. Renewals change
// nothing that hooks look at.
func Changed(state string, a address.Address) func([]pawl.Request) { return changing(state, a, true) }

// Carried is [Changed] for hooks and the courier: their changes for a session are not
// the session's own.
func Carried(state string, a address.Address) func([]pawl.Request) { return changing(state, a, false) }

func changing(state string, a address.Address, own bool) func([]pawl.Request) {
	if state == "" {
		return func([]pawl.Request) {}
	}
	p := &Post{dir: folder(state, a)}
	return func(requests []pawl.Request) {
		names := map[string]bool{}
		for i := range requests {
			if _, renews := requests[i].Op.(pawl.Renew); renews {
				continue
			}
			names[everybody] = true
			if s := requests[i].By.Session; own && s != "" {
				names[ownMark+userdir.Escape(s)] = true
				if op, gives := requests[i].Op.(pawl.Release); gives {
					p.gives(s, op.IDs)
				}
			}
		}
		if len(names) == 0 || userdir.Make(p.path(changedDir)) != nil {
			return
		}
		for name := range names {
			grow(p.path(changedDir, name))
		}
	}
}

// grow adds a byte. The time alone would not do: systems count it in steps.
func grow(path string) {
	how := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if info, err := os.Stat(path); err == nil && info.Size() >= maxMarks {
		how |= os.O_TRUNC
	}
	file, err := os.OpenFile(path, how, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	_, _ = file.Write([]byte{'.'})
}

func (p *Post) changed() Stamp { return stampOf(p.path(changedDir, everybody)) }

// OwnChanges differs after each change of the board by a session.
func (p *Post) OwnChanges(session string) Stamp {
	return stampOf(p.path(changedDir, ownMark+userdir.Escape(session)))
}

// read reads a file of this package.
func read(path string) ([]byte, bool) { return filelock.Read(path, maxKept) }

// write replaces a file so that a reader sees all of it or none. It does not wait for the disk.
func write(path string, text []byte) error {
	err := filelock.Write(path, text)
	if os.IsNotExist(err) {
		if err = userdir.Make(filepath.Dir(path)); err == nil {
			err = filelock.Write(path, text)
		}
	}
	return err
}
