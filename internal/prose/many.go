package prose

import "strings"

// manifold is how surely a piece of work is to be done to many things, each of
// which takes its own look: to all pages, in every handler, to these 12 jobs.
// What a command of an editor does to all of them is one thing.
func manifold(s phrase, verb int) float64 {
	if telling(s[verb].word) {
		return 0
	}
	if s[verb].word == "follow" {
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

// movesAll says that a sentence wants everything turned into something else:
// migra todo a TypeScript, alles auf Postgres umstellen.
func movesAll(s phrase) bool {
	move, verb := false, false
	for i := range s {
		switch s[i].word {
		case "stell", "stelle", "stellen":
			verb = true
		case "um":
			move = move || verb
		case "umstellen", "umschreiben", "umziehen", "migrieren", "portieren", "passe", "passer", "pasa", "pasar", "cambia", "passa", "mude", "переведи", "перевести", "перенеси", "перенести", "перепиши", "переписать", "переделай", "переделать":
			move = true
		}
		move = move || strongMover(s[i].word) && s[i].word != "convert"
	}
	if !move || s.asksSomething() && !requestAt(s, 0).led {
		return false
	}
	all, to := false, false
	for i := range s {
		word := s[i].word
		if faultWord(word) || pastWord(word) || negative(word) {
			return false
		}
		switch word {
		case "to", "into", "in", "auf", "nach", "zu", "a", "à", "vers", "en", "para", "pour", "su", "на", "в":
			to = to || i > 0
		}
		all = all || scaleWord(word) || word == "alles"
	}
	return all && to
}

// eachOf says how surely many things are named after a place in a clause.
func eachOf(s phrase, from int) float64 {
	for i := from; i < len(s); i++ {
		if i > from && (s[i-1].stop != 0 && s[i-1].stop != ',' || s[i-1].stop == ',' && i > from+8) {
			break
		}
		switch s[i].word {
		case "that", "which", "so", "where", "who", "before", "after", "because", "when", "if", "until":
			if i > from {
				return 0 // it tells about the thing: a query that returns for each customer …
			}
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
	case "two", "zwei", "beiden", "deux", "dos", "dois", "duas", "два", "две":
		return 2
	case "three", "drei", "trois", "tres", "três", "три":
		return 3
	case "four", "vier", "quatre", "cuatro", "quatro", "четыре":
		return 4
	case "five", "fünf", "cinq", "cinco", "пять":
		return 5
	case "six", "sechs", "seis", "шесть":
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

// announced is the number of pieces that a sentence says there are, or 0: five
// points about the draft, fix the three bugs, drei Dinge. What somebody did or
// wants to know counts nothing.
func announced(s phrase) float64 {
	if s.asksSomething() && !requestAt(s, 0).led {
		return 0
	}
	n := 0.0
	for i := range s {
		word := s[i].word
		switch {
		case doneLead(word) && word != "i've" && word != "made", n == 0 && faultWord(word), n == 0 && (word == "was" || word == "were"):
			return 0
		}
		k := float64(numberOf(word))
		if i > 0 && s[i-1].word == "all" && (s[i].stop != 0 || i+1 == len(s)) {
			n = max(n, k) // take care of all three
		}
		if n > 0 || s[i].stop != 0 {
			continue
		}
		if i == 0 && k > 1 && len(s) > 4 {
			for to := 1; to < 4; to++ {
				if s[to].stop == ':' && !dataNoun(s[to].word) {
					return k // two remarks: …
				}
			}
		}
		switch word {
		case "faltan", "einiges", "few", "couple", "several", "various", "multiple", "bunch", "paar", "mehrere", "einige", "plusieurs", "varios", "varias", "quelques", "vários", "várias", "несколько":
			k = 2.5
		}
		if word == "some" && (i == 0 || s[i-1].word == "are" || s[i-1].word == "were") {
			k = 2.5
		}
		// The noun follows, perhaps behind a word or two: three small fixes.
		for to := i + 1; k > 0 && to < len(s) && to < i+4; to++ {
			if pieceNoun(s[to].word) {
				n = k
			}
			if s[to].stop != 0 || preposition(s[to].word) && s[to].word != "of" || conjunction(s[to].word) {
				break
			}
		}
	}
	return n
}

// pieceNoun says that a word means pieces of work, whatever they are.
func pieceNoun(word string) bool {
	switch word {
	case "things", "issues", "bugs", "problems", "points", "fixes", "changes", "tasks", "todos", "tickets", "items", "findings", "improvements", "remarks", "requests", "pieces", "chores", "jobs", "stories",
		"sachen", "dinge", "punkte", "fehler", "aufgaben", "änderungen", "probleme", "choses", "problèmes", "corrections", "tâches", "changements", "cosas", "problemas", "cambios", "tareas", "errores", "puntos", "coisas", "tarefas", "erros", "mudanças", "pontos", "ajustes",
		"kleinigkeiten", "leftovers", "observations", "замечания", "замечаний", "замечание", "пункта", "правка", "ошибки", "ошибок", "ошибка", "baustellen", "remarques",
		"вещи", "вещей", "задачи", "задач", "проблемы", "проблем", "правки", "правок", "бага", "багов":
		return true
	}
	return false
}

// people says that a word names those who use a thing, which is a thing as well:
// the same for orders and users.
func people(word string) bool { return word == "users" || word == "people" || word == "customers" }
