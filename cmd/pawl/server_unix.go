//go:build unix

package main

import "syscall"

const serverName = "pawl-server"

// become has another program go on as this process.
func become(path string, args, env []string) error { return syscall.Exec(path, args, env) }
