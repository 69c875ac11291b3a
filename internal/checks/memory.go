package checks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project/consent"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// kinds are what a person trusts with pawl trust checks.
var kinds = []consent.Kind{consent.Check, consent.Setup, consent.Copy}

func (s *Service) consents() ([]consent.Entry, error) {
	if s.none != nil {
		return nil, nil
	}
	return s.list.In(s.place, kinds...)
}

// sums are those of what may run here, and since when; zero: the user's settings say it.
type sums map[string]time.Time

func (s sums) has(sum string) bool { _, ok := s[sum]; return ok }

func (s *Service) trusted() (sums, error) {
	all, err := s.consents()
	at := sums{}
	for i := range all {
		at[all[i].Thing] = all[i].At
	}
	for i := range s.Users {
		at[s.Users[i].Sum()] = time.Time{}
	}
	return at, err
}

// Trusted returns what a person has trusted here.
func (s *Service) Trusted() ([]consent.Entry, error) {
	if s.none != nil {
		return nil, s.none
	}
	return s.consents()
}

// Trust lets checks run on this board in this clone, and takes for granted what tasks
// require now: it forgets what they required before.
func (s *Service) Trust(ctx context.Context, all []pawl.Check, tasks []pawl.Task) error {
	var wanted []Wanted
	for i := range all {
		wanted = append(wanted, Wanted{Check: all[i]})
	}
	if err := s.agree(ctx, wanted); err != nil {
		return err
	}
	return s.remember(ctx, tasks, true)
}

// agree notes that a person lets this run here.
func (s *Service) agree(ctx context.Context, all []Wanted) error {
	if s.none != nil {
		return s.none
	}
	if len(all) == 0 {
		return nil
	}
	var things []consent.Given
	for i := range all {
		things = append(things, consent.Given{Kind: all[i].kind(), Thing: all[i].Sum(), Shown: all[i].shown()})
	}
	_, err := s.list.Add(ctx, s.place, s.now(), things...)
	return err
}

// Agree takes for granted what the project requires now.
func (s *Service) Agree(ctx context.Context) error {
	if s.none != nil {
		return s.none
	}
	trusted, err := s.trusted()
	if err != nil || s.dir() == "" {
		return err
	}
	_, err = s.hadList().Change(ctx, func(list []had) []had {
		list = slices.DeleteFunc(list, func(h had) bool { return strings.HasPrefix(h.Task, s.project()) })
		for _, n := range s.required(trusted) {
			list = n.in(list, false)
		}
		return list
	})
	return err
}

type had struct {
	Task string `json:"task"` // as key names it; or a kind of tasks, as project does
	// Checks are their sums, with what they are called.
	Checks map[string]string `json:"checks"`
	// Since is when a person agreed to what it required then: earlier requirements no longer
	// count.
	Since time.Time `json:"since,omitzero"`
	// Agreed are the sums that it had then and that a person let go. An edit of the task's
	// file is in the board's history later than the agreement to it.
	Agreed []string `json:"agreed,omitempty"`
}

// mostHad bounds the memory of tasks: the oldest ones go.
const mostHad = 3000

func (s *Service) hadList() *userdir.List[had] {
	return &userdir.List[had]{Dir: s.dir(), Name: "tasks.json", Key: "tasks", What: "the memory of tasks' checks", Else: "Pawl completes no task with it"}
}

func (s *Service) had() ([]had, error) {
	if s.dir() == "" {
		return nil, nil
	}
	return s.hadList().All()
}

// key names a task by what no merge changes and no file can give to another one.
func (s *Service) key(id pawl.ID, t *pawl.Task) string {
	return fmt.Sprintf("%s %v@%d", s.Board, id, t.CreatedAt.UnixMilli())
}

// keys are all names of a task: merges may have given it another number.
func (s *Service) keys(t *pawl.Task) []string {
	keys := []string{s.key(t.ID, t)}
	for _, id := range t.Was {
		keys = append(keys, s.key(id, t))
	}
	return keys
}

// project names all tasks of the board, for which the project asks for checks, and with a
// label behind it those that have the label.
func (s *Service) project() string { return s.Board + " of the project" }

// kinds are the kinds of tasks that one with labels is of.
func (s *Service) kinds(labels []string) []string {
	kinds := []string{s.project()}
	for _, label := range labels {
		kinds = append(kinds, s.project()+" "+label)
	}
	return kinds
}

// noted are checks that a task, or a kind of tasks, requires.
type noted struct {
	keys   []string // the first one is how it is called now
	checks map[string]string
	since  time.Time
	past   bool // it may have required others
}

// hadOf is all that the list has under some names of a task.
func hadOf(list []had, keys []string) had {
	all := had{Checks: map[string]string{}}
	for _, h := range list {
		if !slices.Contains(keys, h.Task) {
			continue
		}
		maps.Copy(all.Checks, h.Checks)
		all.Agreed = append(all.Agreed, h.Agreed...)
		if h.Since.After(all.Since) {
			all.Since = h.Since
		}
	}
	return all
}

// in notes it in the list. With replace that is all that is known; else it comes to what was
// noted before.
func (n *noted) in(list []had, replace bool) []had {
	now := hadOf(list, n.keys)
	now.Task = n.keys[0]
	if replace {
		now.Agreed = slices.AppendSeq(now.Agreed, maps.Keys(now.Checks))
		now.Since = n.since
		clear(now.Checks)
	}
	maps.Copy(now.Checks, n.checks)
	now.Agreed = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(now.Agreed))), func(sum string) bool { return now.Checks[sum] != "" })
	rest := slices.DeleteFunc(list, func(h had) bool { return slices.Contains(n.keys, h.Task) })
	if len(now.Checks) > 0 || len(rest) < len(list) || n.past {
		rest = append(rest, now)
	}
	return rest[max(0, len(rest)-mostHad):]
}

// known reports whether the list has all of it.
func (n *noted) known(list []had) bool {
	return slices.ContainsFunc(list, func(h had) bool {
		if h.Task != n.keys[0] {
			return false
		}
		for sum := range n.checks {
			if _, ok := h.Checks[sum]; !ok {
				return false
			}
		}
		return true
	})
}

// required are the trusted checks that the project requires of its tasks.
func (s *Service) required(trusted sums) []noted {
	var all []noted
	for i := range s.Rules {
		rule := &s.Rules[i]
		sum := rule.Sum()
		if rule.Optional || !trusted.has(sum) {
			continue
		}
		kinds := s.kinds(rule.Labels)
		if len(rule.Labels) > 0 {
			kinds = kinds[1:]
		}
		for _, kind := range kinds {
			all = append(all, noted{keys: []string{kind}, checks: map[string]string{sum: rule.Name}})
		}
	}
	return all
}

// remember notes which trusted checks tasks require. With replace that is all that they
// are known to require; else it comes to what was noted before.
func (s *Service) remember(ctx context.Context, tasks []pawl.Task, replace bool) error {
	trusted, err := s.trusted()
	if err != nil {
		return err
	}
	var all []noted
	for i := range tasks {
		t := &tasks[i]
		n := noted{keys: s.keys(t), checks: map[string]string{}}
		for _, c := range t.AllChecks(s.Rules) {
			if sum := c.Sum(); !c.Optional && trusted.has(sum) {
				n.checks[sum] = c.Name
			}
		}
		if replace {
			n.since, n.past = s.now(), t.UpdatedAt.After(t.CreatedAt)
		}
		all = append(all, n)
	}
	return s.note(ctx, append(all, s.required(trusted)...), len(tasks), replace)
}

// note notes what is not known yet; with replace the first ones in the place of what is.
func (s *Service) note(ctx context.Context, all []noted, first int, replace bool) error {
	list, err := s.had()
	if err != nil {
		return err
	}
	if !replace {
		first = 0
	}
	var added []noted
	for i, n := range all {
		if i < first && s.dir() != "" || len(n.checks) > 0 && !n.known(list) {
			added = append(added, n)
		}
	}
	if len(added) == 0 {
		return nil
	}
	if _, err := s.mark(); err != nil {
		return nil // only the user's settings trust anything here
	}
	_, err = s.hadList().Change(ctx, func(list []had) []had {
		for i := range added {
			list = added[i].in(list, i < first)
		}
		return list
	})
	return err
}

// recollect notes what tasks required in their past that this clone trusted by then, also
// if no check ran here in the meantime. The board's history covers every way in which a task
// can change, an editor on its file included.
func (s *Service) recollect(ctx context.Context, r Request, tasks []pawl.Task) error {
	if s.home != nil {
		if err := s.home.recollect(ctx, r, tasks); err != nil {
			return err
		}
	}
	at, err := s.trusted()
	if err != nil || len(at) == 0 {
		return err
	}
	if _, err := s.mark(); err != nil {
		return nil // nothing can be noted, and only the user's settings trust anything here
	}
	list, err := s.had()
	if err != nil {
		return err
	}
	all := s.required(at)
	for i := range tasks {
		t := &tasks[i]
		if len(t.Merging) > 0 {
			return pawl.Unmerged(t) // only the merge says whose past it is: its file does not
		}
		n := noted{keys: s.keys(t), checks: map[string]string{}}
		was := hadOf(list, n.keys)
		under := pastUnder{at, s.Rules, was.Since, was.Agreed}
		for _, id := range append([]pawl.ID{t.ID}, t.Was...) {
			found, err := s.past(ctx, r, id, t, &under)
			if err != nil {
				return err
			}
			maps.Copy(n.checks, found)
		}
		all = append(all, n)
	}
	return s.note(ctx, all, 0, false)
}

