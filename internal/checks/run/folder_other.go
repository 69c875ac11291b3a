//go:build !linux

package run

// start is the folder as the new process enters it. Only Linux has a name for an open
// folder.
func (f *folder) start() string { return f.path }
