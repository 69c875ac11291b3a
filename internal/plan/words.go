package plan

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
)

// Words of headings and labels that classify the text below or behind them.
const (
	checkWords = `verification(?: steps| plan| checklist)?|verify|validation|acceptance(?: criteria)?|success criteria|definition of done|done when|done criteria|exit criteria|checkpoint|independent test|expected(?: result| outcome| behaviou?r)?s?`
	aboutWords = `context|background|overview|summary|introduction|table of contents|contents|toc|notes?|goals?|objectives?|purpose|motivation|non-?goals|out of scope|scope|risks?(?: (?:and|&) .*)?|risk assessment|assumptions|constraints|open questions?|questions|references?|resources|related(?: work)?|see also|glossary|legend|prerequisites?|requirements|dependencies(?: (?:and|&) .*)?|critical files.*|key files.*|files?(?: to .*| changed| modified| affected)?|file structure|project structure|directory structure|tech(?:nology)? stack|architecture(?: overview)?|(?:key |design |technical )?decisions|rationale|alternatives(?: considered)?|current state|problem(?: statement)?|approach|why|reason|timeline|effort|estimated? .*|estimate|duration|time|complexity|status|input|outputs?|deliverables?|important|warning|caution|tips?|examples?|location|path|parallel opportunities|parallel example.*|implementation strategy|requirements coverage.*`
	plainWords = `tasks?|task list|to-?dos?|to do|todo list|steps|plan|the plan|my plan|action items|actions|checklist|phases|phase details|next steps|work items|work breakdown|backlog|roadmap|milestones|(?:detailed |proposed )?implementation(?: plan| steps| tasks| checklist| order| sequence)?|progress|execution(?: plan| order)?|plan of action|action plan|changes|proposed changes|plans`
)

var (
	checkWord = &text.Regexp{Expr: `(?i)^(?:` + checkWords + `)$`}
	aboutWord = &text.Regexp{Expr: `(?i)^(?:` + aboutWords + `)$`}
	plainWord = &text.Regexp{Expr: `(?i)^(?:` + plainWords + `)$`}
	labelled  = &text.Regexp{Expr: `^[*_]*([\pL][\pL &/-]{1,30}?)[*_]*(?:[ \t]*\([^()]*\))?[ \t]*[:：][*_]*(?:[ \t]+(.*))?$`}
	edgeSigns = &text.Regexp{Expr: `^[^\pL\pN]+|[^\pL\pN)\]]+$`}

	// An ordinal is what a step of a row begins with: "Phase 2", "3.", "T012".
	phaseWords  = `phase|stage|step|wave|milestone|sprint|iteration|part|week|day|task|batch|round|pr|commit`
	ordinalMark = &text.Regexp{Expr: `(?i)^[*_]*(?:(` + phaseWords + `)\s+#?(\d+(?:\.\d+)*[a-z]?|n)\b|(final|last)\s+(?:phase|stage|step)\b|(t)(\d{3,}[a-z]?)\b)`}
	phaseLine   = &text.Regexp{Expr: `(?i)^(?:phase|stage|step|wave|milestone|sprint|iteration)\s+\d+[a-z]?(?:\s*[:.–—-]\s*[^.]{0,80})?:?$`}
	headNumber  = &text.Regexp{Expr: `^(\d+(?:\.\d+)*)(?:[.):]\s*|\s+[–—-]\s+|\s+)`}
	waveWord    = &text.Regexp{Expr: `(?i)^[*_]*(?:wave|batch)\s+#?\d`}
	parallel    = &text.Regexp{Expr: `^((?:T\w{3,}\s+)?)[\[(]P[\])](?:\s+|$)`}
	story       = &text.Regexp{Expr: `^((?:T\w{3,}\s+)?)\[(US\d{1,4})\](?:\s+|$)`}
	anchor      = &text.Regexp{Expr: `^\[[^\]]*\]\(#[^)]*\)$`}
)

// sort of section, by its heading.
type sort byte

const (
	work   sort = iota // it holds tasks
	plain              // it holds tasks, and is none: "Tasks"
	about              // it holds none: "Context"
	checks             // what it holds is a note of what went before: "Verification"
)

// sortOf tells what a heading or a label is about, whatever decorates it.
func sortOf(title string) sort {
	title = strings.Join(strings.Fields(edgeSigns.Get().ReplaceAllString(strings.TrimSpace(title), "")), " ")
	if m := headNumber.Get().FindString(title); m != "" {
		title = title[len(m):]
	}
	if open := strings.Index(title, " ("); open > 0 && strings.HasSuffix(title, ")") {
		title = title[:open]
	}
	for _, of := range []struct {
		re *text.Regexp
		is sort
	}{{checkWord, checks}, {aboutWord, about}, {plainWord, plain}} {
		if of.re.Get().MatchString(title) {
			return of.is
		}
	}
	return work
}

// label takes "Verification: run the tests" apart.
func label(line string) (is sort, rest string, ok bool) {
	m := labelled.Get().FindStringSubmatch(line)
	if m == nil {
		return work, "", false
	}
	is = sortOf(m[1])
	return is, m[2], is == about || is == checks
}

// step is the ordinal that a text begins with; word is "phase", "step" and the
// like, empty for a bare number.
func step(text string, bare bool) (word, number string) {
	if m := ordinalMark.Get().FindStringSubmatch(text); m != nil {
		switch {
		case m[3] != "":
			return "phase", "last"
		case m[4] != "":
			return "t", m[5]
		}
		return strings.ToLower(m[1]), strings.ToLower(m[2])
	}
	if m := headNumber.Get().FindStringSubmatch(text); bare && m != nil {
		return "", m[1]
	}
	return "", ""
}

// cutMark takes a mark off a text, which a name may stand before.
func cutMark(text string, re *regexp.Regexp) (rest, found string, ok bool) {
	m := re.FindStringSubmatch(text)
	if m == nil {
		return text, "", false
	}
	return m[1] + text[len(m[0]):], m[len(m)-1], true
}

// last is the last part of a number: 2 of "1.2".
func last(number string) int {
	n, _ := strconv.Atoi(number[strings.LastIndexByte(number, '.')+1:])
	return n
}