// anyHad reports whether one of the tasks may have required trusted checks.
func (s *Service) anyHad() (bool, error) {
	list, err := s.had()
	if err != nil || len(list) > 0 || s.home != nil {
		return err == nil, err
	}
	trusted, err := s.trusted()
	return len(trusted) > 0, err
}

// Lost are the names of the checks that a person of this clone trusted for a task and
// that it does not require now: removed, changed, or made optional.
func (s *Service) Lost(t *pawl.Task) ([]string, error) {
	list, err := s.had()
	if err != nil {
		return nil, err
	}
	lost := hadOf(list, append(s.keys(t), s.kinds(t.Labels)...))
	for _, c := range t.AllChecks(s.Rules) {
		if !c.Optional {
			delete(lost.Checks, c.Sum())
		}
	}
	return slices.Compact(slices.Sorted(maps.Values(lost.Checks))), nil
}

// A kept run is what this clone has seen of one.
type keptRun struct {
	Task     string        `json:"task"` // or a todo list, as listKey names it
	Evidence pawl.Evidence `json:"evidence"`
	Tail     string        `json:"tail,omitempty"`
	Why      string        `json:"why,omitempty"`
	States   string        `json:"states,omitempty"` // those of all files, as stamp has them
}

// mostRuns bounds how many runs are kept, one for each check of a task.
const mostRuns = 500

func runFile(key, sum string) string {
	hash := sha256.Sum256([]byte(key + " " + sum))
	return hex.EncodeToString(hash[:16]) + ".json"
}

func (s *Service) keepRun(ctx context.Context, kept keptRun) error {
	dir, err := s.mark()
	if err != nil {
		return nil // only the user's settings trust anything here, and the check runs again
	}
	return s.keep(ctx, filepath.Join(dir, "runs"), runFile(kept.Task, kept.Evidence.Sum), kept)
}

// keep writes a file into a folder that has only the newest ones.
func (s *Service) keep(ctx context.Context, dir, name string, what any) error {
	text, err := json.Marshal(what)
	if err == nil {
		err = userdir.Make(dir)
	}
	if err != nil {
		return err
	}
	file := rewrite.File{Dir: dir, Name: name, Lock: ".lock", Temp: ".new", Mode: 0o600, Limit: maxKept}
	if _, err := file.Change(ctx, func([]byte) ([]byte, error) { return text, nil }); err != nil {
		return err
	}
	s.prune(dir)
	return nil
}

const maxKept = 64 << 10

// prune removes the oldest runs when there are too many.
func (s *Service) prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= mostRuns+2 {
		return
	}
	type aged struct {
		name string
		at   time.Time
	}
	var all []aged
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && filepath.Ext(entry.Name()) == ".json" {
			all = append(all, aged{entry.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b aged) int { return a.at.Compare(b.at) })
	for _, old := range all[:max(0, len(all)-mostRuns)] {
		os.Remove(filepath.Join(dir, old.name)) // one that stays is removed the next time
	}
}

// ran returns what this clone has seen of the run that a task's evidence is of.
func (s *Service) ran(t *pawl.Task, e *pawl.Evidence) (keptRun, bool) {
	for _, key := range s.keys(t) {
		kept, ok := s.kept(key, e.Sum)
		if !ok {
			continue
		}
		was, is := kept.Evidence, *e
		was.At, is.At, was.By, is.By = time.Time{}, time.Time{}, "", "" // the board sets them
		if was == is {
			return kept, true
		}
	}
	return keptRun{}, false
}

// kept returns what this clone has seen of the last run of a check.
func (s *Service) kept(key, sum string) (kept keptRun, ok bool) {
	if s.dir() == "" {
		return kept, false
	}
	text, err := os.ReadFile(filepath.Join(s.dir(), "runs", runFile(key, sum)))
	ok = err == nil && len(text) <= maxKept && json.Unmarshal(text, &kept) == nil && kept.Evidence.Sum == sum
	return kept, ok
}
