//go:build !windows

package attribution

import "os"

// removeOnce removes a file, and reports whether it was there: of several that
// try at once, one succeeds.
func removeOnce(path string) bool { return os.Remove(path) == nil }
