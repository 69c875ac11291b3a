package prose

import "strings"

// A lead is what the words before a list make of its items. They decide, and
// not each item by itself: "check the config" is a piece of work under "do the
// following:", a fact under "what I did:", and a value under "buttons:".
type lead int

const (
	leadNone  lead = iota // nothing: each item speaks for itself
	leadWork              // items are pieces of work: fix these
	leadFacts             // they tell something, or are what one piece of work is done to
)

// list weighs a list. Items of one or two bare words are data unless the words
// before them ask for work in so many words.
func (f *findings) list(own string, items []span, intro, first, after string) {
	lead := leadOf(intro)
	if lead == leadNone && intro != first {
		lead = leadOf(first)
	}
	if lead == leadNone && intro == "" && findsOne(after) {
		lead = leadFacts // they say how a fault comes about
	}
	if lead == leadNone && reproduces(own, items, intro) {
		lead = leadFacts
	}
	if lead != leadFacts {
		switch leadOf(after) {
		case leadFacts:
			lead = leadFacts
		case leadWork:
			if lead == leadNone && (intro == "" || hands(after)) {
				lead = leadWork
			}
		}
	}
	if lead == leadFacts {
		return
	}
	var asking, told []span
	bare := 0
	for _, item := range items {
		text := own[item.from:item.to]
		switch kind := itemOf(text); kind {
		case itemAsks:
			asking, told = append(asking, item), append(told, item)
		case itemTells:
			told = append(told, item)
		case itemBare:
			bare++
			told = append(told, item)
		}
	}
	all := 2*len(asking) >= len(told)
	if lead == leadWork || lead == leadNone && intro == "" {
		all = all || 2*bare <= len(told) || duties(intro) || intro+after == ""
	}
	if len(asking) > 0 && bare == 0 && lead == leadNone && titled(intro) {
		all = true // what one of them is, the others are
	}
	if !all {
		told = asking
	}
	f.items += len(told)
	for _, item := range told {
		f.step(item)
	}
}

// How an item is meant.
const (
	itemNothing = iota // no words, or it asks not to
	itemAsks           // it asks for work
	itemTells          // it tells or names something
	itemBare           // it names something in one word or two
	itemWonders        // it asks for an answer
)

func itemOf(text string) int {
	if !hasWord(text) {
		return itemNothing
	}
	words := strings.Fields(text)
	if len(words) == 2 && strings.HasSuffix(words[0], ":") {
		return itemBare // auth: debug
	}
	if asksWork(text) {
		return itemAsks
	}
	if end := strings.TrimRight(text, ` "'”)`); strings.HasSuffix(end, "?") || strings.HasSuffix(end, "？") {
		return itemWonders
	}
	if wide(text) {
		return itemTells
	}
	if len(words) < 3 && !deliverable(strings.ToLower(words[len(words)-1])) {
		return itemBare
	}
	return itemTells
}

// leadOf says what a line before a list, or after it, makes of the list.
func leadOf(line string) lead {
	line = strings.TrimLeft(cutBytes(line, 400), "#* ")
	if line == "" {
		return leadNone
	}
	if wide(line) {
		return wideLead(line)
	}
	found := leadNone
	for _, s := range phrases(line) {
		if l := phraseLead(s); l != leadNone {
			found = l // the last word is that of the list
		}
	}
	return found
}

func phraseLead(s phrase) lead {
	mean := meaningOf(s)
	work, facts := false, false
	head := true // before a preposition: changes for the last version are changes
	for i := range s {
		word := s[i].word
		head = head && (i == 0 || !preposition(word) || word == "to" || word == "of" || verbWeight(s[i-1].word) > 0)
		next := ""
		if i+1 < len(s) {
			next = s[i+1].word
		}
		switch {
		case head && factLead(word), doneLead(word), dataNoun(word) && len(s) > 1, word == "no" && next != "":
			facts = true
		case (word == "have" || word == "has") && (i+1 == len(s) || s[i].stop != 0) && i > 0 && !modal(s[i-1].word):
			facts = true // what we have:
		case word == "do" && i > 0 && self(s[i-1].word), word == "list" && next == "of" && extends(s[:i]):
			facts = true // what I do: …, extend the list of colours by the following: …
		case dutyWord(word), eachVerb(word):
			work = true
		}
		if clauseStart(s, i) {
			if r := requestAt(s, i); r.verb >= 0 && !r.never && (mean != tells || r.led) {
				if verb := s[r.verb].word; telling(verb) || writesWords(s, r.verb) {
					return leadFacts
				} else if smallThing(s, r.verb+1) || putsAway(s, r.verb) {
					facts = true
				} else if verbWeight(verb) >= 1 {
					work = true
				}
			}
		}
	}
	switch {
	case facts, s.asksSomething() && (!work || !asksPolitely(s)):
		return leadFacts
	case work:
		return leadWork
	}
	return leadNone
}

// asksPolitely says that a question is a request: can you do these?
func asksPolitely(s phrase) bool {
	for i := range s {
		if clauseStart(s, i) && requestAt(s, i).led {
			return true
		}
	}
	return false
}

// factLead says that a word in a lead makes a list one of facts: how a fault is
// reproduced, what there is, what a thing takes or is to be like.
func factLead(word string) bool {
	switch word {
	case "result", "instead", "reproduce", "repro", "reproduction", "reproduzieren", "nachstellen", "stellt", "reproduire", "reproducir", "reproduzir", "воспроизвести", "expected", "actual", "happens", "environment", "setup", "versions", "version", "specs", "details", "options", "facts", "symptom", "symptoms",
		"context", "background", "error", "errors", "which", "why", "who", "accept", "accepts", "accepted", "acceptance", "return", "returns", "contain", "contains", "match", "allowed", "values", "colors", "colours", "ids", "names", "examples", "example", "constraints", "constraint", "rules", "guidelines", "conventions", "links", "questions",
		"umgebung", "werte", "farben", "optionen", "hintergrund", "valeurs", "couleurs", "contexte", "valores", "colores", "contexto", "entorno":
		return true
	}
	return false
}

