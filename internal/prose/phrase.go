package prose

import (
	"strings"
	"unicode/utf8"
)

// A term is a word of a sentence, in lower case and without the signs around it.
type term struct {
	word string
	at   span
	// stop is the sign behind the word that ends a clause, or 0: , ; : . ? ! >
	// for an arrow, and the end of a line.
	stop byte
	name bool // it is written like a name: Alice
}

// A phrase is a sentence: what stands between two ends of sentences, or of lines.
type phrase []term

func (s phrase) text(text string) string {
	return text[s[0].at.from:s[len(s)-1].at.to]
}

// asksSomething says that the sentence ends with a question mark.
func (s phrase) asksSomething() bool { return s[len(s)-1].stop == '?' }

// maxSentence is how many words a sentence has at most. A longer one is split, so
// that looking around in one stays cheap.
const maxSentence = 200

// phrases takes a text apart. None of them is empty.
func phrases(text string) []phrase {
	var all []phrase
	var now phrase
	end := func() {
		if len(now) > 0 {
			all = append(all, now)
		}
		now = now[len(now):] // the next one goes on in the same memory
	}
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\n':
			if len(now) > 0 && now[len(now)-1].stop == 0 {
				now[len(now)-1].stop = '\n'
			}
			end()
			i++
			continue
		case text[i] <= ' ':
			i++
			continue
		}
		from := i
		for i < len(text) && text[i] > ' ' {
			i++
		}
		word := text[from:i]
		if sign := loneSign(word); sign != 0 {
			if len(now) > 0 {
				now[len(now)-1].stop = sign
			}
			continue
		}
		t := term{at: span{from, i}, stop: stopOf(word)}
		t.word = strings.ToLower(strings.Trim(word, "()[]{}<>*_'\"`“”„«»‘’.,;:!?¿¡…"))
		if t.word == "" {
			continue
		}
		t.name = len(now) > 0 && len(word) > 2 && word[0] >= 'A' && word[0] <= 'Z' && word[1] >= 'a'
		now = append(now, t)
		if (t.stop == '.' || t.stop == '?' || t.stop == '!') && !abbreviation(t.word, text[i:]) || len(now) == maxSentence {
			end()
		}
	}
	end()
	return all
}

// loneSign is the stop that a sign between two blanks is.
func loneSign(word string) byte {
	switch word {
	case "->", "=>", "→", "⇒", ">", "-", "–", "—", "--", "-->":
		return '>'
	case "+", "&":
		return ','
	case "?", "!", ":", ";", ",":
		return word[0]
	}
	return 0
}

func stopOf(word string) byte {
	for len(word) > 1 {
		switch c := word[len(word)-1]; c {
		case '.', ',', ';', ':', '?', '!':
			return c
		case ')', ']', '}', '"', '\'', '*', '_':
			word = word[:len(word)-1]
		default:
			return 0
		}
	}
	return 0
}

// abbreviation says that the full stop behind a word ends no sentence.
func abbreviation(word, rest string) bool {
	switch word {
	case "e.g", "i.e", "eg", "ie", "vs", "cf", "dr", "mr", "mrs", "st", "no", "fig", "approx", "resp", "incl",
		"z.b", "d.h", "u.a", "bzw", "ca", "ggf", "evtl", "p.ex", "p.ej", "sr", "sra":
		return true
	case "etc", "al", "usw":
		rest = strings.TrimLeft(rest, " ")
		r, _ := utf8.DecodeRuneInString(rest)
		return rest == "" || r == ')' || r >= 'a' && r <= 'z'
	}
	return false
}

// wide says that a text is Chinese or Japanese, where blanks end no words.
func wide(text string) bool {
	n := 0
	for _, r := range text {
		if r >= 0x3040 && r <= 0x30ff || r >= 0x4e00 && r <= 0x9fff {
			if n++; n > 1 {
				return true
			}
		}
	}
	return false
}

// A span is a part of a text.
type span struct{ from, to int }
