//go:build !(linux || darwin)

package caller

import (
	"cmp"
	"os"
	"strconv"
)

// terminal names the window where its program does (Windows Terminal, and
// several others), else the process that started us.
func terminal() string {
	return "terminal-" + cmp.Or(os.Getenv("WT_SESSION"), os.Getenv("TERM_SESSION_ID"), strconv.Itoa(os.Getppid()))
}

// launcher cannot be found here.
func launcher(string) string { return "" }
