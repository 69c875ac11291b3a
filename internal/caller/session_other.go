//go:build !(linux || darwin)

package caller

import (
	"os"
	"strconv"
)

// terminal names the window where its program does (Windows Terminal, and
// several others), else the process that started us.
func terminal() string {
	if window := first(os.Getenv("WT_SESSION"), os.Getenv("TERM_SESSION_ID")); window != "" {
		return "terminal-" + window
	}
	return "process-" + strconv.Itoa(os.Getppid())
}

// launcher cannot be found here.
func launcher(string) string { return "" }
