package nudge

import "strings"

// manifold is how surely a piece of work is to be done to many things, each of
// which takes its own look: to all pages, in every handler, to these 12 jobs.
// What a command of an editor does to all of them is one thing.
func manifold(s phrase, verb int) float64 {
	if telling(s[verb].word) {
		return 0
	}
	if all := backlog(s, verb); all > 0 {
		return all
	}
	if s[verb].word == "use" {
		for i := verb + 1; i < len(s) && i < verb+6; i++ {
			if s[i].word == "everywhere" || s[i].word == "throughout" {
				return manyThings
			}
		}
	}
	switch s[verb].word {
	case "rename", "remove", "delete", "drop", "list", "show", "print", "give", "find", "search", "run", "rerun", "format", "revert", "undo", "commit", "push", "merge", "close", "count", "sort", "set", "keep", "leave", "get", "return", "log", "send", "export", "stop", "kill", "check", "explain", "tell", "select", "display", "fetch", "load", "reset", "clear", "hide", "allow", "use", "take", "change", "make", "apply", "put", "handle", "ensure", "block", "disable", "enable":
		return 0
	}
	return eachOf(s, verb+1)
}

// backlog is how surely the work is all that has been written down elsewhere:
// the rest of the backlog, the open tickets.
func backlog(s phrase, verb int) float64 {
	whole := false
	for i := verb + 1; i < len(s) && i < verb+9; i++ {
		switch s[i].word {
		case "all", "open", "remaining", "rest", "other", "every", "my", "these", "your", "offenen", "restlichen", "restants", "pendientes":
			whole = true
		case "tickets", "backlog", "steps", "todos", "findings", "suggestions", "points", "cards", "milestone":
			if whole {
				return manyThings
			}
		}
		if s[i].stop != 0 {
			return 0
		}
	}
	return 0
}

// oneByOne says that a sentence wants things looked at one after the other:
// package by package.
func oneByOne(s phrase) bool {
	for i := 0; i+2 < len(s); i++ {
		if s[i+1].word == "by" && s[i].word == s[i+2].word && s[i].stop == 0 && s[i+1].stop == 0 {
			switch s[i].word {
			case "line", "side", "day", "step", "bit":
				return false
			}
			return true
		}
	}
	return false
}

// eachOf says how surely many things are named after a place in a clause.
func eachOf(s phrase, from int) float64 {
	for i := from; i < len(s); i++ {
		if i > from && (s[i-1].stop != 0 && s[i-1].stop != ',' || s[i-1].stop == ',' && i > from+8) {
			break
		}
		switch s[i].word {
		case "all", "alle", "allen", "toutes", "tous", "todas", "todos":
			for k := i + 1; k < len(s) && k < i+5 && s[k-1].stop == 0; k++ {
				if plural(s[k].word) {
					return manyThings
				}
			}
		case "every", "each", "jede", "jedes", "jeden", "jeder", "chaque", "cada":
			if i+1 < len(s) && s[i].stop == 0 && !timeWord(s[i+1].word) {
				return manyThings
			}
		case "these", "those", "our", "the", "remaining", "other":
			if i+2 < len(s) && s[i].stop == 0 && numberOf(s[i+1].word) > 2 && plural(s[i+2].word) && !timeWord(s[i+2].word) {
				return manyThings
			}
		}
	}
	return 0
}

// manyThings is how surely work on many things is complex.
const manyThings = sureThing

// plural says that a word ends like one for several things.
func plural(word string) bool {
	return len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !timeWord(word) || people(word)
}

func timeWord(word string) bool {
	switch word {
	case "time", "times", "day", "days", "week", "weeks", "month", "months", "hour", "hours", "minute", "minutes", "second", "seconds", "year", "years", "night", "this", "its", "tag", "jour", "vez", "lines", "characters", "fields", "columns", "errors", "values", "occurrences", "usages", "console.logs", "others", "users", "customers", "orders":
		return true
	}
	return false
}

// numberOf is the number that a word is, or 0.
func numberOf(word string) int {
	switch word {
	case "three", "drei", "trois", "tres":
		return 3
	case "four", "vier", "quatre", "cuatro":
		return 4
	case "five", "fünf", "cinq", "cinco":
		return 5
	case "six", "sechs", "seis":
		return 6
	case "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen":
		return 7
	}
	if n := digits(word); n == len(word) && n < 3 {
		return atoi(word)
	}
	return 0
}

// sameFor is how many pieces there are when what was done is to be done for more
// things: the same for orders and invoices.
func sameFor(s phrase, i int) float64 {
	switch s[i].word {
	case "same", "likewise", "ditto", "gleiche", "dasselbe", "selbe", "même", "mismo":
	case "that", "it", "das", "es":
		if i == 0 || s[i-1].word != "do" && s[i-1].word != "mach" {
			return 0
		}
	default:
		return 0
	}
	if s[max(i, 1)-1].word == "do" && s[i].word == "same" {
		return 0
	}
	for k := i + 1; k < len(s) && k < i+5 && s[k-1].stop == 0; k++ {
		switch s[k].word {
		case "for", "für", "bei", "pour", "para":
			things, _ := listed(s, k+1)
			if things < 2 {
				return 0
			}
			return float64(min(things, 7))
		}
	}
	return 0
}

// counted is how many pieces there are when a prompt only says their number:
// all five points from your review, a few things are wrong.
func counted(s phrase) float64 {
	for i := 0; i+1 < len(s); i++ {
		if s[i].stop != 0 {
			continue
		}
		n := 0.0
		switch s[i].word {
		case "few", "several", "some", "various", "multiple", "bunch", "couple", "paar", "mehrere", "einige", "plusieurs", "varios", "varias", "quelques":
			n = 2.5
		default:
			if k := numberOf(s[i].word); k > 2 {
				n = float64(min(k, 7))
			}
		}
		next := s[i+1].word
		if next == "of" && i+2 < len(s) {
			next = s[i+2].word
		}
		switch next {
		case "things", "issues", "bugs", "problems", "points", "sachen", "dinge", "punkte", "fehler", "choses", "cosas":
			if n > 0 {
				return n
			}
		case "items", "findings", "suggestions", "comments", "tasks", "todos", "tickets":
			if n > 2.5 {
				return n
			}
		}
	}
	return 0
}

// people says that a word names those who use a thing, which is a thing as well:
// the same for orders and users.
func people(word string) bool { return word == "users" || word == "people" || word == "customers" }
