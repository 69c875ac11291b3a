//go:build !unix

package discover

// trusted reports whether a board further up is the caller's own. Without owners
// of files there is nothing to go by.
func trusted(string) bool { return true }
