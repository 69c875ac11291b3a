package tui

import "github.com/pawl-dev/pawl"

// A filter says which tasks are seen.
type filter struct{ query pawl.Query }

func (f *filter) on() bool { return f.words() != "" }

// words says what is seen: "@ada +core, high".
func (f *filter) words() string { return "" }
