//go:build !unix

package caller

const openFlags = 0
