//go:build unix && !linux && !darwin

package clone

import "syscall"

// born is when a folder was made; empty: the system does not say.
func born(string, *syscall.Stat_t) string { return "" }
