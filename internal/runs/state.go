package runs

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// A State is the sum of a journal's records. The zero value is that of an empty
// one.
type State struct {
	N       int // of the last record
	Run     *Run
	Running bool // a runner began and has not ended in order
	Tasks   map[Identity]*Work
	Paused  map[string]Pause // by agent; "" is integration
	Done    int64            // of the control file
}

// Work is all attempts at a task, and remarks on it.
type Work struct {
	Attempts []Attempt
	Remarks  []string
	Asked    *Asked // what a person asked for while the last attempt was at work
	Since    int    // the number of attempts when a person asked for more: they are counted from there
}

// Last returns the newest attempt; nil: there is none.
func (w *Work) Last() *Attempt {
	if w == nil || len(w.Attempts) == 0 {
		return nil
	}
	return &w.Attempts[len(w.Attempts)-1]
}

// Apply adds a record. It skips records of unknown kinds, so that an older Pawl reads
// the journal of a newer one.
func (s *State) Apply(r Record) {
	s.N = r.N
	switch r.Kind {
	case KindBegin:
		if s.Running { // a runner was killed: its agent's service still refuses
			delete(s.Paused, "")
		} else {
			s.Paused = nil
		}
		s.Run, s.Running = r.Run, true
	case KindAccept:
		s.Run = r.Run
	case KindEnd:
		s.Running = false
	case KindPause:
		if s.Paused == nil {
			s.Paused = map[string]Pause{}
		}
		s.Paused[r.Pause.Agent] = *r.Pause
	case KindResume:
		delete(s.Paused, r.Pause.Agent)
	case KindControl:
		s.Done = r.Done
	case KindRemark:
		w := s.work(r.Remark.Task)
		if r.Remark.Text != "" {
			w.Remarks = append(w.Remarks, r.Remark.Text)
		}
		if r.Remark.Retry {
			w.Since = len(w.Attempts)
		}
	case KindAsked:
		s.work(r.Asked.Task).Asked = r.Asked
	case KindAttempt:
		if r.Attempt == nil {
			return
		}
		w := s.work(r.Attempt.Task)
		if r.Attempt.Phase == Claiming {
			w.Asked = nil
		}
		at := slices.IndexFunc(w.Attempts, func(a Attempt) bool { return a.Key == r.Attempt.Key })
		if at < 0 {
			w.Attempts = append(w.Attempts, *r.Attempt)
			return
		}
		w.Attempts[at] = *r.Attempt
	}
}

func (s *State) work(id Identity) *Work {
	if s.Tasks == nil {
		s.Tasks = map[Identity]*Work{}
	}
	if s.Tasks[id] == nil {
		s.Tasks[id] = &Work{}
	}
	return s.Tasks[id]
}

// Attempt returns a copy of an attempt as it stands.
func (s *State) Attempt(k Key) (Attempt, bool) {
	if w := s.Tasks[k.Task]; w != nil {
		for i := range w.Attempts {
			if w.Attempts[i].Key == k {
				return w.Attempts[i], true
			}
		}
	}
	return Attempt{}, false
}

// Meant is the newest attempt at the task that a request is about; nil: there is none.
func (s *State) Meant(c Control) *Attempt {
	for id, w := range s.Tasks {
		if last := w.Last(); last != nil && (id == c.Task || c.Task == "" && last.ID == c.ID) {
			return last
		}
	}
	return nil
}

// Expect applies requests that no runner has carried out yet, as if one had.
func (s *State) Expect(asked []Control) {
	for _, c := range asked {
		if a := s.Meant(c); a != nil {
			if to, fits := c.Op.Leads(a.Phase); fits {
				a.Phase, a.Changed = to, c.At
			}
		}
	}
}

// Live returns the attempts that are not over, the oldest first.
func (s *State) Live() []Attempt {
	var all []Attempt
	for _, w := range s.Tasks {
		for _, a := range w.Attempts {
			if !a.Phase.Over() {
				all = append(all, a)
			}
		}
	}
	sortAttempts(all)
	return all
}

func sortAttempts(all []Attempt) {
	slices.SortFunc(all, func(a, b Attempt) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.ID, b.ID), a.N-b.N)
	})
}

// Spent is the use of the attempts that chooses picks.
func (s *State) Spent(now time.Time, chooses func(*Attempt) bool) Spent {
	var sum Spent
	for _, w := range s.Tasks {
		for i := range w.Attempts {
			a := &w.Attempts[i]
			if !chooses(a) {
				continue
			}
			sum.Usage = sum.Usage.Add(a.Usage)
			sum.Time += a.took(now)
		}
	}
	return sum
}

// Branches are the names that attempts have used, so that no two share one.
func (s *State) Branches() map[string]bool {
	used := map[string]bool{}
	for _, w := range s.Tasks {
		for i := range w.Attempts {
			used[w.Attempts[i].Branch] = true
		}
	}
	return used
}

// Clone returns a copy that later records do not change.
func (s *State) Clone() *State {
	c := *s
	c.Tasks, c.Paused = make(map[Identity]*Work, len(s.Tasks)), maps.Clone(s.Paused)
	for id, w := range s.Tasks {
		c.Tasks[id] = &Work{Attempts: slices.Clone(w.Attempts), Remarks: slices.Clone(w.Remarks), Asked: w.Asked, Since: w.Since}
	}
	return &c
}

// Records are records that lead to this state, to begin a shorter journal with.
func (s *State) Records() []Record {
	var all []Record
	if s.Run != nil {
		all = append(all, Record{At: s.Run.Began, Kind: KindBegin, Run: s.Run})
	}
	for _, p := range s.Paused {
		all = append(all, Record{Kind: KindPause, Pause: &p})
	}
	for _, id := range slices.Sorted(maps.Keys(s.Tasks)) {
		w := s.Tasks[id]
		for i := range w.Attempts {
			if i == w.Since && i > 0 {
				all = append(all, Record{Kind: KindRemark, Remark: &Remark{Task: id, Retry: true}})
			}
			all = append(all, Record{At: w.Attempts[i].Changed, Kind: KindAttempt, Attempt: &w.Attempts[i]})
		}
		if w.Since > 0 && w.Since == len(w.Attempts) {
			all = append(all, Record{Kind: KindRemark, Remark: &Remark{Task: id, Retry: true}})
		}
		if w.Asked != nil {
			all = append(all, Record{Kind: KindAsked, Asked: w.Asked})
		}
		for _, text := range w.Remarks {
			all = append(all, Record{Kind: KindRemark, Remark: &Remark{Task: id, Text: text}})
		}
	}
	if s.Done > 0 {
		all = append(all, Record{Kind: KindControl, Done: s.Done})
	}
	if !s.Running {
		all = append(all, Record{Kind: KindEnd})
	}
	return all
}
