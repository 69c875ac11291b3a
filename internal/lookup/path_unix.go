//go:build unix

package lookup

import "io/fs"

// endings are what is tried behind the name of a program.
func endings(func(string) string, string) []string { return []string{""} }

func runnable(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }
