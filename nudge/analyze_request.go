package nudge

// A sentence asks for work when it begins with a verb that asks for it, or with
// words that lead to one: please, could you, we need to. Each clause that goes
// on with such a verb is one more piece:
//
//	please | fix the test, | bump the version | and tag a release
//
// A sentence that begins with somebody who does something tells what happens.
// The same verbs ask for nothing there:
//
//	users add an item, open the cart and save it

// How a sentence is meant.
type meaning int

const (
	unsaid meaning = iota // nothing is known yet
	asking                // it asks for work
	tells                 // it says what somebody does
)

// sentence looks for what a sentence asks.
func (f *findings) sentence(s phrase) {
	mean := meaningOf(s)
	alone, wished := 0.0, 0 // of wishes among no requests, and how many things they are about
	begun := -1             // where the last piece begins
	end := func(to int) {
		if begun >= 0 {
			if to > begun+1 && (conjunction(s[to-1].word) || sequenceWord(s[to-1].word)) {
				to-- // write the tests | and …
			}
			f.step(span{s[begun].at.from, s[to-1].at.to})
		}
		begun = -1
	}
	fronted := false // within a clause that says when
	modals := false  // a verb after one goes on with it: can search, export and print
	for i := 0; i < len(s); i++ {
		if i > 0 && s[i-1].stop == ',' && fronted {
			modals, fronted = false, false
		}
		fronted = fronted || clauseStart(s, i) && subordinate(s[i].word)
		modals = modals || modal(s[i].word)
		f.hints += sameFor(s, i)
		if !clauseStart(s, i) {
			continue
		}
		if promises(s, i) {
			end(i)
			mean = tells
		}
		r := requestAt(s, i)
		switch {
		case r.verb < 0 || r.never:
			w := wishes(s, i)
			if w > 0 && !r.never {
				f.largeWish(s, i)
				f.hints += wishedThings(s, i)
			}
			if mean == asking && !r.never && (w > 0 || r.order != "") {
				f.hints += wishAmong
				if r.order != "" {
					f.ordered(r.order)
				}
			} else if mean == unsaid && w > 0 {
				if alone += w; w == wishAlone {
					wished++
				}
			}
			continue
		case r.led:
		case mean == tells, mean == unsaid && i > 0 && s[i-1].stop == 0:
			continue
		case mean == unsaid && modals:
			alone += wishAlone
			continue
		}
		mean = asking
		end(i)
		begun = r.verb
		f.clauses++
		if r.order != "" {
			f.ordered(r.order)
		}
		f.asked += r.weight
		if telling(s[r.verb].word) || writesWords(s, r.verb) {
			f.asked += r.weight
			for i = r.verb; i+1 < len(s) && s[i].stop != ','; i++ {
				if s[i].stop == ':' {
					i = len(s) // what follows is what it is to tell
				}
			}
			continue
		}
		f.hints += enumerated(s, r.verb)
		f.largest(s, r.verb)
		i = r.verb
	}
	end(len(s))
	if n := sequenced(s); n > 2 && mean != tells {
		f.hints += max(0, n-float64(f.clauses)-f.hints)
	}
	f.headline(s, mean)
	if (f.sentences == 0 || f.sentences == 1 && f.clauses > 0) && (mean == unsaid || mean == asking && requestAt(s, 0).verb < 0) {
		f.hints = max(f.hints, fragments(s)-f.asked)
	}
	f.sentences++
	if mean != tells && (oneByOne(s) || movesAll(s)) && f.large < manyThings {
		f.large, f.what = manyThings, span{s[0].at.from, s[len(s)-1].at.to}
	}
	if n := announced(s); n > f.announced {
		f.announced, f.after = n, f.statements
		if mean == asking || s[0].word == "all" || len(s) > 1 && s[1].word == "all" {
			f.after -= int(n) // it asks for them; where they are told does not matter
		}
	}
	f.statements += statementsOf(s)
	f.narrow = f.narrow || narrows(s)
	f.handed = f.handed || handsOver(s)
	if wished > 2 {
		f.hints += float64(wished) // a specification, told in one sentence
	} else {
		f.hints += min(alone, 1)
	}
	if mean == unsaid && alone > 0 && pointsOut(s) {
		f.hints += afterColon(s, 0)
	}
}

