package supervise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/process"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

// The files of a folder.
const (
	specFile    = "spec.json"
	startedFile = "started.json"
	stopFile    = "stop.json"
	exitFile    = "exit.json"
	saidFile    = "keeper.txt"
	lockFile    = "keeper.lock"
)

// tagged is spec.json. The tag names one start.
type tagged struct {
	Tag  string `json:"tag"`
	Spec Spec   `json:"spec"`
}

// started is started.json.
type started struct {
	Tag     string     `json:"tag"`
	Keeper  process.ID `json:"keeper"`
	Program process.ID `json:"program"`
	At      time.Time  `json:"at"`
}

// stop is stop.json.
type stop struct {
	Why string `json:"why"`
}

// maxFile is how much of a file is read: a spec has an environment and arguments, which
// systems limit to a few megabytes.
const maxFile = 16 << 20

// read reads a file. It is false if the file does not exist.
func read(dir, name string, into any) (bool, error) {
	file, err := os.Open(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return false, fmt.Errorf("%s cannot be read: %w", file.Name(), err)
	}
	return true, nil
}

// write writes a file whole, and returns when it is on the disk.
func write(dir, name string, v any) error {
	return rewrite.Replace(filepath.Join(dir, name), func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// writePrivate is write for a file that only its user may read.
func writePrivate(dir, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return filelock.Keep(filepath.Join(dir, name), text)
}

func remove(dir, name string) error {
	err := filelock.Patiently(func() error { return os.Remove(filepath.Join(dir, name)) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
