package run

import (
	"fmt"
	"os"
)

// start is the folder as the new process enters it: by its descriptor, so that it is the
// one that was looked at.
func (f *folder) start() string {
	at := fmt.Sprintf("/proc/self/fd/%d", f.file.Fd())
	if _, err := os.Stat(at); err != nil {
		return f.path // no /proc is mounted
	}
	return at
}
