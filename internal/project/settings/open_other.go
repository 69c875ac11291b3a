//go:build !unix

package settings

// openFlags has none to give: what a link leads to is read, and named with its
// problems at most.
func openFlags(bool) int { return 0 }
