//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd || windows)

package terminal

func isTerminal(uintptr) bool { return false }

func width(uintptr) int { return 0 }
