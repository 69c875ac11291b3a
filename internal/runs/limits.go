package runs

import (
	"fmt"
	"time"
)

// Limits bound attempts, tasks and the run. Zero: unlimited.
type Limits struct {
	Attempts int           `json:"attempts"`
	Attempt  Limit         `json:"attempt,omitzero"`
	Task     Limit         `json:"task,omitzero"`  // all attempts at it
	Run      Limit         `json:"run,omitzero"`   // all attempts since it began
	Idle     time.Duration `json:"idle,omitempty"` // of an agent that prints nothing and changes nothing
}

// Limits that are the same for everybody.
const (
	// MaxOutput is how many bytes an agent may print: more than an hour of its events, and
	// less than fills a disk, which a program in a loop would do within minutes.
	MaxOutput = 256 << 20
	// MinFree is how many bytes the disk of the work trees must have left for an agent to
	// begin: checkouts and builds of a few slots, with room for people's own programs.
	MinFree = 1 << 30
	// chatty is how many times longer than an idle agent one may go on that prints, but
	// changes nothing: it may read, or run tests, for a while.
	chatty = 3
	// reviewsEach is how many attempts a slot may leave to a person: those who decide once
	// in a while do not keep agents waiting, and do not find a heap of stale work.
	reviewsEach = 2
)

// A Limit bounds one thing.
type Limit struct {
	Time time.Duration `json:"time,omitempty"`
	Usage
}

// Asks reports whether usage is limited that only agents report.
func (l *Limits) Asks() (tokens, money bool) {
	for _, one := range []Limit{l.Attempt, l.Task, l.Run} {
		tokens = tokens || one.Tokens > 0
		money = money || one.Money > 0
	}
	return tokens, money
}

// A Sight is the observed use of a running attempt.
type Sight struct {
	Now      time.Time
	Started  time.Time
	Sign     time.Time // the last output, op of its session, or change of a file
	Progress time.Time // the last commit, change of a file, or op
	Output   int64     // bytes
	Used     Usage     // by this attempt
	Task     Spent     // by the task's other attempts
	Run      Spent     // by the run's other attempts
}

// Spent is the use of attempts.
type Spent struct {
	Time time.Duration
	Usage
}

// Breach says which limit a running attempt has reached; empty: none.
func (l *Limits) Breach(s Sight) (Reason, string) {
	took := s.Now.Sub(s.Started)
	for _, one := range []struct {
		limit Limit
		spent Spent
		what  string
	}{
		{l.Attempt, Spent{}, "the attempt"},
		{l.Task, s.Task, "the task"},
		{l.Run, s.Run, "the run"},
	} {
		used := one.spent.Usage.Add(s.Used)
		switch {
		case one.limit.Time > 0 && one.spent.Time+took >= one.limit.Time:
			return Timeout, fmt.Sprintf("%s has used its time of %v", one.what, one.limit.Time)
		case one.limit.Tokens > 0 && used.Tokens >= one.limit.Tokens:
			return Budget, fmt.Sprintf("%s has used %d model tokens of %d", one.what, used.Tokens, one.limit.Tokens)
		case one.limit.Money > 0 && used.Money >= one.limit.Money:
			return Budget, fmt.Sprintf("%s has used $%.2f of $%.2f", one.what, used.Money, one.limit.Money)
		}
	}
	switch {
	case s.Output > MaxOutput:
		return Output, fmt.Sprintf("the agent has printed more than %d MiB", MaxOutput>>20)
	case l.Idle > 0 && s.Now.Sub(s.Sign) >= l.Idle:
		return Stalled, fmt.Sprintf("the agent neither printed nor changed anything for %v", l.Idle)
	case l.Idle > 0 && s.Now.Sub(s.Progress) >= chatty*l.Idle:
		return NoProgress, fmt.Sprintf("the agent changed neither files nor tasks for %v", chatty*l.Idle)
	}
	return "", ""
}

// Looks is how often to look for changes, so that one is seen before the limit of
// idleness says that there was none: at most so often as each.
func (l *Limits) Looks(each time.Duration) time.Duration {
	if l.Idle > 0 {
		each = min(each, l.Idle/4)
	}
	return each
}

// Over says that the run has used up a limit, so that no attempt begins; empty: it may go
// on.
func (l *Limits) Over(run Spent) string {
	_, why := (&Limits{Run: l.Run}).Breach(Sight{Run: run})
	return why
}

// Near names a limit that is used up by four fifths; empty: none.
func (l *Limits) Near(s Sight) string {
	part := *l
	for _, one := range []*Limit{&part.Attempt, &part.Task, &part.Run} {
		one.Time, one.Tokens, one.Money = one.Time*4/5, one.Tokens*4/5, one.Money*4/5
	}
	part.Idle, s.Output = 0, 0
	_, why := part.Breach(s)
	return why
}

func pauseOf(n int) time.Duration {
	const first, most = 10 * time.Second, 5 * time.Minute
	if n > 6 {
		return most
	}
	return min(first<<max(n-1, 0), most)
}

// MaxTail bounds what is kept of an output that failed.
const MaxTail = 4 << 10

// Lease is how long an attempt's claim holds without a renewal: longer than a runner
// that was killed needs to be started again.
const Lease = 15 * time.Minute
