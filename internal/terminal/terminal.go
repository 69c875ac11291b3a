// Package terminal tells what a stream is connected to.
package terminal

import "os"

// Is reports whether stream is a terminal that understands colours.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isTerminal(f.Fd())
}
