// Package filelock locks open files against other processes. A lock ends with
// the file, so one whose process was killed holds nobody up.
package filelock

import (
	"context"
	"os"
	"time"
)

// Wait takes the lock of an open file, and asks for it again after each poll while
// somebody else has it. Its error is that of ctx if ctx ends.
func Wait(ctx context.Context, file *os.File, poll time.Duration) error {
	for {
		if got, err := Try(file); got || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(poll):
		}
	}
}
