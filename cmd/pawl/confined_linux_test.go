package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

func init() { programs["confined"] = confined }

// confined runs a program that cannot do what the modes of files forbid, even
// when root runs the tests: in many containers root does.
func confined() {
	runtime.LockOSThread() // the bounding set belongs to the thread
	if os.Geteuid() == 0 {
		for _, capability := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil {
				fmt.Fprintln(os.Stderr, "confined:", err)
				os.Exit(125)
			}
		}
	}
	path, err := exec.LookPath(os.Args[1])
	if err == nil {
		err = unix.Exec(path, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "confined:", err)
	os.Exit(125)
}
