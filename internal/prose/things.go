package prose

// enumerated is how many pieces more a verb has when it makes several things,
//
//	add dark mode, csv export and i18n
//
// or one that has several parts, each of them less than a thing of its own:
//
//	a page with a hero, a pricing table and a contact form
func enumerated(s phrase, verb int) float64 {
	word := s[verb].word
	makes := maker(word)
	if verbWeight(word) < 1 && !makes {
		return 0
	}
	from := verb + 1
	if of(s, from) || needs(word) && from < len(s) && (s[from].word == "the" || s[from].word == "our") {
		return 0 // values, or how a thing that is there should be
	}
	if from < len(s) && s[from].word == "up" {
		from++
	} else if word == "set" {
		return 0
	}
	things, end := listed(s, from)
	if word == "make" || collected(s, from, end) {
		things = 1 // make it rounded, larger and blue
	}
	if things > 2 {
		if !makes {
			return float64(min(things, 7)-1) * wishAlone // update the form, the tests and the docs
		}
		return float64(min(things, 7) - 1)
	}
	more := 0.0
	if things == 2 && makes {
		more = wishAlone
	}
	for i := end; i < len(s) && i < end+12 && s[i-1].stop == 0 && (makes || mover(word) || word == "do"); i++ {
		switch s[i].word {
		case "with", "for", "including", "has", "have", "includes", "mit", "für", "avec", "pour", "con", "para":
			if parts, _ := listed(s, i+1); parts > 2 {
				each := 0.7
				if bare(s, i+1) && word != "do" {
					each = 0.35 // support for png, gif and webp
				}
				if word == "do" {
					each = 1 // do the same for users, teams and projects
				}
				more += float64(min(parts, 7)-1) * each
				i = len(s)
			}
		}
	}
	if makes && word != "make" {
		more = max(more, articles(s, end))
	}
	return max(more, afterColon(s, verb))
}

// collected says that what is named in a row goes into one collection, and is
// data: add Alice, Bob and Chandra to the owners, add red and blue to the enum.
func collected(s phrase, from, end int) bool {
	names := true
	for i := from; i < end; i++ {
		names = names && (s[i].name || conjunction(s[i].word))
	}
	if names && !foreignVerb(s[from-1].word) { // in German, all nouns are written so
		return true
	}
	for i := from; i < len(s) && i < end+7; i++ {
		if dataNoun(s[i].word) || i >= end && s[i].word == "list" {
			return true
		}
		if i >= end && s[i].stop != 0 {
			break
		}
	}
	return false
}

// dataNoun says that a word means values: what is named beside it is data.
func dataNoun(word string) bool {
	switch word {
	case "columns", "fields", "values", "options", "states", "statuses", "keys", "names", "params", "parameters", "arguments", "attributes", "properties", "strings", "entries", "colors", "colours", "ids", "members", "flags", "categories", "types", "formats", "extensions", "countries", "labels", "words", "numbers", "data",
		"spalten", "felder", "werte", "optionen", "zustände", "farben", "einträge", "länder", "champs", "colonnes", "valeurs", "statuts", "couleurs", "pays", "campos", "columnas", "valores", "estados", "países", "colores", "opciones", "colunas", "opções", "cores",
		"codes", "códigos", "código", "opcodes", "array", "enum", "dropdown", "whitelist", "allowlist", "blocklist", "denylist", "dictionary", "palette", "gitignore", ".gitignore", "entry", "auswahlliste", "desplegable", "codeowners":
		return true
	}
	return false
}

// of says that what is named from a place on is values of some kind.
func of(s phrase, from int) bool {
	for i := from; i < len(s) && i < from+6; i++ {
		if dataNoun(s[i].word) {
			return true
		}
		if s[i].stop == ',' {
			break
		}
	}
	return false
}

// deliverable says that a single word is a piece of work wherever it stands.
func deliverable(word string) bool {
	switch word {
	case "tests", "docs", "documentation", "changelog", "migration", "migrations", "readme", "ci", "benchmarks", "doku", "linting":
		return true
	}
	return featureWord(word)
}

