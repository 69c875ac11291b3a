package todo

import (
	"strings"
	"unicode"
)

// akin reports whether one text can be the other in new words: they share a word
// of at least three letters, whatever its case, or where words are written
// without spaces two characters in a row.
func akin(a, b string) bool {
	known := map[string]bool{}
	marks(a, func(mark string) { known[mark] = true })
	found := false
	marks(b, func(mark string) { found = found || known[mark] })
	return found
}

// everywhere are words that any two texts may share.
var everywhere = map[string]bool{
	"all": true, "and": true, "for": true, "from": true, "into": true, "that": true, "the": true, "this": true, "with": true,
}

// marks tells what a text is known again by.
func marks(text string, tell func(mark string)) {
	const least = 3 // letters of a word: shorter ones are in every text
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	for _, word := range words {
		letters := []rune(word)
		if len(letters) >= least && !everywhere[word] {
			tell(word)
		}
		for i := 1; i < len(letters); i++ {
			if spaceless(letters[i-1]) && spaceless(letters[i]) {
				tell(string(letters[i-1 : i+1]))
			}
		}
	}
}

// spaceless reports whether a letter belongs to a script in which spaces do not
// part words, or part them into few syllables.
func spaceless(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
