package gitshare

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
)

// A binding ties a clone's name to the folder that it was given to, on each machine that has it
// and at each path. A copy of the folder has another one, and is another clone.
type binding struct {
	Folder string `json:"folder"`         // what the file system calls the place
	Root   string `json:"root,omitempty"` // the same of the work tree
	Path   string `json:"path,omitempty"` // of the work tree from git's folder, which stays while both move together
}

// bind returns the binding of a place, and reports whether the record came here in a copy.
func (p site) bind(r *record) (now binding, copied bool, err error) {
	now.Folder, err = clone.Folder(p.Home)
	copied = r.Bound != (binding{}) && now.Folder != r.Bound.Folder
	if root := clone.Real(p.Tree.Root); err == nil && p.Tree.Root != "" {
		now.Root, err = clone.Folder(root)
		if rel, none := filepath.Rel(clone.Real(p.Tree.Dir), root); none == nil { // else on another drive
			root = rel
		}
		now.Path = filepath.ToSlash(root)
	}
	return now, copied, err
}

// other reports whether the record is that of another folder, whose .git names the same one as
// here: of the copy of a clone made with --separate-git-dir or of a submodule, or of the clone
// that a .git file leads into. A folder that has git's folder in it, as the clone's had, is the clone's;
// one that was made again and has no board is the clone's at the same path.
func (p site) other(r *record, again bool) bool {
	is, copied, err := p.bind(r)
	placed := is.Path == r.Bound.Path && (again || is.Path == "..")
	return err == nil && !copied && r.Bound.Path != "" && is.Root != r.Bound.Root && !placed
}

// errOther says that another folder shares the board.
var errOther = pawl.Errorf(pawl.Conflict, "another folder with the same git folder shares its board, and this one is not in step with it").
	Say("work there, or let this folder share instead: pawl share --stop, then pawl share")

// mostHost bounds the part of a clone's name that says which machine it is on.
const mostHost = 30

// newName makes the name of a clone: "mac-mini-3f2a9c1d".
func newName() string {
	host, _ := os.Hostname()
	return hostName(host) + "-" + strings.ToLower(hex.EncodeToString(random(4)))
}

// hostName is the first part of a host's name, as far as it can be in a clone's.
func hostName(host string) string {
	host, _, _ = strings.Cut(strings.ToLower(host), ".")
	var b strings.Builder
	for _, c := range host {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == mostHost {
			break
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name
	}
	return "clone"
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}
