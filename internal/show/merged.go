package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/text"
)

// Merged tells in a line what a merge did, for one called name. It names the tasks of
// ours that have another number, because a user has the old one in mind:
//
//	2 arrived, #12 is now #15 (bob's is older)
func Merged(r *merge.Report, name string) string {
	parts := append(counted(r), text.Counts([]string{"kept", "with two owners"}, len(r.Kept), len(r.Both))...)
	parts = append(parts, movedNumbers(r.Moved, name, isOlder)...)
	return cmp.Or(strings.Join(parts, ", "), "nothing changed here")
}

// movedNumbers names the tasks of ours that have another number.
func movedNumbers(moved []merge.Moved, name, why string) (parts []string) {
	ours := slices.DeleteFunc(slices.Clone(moved), func(m merge.Moved) bool { return m.Side != merge.Ours })
	for i, m := range ours {
		if i == mostNamed && len(ours) > mostNamed+1 {
			return append(parts, fmt.Sprintf("%d more have other numbers", len(ours)-i))
		}
		parts = append(parts, fmt.Sprintf("%v is now %v%s", m.From, m.ID, elder(&m, name, why, " (", ")")))
	}
	return parts
}

// Why a task keeps its number: of branches the older one does, of clones the one that
// reached the remote first.
const (
	isOlder  = " is older"
	wasFirst = " was sent first"
)

// MergedCounts is Merged without the numbers that have changed, before a list of them:
//
//	2 arrived, 1 moved, nothing lost
func MergedCounts(r *merge.Report) string {
	parts := append(counted(r), text.Counts([]string{"moved"}, len(r.Moved))...)
	return strings.Join(append(parts, "nothing lost"), ", ")
}

func counted(r *merge.Report) []string {
	moved := map[pawl.ID]bool{}
	for _, m := range r.Moved {
		moved[m.ID] = true
	}
	changed := 0
	for _, id := range r.Changed {
		if !moved[id] {
			changed++
		}
	}
	return text.Counts([]string{"arrived", "changed", "removed there"}, len(r.Arrived), changed, len(r.Deleted))
}

// elder says whose task has the number now, between two texts; nothing if nobody knows.
func elder(m *merge.Moved, name, why, before, after string) string {
	switch {
	case m.ElderBy != "" && m.ElderBy == name:
		return before + "another of yours" + why + after
	case m.ElderBy != "":
		return before + text.Line(text.Clip(m.ElderBy, 40)) + "'s" + why + after
	case m.Elder != "":
		return before + "the other one" + why + after
	}
	return ""
}

