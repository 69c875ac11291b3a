package runs

import (
	"fmt"

	"github.com/pawl-dev/pawl"
)

// Environment variables of an agent of a run.
const (
	EnvRun     = "PAWL_RUN"
	EnvTask    = "PAWL_TASK"
	EnvAttempt = "PAWL_ATTEMPT"
	EnvSlot    = "PAWL_SLOT"
)

// Inside returns the task of the attempt that this process runs in; false: it runs in
// none. The run completes that task, when its checks have passed on the merged files.
func Inside(getenv func(string) string) (pawl.ID, bool) {
	if getenv(EnvRun) == "" {
		return 0, false
	}
	id, err := pawl.ParseID(getenv(EnvTask))
	return id, err == nil
}

// ReadySays is the answer to an agent that reports its task done.
func ReadySays(id pawl.ID) string {
	return fmt.Sprintf("%v is ready for checks: commit your work and end your turn; the run checks it and completes the task", id)
}
