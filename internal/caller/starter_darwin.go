package caller

import "golang.org/x/sys/unix"

const canLook = true

func ancestor(pid int) (parent, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	start, ok := started(pid)
	if err != nil || !ok {
		return parent{}, false
	}
	return parent{processID("agent", pid, start), unix.ByteSliceToString(info.Proc.P_comm[:]), int(info.Eproc.Ppid)}, true
}
