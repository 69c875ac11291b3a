package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A pastRead is what was found in a task's history, so that the next time only what is
// newer is read. It repeats what a whole reading finds: where it does not fit to the
// history or to what is trusted, or is gone, all is read again.
type pastRead struct {
	Task     string            `json:"task"`
	Revision pawl.Revision     `json:"revision"` // of the newest change that was read
	At       time.Time         `json:"at"`       // its time: a board that was made again has another one
	Under    string            `json:"under"`    // a hash of all else that the result depends on
	Checks   map[string]string `json:"checks,omitempty"`
}

// fewSets are read again each time: a file for them would cost as much.
const fewSets = 50

// past finds the checks that a task required in its past with find, which says it of some
// changes. Under is what the answer depends on besides them.
func (s *Service) past(ctx context.Context, r Request, t *pawl.Task, under any, find func([]pawl.ChangeSet) map[string]string) (map[string]string, error) {
	text, err := json.Marshal(under)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(text)
	is := pastRead{Task: s.key(t.ID, t), Under: hex.EncodeToString(hash[:])}
	dir, name := filepath.Join(s.dir(), "past"), runFile(is.Task, "")
	var was pastRead
	var sets []pawl.ChangeSet
	fits := false
	if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && json.Unmarshal(text, &was) == nil && was.Task == is.Task && was.Under == is.Under && was.Revision > 0 {
		if sets, err = r.Past(ctx, t.ID, was.Revision-1); err != nil {
			return nil, err
		}
		n := len(sets)
		fits = n > 0 && sets[n-1].Revision == was.Revision && sets[n-1].At.Equal(was.At)
	}
	if !fits {
		if sets, err = r.Past(ctx, t.ID, 0); err != nil {
			return nil, err
		}
	}
	is.Checks = find(sets)
	if fits {
		for sum, name := range was.Checks {
			is.Checks[sum] = name
		}
	}
	if len(sets) <= fewSets {
		return is.Checks, nil
	}
	is.Revision, is.At = sets[0].Revision, sets[0].At
	if text, err = json.Marshal(is); err != nil {
		return nil, err
	}
	// Without the file all is read the next time, too.
	if userdir.Make(dir) == nil && len(text) <= maxKept {
		file := rewrite.File{Dir: dir, Name: name, Lock: ".lock", Temp: ".new", Mode: 0o600, Limit: maxKept}
		if _, err := file.Change(ctx, func([]byte) ([]byte, error) { return text, nil }); err == nil {
			s.prune(dir)
		}
	}
	return is.Checks, nil
}