// statementsOf is how many clauses of some words a sentence has.
func statementsOf(s phrase) int {
	n, words := 0, 0
	for i := range s {
		words++
		if s[i].stop != 0 || i+1 == len(s) || words > 2 && conjunction(s[i].word) {
			if words > 1 {
				n += max(1, words/8) // who dictates makes no commas
			}
			words = 0
		}
	}
	return n
}

// sequenced is how many things a sentence names one after the other, with a word
// of a sequence before at least two: now the parser, then the docs, and finally
// the release.
func sequenced(s phrase) float64 {
	n, words := 0, 0
	for i := range s {
		if !clauseStart(s, i) || i > 0 && s[i-1].stop == 0 && !sequenceWord(s[i].word) && (i+1 == len(s) || !sequenceWord(s[i+1].word)) {
			continue
		}
		order := false
		k := i
		for k < min(len(s)-1, i+6) && (k > i || i > 0 || begins(s[k].word)) && (sequenceWord(s[k].word) || filler(s[k].word) || conjunction(s[k].word)) {
			order = order || sequenceWord(s[k].word)
			k++
		}
		if isDigit(s[k].word[0]) || somebody(s[k].word) || pronoun(s[k].word) || faultWord(s[k].word) || verbForm(s[k].word) || k+1 == len(s) {
			continue
		}
		if k == 0 {
			return 0 // it tells: a customer first did this, then that
		}
		n++
		if order {
			words++
		}
	}
	if words < 2 {
		return 0
	}
	return float64(n)
}

// begins says that a word begins a sequence.
func begins(word string) bool {
	switch word {
	case "now", "jetzt", "als", "maintenant", "ahora", "agora", "ok", "okay", "so":
		return true
	}
	return sequenceWord(word)
}

// promises says that a clause tells what somebody will do: then I'll test it,
// merge it and deploy it.
func promises(s phrase, i int) bool {
	for i < len(s)-1 && (filler(s[i].word) || sequenceWord(s[i].word)) {
		i++
	}
	switch s[i].word {
	case "let", "lemme", "lass", "laisse-moi", "déjame":
		return i+1 < len(s) && (s[i].word != "let" && s[i].word != "lass" || (s[i+1].word == "me" || s[i+1].word == "mich") && (i+2 == len(s) || s[i+2].word != "know"))
	case "i'll", "i’ll", "we'll", "we’ll", "he'll", "she'll", "they'll", "you'll":
		return true
	}
	return false
}

// meaningOf looks at how a sentence begins.
func meaningOf(s phrase) meaning {
	i := 0
	for i < len(s)-1 && (filler(s[i].word) || subordinate(s[i].word) || sequenceWord(s[i].word)) {
		i++
	}
	if factLead(s[i].word) && s[i].stop == ':' || s[i].word == "it" && i+1 < len(s) && verbForm(s[i+1].word) {
		return tells // rules: strip accents, …
	}
	if requestAt(s, i).led || !somebody(s[i].word) {
		return unsaid
	}
	if i > 0 && subordinate(s[i-1].word) && others(s[i].word) && asksLast(s) {
		return unsaid // when users save the form, check it and show …
	}
	return tells
}

// others says that a word means people who are neither the writer nor the agent.
func others(word string) bool {
	return somebody(word) && !self(word) && word != "i've" && word != "i'm" && word != "you"
}

// asksLast says that the last clause after a comma asks for something: what
// comes before it only says when.
func asksLast(s phrase) bool {
	for i := len(s) - 1; i > 0; i-- {
		if s[i-1].stop == ',' {
			r := requestAt(s, i)
			return r.verb >= 0 && !r.never
		}
	}
	return false
}

// clauseStart says that a clause begins with a word.
func clauseStart(s phrase, i int) bool {
	return i == 0 || s[i-1].stop != 0 || conjunction(s[i-1].word) || s[i].word == "then" || s[i].word == "dann" || s[i].word == "puis"
}

// clauseEnd is where the clause of a word ends.
func clauseEnd(s phrase, i int) int {
	for i++; i < len(s) && s[i-1].stop == 0 && !conjunction(s[i].word); i++ {
	}
	return i
}

// A request is what a clause begins with.
type request struct {
	verb   int     // the place of the verb that asks, or -1
	weight float64 // how much it asks for
	led    bool    // words before it say that it asks: please, could you
	never  bool    // it asks not to: don't
	order  string  // the word of a sequence before it
}

