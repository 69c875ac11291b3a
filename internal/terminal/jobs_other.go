//go:build !unix

package terminal

// ReadInBackground has nothing to do: there are no jobs.
func ReadInBackground() {}
