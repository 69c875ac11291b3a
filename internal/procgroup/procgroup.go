// Package procgroup runs a command so that what it starts ends with it.
//
//	g := procgroup.New(cmd) // before cmd.Start
//	defer g.Close()
//	err := cmd.Start()
//	g.Started()
//	g.End()                 // asks all of it to end
//	g.Kill()                // ends it
//	g.Left()                // something of it runs, after cmd has ended
//
// On unix it is a session of its own, without a terminal. On Linux all processes of
// the session are found, on other systems those in the group of the command, so that
// one that a shell with job control put into another group is not. On Windows it is a
// job, without a console. A process that made a session of its own has left the group,
// and nothing here finds it: only a process that adopts all orphans could (on Linux a
// “child subreaper”), and a program that has other children must not wait for all.
package procgroup

import "time"

// Gone waits until nothing is left, for so long.
func Gone(left func() bool, patience time.Duration) bool {
	until := time.NewTimer(patience)
	defer until.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for left() {
		select {
		case <-look.C:
		case <-until.C:
			return false
		}
	}
	return true
}
