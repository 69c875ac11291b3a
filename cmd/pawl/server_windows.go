package main

import (
	"os"
	"os/exec"
	"os/signal"
)

const serverName = "pawl-server.exe"

// become runs another program, and ends as it does. Ctrl-C reaches both: that one decides.
func become(path string, args, env []string) error {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(path, args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return err
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
