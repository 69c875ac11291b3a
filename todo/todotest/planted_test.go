package todotest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// A recorder is a test that may fail without failing anything.
type recorder struct {
	mu       sync.Mutex
	failures []string
}

func (r *recorder) Helper()                  {}
func (r *recorder) Cleanup(func())           {}
func (r *recorder) Context() context.Context { return context.Background() }

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}

// record runs a check on a store with a fault, and returns how it failed.
func record(c check, fault string) []string {
	r, done := &recorder{}, make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				r.Errorf("panic: %v", p)
			}
		}()
		c.run(newWorld(r, func(TB) todo.Store {
			return &faulty{fault: fault, lists: map[todo.Key]todo.List{}, panels: map[string]int{}, log: map[todo.Key][]todo.CallNote{}}
		}))
	}()
	<-done
	return r.failures
}

// The suite is worth what it catches: each fault is seen by a check that a
// sound store passes.
func TestPlantedFaultsAreCaught(t *testing.T) {
	faults := map[string]string{
		"loads its own memory":                    "1 what is returned is a copy",
		"answers with its own memory":             "1 what is returned is a copy",
		"keeps what fn had":                       "1 what fn had is not kept",
		"gives fn its own memory":                 "1 what fn had is not kept",
		"has no lock":                             "2 updates at the same time follow one another",
		"forgets a field":                         "2 all of a list is stored",
		"takes the key of fn's list":              "2 the list keeps its key",
		"cuts a list":                             "2 a large list is stored whole",
		"removes nothing":                         "2 removed is removed",
		"refuses to remove nothing":               "2 removed is removed",
		"wraps the error of fn":                   "3 an error of fn stores nothing",
		"stores in spite of fn's error":           "3 an error of fn stores nothing",
		"keeps blank lists":                       "3 a list that has become blank leaves nothing behind",
		"keeps lists with todos only":             "3 what is remembered keeps a list",
		"folds case":                              "4 keys are kept apart by every byte",
		"joins session and agent":                 "4 keys are kept apart by every byte",
		"cuts names":                              "4 keys are kept apart by every byte",
		"takes keys as they come":                 "4 names of one key lead to one list",
		"lists in any order":                      "6 lists tells of every list, the newest first",
		"lists main agents only":                  "6 lists tells of every list, the newest first",
		"has problems":                            "5 nothing was set aside",
		"closes a panel twice":                    "panels are open until they are closed",
		"has one panel for all":                   "panels are open until they are closed",
		"shows a call after the next update only": "a noted call is there at once",
		"forgets calls in an update":              "a noted call is there at once",
		"forgets ends":                            "all calls that run end at once",
		"notes what is not to be noted":           "what is not to be noted leaves nothing behind",
		"adds calls to what is left":              "a call stays with its todo",
		"keeps the log of no list":                "what is noted goes with its list",
		"has a full log":                          "any number of calls can be noted",
		"empties what it has not read":            "nothing is lost of what is noted at the same time",
		"stamps the todos only":                   "a stamp tells of each change",
		"stamps each look":                        "a stamp tells of each change",
		"stamps all alike":                        "a stamp tells of each change",
		"sweeps open lists as done":               "sweep removes what nobody came back to",
		"sweeps what is just as old":              "sweep removes what nobody came back to",
	}
	checks := map[string]check{}
	for _, c := range allChecks() {
		checks[c.name] = c
		if failures := record(c, ""); failures != nil {
			t.Errorf("%s fails on a sound store: %s", c.name, failures[0])
		}
	}
	if len(checks) < 17 {
		t.Fatalf("only %d checks", len(checks))
	}
	for fault, by := range faults {
		c, ok := checks[by]
		if !ok {
			t.Fatalf("there is no check %q", by)
		}
		var failures []string
		for tries := 0; len(failures) == 0 && tries < 10; tries++ { // a race may be won by chance
			failures = record(c, fault)
		}
		if len(failures) == 0 {
			t.Errorf("a store that %s passes %q", fault, by)
		}
	}
}

// faulty is a small store with at most one fault.
type faulty struct {
	fault  string
	mu     sync.Mutex
	lists  map[todo.Key]todo.List
	panels map[string]int
	log    map[todo.Key][]todo.CallNote
	looks  int
}

func (s *faulty) has(fault string) bool { return s.fault == fault }

func (s *faulty) normal(key todo.Key) todo.Key {
	if !s.has("takes keys as they come") {
		key = key.Normal()
	}
	switch {
	case s.has("folds case"):
		key.Session = strings.ToLower(key.Session)
	case s.has("joins session and agent"):
		key = todo.Key{Session: key.Session + "+" + key.Agent}
	case s.has("cuts names") && len(key.Session) > 300:
		key.Session = key.Session[:300]
	}
	return key
}

func (s *faulty) get(key todo.Key) todo.List {
	list := s.lists[s.normal(key)]
	list.Key = key.Normal()
	if log := s.log[key]; len(log) > 0 && len(list.Items)+len(list.Past) > 0 && !s.has("shows a call after the next update only") {
		list = list.Clone()
		list.Note(log...)
	}
	return list
}

