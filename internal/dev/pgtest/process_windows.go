package pgtest

import (
	"errors"
	"os"
	"os/exec"
)

const canRun = false

func asServer(*exec.Cmd) {}

func giveAway(...string) error { return nil }

func (c *Cluster) watch() error { return errNotHere }

// Kill is kill -9 of the server and all its processes at once.
func (c *Cluster) Kill() {}

// Freeze stops the server and all its processes.
func (c *Cluster) Freeze() {}

// Thaw lets a frozen server go on.
func (c *Cluster) Thaw() {}

// Pids are the processes of the server.
func (c *Cluster) Pids() []int { return nil }

func freeze(int) error { return errNotHere }

var promotion os.Signal

func (c *Cluster) signal(os.Signal) error { return errNotHere }

var errNotHere = errors.New("not on Windows")
