//go:build !linux && !windows

package gitshare

// machineID is what the system calls this machine; empty: nothing that lasts.
func machineID() string { return "" }
