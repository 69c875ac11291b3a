package pawl

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Check is a command that shows whether a task is done: it runs in a work tree, and
// passes when it ends with the exit code that is expected. No store and no server runs it.
type Check struct {
	Name     string   `json:"name"`
	Run      []string `json:"run,omitempty"`      // program and arguments; no shell reads them
	Dir      string   `json:"dir,omitempty"`      // below the top of the project, with slashes; empty: the top
	Env      []string `json:"env,omitempty"`      // names of variables that it gets besides the basic ones
	Expect   int      `json:"expect,omitempty"`   // the exit code that passes
	Optional bool     `json:"optional,omitempty"` // completing does not need it
	Timeout  Duration `json:"timeout,omitempty"`  // zero: CheckTimeout
}

// CheckTimeout is the limit of a check without one of its own.
const CheckTimeout = 10 * time.Minute

// Limit is how long the check may take.
func (c *Check) Limit() time.Duration {
	if c.Timeout == 0 {
		return CheckTimeout
	}
	return time.Duration(c.Timeout)
}

// Sum is a hash of all that decides what the check runs and when it passes: everything
// but its name and whether it is optional. Evidence and trust hold for a sum, so that
// neither holds for another command of the same name.
func (c *Check) Sum() string {
	h := sha256.New()
	part := func(s string) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		h.Write([]byte(s))
	}
	list := func(all []string) {
		part(fmt.Sprint(len(all)))
		for _, s := range all {
			part(s)
		}
	}
	list(c.Run)
	part(c.Dir)
	part(c.Limit().String())
	list(slices.Compact(slices.Sorted(slices.Values(c.Env))))
	part(fmt.Sprint(c.Expect))
	return hex.EncodeToString(h.Sum(nil))
}

// Equal reports whether two checks are the same in everything. Nil equals only nil.
func (c *Check) Equal(other *Check) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.Name == other.Name && c.Optional == other.Optional && c.Sum() == other.Sum() && c.Timeout == other.Timeout && slices.Equal(c.Env, other.Env)
}

// Clone returns a copy that shares no memory with c.
func (c *Check) Clone() Check {
	made := *c
	made.Run, made.Env = slices.Clone(c.Run), slices.Clone(c.Env)
	return made
}

// Valid says what is wrong with a check; nil: nothing is.
func (c *Check) Valid() []Fault {
	var f faults
	f.command("", c)
	return f
}

// command checks a check.
func (f *faults) command(at string, c *Check) {
	if at != "" {
		at += "."
	}
	f.required(at+"name", c.Name, MaxCheckName)
	if len(c.Run) == 0 || c.Run[0] == "" {
		f.add(at+"run", "names no program")
	}
	if len(c.Run) > MaxCheckArgs {
		f.add(at+"run", "has %d arguments; the most is %d: put them in a script of the project", len(c.Run), MaxCheckArgs)
	}
	size := 0
	for i, arg := range c.Run {
		size += len(arg)
		f.argument(fmt.Sprintf("%srun[%d]", at, i), arg)
	}
	if size > MaxCheckRun {
		f.add(at+"run", "has %d bytes; the most is %d: put it in a script of the project", size, MaxCheckRun)
	}
	if c.Dir != "" {
		f.folder(at+"dir", c.Dir)
	}
	if c.Timeout != 0 && (time.Duration(c.Timeout) < time.Second || time.Duration(c.Timeout) > MaxCheckTimeout || time.Duration(c.Timeout)%time.Millisecond != 0) {
		f.add(at+"timeout", "is %v; a check may take from %v to %v", c.Timeout, time.Second, MaxCheckTimeout)
	}
	if len(c.Env) > MaxCheckEnv {
		f.add(at+"env", "has %d names; the most is %d", len(c.Env), MaxCheckEnv)
		return
	}
	for i, name := range c.Env {
		if !variable(name) {
			f.add(fmt.Sprintf("%senv[%d]", at, i), "%q is not the name of a variable: a name has letters, digits and _ and no value", clip(name, 40))
		}
	}
	if c.Expect < 0 || c.Expect > 255 {
		f.add(at+"expect", "is %d; exit codes go from 0 to 255", c.Expect)
	}
}

func (f *faults) argument(path, s string) {
	switch {
	case !utf8.ValidString(s):
		f.add(path, notUTF8)
	case strings.ContainsRune(s, 0):
		f.add(path, "has a NUL character")
	}
}