// bare says that most of what is named from a place on, with commas between, is
// named in one word: values, and no pieces of work.
func bare(s phrase, from int) bool {
	things, words := 0, 0
	short := 0
	for i := from; i < len(s); i++ {
		if !conjunction(s[i].word) && !articleOf(s[i].word) {
			words++
			if deliverable(s[i].word) {
				words++
			}
		}
		if s[i].stop != 0 || i+1 == len(s) || conjunction(s[i+1].word) {
			if words > 0 {
				things++
			}
			if words == 1 {
				short++
			}
			words = 0
		}
	}
	return 2*short > things
}

// articleOf says that a word is an article.
func articleOf(word string) bool {
	switch word {
	case "a", "an", "the", "der", "die", "das", "den", "eine", "einen", "ein":
		return true
	}
	return article(word)
}

// articles is enumerated for things of many words that each begin with an
// article: write a parser for the old format, a printer and a test for both.
func articles(s phrase, from int) float64 {
	things := 0
	told := false // the rest may tell about the thing: that takes a list, a key and a value
	for i := from; i < len(s); i++ {
		switch s[i].word {
		case "that", "where", "which", "who", "whose", "when", "if", "because", "is", "are":
			told = true
		case "a", "an", "the", "another":
			if (s[i-1].stop == ',' || conjunction(s[i-1].word)) && (!told || s[i].word != "the" && clauseEnd(s, i)-i >= maxThing) {
				things++
			}
		}
	}
	if things < 2 {
		return 0
	}
	return float64(min(things, 6))
}

// pointsOut says that a phrase speaks of several things that are named after it.
func pointsOut(s phrase) bool {
	for _, t := range s {
		switch t.word {
		case "issues", "things", "following", "below", "these", "points", "bugs", "problems", "changes", "tasks", "steps", "folgendes", "folgende", "suivant", "siguiente":
			return true
		}
	}
	return false
}

// listed counts the things that are named from a place on, and says where that
// ends.
func listed(s phrase, from int) (things, end int) {
	words := 0 // of the thing that is being named
	i := from
	for ; i < len(s) && words <= maxThing; i++ {
		word := s[i].word
		switch word {
		case "of", "de", "des", "du", "der", "del":
			continue // within the name of a thing
		}
		if conjunction(word) {
			if words > 0 {
				things, words = things+1, 0
			}
			continue
		}
		if preposition(word) || words == 0 && i > from && (requestAt(s, i).verb >= 0 || pronoun(word) && !people(word) || subordinate(word)) {
			break
		}
		words++
		if s[i].stop != 0 {
			things, words = things+1, 0
			if s[i].stop != ',' {
				return things, i + 1
			}
		}
	}
	if words > 0 {
		things++
	}
	return things, i
}

// maxThing is how many words name a thing in a row of several.
const maxThing = 4

// afterColon is enumerated for what a colon announces: build the importer: a
// parser for the old files, a check of the sums, and a report.
func afterColon(s phrase, verb int) float64 {
	i := verb
	if s[verb].word == "review" || s[verb].word == "focus" {
		return 0 // what to look at
	}
	for i < len(s) && s[i].stop != ':' {
		i++
	}
	if i+1 >= len(s) || isDigit(s[i+1].word[0]) || bare(s, i+1) {
		return 0 // nothing, numbers, or values
	}
	enough := 4
	if maker(s[verb].word) && s[verb].word != "make" || pointsOut(s[:i+1]) {
		enough = 3
	} else if verbWeight(s[verb].word) < 1 {
		return 0
	}
	things := 1
	for i++; i < len(s); i++ {
		switch s[i].word {
		case "is", "are", "must", "ist", "sind", "est", "sont":
			if !pointsOut(s[:verb+1]) {
				return 0 // statements about the one thing
			}
		}
		if s[i].stop == ',' || conjunction(s[i].word) && s[i-1].stop == 0 {
			things++
		}
		if clauseStart(s, i) && requestAt(s, i).verb >= 0 {
			return 0 // they are counted as requests
		}
	}
	if things < enough {
		return 0
	}
	return float64(min(things, 7)-1) * wishAmong
}
