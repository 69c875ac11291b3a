package run

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// endings are what is tried behind the name of a program: PATHEXT, unless it has one of
// these endings already.
func endings(getenv func(string) string, name string) []string {
	list := getenv("PATHEXT")
	if list == "" {
		list = ".COM;.EXE;.BAT;.CMD"
	}
	var all []string
	for end := range strings.SplitSeq(list, ";") {
		if end == "" {
			continue
		}
		if strings.EqualFold(filepath.Ext(name), end) {
			return []string{""}
		}
		all = append(all, end)
	}
	return all
}

func runnable(fs.FileInfo) bool { return true }

// fold is the name of a variable as the system compares it.
func fold(name string) string { return strings.ToUpper(name) }
