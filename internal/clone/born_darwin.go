package clone

import "syscall"

// born is when a file was made, in nanoseconds; 0: the file system does not say.
func born(_ string, is *syscall.Stat_t) int64 { return is.Birthtimespec.Nano() }
