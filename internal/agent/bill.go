package agent

// A Bill adds up what a run has cost, from what its lines tell. A program tells the usage
// of a message with each part of it, and that of the run once more at its end: nothing
// counts twice.
type Bill struct {
	sum   Usage // of all messages
	last  map[string]Usage
	total Usage
}

// mostMessages bounds how many messages are remembered: parts of one come together.
const mostMessages = 64

// Add adds the usage that a line tells.
func (b *Bill) Add(s Said) {
	switch {
	case s.Usage == Usage{}:
	case s.Total:
		b.total = most(b.total, s.Usage)
	case s.Message == "":
		b.sum.Add(s.Usage)
	default:
		if b.last == nil || len(b.last) >= mostMessages {
			b.last = map[string]Usage{s.Message: b.last[s.Message]}
		}
		was := b.last[s.Message]
		is := most(was, s.Usage)
		b.last[s.Message] = is
		b.sum.Add(Usage{is.In - was.In, is.Cached - was.Cached, is.Out - was.Out, is.Money - was.Money})
	}
}

// Usage is the cost until now.
func (b *Bill) Usage() Usage { return most(b.sum, b.total) }

// most is the larger one of each.
func most(a, b Usage) Usage {
	return Usage{max(a.In, b.In), max(a.Cached, b.Cached), max(a.Out, b.Out), max(a.Money, b.Money)}
}
