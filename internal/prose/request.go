package prose

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
	row := parallel(s)
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
		if i > 0 && s[i-1].stop == ':' && valued(s[i:]) {
			break
		}
		r := requestAt(s, i)
		if row && r.verb < 0 && i > 0 && verbWeight(s[i].word) > 0 {
			r.verb, r.weight = i, 1
		}
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
		f.led = f.led || r.led
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
	if mean != tells && (oneByOne(s) || movesAll(s) || layers(s)) && f.large < manyThings {
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
	f.handed = f.handed || handsOver(s) || closes(s)
	if wished > 2 {
		f.hints += float64(wished) // a specification, told in one sentence
	} else {
		f.hints += min(alone, 1)
	}
	if mean == unsaid && alone > 0 && pointsOut(s) {
		f.hints += afterColon(s, 0)
	}
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