// doneLead says that a word in a lead tells of what is done.
func doneLead(word string) bool {
	switch word {
	case "did", "tried", "done", "made", "finished", "completed", "checked", "verified", "shipped", "merged", "gemacht", "erledigt", "probiert", "versucht", "essayé", "fait", "hice", "hecho", "probé", "fiz", "feito", "i've":
		return true
	}
	return false
}

// dutyWord says that a word in a lead makes a list one of work.
func dutyWord(word string) bool {
	switch word {
	case "following", "these", "todo", "todos", "to-do", "do", "tasks", "task", "steps", "step", "goals", "goal", "need", "needs", "want", "missing", "left", "remaining", "plan", "release", "requirements", "spec", "features", "backlog", "feedback",
		"sprint", "checklist", "findings", "changes", "things", "below", "action", "next", "v1", "scope", "bugs", "issues", "problems", "please", "points", "improvements", "fixes", "milestone", "roadmap",
		"folgende", "folgendes", "aufgaben", "fehlt", "fehlen", "bitte", "anforderungen", "schritte", "brauchen", "suivant", "suivantes", "faut", "reste", "faire", "tâches", "voici", "siguiente", "tareas", "falta", "hay", "pendiente", "necesitamos",
		"precisamos", "preciso", "precisa", "tarefas", "fazer", "надо", "нужно", "сделать", "задачи", "нужны", "пожалуйста":
		return true
	}
	return false
}

// eachVerb says that a verb wants each of several things looked at by itself,
// whatever it is: fix these, go through them.
func eachVerb(word string) bool {
	switch word {
	case "fix", "fixe", "do", "implement", "migrate", "refactor", "review", "address", "handle", "resolve", "tackle", "complete", "finish", "work", "go", "todo", "todos", "to-do", "tasks", "steps", "checklist", "backlog", "plan", "missing", "left", "remaining", "release", "sprint", "roadmap", "erledige", "behebe", "aufgaben", "schritte", "corrige", "arregla", "faire", "tareas":
		return true
	}
	return false
}

// duties says that a lead asks for each item in so many words, be it only named.
func duties(line string) bool {
	line = strings.ToLower(cutBytes(line, 400))
	if wide(line) {
		return true
	}
	for _, s := range phrases(line) {
		for i, t := range s {
			switch t.word {
			case "missing", "left", "remaining", "release", "plan":
				if t.stop == 0 && i+1 < len(s) {
					continue // the list is missing some entries
				}
			}
			if eachVerb(t.word) {
				return true
			}
		}
	}
	return false
}

// findsOne says that a line asks to find or to mend one thing.
func findsOne(line string) bool {
	for _, s := range phrases(cutBytes(line, 400)) {
		for i := 0; i+1 < len(s); i++ {
			switch s[i].word {
			case "find", "fix", "debug", "solve", "investigate":
				if next := s[i+1].word; next == "it" || next == "this" || next == "that" {
					return true
				}
			}
		}
	}
	return false
}

// titled says that a lead only names what a list is about.
func titled(intro string) bool {
	return strings.HasSuffix(intro, ":") && strings.Count(intro, " ") < 3
}

// extends says that a verb in a lead makes something longer that is there.
func extends(s phrase) bool {
	for i := range s {
		switch s[i].word {
		case "extend", "expand", "add", "append", "include", "put", "insert", "erweitere", "ergänze":
			return true
		}
	}
	return false
}

// putsAway says that a verb puts what is named beside it somewhere, all of it at
// once: put them into the table, add these to the menu.
func putsAway(s phrase, verb int) bool {
	if verb+2 >= len(s) || s[verb].stop != 0 || s[verb+1].stop != 0 {
		return false
	}
	switch s[verb+1].word {
	case "them", "these", "this", "those", "diese", "sie", "ces", "estos", "estas", "esses", "essas":
		return preposition(s[verb+2].word)
	}
	return false
}

// writesWords says that a verb asks for a text: draft a reply, write a mail.
func writesWords(s phrase, verb int) bool {
	switch s[verb].word {
	case "draft", "write", "compose", "turn", "rewrite", "format", "shorten", "translate", "rephrase", "reword", "proofread", "schreib", "schreibe", "verfasse", "übersetze", "formuliere", "rédige", "écris", "traduis", "redacta", "escribe", "traduce", "escreve", "traduz":
	default:
		return false
	}
	for i := verb + 1; i < len(s) && i < verb+7; i++ {
		if textNoun(s[i].word) {
			return true
		}
		if s[i].stop != 0 {
			break
		}
	}
	return false
}

// textNoun says that a word means a text.
func textNoun(word string) bool {
	switch word {
	case "reply", "summary", "table", "changelog", "text", "strings", "commit", "mail", "email", "message", "answer", "tweet", "post", "letter", "headline", "paragraph", "sentence", "sentences", "antwort", "nachricht", "brief", "réponse", "respuesta", "correo", "resposta":
		return true
	}
	return false
}

// wideLead is leadOf for Chinese and Japanese.
func wideLead(line string) lead {
	switch {
	case containsAny(line, "再現", "复现", "重现"):
		return leadFacts
	case containsAny(line, "以下", "下面", "需要", "请", "任务", "完成", "需求", "お願い", "作業", "次の", "タスク", "ください", "実装"):
		return leadWork
	}
	return leadNone
}
