package prose

// How much a wish is worth, "the total should be red": often it explains a
// piece of work that is asked for elsewhere.
const (
	wishAmong = 0.6 // among requests
	wishAlone = 0.5
	wishAgain = 0.1 // about the same thing
)

// wishes is how much a clause asks for that says how something should be: less
// when it goes on about the same thing.
func wishes(s phrase, i int) float64 {
	if s[i].word == "i" {
		return 0
	}
	weight := wishAlone
	if pronoun(s[i].word) || modal(s[i].word) || conjunction(s[i].word) && i+1 < len(s) && modal(s[i+1].word) {
		weight = wishAgain
	}
	for end := clauseEnd(s, i); i < end; i++ {
		switch s[i].word {
		case "should", "must", "needs", "has", "have", "need", "want", "soll", "sollen", "muss", "müssen", "doit", "doivent", "debe", "deben":
			if s[i].word != "has" && s[i].word != "have" || i+1 < end && s[i+1].word == "to" {
				return weight
			}
		}
	}
	return 0
}

// wishedThings is how many pieces more a wish has that names several things:
// documents need versions, a diff view and a way to restore them.
func wishedThings(s phrase, i int) float64 {
	for _, t := range s {
		if t.word == "but" || t.word == "moment" || t.word == "currently" {
			return 0 // it tells what is there
		}
	}
	for end := clauseEnd(s, i); i+1 < end; i++ {
		if !wantWord(s[i].word) {
			continue
		}
		each, from := 1.0, i+1
		switch s[from].word {
		case "get", "have", "support", "include", "contain", "cover", "offer", "handle":
			each, from = 0.7, from+1
		default:
			if !needs(s[i].word) || s[from].word == "to" {
				return 0
			}
		}
		if of(s, from) {
			return 0
		}
		things := 1
		for k := from; k+1 < len(s) && k < from+25; k++ {
			if things == 1 && (s[k].word == "with" || s[k].word == "mit") {
				each = wishAlone // parts of one thing
			}
			if s[k].stop == ',' && !conjunction(s[k+1].word) || conjunction(s[k+1].word) {
				things++
			}
			if s[k].stop == '>' || s[k].stop == ':' || subordinate(s[k+1].word) || wantWord(s[k+1].word) {
				break
			}
		}
		if things > 2 {
			return each * float64(min(things, 7)-1)
		}
		return 0
	}
	return 0
}
