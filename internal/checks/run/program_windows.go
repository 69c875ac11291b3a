package run

import "strings"

// fold is the name of a variable as the system compares it.
func fold(name string) string { return strings.ToUpper(name) }
