package nudge

// headline looks at a first sentence that only names what is to be there: audit
// log for admin actions; settings page: change the password, delete the account.
func (f *findings) headline(s phrase, mean meaning) {
	if f.headed {
		return
	}
	f.headed = true
	if mean == tells || s.asksSomething() || subordinate(s[0].word) {
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
	if colon >= 0 && colon < 4 && !reports(s[0].word+":") {
		things := 0
		for i := colon + 1; i < len(s); i++ {
			if s[i].stop == ',' || i+1 == len(s) || conjunction(s[i].word) {
				things++
			}
		}
		if things > 2 {
			f.asked = max(f.asked, float64(min(things, 7)))
			f.clauses++
		}
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
		if faultWord(s[k].word) || subordinate(s[k].word) {
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
func featureOf(a, b token) float64 {
	if a.stop == 0 && a.word != "real" && (featureWord(a.word+"-"+b.word) || featureWord(a.word+b.word)) {
		return bigThing
	}
	return 0
}
