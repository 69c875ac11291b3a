//go:build !unix

package userdir

import "io/fs"

// owned has nothing to go by: the system keeps the folders of users apart.
func owned(fs.FileInfo) bool { return true }

// Private has nothing to go by either.
func Private(fs.FileInfo) bool { return true }

// Secret neither: what is below the user's folders only the user can read.
func Secret(fs.FileInfo) bool { return true }
