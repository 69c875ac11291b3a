package gitshare

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A binding ties a clone's name to the machine and the folder that it was given to.
// A copy of the folder has another one, and is another clone.
type binding struct {
	Machine string `json:"machine"` // a hash
	Folder  string `json:"folder"`  // what the file system calls the repository's folder
}

// bind returns the binding of a repository's folder.
func bind(repo string, getenv func(string) string) (binding, error) {
	folder, err := folderID(repo)
	return binding{machine(getenv), folder}, err
}

// machine names this machine, so that nobody who reads it learns the id that other
// programs know it by.
func machine(getenv func(string) string) string {
	id := machineID()
	if id == "" {
		id = machineFile(getenv)
	}
	if id == "" {
		id, _ = os.Hostname()
	}
	sum := sha256.Sum256([]byte("pawl clone\x00" + id))
	return hex.EncodeToString(sum[:8])
}

// machineFile names the machine where the system does not, as in a container: by a
// file in the user's state folder; empty: there is no such folder.
func machineFile(getenv func(string) string) string {
	state, err := userdir.State(getenv)
	if err != nil || userdir.Make(state) != nil {
		return ""
	}
	path := filepath.Join(state, "machine")
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_, err = f.WriteString(hex.EncodeToString(random(16)))
		if err = errors.Join(err, f.Close()); err != nil {
			os.Remove(path)
		}
	}
	return strings.TrimSpace(string(gitdir.File(path, 128)))
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
