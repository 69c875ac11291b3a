//go:build !unix

package userdir

import "io/fs"

// owned has nothing to go by: the system keeps the folders of users apart.
func owned(fs.FileInfo) bool { return true }

// Private has nothing to go by either.
func Private(fs.FileInfo) bool { return true }
