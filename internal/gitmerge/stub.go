package gitmerge

import (
	"bytes"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/store/file"
)

var apart = func(b merge.Board) (merge.Board, merge.Report) { return b, merge.Report{} }

// hasTwo reports whether a file of the board has two tasks.
func hasTwo(f file.Files) bool {
	for _, text := range f.Tasks {
		if bytes.Contains(text, []byte(`"merging"`)) || marked(text) {
			return true
		}
	}
	return false
}

var _ pawl.ID
