//go:build !unix

package lookup

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
	all := strings.Split(list, ";")
	for _, end := range all {
		if end != "" && strings.EqualFold(filepath.Ext(name), end) {
			return []string{""}
		}
	}
	return all
}

func runnable(fs.FileInfo) bool { return true }
