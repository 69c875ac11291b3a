package prose

import "strings"

// A specification is work that is told rather than asked for: it says how
// something is to be, one statement after the other, and only one of them, or
// none, is a request.
//
//	I want an app for the gym: members book classes and cancel them, trainers
//	see who comes, and at the end of the month everybody gets an invoice
//
// Each statement is a part of the work. The same statements tell what happens
// in a report of a fault, what there is in a question, and what was done in
// talk: what kind of prompt it is decides whether they count.
type specification struct {
	parts   float64 // statements of how it is to be; half a one for a few words
	wanted  int     // words that say that something is wanted
	faults  float64 // the same about what goes wrong
	told    float64 // about what was, or what somebody thinks
	kept    float64 // about what is to stay as it is
	asked   int     // sentences that ask a question
	small   bool    // what is asked for first is a small thing
	code    bool    // and that is a piece of code that is to be written
	spared  bool    // nothing is to be changed
	answers bool    // what is asked for is an answer
	begun   bool    // a first thing was asked for
	needed  bool    // somebody wants or needs it: more than that it should be
	wonders bool    // it begins with a question
}

// statements looks at the clauses of a sentence.
func (p *specification) statements(s phrase, requested bool) {
	if s.asksSomething() && meaningOf(s) != asking && !requestAt(s, 0).led {
		p.asked++
		p.wonders = p.wonders || !p.begun && p.parts == 0
		return
	}
	for from := 0; from < len(s); {
		to := from + 1
		for to < len(s) && s[to-1].stop == 0 && !joins(s, to) {
			to++
		}
		p.clause(s, from, to, requested)
		from = to
	}
}

// joins says that a clause begins with the word that joins it to the one before.
func joins(s phrase, i int) bool {
	switch s[i].word {
	case "then", "also", "but", "plus", "aber", "dann", "puis", "mais", "luego", "pero":
		return true
	}
	return conjunction(s[i].word)
}

// clause says what kind of statement one is.
func (p *specification) clause(s phrase, from, to int, requested bool) {
	for from < to && (conjunction(s[from].word) || filler(s[from].word) || sequenceWord(s[from].word) || polite(s[from].word)) {
		from++
	}
	if from == to {
		return
	}
	first := s[from].word
	wanted, needed, fault, told, kept := 0, false, false, false, negative(first) || keeps(first)
	for i := from; i < to; i++ {
		word := s[i].word
		switch {
		case wantWord(word):
			wanted++
			needed = needed || needs(word) && word != "like" || word == "wants" || (word == "i'd" || word == "we'd") && i+1 < to && (s[i+1].word == "like" || s[i+1].word == "love")
		case (word == "has" || word == "have" || word == "had") && i+1 < len(s) && s[i+1].word == "to":
			wanted++
		case faultWord(word):
			fault = true
		case pastWord(word):
			told = true
		case word == "changes" || word == "code" || word == "task" || word == "files":
			p.spared = p.spared || i > 0 && (s[i-1].word == "no" || s[i-1].word == "any")
		case word == "know" || word == "understand" || word == "hear" || word == "learn" || word == "decide":
			p.spared = p.spared || i > 0 && s[i-1].word == "to"
		case word == "opinion" || word == "thoughts":
			p.spared = true
		}
		kept = kept || stays(word)
	}
	r := requestAt(s, from)
	asks := r.verb >= 0 && !r.never && (p.begun || requested)
	if r.never && self(first) {
		p.told += clauseSize(to - from)
		return
	}
	p.wanted += wanted
	p.needed = p.needed || needed
	size := clauseSize(to - from)
	switch {
	case fault:
		p.faults += size
	case kept:
		p.kept += size
	case wanted == 0 && (told || thinks(s, from, to)):
		p.told += size
	case size < 1 && isDigit(first[0]):
	case !p.begun && !asks && p.wanted == 0: // before anything is wanted, it is about what there is
	default:
		p.parts += size
	}
	p.wonders = p.wonders && !r.led
	if asks && p.small && maker(s[r.verb].word) {
		p.small = smallThing(s, r.verb+1)
	}
	if asks && !p.begun {
		p.begun = true
		p.small = smallThing(s, r.verb+1)
		for i := r.verb + 1; p.small && maker(s[r.verb].word) && i < min(to, r.verb+5); i++ {
			p.code = p.code || artefact(s[i].word)
		}
		p.answers = p.answers || telling(s[r.verb].word) || writesWords(s, r.verb)
	}
}

// clauseSize is how many statements so many words are. Who dictates makes no
// commas.
func clauseSize(words int) float64 {
	if words < 4 {
		return 0.5
	}
	return max(1, float64(words)/8)
}

// thinks says that a clause tells what its writer thinks or did: not what she
// can do with the thing that is to be made.
func thinks(s phrase, from, to int) bool {
	switch s[from].word {
	case "i", "i'm", "i've", "i'll", "i’m", "i’ve", "ich", "je", "yo":
		return from+1 == to || !modal(s[from+1].word)
	}
	return false
}

