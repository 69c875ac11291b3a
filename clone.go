package pawl

import "strings"

// CloneHost returns the name of the machine in the id of a clone: "mac-mini" of
// "mac-mini-3f2a9c1d". An id of another form is returned as it is.
func CloneHost(clone string) string {
	const digits = 8
	host := len(clone) - digits - 1
	if host < 1 || clone[host] != '-' || strings.Trim(clone[host+1:], "0123456789abcdef") != "" {
		return clone
	}
	return clone[:host]
}
