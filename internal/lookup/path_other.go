//go:build !unix

package lookup

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Endings are what is tried behind the name of a program: PATHEXT, unless it has one of
// these endings already.
func Endings(getenv func(string) string, name string) []string {
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

// Runnable reports whether a file can be started.
func Runnable(fs.FileInfo) bool { return true }
