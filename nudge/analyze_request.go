package nudge

import "strings"

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
	modals := false // a verb after one goes on with it: can search, export and print
	for i := 0; i < len(s); i++ {
		f.file(s[i].word)
		modals = modals || modal(s[i].word)
		f.asked += sameFor(s, i)
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
				f.asked += wishedThings(s, i)
			}
			if mean == asking && !r.never && (w > 0 || r.order != "") {
				f.asked += wishAmong
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
		f.asked += r.weight + enumerated(s, r.verb)
		f.largest(s, r.verb)
		i = r.verb
	}
	end(len(s))
	f.headline(s, mean)
	if (f.sentences == 0 || f.sentences == 1 && f.clauses > 0) && (mean == unsaid || mean == asking && requestAt(s, 0).verb < 0) {
		f.asked = max(f.asked, fragments(s))
	}
	f.sentences++
	if oneByOne(s) && f.large < manyThings {
		f.large, f.what = manyThings, span{s[0].at.from, s[len(s)-1].at.to}
	}
	if n := counted(s); n > 0 && !s.asksSomething() && mean != tells && !tellsPast(s) && (n > 2.5 || len(f.prompt) > 80) {
		f.asked = max(f.asked, n)
	}
	if wished > 2 {
		f.asked += float64(wished) // a specification, told in one sentence
	} else {
		f.asked += min(alone, 1)
	}
	if mean == unsaid && alone > 0 && pointsOut(s) {
		f.asked += afterColon(s, 0)
	}
	if s.asksSomething() && mean != asking && len(s) > 2 {
		f.questions++
	}
}

// tellsPast says that a sentence tells what was.
func tellsPast(s phrase) bool {
	for _, t := range s {
		if pastWord(t.word) {
			return true
		}
	}
	return false
}

// promises says that a clause tells what somebody will do: then I'll test it,
// merge it and deploy it.
func promises(s phrase, i int) bool {
	for i < len(s)-1 && (filler(s[i].word) || sequenceWord(s[i].word)) {
		i++
	}
	switch s[i].word {
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
	if requestAt(s, i).led || !somebody(s[i].word) {
		return unsaid
	}
	return tells
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
	case "need", "needs", "needed", "let's", "lets", "kannst", "könntest", "würdest", "peux-tu", "pourrais-tu", "pouvez-vous", "pourriez-vous", "puedes", "podrías", "quiero", "necesito", "queremos", "necesitamos", "debes", "hay", "il", "wir", "ich", "du", "je", "on", "tienes":
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
	if !nounToo(word) || sure && next != "" {
		return true
	}
	return next == "" && clauseStart(s, i) || determiner(next)
}

// same says that "do" is a request before a word: do the same, do a review.
func same(next string) bool {
	switch next {
	case "the", "that", "both", "all", "everything", "a", "an":
		return true
	}
	return false
}

// file notes a file that is named.
func (f *findings) file(word string) {
	dot := strings.LastIndexByte(word, '.')
	if dot <= 0 || len(word)-dot > 6 || len(word)-dot < 2 || !isLetter(word[dot+1]) || len(f.files) > MaxSteps {
		return
	}
	if f.files == nil {
		f.files = map[string]bool{}
	}
	f.files[word] = true
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
		if s.asksSomething() && len(s) > 3 {
			return true
		}
	}
	return false
}
