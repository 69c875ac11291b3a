package caller

import (
	"os"
	"strconv"
	"strings"
)

// Args returns what the process was started with, its own name first; nil: that
// is not known.
func (p Process) Args() []string {
	if p.pid == 0 {
		return nil
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline")
	if err != nil || len(line) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
}
