package tui

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/sahilm/fuzzy"
)

// likeness is how well an item matches a text.
type likeness uint8

const (
	likeNumber  likeness = iota // its number is what is written
	likePhrase                  // it has the words, one after another
	likeWords                   // it has each of the words
	likeParts                   // each of the words is a part of it
	likeStays                   // it is in the list whatever is written
	likeLetters                 // it has the letters of each word in their order
	numLikenesses
)

// match finds the items that match a text, the best first, and those that match
// as well as others in their order.
func match[V any](items []item[V], text string) []int {
	found := make([]int, 0, len(items))
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		for i := range items {
			found = append(found, i)
		}
		return found
	}
	var ranks [numLikenesses][]int
	ranked := make([]bool, len(items))
	sought := newSought(text)
	for i := range items {
		if how, ok := likenessOf(&items[i], sought); ok {
			ranks[how], ranked[i] = append(ranks[how], i), true
		}
	}
	ranks[likeLetters] = matchLetters(items, sought.parts, ranked)
	for _, rank := range ranks {
		found = append(found, rank...)
	}
	return found
}

// A sought is a text that is searched, in lower case.
type sought struct {
	number string   // "#12", if it is a number
	phrase string   // " write the parser "
	words  []string // "write", "the", "parser"
	parts  []string // what has spaces around it: "@ada", "grammar.md"
}

func newSought(text string) sought {
	words := wordsOf(text)
	return sought{
		number: "#" + strings.TrimPrefix(text, "#"), phrase: phraseOf(words), words: words, parts: strings.Fields(text),
	}
}

// likenessOf says how well an item matches, but for letters.
func likenessOf[V any](it *item[V], s sought) (likeness, bool) {
	text, all := strings.ToLower(it.text), strings.ToLower(it.all())
	if text == s.number || strings.HasPrefix(text, s.number+" ") {
		return likeNumber, true
	}
	if !slices.ContainsFunc(s.parts, func(part string) bool { return !strings.Contains(all, part) }) {
		phrase := phraseOf(wordsOf(all))
		switch {
		case len(s.words) == 0:
		case strings.Contains(phrase, s.phrase):
			return likePhrase, true
		case !slices.ContainsFunc(s.words, func(word string) bool { return !strings.Contains(phrase, " "+word+" ") }):
			return likeWords, true
		}
		return likeParts, true
	}
	return likeStays, it.stays
}

// wordsOf are the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}

// phraseOf puts words together so that a whole word has a space on both sides.
func phraseOf(words []string) string { return " " + strings.Join(words, " ") + " " }

// matchLetters finds the items that have the letters of each word, and are not
// ranked yet, the closest first.
func matchLetters[V any](items []item[V], words []string, ranked []bool) []int {
	scores, all := make([]int, len(items)), make([]int, len(items))
	for _, word := range words {
		for _, m := range fuzzy.FindFromNoSort(word, source[V](items)) {
			scores[m.Index] += m.Score
			all[m.Index]++
		}
	}
	var found []int
	for i := range items {
		if all[i] == len(words) && !ranked[i] {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return found
}

// source has items searched.
type source[V any] []item[V]

func (s source[V]) String(i int) string { return s[i].all() }
func (s source[V]) Len() int            { return len(s) }

// all is what an item is found by.
func (it *item[V]) all() string {
	if it.also == "" {
		return it.text
	}
	return it.text + " " + it.also
}
