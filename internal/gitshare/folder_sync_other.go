//go:build !unix

package gitshare

// syncFolder does nothing: here a folder cannot be synced.
func syncFolder(string) error { return nil }
