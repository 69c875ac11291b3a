//go:build unix

package lookup

import "io/fs"

// Endings are what is tried behind the name of a program.
func Endings(func(string) string, string) []string { return []string{""} }

// Runnable reports whether a file can be started.
func Runnable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
