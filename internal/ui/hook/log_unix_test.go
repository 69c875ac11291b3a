//go:build unix

package hook

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A log that cannot be written, as on a disk that does not answer, keeps no
// agent waiting. Here it is a pipe that nobody reads.
func TestLogThatBlocks(t *testing.T) {
	w := newWorld(t)
	must.Do(t, os.MkdirAll(w.state(), 0o700))
	path := filepath.Join(w.state(), "hook.log")
	must.Do(t, unix.Mkfifo(path, 0o600))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(t.Context(), lastWord)
		defer cancel()
		var out bytes.Buffer
		Run(ctx, w.env(strings.NewReader(`{"session_id": `), &out, "--agent", "claude"))
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the hook waits for its log")
	}
	reader, err := os.OpenFile(path, os.O_RDWR, 0) // lets who waits go
	must.Do(t, err)
	reader.Close()
}
