//go:build !unix

package gitname

const openFlags = 0
