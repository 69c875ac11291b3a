package prose

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

// tells says that a sentence says what somebody does, by how it begins.
func tells(s phrase) bool {
	i := 0
	for i < len(s)-1 && (filler.has(s[i].word) || subordinate.has(s[i].word) || sequence.has(s[i].word)) {
		i++
	}
	if s[i].word == "it" && i+1 < len(s) && verbForm(s[i+1].word) {
		return true
	}
	if requestAt(s, i).led || !somebody.has(s[i].word) {
		return false
	}
	// When users save the form, check it and show …
	return i == 0 || !subordinate.has(s[i-1].word) || !others(s[i].word) || !asksLast(s)
}

// others says that a word means people who are neither the writer nor the agent.
func others(word string) bool {
	return somebody.has(word) && !self.has(word) && word != "i've" && word != "i'm" && word != "you"
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
	return i == 0 || s[i-1].stop != 0 || conjunction.has(s[i-1].word) || s[i].word == "then" || s[i].word == "dann" || s[i].word == "puis"
}

// clauseEnd is where the clause of a word ends.
func clauseEnd(s phrase, i int) int {
	for i++; i < len(s) && s[i-1].stop == 0 && !conjunction.has(s[i].word); i++ {
	}
	return i
}

// A list of verbs is never long enough. Where a verb stands, and what follows
// it, says as well that it is one.

// actsOn says that a word is a verb that asks, whatever it means: it begins a
// clause, and what it is done to follows. Overhaul the parser, nuke all caches.
func actsOn(s phrase, i int) bool {
	word := s[i].word
	return i+1 < len(s) && s[i].stop == 0 && unknownVerb(word) && object.has(s[i+1].word)
}

// unknownVerb says that a word could be a verb that asks: it is none of the
// words that hold sentences together, and no form that asks for nothing.
func unknownVerb(word string) bool {
	if len(word) < 3 || verbForm(word) {
		return false
	}
	for k := range len(word) {
		if !isLetter(word[k]) && word[k] != '-' && word[k] < 0x80 {
			return false
		}
	}
	const others = 1<<conjunction | 1<<preposition | 1<<subordinate | 1<<somebody | 1<<modal | 1<<filler | 1<<negative | 1<<past | 1<<wish | 1<<noVerb
	return kindsOf(word)&others == 0 && !determiner(word)
}

// verbForm says that a word ends like another form of a verb than the one that
// asks, or like another kind of word.
func verbForm(word string) bool {
	for _, end := range [...]string{"ed", "ing", "ly", "s"} {
		if strings.HasSuffix(word, end) && !strings.HasSuffix(word, "ss") {
			return true
		}
	}
	return false
}