// telling says that a verb asks for words and not for work.
func telling(verb string) bool {
	switch verb {
	case "explain", "describe", "summarize", "summarise", "tell", "compare", "recommend", "suggest", "walk", "show", "list", "study", "think", "erkläre", "explique", "explica", "dime", "dis-moi", "sag":
		return true
	}
	return false
}

// score is how surely the statements are a specification of complex work.
func (p *specification) score(requests int) float64 {
	if p.spared || p.answers || p.small || p.wanted == 0 && (requests == 0 || p.wonders) || requests == 0 && p.asked > 0 {
		return 0
	}
	sure := float64(min(p.wanted, 2)) / 2
	if p.needed {
		sure = 3
	}
	return along(p.net()+sure, byParts)
}

// net is how many parts there are more than statements of another kind.
func (p *specification) net() float64 {
	return p.parts - 1.5*(p.faults+p.told+p.kept+float64(p.asked))
}

// beyond is how many parts are told besides so many requests.
func (p *specification) beyond(requests int) float64 {
	if p.spared || p.answers || p.small || p.wonders {
		return 0
	}
	return p.net() - float64(requests)
}

// How surely work is complex that is told in so many parts.
var byParts = []point{{5, 0}, {7, 0.61}, {12, 0.85}, {20, 0.9}}

// wantWord says that a word makes a statement one of how something is to be.
func wantWord(word string) bool {
	switch word {
	case "want", "wants", "need", "needs", "should", "must", "goal", "criteria", "requirement", "requirements", "feature", "let's", "lets", "shall", "i'd", "we'd",
		"soll", "sollen", "sollte", "muss", "müssen", "brauchen", "brauche", "möchte", "möchten", "wollen",
		"doit", "doivent", "faut", "besoin", "veut", "veux", "voudrais", "quiero", "queremos", "necesito", "necesitamos", "debe", "deben", "puedan":
		return true
	}
	return false
}

// faultWord says that a word tells of something that goes wrong.
func faultWord(word string) bool {
	switch word {
	case "crash", "crashes", "crashed", "crashing", "fails", "failed", "failing", "broken", "broke", "wrong", "weird", "strange", "bug", "exception", "panic", "flaky", "incorrect", "stuck", "hangs", "leak", "regression", "unexpected", "expected", "why",
		"doesn't", "doesnt", "isn't", "isnt", "can't", "cant", "won't", "500", "502", "503", "cause", "nothing", "error", "blame", "reason",
		"fehler", "kaputt", "falsch", "warum", "abstürzt", "erreur", "plante", "pourquoi", "falla", "fallan", "porqué":
		return true
	}
	return false
}

// pastWord says that a word tells of what was.
func pastWord(word string) bool {
	switch word {
	case "was", "were", "did", "had", "been", "went", "got", "came", "told", "said", "asked", "found", "tried", "i've", "we've", "i'm", "think", "guess", "suppose", "believe", "wonder", "wondering", "understand", "yesterday", "thanks", "thank",
		"war", "waren", "hatte", "hatten", "wurde", "wurden", "était", "étaient", "fue", "era", "estaba":
		return true
	}
	return false
}

// keeps says that a verb asks to leave things as they are.
func keeps(verb string) bool {
	switch verb {
	case "keep", "leave", "ignore", "don't", "dont", "never", "without", "only", "undo", "revert":
		return true
	}
	return false
}

// stays says that a word tells that something is not to change.
func stays(word string) bool {
	switch word {
	case "don't", "dont", "stay", "stays", "unchanged", "untouched", "never", "alone":
		return true
	}
	return false
}

// smallThing says that what is named at a place is one thing that has no parts:
// a function, a button.
func smallThing(s phrase, i int) bool {
	for n := 0; i < len(s) && n < 6 && !(n > 0 && preposition(s[i].word)); n++ {
		switch s[i].word {
		case "helper", "sql", "tooltip", "paragraph", "sentence", "title", "heading", "typo", "button", "label", "column", "text", "color", "colour", "field", "message", "comment", "variable", "constant", "snippet", "one-liner", "padding", "margin", "icon", "endpoint", "index", "headline":
			return true
		}
		if artefact(s[i].word) {
			return true // slugify(text)
		}
		if s[i].stop != 0 {
			return false
		}
		i++
	}
	return false
}

// artefact says that a word names a piece of code that is one thing, however
// much it is to do.
func artefact(word string) bool {
	switch word {
	case "function", "func", "method", "script", "regex", "regexp", "query", "dockerfile", "makefile", "class", "hook", "snippet", "one-liner", "decorator", "macro", "alias", "component", "widget", "picker", "slider", "spinner", "cache", "queue", "struct", "enum", "checksum", "algorithm", "flag", "handler", "komponente", "composant", "componente", "funktion", "skript", "klasse", "abfrage", "fonction", "requête", "classe", "función", "clase", "consulta", "função", "функцию", "скрипт", "запрос":
		return true
	}
	return strings.IndexByte(word, '(') > 0 // slugify(text)
}
