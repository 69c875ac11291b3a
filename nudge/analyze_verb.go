package nudge

import "strings"

// A list of verbs is never long enough. Where a verb stands, and what follows
// it, says as well that it is one.

// actsOn says that a word is a verb that asks, whatever it means: it begins a
// clause, and what it is done to follows. Overhaul the parser, nuke all caches.
func actsOn(s phrase, i int) bool {
	word := s[i].word
	if i+1 >= len(s) || s[i].stop != 0 || !unknownVerb(word) {
		return false
	}
	switch s[i+1].word {
	case "the", "a", "an", "all", "every", "each", "our", "my", "these", "those", "both", "it", "them", "their":
		return true
	case "le", "la", "les", "el", "los", "las", "un", "una", "une", "des":
		return infinitive(word)
	}
	return false
}

// led says that nothing but a verb follows a word, in a request.
func led(word string) bool {
	switch word {
	case "please", "pls", "plz", "you", "u", "to", "let's", "lets":
		return true
	}
	return false
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
	if conjunction(word) || preposition(word) || subordinate(word) || somebody(word) || modal(word) || filler(word) || determiner(word) || negative(word) || pastWord(word) || wantWord(word) {
		return false
	}
	switch word {
	case "does", "has", "been", "being", "why", "who", "when", "where", "how", "than", "even", "given", "despite", "unlike", "whereas", "except", "today", "currently", "here", "often", "half", "nor", "yet", "near", "above", "behind", "beside", "beyond",
		"along", "among", "toward", "within", "inside", "outside", "off", "same", "most", "many", "much", "few", "quite", "rather", "know", "mean", "wish", "hope", "love", "hate", "saw", "made", "let", "isn't", "wasn't", "what's", "that's", "it's", "there's", "here's",
		"nice", "cool", "great", "hmm", "ask", "say", "hear", "learn", "decide", "talk", "admit", "feel", "worry", "confirm", "happen", "remember", "answer", "elaborate", "clarify", "advise", "bear", "sure", "par", "les", "las", "los":
		return false
	}
	return true
}

// infinitive says that a word ends like a French or Spanish infinitive, with
// which these ask as well.
func infinitive(word string) bool {
	for _, end := range [...]string{"er", "ir", "ar"} {
		if strings.HasSuffix(word, end) && len(word) > 4 {
			return word != "hacer" && word != "hier"
		}
	}
	return false
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

// runsOn says that a verb asks for one more piece without a sign before it:
// bump the deps fix whatever breaks.
func runsOn(s phrase, i, begun int) bool {
	if begun < 0 || i < begun+2 || verbWeight(s[i].word) < 1 || i+1 >= len(s) || s[i].stop != 0 || foreignVerb(s[i].word) {
		return false
	}
	switch s[begun].word {
	case "make", "let", "help", "ensure", "have", "see", "get", "go", "do", "be":
		return false
	}
	before := s[i-1].word
	if modal(before) || preposition(before) || pronoun(before) || subordinate(before) || negative(before) || determiner(before) && !strings.HasSuffix(before, "s") {
		return false
	}
	for k := begun + 1; k < i; k++ {
		switch s[k].word {
		case "that", "which", "who", "how", "what", "where", "when", "if", "so", "whether", "to", "until", "why":
			return false // it tells about the thing
		}
	}
	next := s[i+1].word
	if nounToo(s[i].word) {
		return next == "whatever" || next == "the" || next == "all" || next == "any" || next == "our"
	}
	return determiner(next)
}
