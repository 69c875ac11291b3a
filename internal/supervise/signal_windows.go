package supervise

import "os"

const tells = false

var (
	asked  os.Signal = os.Kill
	polite os.Signal = os.Kill // without a console nothing can be asked to end
)

func signalled(*os.ProcessState) string { return "" }

// closeInherited has nothing to close: a process gets only the handles that are listed for it.
func closeInherited() {}
