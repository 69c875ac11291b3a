//go:build unix

package filelock

// Patiently makes a call. On Windows it repeats one that fails while another process
// has the file open; here that keeps nobody from replacing or removing it.
func Patiently(call func() error) error { return call() }
