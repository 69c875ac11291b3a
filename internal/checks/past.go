package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
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

// pastUnder is what a task's past is judged by besides its history.
type pastUnder struct {
	At     sums
	Rules  []pawl.CheckRule
	Since  time.Time // as in had
	Agreed []string
}

// find finds the trusted checks that a task required, in changes of a number that it has or
// had, the newest first. The state before a change lasted until then. The state after the
// newest one lasts until now: the next write records an edit of its file, and of an edit of
// more than 100 files only the ids.
func (u *pastUnder) find(sets []pawl.ChangeSet, id pawl.ID, t *pawl.Task) map[string]string {
	found := map[string]string{}
	var seen time.Time // when it was like that for sure
	add := func(was *pawl.Task, now bool) {
		for _, c := range was.AllChecks(u.Rules) {
			at, ok := u.At[c.Sum()]
			agreed := !seen.After(u.Since) && !at.After(u.Since) || slices.Contains(u.Agreed, c.Sum())
			if ok && !c.Optional && (now || !at.After(seen)) && !agreed {
				found[c.Sum()] = c.Name
			}
		}
	}
	its := func(made time.Time) bool {
		return made.UnixMilli() == t.CreatedAt.UnixMilli() || id == t.ID
	}
	var last pawl.Task
	for _, set := range slices.Backward(sets) {
		for _, c := range set.Changes {
			if c.ID != id || c.Before == nil && c.After == nil || !its(c.CreatedAt) {
				continue
			}
			seen = set.At
			if c.Before == nil {
				last = *c.After
				continue
			}
			add(c.Before, false)
			if slices.ContainsFunc(set.Changes, func(to pawl.Change) bool {
				return to.ID != id && to.After != nil && slices.Contains(to.After.Was, id) && to.CreatedAt.UnixMilli() == c.Before.CreatedAt.UnixMilli()
			}) {
				clear(found) // it was another task, to which a merge gave another number
			}
			if c.After != nil {
				pawl.CopyFields(&last, c.After, c.Fields...)
			}
		}
	}
	add(&last, true)
	return found
}

// past finds the checks that a task required in its past, by the changes of a number that it
// has or had.
func (s *Service) past(ctx context.Context, r Request, id pawl.ID, t *pawl.Task, under *pastUnder) (map[string]string, error) {
	text, err := json.Marshal(under)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(text)
	is := pastRead{Task: s.key(id, t), Under: hex.EncodeToString(hash[:])}
	dir, name := filepath.Join(s.dir(), "past"), runFile(is.Task, "")
	var was pastRead
	var sets []pawl.ChangeSet
	fits := false
	if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && json.Unmarshal(text, &was) == nil && was.Task == is.Task && was.Under == is.Under && was.Revision > 0 {
		if sets, err = r.Past(ctx, id, was.Revision-1); err != nil {
			return nil, err
		}
		n := len(sets)
		fits = n > 0 && sets[n-1].Revision == was.Revision && sets[n-1].At.Equal(was.At)
	}
	if !fits {
		if sets, err = r.Past(ctx, id, 0); err != nil {
			return nil, err
		}
	}
	is.Checks = under.find(sets, id, t)
	if fits {
		maps.Copy(is.Checks, was.Checks)
	}
	if len(sets) <= fewSets {
		return is.Checks, nil
	}
	is.Revision, is.At = sets[0].Revision, sets[0].At
	_ = s.keep(ctx, dir, name, is) // without the file all is read the next time, too
	return is.Checks, nil
}
