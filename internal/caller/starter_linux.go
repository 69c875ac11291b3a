package caller

import "github.com/pawl-dev/pawl/internal/process"

const (
	canLook          = true
	seesEnvironments = true
)

func ancestor(pid int) (parent, bool) {
	p, ok := process.Read(pid)
	return parent{processID("agent", pid, startOf(p)), p.Name, p.Parent}, ok
}

// inherited reports whether a process was itself started with a variable in its
// environment, which then says nothing about that process.
func (p Process) inherited(variable string) bool {
	if p.pid == 0 {
		return false
	}
	has, _ := process.HasVariable(p.pid, variable)
	return has
}
