package todo

import (
	"strings"
	"unicode"
)

// A kinship says how much of one text is in another.
type kinship uint8

const (
	unlike kinship = iota
	akin           // most content words are the same: it can be the same todo in new words
	within         // akin, and one text has all content words of the other
	equal          // the same but for case, spaces and the sign at the end
)

// kin compares two texts. The first word of a text is mostly a verb that many
// todos share, so it is not a content word. One shared word alone is not enough:
//
//	Fix the login bug    fix the login bug.            equal
//	Fix the login bug    Repair the login bug first    within
//	Write tests          Write tests for the parser    within, it goes on
//	Test the user API    Test the user page            unlike, one word of two
//	Add tests            Add a login                   unlike
//	Write tests          Run tests                     unlike
func kin(a, b string) kinship {
	if a == b {
		return equal
	}
	short, long := normal(a), normal(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	switch {
	case short == long:
		return equal
	case short == "" || !strings.HasPrefix(long, short+" "):
	case strings.Contains(short, " "):
		return within
	default: // the one word may be just a verb
		return akin
	}
	left, right := contentWords(a), contentWords(b)
	shared := 0
	for word := range left {
		if right[word] {
			shared++
		}
	}
	const least = 2 // one shared word does not tell what the text is about
	switch {
	case shared < least, 4*shared <= len(left)+len(right): // at most half of both together
		return unlike
	case shared == min(len(left), len(right)):
		return within
	}
	return akin
}

// normal is a text as it is compared with others.
func normal(text string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(text), " ")), ".…!:;, 。！")
}

// contentWords is what a text is known again by: its words but for those that
// all texts share and for the first, and of scripts without spaces each two
// letters in a row.
func contentWords(text string) map[string]bool {
	known := map[string]bool{}
	first := true
	tell := func(letters []rune) {
		if !first {
			known[string(letters)] = true
		}
		first = false
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '+' && r != '#' // C++, C#
	}) {
		if word != "A" { // a name, unless it is the article
			word = strings.ToLower(word)
		}
		letters := []rune(strings.TrimLeft(word, "#+"))
		if everywhere(word) {
			continue
		}
		for len(letters) > 0 { // stretches of one kind
			n := 1
			for n < len(letters) && spaceless(letters[n]) == spaceless(letters[0]) {
				n++
			}
			stretch := letters[:n]
			letters = letters[n:]
			if !spaceless(stretch[0]) || n == 1 {
				tell(stretch)
				continue
			}
			for i := 1; i < n; i++ {
				tell(stretch[i-1 : i+1])
			}
		}
	}
	return known
}

// everywhere reports whether any two texts may share a word.
func everywhere(word string) bool {
	switch word {
	case "a", "all", "an", "and", "as", "at", "be", "by", "for", "from", "in", "into", "is", "it",
		"of", "on", "or", "so", "that", "the", "this", "to", "with":
		return true
	}
	return false
}

// spaceless reports whether a letter belongs to a script in which spaces do not
// part words, or part them into few syllables.
func spaceless(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