// requestAt looks for a request at the start of a clause.
func requestAt(s phrase, i int) request {
	r := request{verb: -1}
	need := -1 // the place of a verb that leads to another one, or to a thing: need, want
	for from := i; i < len(s) && i < from+12; {
		word := s[i].word
		switch {
		case sequenceWord(word):
			if r.order == "" {
				r.order = word
			}
			i++
		case (word == "start" || word == "begin") && i+1 < len(s) && (s[i+1].word == "by" || s[i+1].word == "with"):
			if r.order == "" {
				r.order = word
			}
			i += 2
		case polite(word):
			r.led = true
			i++
		case negative(word) && !(word == "do" && i+1 < len(s) && same(s[i+1].word)):
			r.never = true
			return r
		case word == "go" && i+1 < len(s) && (s[i+1].word == "through" || s[i+1].word == "over"):
			r.verb, r.weight = i, wishAmong
			return r
		case filler(word), conjunction(word):
			i++
		case r.led && i > from && self(s[from].word) && (telling(word) || inform(word)):
			r.never = true // I want to explain something first
			return r
		default:
			if n := doneLen(s, i); n > 0 {
				if r.order == "" {
					r.order = word
				}
				i += n
				continue
			}
			if word == "if" && i+1 < len(s) && (s[i+1].word == "not" || s[i+1].word == "so" || s[i+1].word == "yes") {
				i += 2
				continue
			}
			if n := leadLen(s, i); n > 0 {
				r.led = true
				for k := i; k < i+n; k++ {
					if needs(s[k].word) {
						need = k
					}
				}
				i += n
				continue
			}
			if r.led && i > from && verbWeight(word) == 0 && led(s[i-1].word) && unknownVerb(word) {
				r.verb, r.weight = i, 1
				return r
			}
			switch {
			case asksVerb(s, i, from == 0 || r.led):
				if r.verb, r.weight = i, verbWeight(word); r.weight == 0 {
					r.weight = 1 // a verb that is known by where it stands
				}
			case r.order != "" && gerund(word), lastVerb(s[clauseEnd(s, i)-1].word):
				r.verb, r.weight = i, 1 // in German the verb is at the end
			case need >= 0 && s[i-1].word != "to":
				r.verb, r.weight = need, wishAmong
			default:
				if n := placeLen(s, i); n > 0 {
					r.verb, r.weight = i+n, verbWeight(s[i+n].word)
				}
			}
			return r
		}
	}
	return r
}

// self says that a word means who writes.
func self(word string) bool {
	switch word {
	case "i", "we", "i'd", "we'd", "ich", "wir", "je", "on", "quiero", "quero", "queremos":
		return true
	}
	return false
}

// inform says that a verb is about what somebody knows or says.
func inform(verb string) bool {
	switch verb {
	case "know", "understand", "ask", "say", "hear", "learn", "share", "discuss", "decide", "talk", "mention", "admit", "start", "wissen", "fragen", "verstehen", "sagen", "savoir", "comprendre", "demander", "saber", "entender", "preguntar":
		return true
	}
	return false
}

// doneLen is how many words say that something else is finished by then: once
// that is done, while you're at it.
func doneLen(s phrase, i int) int {
	switch s[i].word {
	case "once", "when", "after", "while", "as":
	default:
		return 0
	}
	for n := 1; n <= 5 && i+n < len(s); n++ {
		switch s[i+n].word {
		case "done", "finished", "it", "there", "that", "works", "green", "ready", "this":
			if n == 1 && i+2 < len(s) && s[i+1].stop == 0 && s[i].word != "after" {
				continue // that is …
			}
			return n + 1
		}
		if s[i+n].stop != 0 {
			return 0
		}
	}
	return 0
}

// placeLen is how many words say where a verb after them is to be done: in
// api/orders.py return it.
func placeLen(s phrase, i int) int {
	switch s[i].word {
	case "in", "on", "for", "inside", "within", "at", "from", "under":
	default:
		return 0
	}
	for n := 1; n <= 5 && i+n < len(s) && s[i+n-1].stop == 0; n++ {
		if somebody(s[i+n].word) {
			return 0
		}
		if n > 1 && asksVerb(s, i+n, false) {
			return n
		}
	}
	return 0
}

