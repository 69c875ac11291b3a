package process

import "time"

// Gone waits until left is false, at most for patience, and reports whether it is.
func Gone(left func() bool, patience time.Duration) bool {
	until := time.NewTimer(patience)
	defer until.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for left() {
		select {
		case <-look.C:
		case <-until.C:
			return false
		}
	}
	return true
}
