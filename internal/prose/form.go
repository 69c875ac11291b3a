package prose

import "strings"

// A ticket is a form: lines of a label and a value, with what was reported, done
// and said about it between them. Its writer may ask for it before the form and
// after it; what stands in it describes one thing, however long it is.

// ticket is the part of a text that is a ticket, or nothing.
func ticket(text string, lines []span) (from, to int) {
	labels, first := 0, -1
	last := -1 // the last line that begins a paragraph
	for i, l := range lines {
		line := strings.TrimSpace(text[l.from:l.to])
		if line == "" {
			continue
		}
		if i == 0 || strings.TrimSpace(text[lines[i-1].from:lines[i-1].to]) == "" {
			last = i
		}
		if formLabel(line) {
			if labels++; first < 0 {
				first = i
			}
		}
	}
	if labels < 2 {
		return 0, 0
	}
	if last <= first || formLabel(strings.TrimSpace(text[lines[last].from:lines[last].to])) || markerOf(text[lines[last].from:lines[last].to]).kind != 0 {
		return lines[first].from, len(text)
	}
	return lines[first].from, lines[last].from
}

// formLabel says that a line begins with a label of a ticket.
func formLabel(line string) bool {
	colon := strings.IndexByte(line[:min(len(line), 24)], ':')
	if colon < 0 {
		return false
	}
	switch strings.ToLower(strings.Trim(line[:colon], "*#_ ")) {
	case "reporter", "reported by", "priority", "severity", "component", "components", "labels", "assignee", "status", "type", "affects", "affected version", "affected versions", "fix version", "attachments", "resolution",
		"steps to reproduce", "expected", "observed", "actual", "actual result", "expected result", "expected behavior", "actual behavior", "environment",
		"melder", "priorität", "schweregrad", "erwartet", "tatsächlich", "priorité", "attendu", "obtenu", "prioridad", "esperado", "obtenido":
		return true
	}
	return false
}

// reproduces says that a list without a word of what is to be done with it says
// how a fault comes about: a complaint stands before it, and what one does is
// in it, or what happens then.
func reproduces(own string, items []span, intro string) bool {
	faults := 0
	for _, item := range items {
		text := own[item.from:item.to]
		if strings.HasPrefix(text, "->") || strings.HasPrefix(text, "=>") || strings.HasPrefix(text, "→") {
			return true
		}
		if complains(text) {
			faults++
		}
	}
	return 2*faults < len(items) && (complains(intro) || strings.HasSuffix(intro, "."))
}

// complains says that a line tells of a fault.
func complains(line string) bool {
	for _, s := range phrases(cutBytes(line, 400)) {
		for i := range s {
			if faultWord(s[i].word) {
				return true
			}
		}
	}
	return false
}

// courtesy says that a sentence is one of those that a letter ends with: should
// you have any questions, please contact me.
func courtesy(s phrase) bool {
	questions := len(s) > 2 && s[0].word == "if" && s[1].word == "you" && (s[2].word == "need" || s[2].word == "have")
	for i := range s {
		switch s[i].word {
		case "questions", "rückfragen", "fragen", "preguntas", "dudas", "perguntas", "dúvidas", "вопросы":
			questions = true
		case "hesitate", "hésitez":
			return true
		case "contact", "reach", "let", "ask", "call", "me", "melde", "melden", "meldet", "contactez", "contacta", "fale", "пишите":
			if questions {
				return true
			}
		}
	}
	return false
}

// wonders says that a sentence asks for an answer: why does it do that?
func wonders(s phrase) bool {
	if !s.asksSomething() || asksPolitely(s) {
		return false
	}
	switch s[0].word {
	case "why", "what", "how", "which", "who", "when", "where", "is", "are", "does", "do", "did", "warum", "wieso", "was", "wie", "welche", "welcher", "pourquoi", "comment", "quel", "quelle", "por", "cómo", "qué", "cuál", "почему", "как", "что":
		return true
	}
	return false
}
