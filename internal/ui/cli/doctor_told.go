package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// seen is how one who works in some folder is told of a board's problems: files so
// that they are found from there, and changes as the log has them.
type seen struct {
	board        string // its folder, as from that one
	origin, last pawl.Revision
}

// seenFrom is for the one who runs the command. Of a board at an address it names the
// files as they are on the server.
func (a *app) seenFrom(place *project.Board, origin, last pawl.Revision) seen {
	board := place.Dir
	if place.Distant() {
		board = place.Address.Board + "/" + project.Name
	} else if rel, err := filepath.Rel(a.env.Dir, board); err == nil && len(rel) < len(board) {
		board = rel
	}
	return seen{filepath.ToSlash(board), origin, last}
}

// problem is a problem as an editor finds its way to it:
//
//	.tasks/task_7.json:3:12: the value of status is cut off
//	  mend: write the rest of the file, or delete it
func (v seen) problem(p pawl.Problem) string {
	s := text.Line(v.text(p.Text))
	if p.File != "" {
		at := text.Line(v.board + "/" + p.File)
		if p.Line > 0 {
			at += fmt.Sprintf(":%d", p.Line)
			if p.Column > 0 {
				at += fmt.Sprintf(":%d", p.Column)
			}
		}
		s = at + ": " + s
	}
	if p.Mend != "" {
		s += "\n  mend: " + text.Line(v.text(p.Mend))
	}
	return s
}

// tellUnshown remarks that completed tasks are not shown to be done: that is nothing that
// doctor mends, or that is wrong with a file.
func (a *app) tellUnshown(found *query.Problems) {
	if found.Unshown > 0 {
		a.print("%s: %s\n", unshownWords(found.Unshown), a.command("list --unshown"))
	}
}

// aRevision is compiled when doctor needs it, not at the start of each command.
var aRevision = &text.Regexp{Expr: `\brevision (\d+)\b`}

// text is a sentence that the store wrote, which knows only its own folder and full
// revisions.
func (v seen) text(s string) string {
	s = strings.ReplaceAll(s, " .pawl/lost+found", " "+v.board+"/.pawl/lost+found")
	return aRevision.Get().ReplaceAllStringFunc(s, func(found string) string {
		n, err := strconv.ParseInt(strings.TrimPrefix(found, "revision "), 10, 64)
		if rev := pawl.Revision(n); err == nil && v.origin < rev && rev <= v.last {
			return rev.Short(v.origin)
		}
		return found
	})
}
