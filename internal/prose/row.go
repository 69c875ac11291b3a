package prose

// What a sentence names in a row, be there a verb to it or none.

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

// parallel says that each part of a sentence begins with a verb that asks, be it
// a noun elsewhere: bump version, update changelog, tag it.
func parallel(s phrase) bool {
	parts := 0
	for from := 0; from < len(s); {
		to := from + 1
		for to < len(s) && s[to-1].stop == 0 && !conjunction(s[to].word) {
			to++
		}
		for from < to && (conjunction(s[from].word) || filler(s[from].word) || sequenceWord(s[from].word)) {
			from++
		}
		if to-from < 2 || to < len(s) && s[to-1].stop != ',' && s[to-1].stop != 0 || verbWeight(s[from].word) == 0 && requestAt(s, from).verb < 0 {
			return false
		}
		parts++
		from = to
	}
	return parts > 2
}

// valued says that each part of what is named has a number: connect to 5s, read
// to 30s. These are values.
func valued(s phrase) bool {
	parts, number := 0, false
	for i := range s {
		number = number || isDigit(s[i].word[0])
		if s[i].stop != 0 || i+1 == len(s) {
			if !number {
				return false
			}
			parts, number = parts+1, false
		}
	}
	return parts > 1
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
