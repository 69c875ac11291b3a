package runs

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
)

// A Step is the reaction to a failed attempt.
type Step struct {
	Hold  string        // why the task is put on hold; empty: another attempt may follow
	Pause time.Duration // before it
	Agent bool          // the pause is for all of the agent's attempts: its service refuses
	Again bool          // the next one goes on in the same work tree, with the same conversation
}

// After decides what follows the last attempt at a task, which has failed. Equal failures
// are those of the same reason, check and output, numbers aside.
func After(w *Work, l Limits, now time.Time) Step {
	last := w.Last()
	switch last.Reason {
	case RateLimit:
		pause := last.Until.Sub(now)
		if last.Until.IsZero() {
			pause = pauseOf(1 + trailing(w, func(a *Attempt) bool { return a.Reason == RateLimit }))
		}
		return Step{Pause: max(pause, 0), Agent: true, Again: true}
	case StoppedBy, SentBack:
		return Step{Again: true}
	case CutOff:
		if n := trailing(w, func(a *Attempt) bool { return a.Reason == CutOff }); n < 3 {
			return Step{Pause: time.Second, Again: true}
		}
		return Step{Hold: "three attempts in a row were cut off: " + last.Why}
	case LostLease:
		return Step{Pause: pauseOf(trailing(w, func(a *Attempt) bool { return a.Reason == LostLease }))}
	case Faulty:
		if n := trailing(w, func(a *Attempt) bool { return a.Reason == Faulty }); n < 3 {
			return Step{Pause: pauseOf(n)}
		}
		return Step{Hold: "three attempts failed before the agent could work: " + last.Why}
	}
	if last.Reason.Asks() {
		return Step{Hold: last.Why}
	}
	counted := w.counted()
	n := len(counted)
	if n >= 2 && same(counted[n-1], counted[n-2]) {
		if last.Reason == Conflict {
			return Step{Hold: "two attempts in a row conflict with the target: " + last.Why}
		}
		return Step{Hold: "two attempts in a row failed alike: " + last.Why}
	}
	if limit := l.Attempts; limit > 0 && n >= limit {
		return Step{Hold: fmt.Sprintf("%d of %d attempts failed, the last one: %s", n, limit, last.Why)}
	}
	pause := pauseOf(n)
	if last.Reason == CheckFailed || last.Reason == Conflict { // it worked: nothing outside is to be spared, as where programs cannot work
		pause /= 10
	}
	return Step{Pause: pause, Again: goesOn(last)}
}

// goesOn reports whether another attempt has use for the work tree of the last one: it
// mends what is there. After a conflict it begins at the new target, and after a stall
// nobody knows what the agent was up to.
func goesOn(a *Attempt) bool {
	switch a.Reason {
	case CheckFailed:
		return !a.Merged // what failed there is not in the old tree
	case AgentExit, NoCommits:
		return true
	}
	return false
}

// counted are the attempts that count as one of run.attempts, since a person asked for
// more.
func (w *Work) counted() []*Attempt {
	var all []*Attempt
	for i := min(w.Since, len(w.Attempts)); i < len(w.Attempts); i++ {
		a := &w.Attempts[i]
		if a.Phase != Dropped && a.Reason != "" && a.Reason.Counts() {
			all = append(all, a)
		}
	}
	return all
}

// trailing counts the newest attempts that are so.
func trailing(w *Work, is func(*Attempt) bool) int {
	n := 0
	for i := len(w.Attempts) - 1; i >= w.Since && is(&w.Attempts[i]); i-- {
		n++
	}
	return n
}

func same(a, b *Attempt) bool {
	if a.Reason != b.Reason || a.Check != b.Check {
		return false
	}
	switch a.Reason {
	case CheckFailed, SetupFailed, AgentExit:
		return alike(a.Tail) == alike(b.Tail)
	}
	return true
}

// changing matches the differences between two outputs of the same failure: times,
// addresses, process numbers. It is compiled on first use, because only a run needs
// it.
var changing = &text.Regexp{Expr: `0x[0-9a-f]+|[0-9]+(\.[0-9]+)?(ms|µs|s|m|h)?`}

// alike is a hash of an output without what changes by itself.
func alike(tail string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(changing.Get().ReplaceAllString(tail, "0")))
	return h.Sum64()
}
