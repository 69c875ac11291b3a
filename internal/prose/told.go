package prose

// Some ask for work without a verb that asks: they tell what is missing or
// wrong, one thing after the other, and close with "sort it all out", or with
// nothing at all. One such sentence explains a piece of work. Three, each about
// a thing of its own, are three pieces.

// A telling prompt is what its sentences tell.
type tale struct {
	wishes   int      // sentences that say what is missing or should be, each about something of its own
	about    []string // what they are about
	told     int      // sentences that state anything
	parts    int      // the most parts that one of them has
	one      bool     // it is one thing that is asked for: please change it
	closed   bool     // all of it is asked for
	closedAt int      // how many sentences were told before that
}

// sentence looks at what a sentence tells.
func (t *tale) sentence(s phrase) {
	if closes(s) {
		t.closed, t.closedAt = true, t.told
		return
	}
	if asksForOne(s) {
		t.one = true
	}
	if s.asksSomething() || len(s) < 3 {
		return
	}
	t.told++
	t.parts = max(t.parts, fullParts(s))
	i := 0
	for i < len(s)-1 && (filler(s[i].word) || conjunction(s[i].word) || articleOf(s[i].word) || s[i].word == "die" || possessive(s[i].word)) {
		i++
	}
	about := s[i].word
	if i > 0 && modal(about) {
		return // das sollte nicht sein
	}
	if self(about) {
		about = "" // I would like …
	} else if pronoun(about) || subordinate(about) || negative(about) {
		return
	}
	if !wishful(s) {
		return
	}
	for _, other := range t.about {
		if other == about && about != "" {
			return
		}
	}
	if t.wishes++; len(t.about) < MaxSteps {
		t.about = append(t.about, about)
	}
}

// pieces is how many pieces of work are told.
func (t *tale) pieces() int {
	n := 0
	if t.wishes > 2 && !t.one {
		n = t.wishes
	}
	if t.closed && t.closedAt > 3 {
		n = max(n, t.closedAt-1) // the first one says what it is about
	}
	if t.closed && t.parts > 2 {
		n = max(n, t.parts)
	}
	return min(n, 7)
}

// fullParts is how many parts a sentence has with commas between that each
// could be a sentence.
func fullParts(s phrase) int {
	n, words := 0, 0
	for i := range s {
		words++
		if s[i].stop != 0 || i+1 == len(s) {
			if words < 3 {
				return 0
			}
			n, words = n+1, 0
		}
	}
	return n
}

// closes says that a sentence asks for all that was told: sort it all out, can
// you do these, исправь всё.
func closes(s phrase) bool {
	if len(s) > 20 || !wholeAmong(s) {
		return false
	}
	asks, done := false, false
	for i := range s {
		word := s[i].word
		next := ""
		if i+1 < len(s) && s[i].stop == 0 {
			next = s[i+1].word
		}
		if clauseStart(s, i) {
			r := requestAt(s, i)
			asks = asks || r.verb >= 0 && !r.never && !telling(s[r.verb].word)
		}
		switch word {
		case "dealt", "resolved", "fixed", "done", "sorted", "addressed", "handled", "behoben", "erledigt":
			done = true
		case "all", "these":
			whole := next == "" || preposition(next) || next == "that" || next == "this" || pieceNoun(next) || next == "up" || next == "before" || next == "until" || next == "need" || next == "needs" || next == "these" || next == "were"
			if whole && (i == 0 || s[i-1].word != "for") && (asks || laterDone(s, i)) {
				return true
			}
		case "everything", "alles", "tout", "tudo", "всё", "все":
			if (asks || done || laterDone(s, i)) && (next == "" || preposition(next)) {
				return true
			}
		}
	}
	return false
}

// wholeAmong says that a sentence has a word for all that was told.
func wholeAmong(s phrase) bool {
	for i := range s {
		switch s[i].word {
		case "all", "these", "everything", "alles", "tout", "tudo", "всё", "все":
			return true
		}
	}
	return false
}

// asksForOne says that a sentence asks for the one thing that was told about:
// please change it, kannst du das beheben?
func asksForOne(s phrase) bool {
	if len(s) > 7 {
		return false
	}
	switch s[len(s)-1].word {
	case "it", "this", "that", "das", "es":
	default:
		return false
	}
	for i := range s {
		if clauseStart(s, i) {
			if r := requestAt(s, i); r.verb >= 0 && r.verb+2 == len(s) {
				return true
			}
		}
	}
	return false
}

// laterDone says that what a word names is to be done, as a sentence says.
func laterDone(s phrase, i int) bool {
	for ; i < len(s); i++ {
		switch s[i].word {
		case "dealt", "resolved", "fixed", "sorted", "addressed", "handled", "behoben", "erledigt", "beheben", "reparieren", "corriger", "arreglar":
			return true
		}
	}
	return false
}

// possessive says that a word says whose a thing is.
func possessive(word string) bool {
	switch word {
	case "my", "our", "your", "their", "his", "her", "unser", "unsere", "mein", "meine", "notre", "nos", "mon", "ma", "mi", "mis", "nuestra", "nuestro", "наш", "наша", "los", "las", "les", "os", "as", "o":
		return true
	}
	return false
}

// wishful says that a sentence says how something is to be, or what is missing.
func wishful(s phrase) bool {
	for i := range s {
		switch s[i].word {
		case "should", "shall", "must", "ought", "needs", "missing", "lacks", "i'd", "we'd",
			"soll", "sollen", "sollte", "sollten", "müsste", "müssten", "muss", "müssen", "fehlt", "fehlen", "gern", "gerne", "darf", "dürfen",
			"doit", "doivent", "devrait", "devraient", "manque", "manquent", "faudrait", "faut", "voudrait", "voudraient",
			"debe", "deben", "debería", "deberían", "falta", "faltan", "quiere", "quieren", "tiene",
			"deve", "devem", "deveria", "deveriam", "quer", "querem", "precisa", "precisam",
			"должен", "должна", "должно", "должны", "нужен", "нужна", "нужно", "нужны", "хватает", "хочет", "хотят":
			return true
		case "need":
			if i > 0 && (plural(s[i-1].word) || self(s[i-1].word)) {
				return true
			}
		case "has", "have":
			if i > 0 && i+1 < len(s) && s[i+1].word == "to" && !self(s[i-1].word) {
				return true
			}
		case "wonderful", "nice", "great", "lovely", "helpful":
			if i > 1 && s[i-1].word == "be" {
				return true
			}
		}
	}
	return false
}

// layers says that one change goes through several layers, which are named one
// by one: in the database, in the API, in the form.
func layers(s phrase) bool {
	if meaningOf(s) == tells {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i].word != "in" && s[i].word != "на" && s[i].word != "dans" && s[i].word != "en" {
			continue
		}
		again, things := 1, 0
		for k := i + 1; k < len(s); k++ {
			between := s[k-1].stop == ',' || conjunction(s[k-1].word)
			if s[k-1].stop != 0 && s[k-1].stop != ',' || subordinate(s[k].word) || s[k].word == "that" {
				break
			}
			if s[k].word == s[i].word && between {
				again++
			}
			if articleOf(s[k].word) && (between || k == i+1) {
				things++
			}
		}
		if again > 2 || again == 1 && things > 3 {
			return true
		}
	}
	return false
}
