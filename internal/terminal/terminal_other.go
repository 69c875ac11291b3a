//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd || windows)

package terminal

import "errors"

func isTerminal(uintptr) bool { return false }

func width(uintptr) int { return 0 }

func hide(uintptr) (restore func(), err error) { return nil, errors.ErrUnsupported }
