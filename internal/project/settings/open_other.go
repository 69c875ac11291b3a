//go:build !unix

package settings

// openFlags has none to give: the target of a link is read, and at most its
// problems are shown.
func openFlags(bool) int { return 0 }
