package process

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A Group is a command and all that it starts.
type Group struct {
	cmd *exec.Cmd
	job windows.Handle
}

// NewGroup lets a command, not started yet, run in a job of its own and without a console,
// so that nothing in it can ask there for a password.
func NewGroup(cmd *exec.Cmd) *Group {
	g := &Group{cmd: cmd}
	if job, err := windows.CreateJobObject(nil, nil); err == nil {
		g.job = job
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
	return g
}

// Started is called when the command was started. Processes that it has started
// before are not in the group.
func (g *Group) Started() {
	if g.job == 0 {
		return
	}
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(g.cmd.Process.Pid))
	if err == nil {
		_ = windows.AssignProcessToJobObject(g.job, p)
		_ = windows.CloseHandle(p)
	}
}

// End ends all of it: without a console nothing can be asked to.
func (g *Group) End() error { g.Kill(); return nil }

// Kill ends all of it that still runs.
func (g *Group) Kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	if g.cmd.Process != nil {
		_ = g.cmd.Process.Kill()
	}
}

// Left reports whether something of it runs, when the command itself has ended and was
// waited for.
func (g *Group) Left() bool {
	var list struct { // JOBOBJECT_BASIC_PROCESS_ID_LIST
		assigned, count uint32
		pids            [16]uintptr
	}
	if g.job == 0 {
		return false
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicProcessIdList, uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && err != windows.ERROR_MORE_DATA {
		return false
	}
	for _, pid := range list.pids[:min(int(list.count), len(list.pids))] {
		if pid != uintptr(g.cmd.Process.Pid) && works(uint32(pid)) { // the command itself may be counted for a moment more
			return true
		}
	}
	return false
}

// works reports whether a process has not ended, and is not what the system itself
// started for the console of a program.
func works(pid uint32) bool {
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.SYNCHRONIZE, false, pid)
	if err != nil {
		return err == windows.ERROR_ACCESS_DENIED // else it has ended
	}
	defer func() { _ = windows.CloseHandle(p) }()
	if event, err := windows.WaitForSingleObject(p, 0); err == nil && event == windows.WAIT_OBJECT_0 {
		return false
	}
	name := make([]uint16, windows.MAX_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(p, 0, &name[0], &size) != nil {
		return true
	}
	return !strings.EqualFold(filepath.Base(windows.UTF16ToString(name[:size])), "conhost.exe")
}

// Close frees the resources of NewGroup. It ends no process.
func (g *Group) Close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}
