package prose

// narrows says that a sentence holds the work down to little: don't touch
// anything else, docs only, just this one line, nur die Doku.
func narrows(s phrase) bool {
	at := func(i int) string {
		if i >= 0 && i < len(s) {
			return s[i].word
		}
		return ""
	}
	for i := range s {
		switch s[i].word {
		case "else":
			if at(i-1) == "anything" || at(i-1) == "nothing" {
				return true
			}
		case "nothing", "anything":
			if at(i+1) == "more" || at(i+1) == "beyond" {
				return true
			}
		case "d'autre", "d’autre", "de":
			if at(i-1) == "rien" {
				return true
			}
		case "más", "mais":
			if at(i-1) == "nada" {
				return true
			}
		case "sonst", "weiter", "anderes":
			if at(i-1) == "nichts" || at(i+1) == "nichts" {
				return true
			}
		case "only", "nur", "just", "uniquement", "seulement", "solo", "sólo", "solamente", "apenas", "somente", "только":
			if clauseStart(s, i) && i+1 < len(s) && s[i].stop == 0 && (articleOf(s[i+1].word) || at(i+1) == "this" || s[i].word != "just" && verbWeight(at(i+1)) > 0) {
				return true // just this line, nur die Doku, only change the text
			}
			if s[i].word == "only" && i > 0 && (i+1 == len(s) || s[i].stop != 0) {
				return true // docs only
			}
			if i > 0 && i < 4 && requestsAt(s, i-1) && s[i].word != "just" {
				return true // change only the colour
			}
		case "code", "changes", "änderungen", "refactoring", "refactor":
			if at(i-1) == "no" || at(i-1) == "any" || at(i-1) == "keine" || at(i-1) == "keinen" {
				return true
			}
		}
		if forbids(s, i) {
			return true
		}
	}
	return false
}

// forbids says that a request not to change things begins at a word.
func forbids(s phrase, i int) bool {
	switch s[i].word {
	case "don't", "dont", "don’t", "not", "never", "ne", "no", "não", "не":
	default:
		return false
	}
	if i+1 == len(s) || s[i].stop != 0 {
		return false
	}
	switch s[i+1].word {
	case "touch", "change", "modify", "edit", "refactor", "touche", "toucher", "touchez", "toques", "cambies", "mexa", "mexe", "altere", "трогай", "меняй":
		return true
	}
	return false
}
