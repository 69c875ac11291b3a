package prose

import "strings"

// handsOver says that a sentence asks for what is quoted beside it, piece by
// piece: please fix all of these, can you implement what Karin wants. What is
// quoted counts for nothing otherwise.
func handsOver(s phrase) bool {
	asked := -1
	for i := range s {
		if eachVerb(s[i].word) && requestsAt(s, i) {
			asked = i
		}
		if asked < 0 || i == asked || i > asked+6 {
			continue
		}
		next := ""
		if i+1 < len(s) {
			next = s[i+1].word
		}
		switch s[i].word {
		case "all", "each", "every", "alle", "toutes", "tous", "todos", "todas", "tudo", "все", "any":
			return next != "the" // all the tests are no quotation
		case "points", "comments", "remarks", "requests", "issues", "findings", "changes", "punkte", "puntos":
			for k := i + 1; k < len(s) && k < i+5; k++ {
				switch s[k].word {
				case "mail", "email", "e-mail", "message", "thread", "below", "review", "correo":
					return true
				}
			}
		case "everything", "alles", "tout", "todo", "всё":
			return true
		case "what", "was":
			return next != "" && next != "is"
		}
	}
	return false
}

// requestsAt says that a verb stands where it asks.
func requestsAt(s phrase, i int) bool {
	for from := i; from >= 0 && from > i-6; from-- {
		if clauseStart(s, from) {
			return requestAt(s, from).verb == i
		}
	}
	return false
}

// quotedPieces is how many pieces there are in what a prompt quotes: its lines,
// or the statements of a line that has several.
func quotedPieces(prompt, own string) int {
	n := 0
	for _, l := range splitLines(prompt) {
		line := prompt[l.from:l.to]
		if strings.TrimSpace(line) == "" || strings.TrimSpace(own[l.from:l.to]) != "" || mailHead(line) {
			continue
		}
		for _, s := range phrases(line) {
			n += statementsOf(s)
		}
		if n > MaxSteps {
			break
		}
	}
	return n
}
