package prose

import "strings"

// headline looks at a first sentence that only names what is to be there: audit
// log for admin actions; settings page: change the password, delete the account.
func (f *findings) headline(s phrase, mean meaning) {
	if f.sentences > 0 || mean == tells || s.asksSomething() || subordinate(s[0].word) {
		return
	}
	colon, large := -1, 0.0
	for i := range s {
		word := s[i].word
		if faultWord(word) || pastWord(word) || negative(word) || word == "is" || word == "are" || word == "the" {
			return
		}
		if s[i].stop == ':' && colon < 0 {
			colon = i
		}
		if i > 0 && i < 6 {
			large = max(large, featureOf(s[i-1], s[i]))
		}
		if i < 4 && featureWord(word) {
			large = bigThing
		}
	}
	if colon >= 0 && colon < 4 && !factLead(s[0].word) && !dataNoun(s[colon].word) {
		things := 0
		for i := colon + 1; i < len(s); i++ {
			if s[i].stop == ',' || i+1 == len(s) || conjunction(s[i].word) {
				things++
			}
		}
		if things > 2 && !bare(s, colon+1) {
			f.hints = max(f.hints, float64(min(things, 7))-f.asked)
			f.clauses++
		}
	}
	if mean == unsaid && len(s) < 7 && becomes(s) {
		large = sureThing
	}
	if mean == unsaid && large > f.large {
		f.large, f.what = large, span{s[0].at.from, s[len(s)-1].at.to}
	}
}

// largeWish looks whether a clause says of a large thing how it is to be, or of
// many things: the app must work offline, all handlers have to take a context.
func (f *findings) largeWish(s phrase, i int) {
	end := clauseEnd(s, i)
	large := 0.0
	for k := i; k < end; k++ {
		if faultWord(s[k].word) || negative(s[k].word) || subordinate(s[k].word) {
			return
		}
		if modal(s[k].word) || wantWord(s[k].word) || s[k].word == "have" || s[k].word == "has" {
			if !plural(s[max(k, 1)-1].word) || k-i > 1 {
				large = max(large, eachOf(s[:k], i))
			}
		}
		size := 0.0
		if featureWord(s[k].word) {
			size = bigThing
		} else if s[k].word == "become" || s[k].word == "becomes" {
			size = bigThing
		}
		if k > i {
			size = max(size, featureOf(s[k-1], s[k]))
		}
		large = max(large, size)
	}
	if large > f.large {
		f.large, f.what = large, span{s[i].at.from, s[end-1].at.to}
	}
}

// featureOf is thingSize of two words, for features whose names are written
// with a hyphen or without one.
func featureOf(a, b term) float64 {
	if a.stop == 0 && a.word != "real" && (featureWord(a.word+"-"+b.word) || featureWord(a.word+b.word)) {
		return bigThing
	}
	return 0
}

// becomes says that a few words name what there is and what it is to become:
// webpack -> vite, angular 12 to 17.
func becomes(s phrase) bool {
	for i := range s {
		if s[i].word == "in" {
			return false // urllib -> requests in fetch()
		}
	}
	for i := 1; i+1 < len(s); i++ {
		if s[i-1].stop == '>' {
			return true
		}
		if s[i].word == "to" && isDigit(s[i-1].word[0]) && isDigit(s[i+1].word[0]) {
			return true
		}
	}
	return len(s) == 2 && s[0].stop == '>'
}

// fragments is how many pieces a sentence names one after the other, without a
// verb to most of them:
//
//	kanban board for the tasks, drag and drop, swimlanes, limits
func fragments(s phrase) float64 {
	if s.asksSomething() || preposition(s[0].word) || subordinate(s[0].word) || somebody(s[0].word) {
		return 0
	}
	n, from, cased := 0, 0, false
	for i := range s {
		word := s[i].word
		switch {
		case faultWord(word), pastWord(word), wantWord(word), word == "i", i > 30:
			return 0
		case word == "is", word == "are", word == "it's", word == "sont", word == "son", word == "são", word == "because", word == "ist", word == "sind", word == "est", word == "es":
			return 0
		case s[i].stop == ':':
			if of(s[:i+1], 0) {
				return 0
			}
			cased = true
		}
		joined := i+1 == len(s) || s[i].stop != 0 || conjunction(s[i+1].word) && s[i].stop == 0
		if !joined {
			continue
		}
		if i+1-from > 7 {
			return 0
		}
		if fragment(s[from : i+1]) {
			n++
		} else if i+1-from > 1 || negative(s[from].word) {
			return 0
		}
		from = i + 1
	}
	if n < 3 || n == 3 && !cased && len(s) < 7 {
		return 0
	}
	return 0.8 * float64(min(n, 7))
}

// fragment says that some words between two commas name a piece of work.
func fragment(s phrase) bool {
	for len(s) > 1 && (conjunction(s[0].word) || filler(s[0].word) || sequenceWord(s[0].word)) {
		s = s[1:]
	}
	word := s[0].word
	if word == "that" && len(s) > 2 {
		return true // that old page
	}
	switch word {
	case "the", "this", "that", "then", "yes", "no", "ok", "okay", "nice", "cool", "great", "good", "thanks", "hm", "hmm", "etc", "please", "pls", "maybe", "probably", "incl", "like", "e.g", "i.e", "only":
		return false
	}
	return isLetter(word[0]) && len(word) > 1 && !negative(word) && !preposition(word) && !pronoun(word) && !subordinate(word) && !strings.HasPrefix(word, "xx")
}