// folder checks the name of a folder of the project.
func (f *faults) folder(at, dir string) {
	switch {
	case !utf8.ValidString(dir):
		f.add(at, notUTF8)
	case len(dir) > MaxCheckDir:
		f.add(at, "has %d bytes; the most is %d", len(dir), MaxCheckDir)
	case strings.ContainsAny(dir, "\x00\\:"), path.IsAbs(dir), path.Clean(dir) != dir, dir == "..", strings.HasPrefix(dir, "../"):
		f.add(at, "%q is not a folder of the project: write it from the project's top, as in web/app", clip(dir, 60))
	}
}

// variable reports whether name can be that of an environment variable.
func variable(name string) bool {
	for i, r := range name {
		switch {
		case r == '_', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', i > 0 && '0' <= r && r <= '9':
		default:
			return false
		}
	}
	return name != "" && len(name) <= MaxCheckName
}

// checks checks the checks of one task.
func (f *faults) checks(at string, all []Check) {
	if len(all) > MaxChecks {
		f.add(at, "has %d checks; the most is %d", len(all), MaxChecks)
		return
	}
	for i := range all {
		f.command(fmt.Sprintf("%s[%d]", at, i), &all[i])
		for _, other := range all[:i] {
			if oneLine(other.Name) == oneLine(all[i].Name) {
				f.add(fmt.Sprintf("%s[%d].name", at, i), "%q is the name of two checks", clip(all[i].Name, 60))
				break
			}
		}
	}
}

// cleanChecks are checks as they are kept.
func cleanChecks(all []Check) []Check {
	var kept []Check
	for i := range all {
		c := all[i].Clone()
		c.Name = oneLine(c.Name)
		if c.Dir == "." {
			c.Dir = ""
		}
		if len(c.Env) == 0 {
			c.Env = nil
		}
		kept = append(kept, c)
	}
	return kept
}

// A CheckRule is a check that a project asks of its tasks.
type CheckRule struct {
	Check
	Labels []string `json:"labels,omitempty"` // of tasks that have one of them; empty: of all tasks
}

// rules checks those that a project asks.
func (f *faults) rules(at string, all []CheckRule) {
	if len(all) > MaxChecks {
		f.add(at, "has %d checks; the most is %d", len(all), MaxChecks)
		return
	}
	for i := range all {
		at := fmt.Sprintf("%s[%d]", at, i)
		f.command(at, &all[i].Check)
		f.labels(at+".labels", all[i].Labels)
	}
}

// Of reports whether the project asks the check of a task.
func (r *CheckRule) Of(t *Task) bool {
	return len(r.Labels) == 0 || slices.ContainsFunc(r.Labels, func(l string) bool { return slices.Contains(t.Labels, l) })
}

// AllChecks are the checks of a task: its own, then those that the project asks of it.
// One that runs exactly what another one does is left out, unless only it is required.
func (t *Task) AllChecks(rules []CheckRule) []Check {
	all := slices.Clone(t.Checks)
	for i := range rules {
		if !rules[i].Of(t) {
			continue
		}
		sum := rules[i].Sum()
		at := slices.IndexFunc(all, func(c Check) bool { return c.Sum() == sum })
		switch {
		case at < 0:
			all = append(all, rules[i].Check)
		case !rules[i].Optional:
			all[at].Optional = false
		}
	}
	return all
}

// A Criterion is a condition for completion in words. Somebody ticks it.
type Criterion struct {
	Text string    `json:"text"`
	By   string    `json:"by,omitempty"`
	At   time.Time `json:"at,omitzero"` // when it was ticked; zero: it is not
}

// Ticked reports whether somebody has ticked it.
func (c *Criterion) Ticked() bool { return !c.At.IsZero() }

// Valid says what is wrong with a criterion; nil: nothing is.
func (c *Criterion) Valid() []Fault {
	var f faults
	f.required("text", c.Text, MaxSubject)
	f.name("by", c.By)
	return f
}

// accept checks criteria of one task.
func (f *faults) accept(at string, texts []string) {
	if len(texts) > MaxCriteria {
		f.add(at, "has %d criteria; the most is %d", len(texts), MaxCriteria)
		return
	}
	for i, text := range texts {
		f.required(fmt.Sprintf("%s[%d]", at, i), text, MaxSubject)
	}
}

// addCriteria appends those that t has not.
func (t *Task) addCriteria(texts []string) {
	for _, text := range texts {
		if text = oneLine(text); t.criterion(text) < 0 {
			t.Accept = append(t.Accept, Criterion{Text: text})
		}
	}
}

// criterion finds a criterion by its text; -1: t has none.
func (t *Task) criterion(text string) int {
	text = oneLine(text)
	return slices.IndexFunc(t.Accept, func(c Criterion) bool { return c.Text == text })
}
