package prose

// A request is what a clause begins with.
type request struct {
	verb  int  // the place of the verb that asks, or -1
	led   bool // words before it say that it asks: please, could you
	never bool // it asks not to: don't
	order bool // a word of a sequence is before it
}

// requestAt looks for a request at the start of a clause.
func requestAt(s phrase, i int) request {
	r := request{verb: -1}
	need := -1 // the place of a verb that leads to another one, or to a thing: need, want
	for from := i; i < len(s) && i < from+12; {
		word := s[i].word
		switch {
		case sequence.has(word):
			r.order = true
			i++
		case (word == "start" || word == "begin") && i+1 < len(s) && (s[i+1].word == "by" || s[i+1].word == "with"):
			r.order = true
			i += 2
		case polite.has(word):
			r.led = true
			i++
		case negative.has(word) && !(word == "do" && i+1 < len(s) && same.has(s[i+1].word)):
			r.never = true
			return r
		case word == "go" && i+1 < len(s) && (s[i+1].word == "through" || s[i+1].word == "over"):
			r.verb = i
			return r
		case filler.has(word), conjunction.has(word):
			i++
		case r.led && i > from && self.has(s[from].word) && (telling.has(word) || inform.has(word)):
			r.never = true // I want to explain something first
			return r
		default:
			if n := doneLen(s, i); n > 0 {
				r.order = true
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
					if needs.has(s[k].word) {
						need = k
					}
				}
				i += n
				continue
			}
			if r.led && i > from && !isVerb(word) && leading.has(s[i-1].word) && unknownVerb(word) {
				r.verb = i
				return r
			}
			switch {
			case asksVerb(s, i, from == 0 || r.led):
				r.verb = i
			case r.order && gerund(word), lastVerb(s[clauseEnd(s, i)-1].word):
				r.verb = i // in German the verb is at the end
			case need >= 0 && s[i-1].word != "to":
				r.verb = need
			default:
				if n := placeLen(s, i); n > 0 {
					r.verb = i + n
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
		if somebody.has(s[i+n].word) {
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
	n, second := 2, ""
	switch at(0) {
	case "can", "could", "would", "will":
		second = "you u we someone"
	case "i", "we", "you":
		if second = "need want have should must gotta wanna ought"; at(1) == "would" && (at(2) == "like" || at(2) == "love") {
			second = "would"
		}
	case "brauche", "brauchen":
		if among(at(1), "ich wir") {
			return 2
		}
		return 0
	case "wir", "ich", "du":
		second = "müssen sollten wollen brauchen möchten möchte brauche will sollst musst solltest"
	case "il":
		second = "faut faudrait"
	case "je", "on":
		second = "veux voudrais doit va aimerais"
	case "hay", "tienes":
		second = "que"
	case "i'd", "we'd", "faut", "faudrait", "надо", "нужно", "precisamos", "preciso", "pode", "poderia", "need", "needs", "needed", "let's", "lets", "kannst", "könntest", "würdest", "peux-tu", "pourrais-tu", "pouvez-vous", "pourriez-vous", "puedes", "podrías", "quero", "quiero", "necesito", "queremos", "necesitamos", "debes":
		n = 1
	default:
		return 0
	}
	if n == 2 && !among(at(1), second) {
		return 0
	}
	for k := 0; k < 5 && among(at(n), "you u to like love help me du uns mir que tu vous also bitte de"); k++ {
		n++
	}
	return n
}

// asksVerb says that the word at a place is a verb that asks for work there.
// Many verbs are nouns as well: within a sentence these need to be followed by
// what they are done to.
func asksVerb(s phrase, i int, sure bool) bool {
	word := s[i].word
	if word == "do" {
		return i+1 < len(s) && same.has(s[i+1].word)
	}
	if !isVerb(word) {
		return (sure || clauseStart(s, i)) && actsOn(s, i)
	}
	next := ""
	if i+1 < len(s) && s[i].stop == 0 {
		next = s[i+1].word
	}
	if word == "update" && next == "from" {
		return false
	}
	if next != "" && (next[0] == '/' || next[0] == '#') {
		return false // GET /orders, build #12
	}
	switch next {
	case "is", "are", "was", "were", "went", "fails", "failed", "has", "does", "doesn't", "isn't", "ist", "est", "es", "takes", "needs", "should", "works", "=":
		return false
	}
	if !nounToo.has(word) {
		return true
	}
	for k := i + 1; k < len(s) && k < i+4 && s[k-1].stop == 0; k++ {
		if s[k].word != "to" && modal.has(s[k].word) || s[k].word == "is" || s[k].word == "are" {
			return false // sort order should be …
		}
	}
	if sure && next != "" {
		return true
	}
	return next == "" && clauseStart(s, i) && workAlone.has(word) || determiner(next)
}