// MergedRemark tells a model what a merge means for the numbers that it knows; empty:
// nothing.
func MergedRemark(r *merge.Report) string {
	var parts []string
	for i, m := range r.Moved {
		if m.Side != merge.Ours {
			continue
		}
		if len(parts) == 2*mostNamed {
			parts = append(parts, fmt.Sprintf("and %d more (todo_get or list them by subject)", len(r.Moved)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%v is now %v", m.From, m.ID))
	}
	s := "The board was merged with another branch: "
	switch {
	case len(parts) > 0:
		return s + strings.Join(parts, ", ") + "."
	case len(r.Arrived)+len(r.Deleted) > 0:
		return s + strings.Join(counted(r), ", ") + "."
	}
	return ""
}

// A MergedLine is one thing that a merge did, under a word that says what sort it is.
type MergedLine struct{ Word, Text string }

// The words.
const (
	MergedMoved    = "moved"
	MergedKept     = "kept"
	MergedRemoved  = "removed"
	MergedBoth     = "both"
	MergedCut      = "cut"
	MergedReopened = "reopened"
	MergedWaits    = "waits"
	MergedNoted    = "noted"
	MergedUnclear  = "unclear"
	MergedBeside   = "beside"
)

// adding adds lines of one word, of which the last one counts those beyond most.
func adding(lines *[]MergedLine, most int) func(word string, n int, tell func(i int) string) {
	return func(word string, n int, tell func(i int) string) {
		for i := range n {
			if i == most-1 && n > most {
				*lines = append(*lines, MergedLine{word, fmt.Sprintf("and %d more", n-i)})
				return
			}
			*lines = append(*lines, MergedLine{word, tell(i)})
		}
	}
}

// MergedLines tell what a merge did that is more than taking over changes, those of one
// word together. Each word has at most so many lines, and the last one counts the rest.
//
//	moved  #12 Retry hooks → #15, bob's #12 Rotate the key is older
//	kept   #9 Rotate the key: removed there, changed here
//
// In a rebase or a cherry-pick, theirs is the commit that git applies, which is often
// the reader's own: they is what theirs is called.
func MergedLines(r *merge.Report, name, they string, most int) (lines []MergedLine) {
	add := adding(&lines, most)
	moved := slices.Clone(r.Moved)
	slices.SortStableFunc(moved, func(a, b merge.Moved) int { return cmp.Compare(a.Side, b.Side) })
	add(MergedMoved, len(moved), func(i int) string { return movedLine(&moved[i], name, they, isOlder) })
	add(MergedKept, len(r.Kept), func(i int) string {
		k := &r.Kept[i]
		if k.Deleted == merge.Ours {
			return named(k.Named) + ": removed here, changed there"
		}
		return named(k.Named) + ": removed there, changed here"
	})
	add(MergedRemoved, len(r.Deleted), func(i int) string { return named(r.Deleted[i]) + ": removed there" })
	add(MergedBoth, len(r.Both), func(i int) string {
		b := &r.Both[i]
		return named(b.Named) + ": " + personOr(b.Ours, name) + " and " + personOr(b.Theirs, name)
	})
	add(MergedCut, len(r.Cut), func(i int) string { return Cut(r.Cut[i]) })
	add(MergedReopened, len(r.Reopened), func(i int) string { return named(r.Reopened[i]) + ": a child of it is open" })
	add(MergedWaits, len(r.Waiting), func(i int) string {
		e := r.Waiting[i]
		return fmt.Sprintf("%v is in progress and depends on %v, which is open", e.Task, e.For)
	})
	add(MergedNoted, len(r.Noted), func(i int) string { return notedLine(&r.Noted[i]) })
	add(MergedUnclear, len(r.Unclear), func(i int) string {
		u := r.Unclear[i]
		return fmt.Sprintf("%v: its %s could mean two tasks, and was taken for %v", u.ID, text.Line(string(u.Field)), u.Took)
	})
	add(MergedBeside, len(r.Beside), func(i int) string {
		return fmt.Sprintf("%v: %s", r.Beside[i].ID, text.Line(text.Clip(r.Beside[i].Why, 200)))
	})
	return lines
}

// notedLine says which value yielded, and where it is.
func notedLine(n *merge.Noted) string {
	field := string(n.Field)
	if n.Key != "" {
		field += "." + n.Key
	}
	field = text.Line(text.Clip(field, 60))
	s := fmt.Sprintf("%v: your %s was replaced by theirs", n.ID, field)
	if n.Side == merge.Theirs {
		s = fmt.Sprintf("%v: their %s yielded to yours", n.ID, field)
	}
	if n.Note {
		return s + ", and is a note now"
	}
	return s + ": " + text.Line(text.Clip(n.Value, 60))
}

func movedLine(m *merge.Moved, name, they, why string) string {
	s := fmt.Sprintf("%v %s → %v", m.From, shortSubject(m.Subject), m.ID)
	if m.Side == merge.Theirs {
		s = fmt.Sprintf("%s %v %s → %v", they, m.From, shortSubject(m.Subject), m.ID)
	}
	switch {
	case m.Elder == "" && m.ElderBy == "":
		return s
	case m.ElderBy == "":
		return fmt.Sprintf("%s, %v %s%s", s, m.From, shortSubject(m.Elder), why)
	case m.ElderBy == name:
		return strings.TrimRight(fmt.Sprintf("%s, your %v %s", s, m.From, shortSubject(m.Elder)), " ") + why
	}
	return strings.TrimRight(fmt.Sprintf("%s, %s's %v %s", s, text.Line(text.Clip(m.ElderBy, 40)), m.From, shortSubject(m.Elder)), " ") + why
}

// personOr is somebody's name for one called name.
func personOr(who, name string) string {
	switch who {
	case "":
		return "somebody"
	case name:
		return "you"
	}
	return text.Line(text.Clip(who, 40))
}

func named(n merge.Named) string {
	return strings.TrimRight(n.ID.String()+" "+shortSubject(n.Subject), " ")
}

// shortSubject leaves room for what is said of the task.
func shortSubject(s string) string { return text.Line(text.Clip(s, 60)) }
