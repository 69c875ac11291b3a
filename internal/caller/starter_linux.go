package caller

import (
	"bytes"
	"os"
	"strconv"
)

const (
	canLook          = true
	seesEnvironments = true
)

func ancestor(pid int) (parent, bool) {
	p, ok := readProcess(pid)
	return parent{processID("agent", pid, p.start), p.name, p.parent}, ok
}

// inherited reports whether a process was itself started with a variable in its
// environment, which then says nothing about that process.
func (p Process) inherited(variable string) bool {
	if p.pid == 0 {
		return false
	}
	env, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
	return err == nil && hasVariable(env, variable)
}

func hasVariable(environ []byte, name string) bool {
	return bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+name+"="))
}
