package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// doctorCI is doctor as a check of a change: it looks at the board alone, because a
// build machine has no agents, and a missing board is an error, because the check would
// pass for ever. It fails on all that doctor calls a problem, and on completed tasks that
// are not proven. Problems that a merge should have settled have an exit code of their
// own. Under GitHub Actions each problem is also an annotation of its file.
func (a *app) doctorCI(ctx context.Context) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	if !place.Exists {
		return pawl.Errorf(pawl.NotFound, "%s has no board to check", text.Line(a.env.Dir)).
			Say("pawl --board DIR doctor --ci")
	}
	d, err := a.diagnose(ctx, &place)
	if err != nil {
		return err
	}
	found, problems := d.found, d.problems
	if found.Unshown > 0 {
		problems = append(problems, pawl.Problem{
			Kind: "unshown", Text: unshownWords(found.Unshown),
			Mend: a.command("list --unshown") + " names them; run the checks of each: " + a.command("check ID"),
		})
	}
	annotate := a.env.Getenv("GITHUB_ACTIONS") == "true"
	answer := doctorJSON{
		Envelope: wire.NewEnvelope("doctor"), Board: place.Where(), Tasks: found.Tasks, Unshown: found.Unshown, Sound: len(problems) == 0, Problems: append([]pawl.Problem{}, problems...),
	}
	at := a.seenFrom(&place, found.Origin, found.Revision)
	for _, p := range problems {
		if a.json {
			continue
		}
		a.print("%s\n", strings.ReplaceAll(at.problem(p), "\n  mend: ", "; mend: "))
		if annotate {
			a.print("%s\n", annotation(p, place.Dir, a.env.Getenv("GITHUB_WORKSPACE")))
		}
	}
	if a.json {
		err = a.printJSON(answer)
	} else if answer.Sound {
		a.print("The board %s has no problems: %s\n", whereOf(&place), text.Count(found.Tasks, "task", "tasks"))
	}
	switch {
	case err != nil || answer.Sound:
	case slices.ContainsFunc(problems, leftByMerge):
		return errUnmerged
	default:
		return errFound
	}
	return err
}

// leftByMerge reports whether a problem is one that a merge of boards settles, or
// one of those that merges without Pawl leave.
func leftByMerge(p pawl.Problem) bool {
	return slices.Contains([]string{"merging", "conflicted", "ghost", "twice", "one-sided", "cycle"}, p.Kind)
}

// annotation is a problem as a workflow command, which GitHub shows beside the line:
//
//	::error title=Pawl,file=.tasks/task_8.json,line=2,col=12::a comma is missing
//
// A path is relative to the repository; GitHub knows no others.
func annotation(p pawl.Problem, board, repository string) string {
	properties := "title=Pawl"
	if p.File != "" {
		file := filepath.Join(board, p.File)
		if rel, err := filepath.Rel(repository, file); err == nil && filepath.IsLocal(rel) {
			properties += ",file=" + escapeProperty(filepath.ToSlash(rel))
			if p.Line > 0 {
				properties += fmt.Sprintf(",line=%d", p.Line)
				if p.Column > 0 {
					properties += fmt.Sprintf(",col=%d", p.Column)
				}
			}
		}
	}
	said := text.Line(p.Text)
	if p.Mend != "" {
		said += "; mend: " + text.Line(p.Mend)
	}
	return "::error " + properties + "::" + strings.ReplaceAll(said, "%", "%25")
}

// escapeProperty writes a text so that it cannot end its property, or the line.
func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
