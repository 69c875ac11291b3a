package show

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// A Telling is how change sets are told.
type Telling struct {
	Names query.Subjects
	Asked pawl.ID // named before the others; zero: none
	Most  int     // how many characters a subject or a name may have; zero: all of them
	Few   bool    // of several tasks only the first is named, and the others are counted
	// Words is set for readers without use for revisions and the spelling of
	// files: they are told in words alone.
	Words  bool
	Origin pawl.Revision // without Words: what short revisions count from
	Undid  *query.Undid  // with Words, of an undo: what it took back; nil: that is not known
}

// Line is a change set as one line, to stand behind its time:
//
//	ada completed #1 Set up the project; ready now: #2 Write the parser
//	ada claimed #2 Write the parser
//	external edited #2 Write the parser (priority medium → high)
//	bob updated #4 Write the tests (waits for #2)
//	ada checked #4 Write the tests: unit passed, vet failed
//
// It tells what the request was about, and leaves consequences, such as edges of
// the neighbours and renewed leases, to the envelope.
func (t Telling) Line(set *pawl.ChangeSet) string {
	return who(t.by(set.By)) + " " + t.Deed(set)
}

// by is somebody with no more of their name than there is room for.
func (t Telling) by(by pawl.Actor) pawl.Actor {
	if t.Most > 0 {
		by.Name, by.Agent = text.Clip(by.Name, t.Most), text.Clip(by.Agent, t.Most)
	}
	return by
}

// Deed is Line for the one who did it: "completed #1 Set up the project; ready
// now: #2 Write the parser".
func (t Telling) Deed(set *pawl.ChangeSet) string {
	names := naming{t.Names.At(set), t.Few}
	if t.Undid != nil {
		names.Subjects = names.At(t.Undid.Set)
	}
	if t.Most > 0 {
		for id, subject := range names.Subjects {
			names.Subjects[id] = text.Clip(subject, t.Most)
		}
	}
	text := t.deed(set, names)
	if freed := freed(set); len(freed) > 0 {
		freed = putFirst(freed, func(id pawl.ID) bool { return id == t.Asked })
		text += "; ready now: " + nameAll(freed, names)
	}
	return text
}

func who(by pawl.Actor) string {
	name := cmp.Or(text.Line(by.Name), "somebody")
	if by.Agent != "" {
		name += " (" + text.Line(by.Agent) + ")"
	}
	return name
}

// putFirst puts the one that is meant before the others.
func putFirst[E any](all []E, meant func(E) bool) []E {
	i := slices.IndexFunc(all, meant)
	if i <= 0 {
		return all
	}
	return slices.Concat(all[i:i+1], all[:i], all[i+1:])
}

// deeds are what is said of a verb, before the tasks.
var deeds = [...]struct{ verb, word string }{
	{"create", "added"}, {"import", "imported: "}, {"delete", "removed"}, {"update", "updated"},
	{"claim", "claimed"}, {"start", "started"}, {"complete", "completed"}, {"reopen", "reopened"},
	{"release", "released"}, {"assign", "assigned"}, {"hold", "put"}, {"lift", "lifted the hold on"},
	{"note", "noted on"}, {pawl.VerbCheck, "checked"}, {"renew", "renewed the lease of"}, {"expire", "took back"},
	{"undo", "undid"},
	{pawl.VerbSync, "synced: "},          // what other clones did arrived
	{"merge", "merged another branch: "}, // boards of two branches met
	{"mend", "mended"},                   // doctor put its file right
	{pawl.ExternalName, ""},
}

func deedOf(verb string) (word string, known bool) {
	for _, d := range deeds {
		if d.verb == verb {
			return d.word, true
		}
	}
	return "", false
}

// deed is what was done to which tasks.
func (t Telling) deed(set *pawl.ChangeSet, names naming) string {
	word, known := deedOf(set.Verb)
	if !known { // of a newer version
		word = text.Line(set.Verb)
	}
	if set.Bulk {
		return "changed " + text.Count(len(set.Changes), "task", "tasks")
	}
	if len(set.Changes) == 0 && set.Verb != pawl.VerbSync {
		return "asked for " + text.Line(set.Verb) + ", which changed nothing"
	}
	if query.Renewal(set) {
		word, _ = deedOf("renew")
	}
	about := putFirst(query.AboutChanges(set), func(c pawl.Change) bool { return c.ID == t.Asked })
	switch {
	case set.Verb == pawl.VerbSync && len(about) == 0: // claims are confirmed
		return "synced its claims"
	case set.Verb == pawl.VerbSync && query.Renewal(set):
		word = "synced the claim of"
	case set.Verb == pawl.VerbSync:
		return synced(about, names)
	case set.Verb == "merge":
		return merged(about, names)
	case set.Verb == "undo" && t.Words:
		return t.undid(set, about, names)
	case set.Verb == "undo":
		return word + " " + set.Undoes.Short(t.Origin) + ": " + t.byKind(about, names)
	case set.Verb == pawl.ExternalName, set.Verb == "import":
		return word + t.byKind(about, names)
	}
	var ids []pawl.ID
	for _, c := range about {
		ids = append(ids, c.ID)
	}
	s := strings.TrimSpace(word + " " + nameAll(ids, names))
	if set.Verb == "hold" {
		s += " on hold"
	}
	c := about[0]
	if len(about) != 1 || query.What(&c) != query.Edited {
		return s
	}
	switch set.Verb {
	case "assign":
		if c.After.Owner == "" {
			return "unassigned " + taskName(names.Subjects, c.ID)
		}
		return s + " to " + text.Line(c.After.Owner)
	case "hold":
		if c.After.Hold != nil {
			s += ": " + text.Line(c.After.Hold.Reason)
		}
	case "release":
		if c.After.Hold != nil && slices.Contains(c.Fields, pawl.FieldHold) {
			s += " and put it on hold: " + text.Line(c.After.Hold.Reason)
		}
	case "claim", "start":
		if was := c.Before.Owner; was != "" && slices.Contains(c.Fields, pawl.FieldOwner) {
			s += " from " + text.Line(was)
		}
		if c.Before.Hold != nil && c.After.Hold == nil {
			s += " and lifted its hold: " + text.Line(c.Before.Hold.Reason)
		}
	case "expire":
		s += " from " + text.Line(c.Before.Owner) + ", whose lease ran out"
	case "note":
		if n := len(c.After.Notes); n > 0 {
			s += ": " + text.Line(text.Clip(firstLine(c.After.Notes[n-1].Text), noteLength))
		}
	case pawl.VerbCheck:
		if told := ranChecks(&c); len(told) > 0 {
			s += ": " + strings.Join(told, ", ")
		}
	case "complete":
		if reason := reasonIn(&c); reason != "" {
			s += " without its checks: " + reason
		} else if told := ranChecks(&c); len(told) > 0 {
			s += " (" + strings.Join(told, ", ") + ")"
		}
	case "update":
		s += t.details(c)
	}
	return s
}

