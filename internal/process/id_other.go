//go:build !(linux || darwin || windows)

package process

const canLook = false

func boot() string { return "" }

func started(int) (string, bool) { return "", false }
