package process

import (
	"fmt"

	"golang.org/x/sys/unix"
)

const canLook = true

func boot() string { return Boot() }

const zombie = 5 // SZOMB of sys/proc.h

func started(pid int) (string, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid || info.Proc.P_stat == zombie {
		return "", false
	}
	at := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", at.Sec, at.Usec), true
}
