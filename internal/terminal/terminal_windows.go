package terminal

import "golang.org/x/sys/windows"

// isTerminal turns the understanding of escape sequences on where it is off; a
// console that cannot have it counts as none.
func isTerminal(fd uintptr) bool {
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(fd), &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(windows.Handle(fd), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
