// Package filelock locks open files against other processes. A lock ends with
// the file, so one whose process was killed holds nobody up.
package filelock

import (
	"context"
	"fmt"
	"os"
	"time"
)

// Take opens a file of the user alone, made if it is missing, and takes its lock; nil: somebody
// else has it. See [Free].
func Take(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	got, err := Try(file)
	if got && err == nil {
		return file, nil
	}
	file.Close()
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return nil, err
}

// Held reports whether somebody has the lock of a file. It makes none.
func Held(path string) bool {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer func() { _ = Free(file) }()
	got, err := Try(file)
	return err == nil && !got
}

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
