package caller

import (
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

const canLook = true

// ancestor looks through a list of all processes, which is how Windows tells
// who started one. A number that was given to a younger process since is not
// followed.
func ancestor(pid int) (parent, bool) {
	id, ok := startedAt(pid)
	if !ok {
		return parent{}, false
	}
	all, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return parent{}, false
	}
	defer windows.CloseHandle(all)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(all, &entry); err == nil; err = windows.Process32Next(all, &entry) {
		if int(entry.ProcessID) != pid {
			continue
		}
		up := int(entry.ParentProcessID)
		if older, ok := startedAt(up); !ok || older > id {
			up = 0
		}
		return parent{processID("agent", pid, strconv.FormatInt(id, 10)), windows.UTF16ToString(entry.ExeFile[:]), up}, true
	}
	return parent{}, false
}

// startedAt says when a process began, in nanoseconds.
func startedAt(pid int) (int64, bool) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil || pid == 0 {
		return 0, false
	}
	defer windows.CloseHandle(process)
	var started, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &started, &ended, &kernel, &user) != nil {
		return 0, false
	}
	return started.Nanoseconds(), true
}
