package todo

import "time"

// Simplified is the list as a session without a panel reads it:
//
//	## Todo List (3 tasks)
//	- [x] Plan
//	- [→] ← current Write tests
//	- [ ] Run tests
func Simplified(items []Item) string { return "" }

// Structured is the list with everything that the panel shows, at now.
func Structured(l *List, now time.Time) string { return "" }
