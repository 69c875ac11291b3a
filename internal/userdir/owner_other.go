//go:build !unix

package userdir

import "io/fs"

// owned is true: the system keeps the folders of users apart.
func owned(fs.FileInfo) bool { return true }

// Private is true for the same reason.
func Private(fs.FileInfo) bool { return true }

// Secret is true: only the user can read files below the user's folders.
func Secret(fs.FileInfo) bool { return true }