func (s *faulty) Load(_ context.Context, key todo.Key) (todo.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.get(key)
	if !s.has("loads its own memory") {
		list = list.Clone()
	}
	return list, nil
}

func (s *faulty) Update(_ context.Context, key todo.Key, fn func(*todo.List) error) (todo.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.get(key)
	if !s.has("gives fn its own memory") {
		list = list.Clone()
	}
	if s.has("forgets calls in an update") || s.has("adds calls to what is left") {
		list = s.lists[s.normal(key)].Clone()
		list.Key = key.Normal()
	}
	if s.has("has no lock") {
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
	}
	existed := !list.Blank()
	err := fn(&list)
	if s.has("has no lock") {
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
	}
	if err != nil && !s.has("stores in spite of fn's error") {
		if s.has("wraps the error of fn") {
			err = fmt.Errorf("update: %w", err)
		}
		return todo.List{}, err
	}
	if !s.has("takes the key of fn's list") {
		list.Key = key.Normal()
	}
	if s.has("adds calls to what is left") {
		for _, n := range s.log[key] {
			n.Content = 0
			list.Note(n)
		}
	}
	if s.has("shows a call after the next update only") {
		list.Note(s.log[key]...)
	}
	if s.has("empties what it has not read") {
		s.mu.Unlock()
		runtime.Gosched()
		s.mu.Lock()
	}
	if !s.has("keeps the log of no list") || existed && !list.Blank() {
		delete(s.log, key)
	}
	at := s.normal(list.Key)
	if s.has("takes keys as they come") {
		at = key
	}
	switch {
	case s.has("forgets a field"):
		list.Project = ""
	case s.has("cuts a list") && len(list.Items) > 100:
		list.Items = list.Items[:100]
	}
	blank := list.Blank()
	if s.has("keeps lists with todos only") {
		blank = len(list.Items) == 0
	}
	if blank && !s.has("keeps blank lists") {
		delete(s.lists, at)
		return todo.List{Key: key.Normal()}, err
	}
	if s.has("keeps what fn had") {
		s.lists[at] = list
	} else {
		s.lists[at] = list.Clone()
	}
	if s.has("answers with its own memory") {
		return s.lists[at], err
	}
	return list.Clone(), err
}

func (s *faulty) Lists(context.Context, time.Time) ([]todo.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var heads []todo.Head
	for _, list := range s.lists {
		if list.Agent == "" || !s.has("lists main agents only") {
			heads = append(heads, list.Head())
		}
	}
	slices.SortFunc(heads, todo.Newest)
	if s.has("lists in any order") {
		slices.Reverse(heads)
	}
	return heads, nil
}

func (s *faulty) LogCall(_ context.Context, key todo.Key, _ string, note func(*todo.List) (todo.CallNote, bool)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.get(key)
	n, ok := note(&list)
	switch {
	case !ok && !s.has("notes what is not to be noted"):
	case s.has("has a full log") && len(s.log[key]) == 100:
	case s.has("forgets ends") && n.Ends == todo.All:
	default:
		s.log[key] = append(s.log[key], n)
	}
	return nil
}

func (s *faulty) Remove(_ context.Context, key todo.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.lists[s.normal(key)]; !ok && s.has("refuses to remove nothing") {
		return errRefused
	}
	if !s.has("keeps the log of no list") {
		delete(s.log, key)
	}
	if !s.has("removes nothing") {
		delete(s.lists, s.normal(key))
	}
	return nil
}

func (s *faulty) Problems() []string {
	if s.has("has problems") {
		return []string{"a problem"}
	}
	return nil
}

func (s *faulty) OpenPanel(_ context.Context, session string) (func() error, error) {
	if s.has("has one panel for all") {
		session = ""
	}
	s.panels[session]++
	open := true
	return func() error {
		if open || s.has("closes a panel twice") {
			s.panels[session]--
		}
		open = false
		return nil
	}, nil
}

func (s *faulty) PanelOpen(_ context.Context, session string) (bool, error) {
	if s.has("has one panel for all") {
		session = ""
	}
	return s.panels[session] > 0, nil
}

func (s *faulty) Stamp(_ context.Context, key todo.Key) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looks++; !s.has("stamps each look") {
		s.looks = 0
	}
	calls := len(s.log[key])
	if s.has("stamps the todos only") {
		calls = 0
	}
	return fmt.Sprint(s.looks, calls, s.lists[s.normal(key)]), nil
}

func (s *faulty) StampAll(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.has("stamps all alike") {
		return "", nil
	}
	return fmt.Sprint(s.lists), nil
}

func (s *faulty) Sweep(_ context.Context, done, open time.Time) (int, error) {
	n := 0
	for key, list := range s.lists {
		limit := done
		if list.Open() > 0 && !s.has("sweeps open lists as done") {
			limit = open
		}
		if list.UpdatedAt.Before(limit) || s.has("sweeps what is just as old") && list.UpdatedAt.Equal(limit) {
			delete(s.lists, key)
			n++
		}
	}
	return n, nil
}
