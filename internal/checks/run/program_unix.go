//go:build unix

package run

// fold is the name of a variable as the system compares it.
func fold(name string) string { return name }
