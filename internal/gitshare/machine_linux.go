package gitshare

import (
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// machineID is what the system calls this installation of itself; empty: nothing.
func machineID() string {
	for _, path := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if id := strings.TrimSpace(string(gitdir.File(path, 128))); id != "" && id != "uninitialized" {
			return id
		}
	}
	return ""
}