// undid tells what an undo took back, as that was told:
//
//	undid: completed #1 Set up the project
//	redid what bob did: claimed #2 Write the parser
func (t Telling) undid(set *pawl.ChangeSet, about []pawl.Change, names naming) string {
	if t.Undid == nil {
		return "undid an earlier change: " + t.byKind(about, names)
	}
	word := "undid"
	if t.Undid.Again {
		word = "redid"
	}
	if by := t.Undid.Set.By; by.Name != set.By.Name {
		word += " what " + who(t.by(by)) + " did"
	}
	return word + ": " + t.deed(t.Undid.Set, names)
}

// noteLength is how much of a note stands in a line.
const noteLength = 100

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// byKind tells what was added, edited and removed.
func (t Telling) byKind(about []pawl.Change, names naming) string {
	var parts []string
	for _, kind := range []struct{ what, word string }{{query.Created, "added"}, {query.Edited, "edited"}, {query.Deleted, "removed"}} {
		var ids []pawl.ID
		var only pawl.Change
		for _, c := range about {
			if query.What(&c) == kind.what {
				ids, only = append(ids, c.ID), c
			}
		}
		if len(ids) == 0 {
			continue
		}
		part := kind.word + " " + nameAll(ids, names)
		if len(ids) == 1 && kind.what == query.Edited {
			part += t.details(only)
		}
		parts = append(parts, part)
	}
	return cmp.Or(strings.Join(parts, ", "), "changed nothing")
}

// mostNamed is how many tasks a line names.
const mostNamed = 3

// naming is how a line names tasks.
type naming struct {
	query.Subjects
	few bool // only the first of several
}

func nameAll(ids []pawl.ID, names naming) string {
	var parts []string
	for i, id := range ids {
		if names.few && i == 1 || i == mostNamed && len(ids) > mostNamed+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(ids)-i))
			break
		}
		parts = append(parts, taskName(names.Subjects, id))
	}
	return strings.Join(parts, ", ")
}

// freed lists what a set made ready beside what it was about.
func freed(set *pawl.ChangeSet) []pawl.ID {
	if len(set.Ready) == 0 {
		return nil
	}
	about := map[pawl.ID]bool{}
	for _, c := range query.AboutChanges(set) {
		about[c.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(set.Ready), func(id pawl.ID) bool { return about[id] })
}

// details says in parentheses what became of a task's fields.
func (t Telling) details(c pawl.Change) string {
	var parts []string
	turn := func(name, from, to string) {
		switch {
		case from == "":
			parts = append(parts, name+" "+to)
		case to == "":
			parts = append(parts, "no "+name)
		default:
			parts = append(parts, name+" "+from+" → "+to)
		}
	}
	was, is := c.Before, c.After
	for _, f := range c.Fields {
		switch f {
		case pawl.FieldStatus:
			turn("status", statusAs(was.Status, t.Words), statusAs(is.Status, t.Words))
		case pawl.FieldPriority, pawl.FieldOwner, pawl.FieldParent:
			turn(string(f), fieldValue(f, was, Clock{}), fieldValue(f, is, Clock{}))
		case pawl.FieldSubject:
			parts = append(parts, "was called "+text.Line(text.Clip(was.Subject, noteLength)))
		case pawl.FieldBlockedBy:
			parts = append(parts, edges("waits for", was.BlockedBy, is.BlockedBy)...)
			parts = append(parts, edges("no longer waits for", is.BlockedBy, was.BlockedBy)...)
		case pawl.FieldChecks:
			parts = append(parts, checkTurns(was.Checks, is.Checks)...)
		case pawl.FieldAccept:
			parts = append(parts, criterionTurns(was.Accept, is.Accept)...)
		case pawl.FieldEvidence:
			parts = append(parts, ranChecks(&c)...)
		default:
			if !query.Consequent(f) && !(f == pawl.FieldMetadata && sameButBooks(was.Metadata, is.Metadata)) {
				parts = append(parts, fieldName(f, t.Words))
			}
		}
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func statusAs(s pawl.Status, words bool) string {
	if words {
		return StatusWords(s)
	}
	return text.Line(string(s))
}

// edges tells of the ids in is that are not in was.
func edges(words string, was, is []pawl.ID) []string {
	if added := without(is, was); len(added) > 0 {
		return []string{words + " " + IDs(added)}
	}
	return nil
}
