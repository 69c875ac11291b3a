package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/userdir"
)

func (f Folder) control() string { return filepath.Join(f.Path, "control.jsonl") }

// Ask records a person's request to the run. A runner carries it out within about a
// second; without one, the next does.
func (f Folder) Ask(c runs.Control) error {
	f, err := f.Marked()
	if err != nil {
		return err
	}
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	if err := userdir.Make(f.Path); err != nil {
		return err
	}
	file, err := os.OpenFile(f.control(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	// One write, at the end: requests of several people do not mix.
	_, err = file.Write(append(line, '\n'))
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// Controls returns the requests after so many bytes, and how many bytes there are now.
// It skips invalid lines.
func (f Folder) Controls(after int64) ([]runs.Control, int64, error) {
	file, err := os.Open(f.control())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, after, nil
	}
	if err != nil {
		return nil, after, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.NewSectionReader(file, after, 1<<20))
	if err != nil {
		return nil, after, err
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	var all []runs.Control
	for line := range bytes.Lines(text[:end]) {
		var c runs.Control
		if json.Unmarshal(line, &c) == nil {
			all = append(all, c)
		}
	}
	return all, after + int64(end), nil
}

func (f Folder) live() string { return filepath.Join(f.Path, "live.json") }

// SetLive records the runner's view. It is for people, and does not wait for the disk.
func (f Folder) SetLive(l runs.Live) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return rewrite.Swap(f.live(), text)
}

// Live returns the last view of a runner; zero: none has run.
func (f Folder) Live() runs.Live {
	var l runs.Live
	text, err := os.ReadFile(f.live())
	if err != nil || json.Unmarshal(text, &l) != nil {
		return runs.Live{}
	}
	return l
}
