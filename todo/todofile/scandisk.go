package todofile

import "github.com/pawl-dev/pawl/internal/jsonscan"

// scanned reads what Pawl writes: a hook reads a list at each step of an agent. If it
// returns false, disk means nothing, and package json reads the text. It saves 0.3 ms of
// 6.5 ms CPU time of a whole hook.
func scanned(text []byte, disk any) bool {
	return jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Usual = usual[:]
		s.Struct(disk)
	})
}

// usual are words that need no memory for each time that they are read.
var usual = [...]string{"pending", "in_progress", "completed", "medium", "high", "low", "running", "succeeded", "failed", "begin", "end"}