// leadLen is how many words lead to a verb: could you, we need to, let's.
func leadLen(s phrase, i int) int {
	at := func(n int) string {
		if i+n < len(s) {
			return s[i+n].word
		}
		return ""
	}
	n := 0
	switch at(0) {
	case "can", "could", "would", "will":
		switch at(1) {
		case "you", "u", "we", "someone":
			n = 2
		}
	case "i", "we", "you":
		switch at(1) {
		case "need", "want", "have", "should", "must", "gotta", "wanna", "ought":
			n = 2
		case "would":
			if at(2) == "like" || at(2) == "love" {
				n = 2
			}
		}
	case "i'd", "we'd":
		n = 1
	case "faut", "faudrait":
		n = 1
	case "brauche", "brauchen":
		if at(1) == "ich" || at(1) == "wir" {
			return 2
		}
	case "надо", "нужно", "precisamos", "preciso", "pode", "poderia", "need", "needs", "needed", "let's", "lets", "kannst", "könntest", "würdest", "peux-tu", "pourrais-tu", "pouvez-vous", "pourriez-vous", "puedes", "podrías", "quero", "quiero", "necesito", "queremos", "necesitamos", "debes", "hay", "il", "wir", "ich", "du", "je", "on", "tienes":
		n = romanceLead(at)
	}
	if n == 0 {
		return 0
	}
	for k := 0; k < 5; k++ {
		switch at(n) {
		case "you", "u", "to", "like", "love", "help", "me", "du", "uns", "mir", "que", "tu", "vous", "also", "bitte", "de":
			n++
		default:
			return n
		}
	}
	return n
}

// romanceLead is leadLen for what has no pronoun before it, and for German.
func romanceLead(at func(int) string) int {
	switch at(0) {
	case "wir", "ich", "du":
		switch at(1) {
		case "müssen", "sollten", "wollen", "brauchen", "möchten", "möchte", "brauche", "will", "sollst", "musst", "solltest":
			return 2
		}
		return 0
	case "il":
		if at(1) == "faut" || at(1) == "faudrait" {
			return 2
		}
		return 0
	case "je", "on":
		switch at(1) {
		case "veux", "voudrais", "doit", "va", "aimerais":
			return 2
		}
		return 0
	case "hay", "tienes":
		if at(1) == "que" {
			return 2
		}
		return 0
	}
	return 1
}

// asksVerb says that the word at a place is a verb that asks for work there.
// Many verbs are nouns as well: within a sentence these need to be followed by
// what they are done to.
func asksVerb(s phrase, i int, sure bool) bool {
	word := s[i].word
	if word == "do" {
		return i+1 < len(s) && same(s[i+1].word)
	}
	if verbWeight(word) == 0 {
		return (sure || clauseStart(s, i)) && actsOn(s, i)
	}
	next := ""
	if i+1 < len(s) && s[i].stop == 0 {
		next = s[i+1].word
	}
	if word == "update" && next == "from" {
		return false
	}
	switch next {
	case "is", "are", "was", "were", "went", "fails", "failed", "has", "does", "doesn't", "isn't", "ist", "est", "es", "takes", "needs", "should", "works", "=":
		return false
	}
	if !nounToo(word) {
		return true
	}
	for k := i + 1; k < len(s) && k < i+4 && s[k-1].stop == 0; k++ {
		if s[k].word != "to" && modal(s[k].word) || s[k].word == "is" || s[k].word == "are" {
			return false // sort order should be …
		}
	}
	if sure && next != "" {
		return true
	}
	return next == "" && clauseStart(s, i) && workAlone(word) || determiner(next)
}

// workAlone says that a verb that is a noun as well is work by itself: build,
// test and release, but not: name, address and email.
func workAlone(word string) bool {
	switch word {
	case "test", "run", "build", "release", "document", "commit", "format", "review", "clean", "cleanup", "fix", "update", "upgrade", "benchmark", "profile", "research", "audit", "design", "plan", "draft", "prototype", "patch", "rollback", "setup":
		return true
	}
	return false
}

// same says that "do" is a request before a word: do the same, do a review.
func same(next string) bool {
	switch next {
	case "the", "that", "both", "all", "everything", "a", "an":
		return true
	}
	return false
}

// asksWork says that an item of a list asks for work: it begins with a verb that
// does, or says how something should be.
func asksWork(item string) bool {
	if wide(item) {
		return wideAsks(item)
	}
	for n, s := range phrases(item) {
		if n > 2 {
			break
		}
		for i := range s {
			if clauseStart(s, i) && (requestAt(s, i).verb >= 0 || wishes(s, i) > 0) {
				return true
			}
		}
	}
	return false
}
