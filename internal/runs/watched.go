package runs

import "context"

// Watched lets a screen read the runs of a clone, and send them requests. Many
// goroutines may use it.
type Watched interface {
	// Status is how the run stands; false: there has never been one here.
	Status() (Status, bool)
	// Attempts are the attempts at a task, the newest last.
	Attempts(Identity) []View
	// Diff is what the last attempt at a task changed; empty: nothing.
	Diff(context.Context, Identity) (string, error)
	// Ask has the run do something about the task, and says what follows. It refuses
	// what the caller may not do, and what does not fit how the last attempt stands.
	Ask(Control) (string, error)
}

// Each calls do with every attempt of the status.
func (st *Status) Each(do func(*View)) {
	for i := range st.Slots {
		if v := st.Slots[i].Attempt; v != nil {
			do(v)
		}
	}
	for _, all := range [][]View{st.Queue, st.Waiting, st.Held, st.Done} {
		for i := range all {
			do(&all[i])
		}
	}
}
