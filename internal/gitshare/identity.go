package gitshare

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"strings"

	"github.com/pawl-dev/pawl/internal/clone"
)

// A binding ties a clone's name to the folder that it was given to, on each machine that has it
// and at each path. A copy of the folder has another one, and is another clone.
type binding struct {
	Folder  string `json:"folder"`            // what the file system calls the place
	Machine string `json:"machine,omitempty"` // older versions have it, and the repository as the folder
}

// bind returns the binding of a place, and reports whether the record came here in a copy.
func (p site) bind(r *record) (now binding, copied bool, err error) {
	now.Folder, err = clone.Folder(p.home)
	is := now.Folder
	if r.Bound.Machine != "" && err == nil {
		is, err = clone.Folder(p.file(repoName))
	}
	return now, r.Bound != (binding{}) && is != r.Bound.Folder, err
}

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
