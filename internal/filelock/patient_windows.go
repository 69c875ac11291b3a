package filelock

import (
	"errors"
	"time"

	"golang.org/x/sys/windows"
)

const (
	patience = 2 * time.Second       // a reader on a busy machine is done by then
	pauseMax = 20 * time.Millisecond // between two tries
)

// Patiently repeats a call that fails while another process has the file open, for
// two seconds. A file that is open can neither be replaced nor removed here, and one
// that is being replaced cannot be opened: readers, editors and virus scanners are in
// each other's way for a moment. To be denied for good looks the same.
func Patiently(call func() error) error {
	pause, waited := time.Millisecond, time.Duration(0)
	for {
		err := call()
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_ACCESS_DENIED) || waited >= patience {
			return err
		}
		time.Sleep(pause)
		waited += pause
		pause = min(2*pause, pauseMax)
	}
}
