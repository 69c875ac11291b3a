package terminal

import "golang.org/x/sys/windows"

// hide turns off that a console shows what is typed, and returns what turns it on.
func hide(fd uintptr) (restore func(), err error) {
	var was uint32
	if err := windows.GetConsoleMode(windows.Handle(fd), &was); err != nil {
		return nil, err
	}
	now := was&^windows.ENABLE_ECHO_INPUT | windows.ENABLE_LINE_INPUT | windows.ENABLE_PROCESSED_INPUT
	if err := windows.SetConsoleMode(windows.Handle(fd), now); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(windows.Handle(fd), was) }, nil
}
