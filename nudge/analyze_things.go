package nudge

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
	if from < len(s) && s[from].word == "up" {
		from++
	} else if word == "set" {
		return 0
	}
	things, end := listed(s, from)
	if word == "make" {
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
				if word == "do" {
					each = 1 // do the same for users, teams and projects
				}
				more += float64(min(parts, 7)-1) * each
				i = len(s)
			}
		}
	}
	if makes {
		more = max(more, articles(s, end))
	}
	return max(more, afterColon(s, verb))
}

// articles is enumerated for things of many words, each of which begins with an
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
	for i < len(s) && s[i].stop != ':' {
		i++
	}
	if i+1 >= len(s) || isDigit(s[i+1].word[0]) {
		return 0 // nothing, or numbers
	}
	enough := 4
	if maker(s[verb].word) || pointsOut(s[:i+1]) {
		enough = 3
	} else if verbWeight(s[verb].word) < 1 {
		return 0
	}
	things := 1
	for i++; i < len(s); i++ {
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
