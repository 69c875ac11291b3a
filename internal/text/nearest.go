package text

import "strings"

// Nearest returns the one of the words that was probably meant by a word that
// is none of them; empty when none is near.
func Nearest(word string, words []string) string {
	word = strings.ToLower(word)
	best, least := "", max(1, min(2, len(word)/2))+1
	for _, w := range words {
		d := distance(word, strings.ToLower(w))
		if d >= least && best == "" && len(word) > 1 && strings.HasPrefix(w, word) {
			best = w // the beginning of it, unless something is nearer
		}
		if d < least {
			best, least = w, d
		}
	}
	return best
}

// distance is how many letters must be added, removed, exchanged or swapped
// with their neighbour to get from a to b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(y)]
}

// Misspelt returns the one of the words that a word misspells: they differ in a
// letter, or two if the word is long, and not in the first one. The beginning of a
// word counts from its third letter on. A looser resemblance does not count: see
// [Nearest] for harmless guesses.
func Misspelt(word string, words []string) string {
	word = strings.ToLower(word)
	least, best := 2, ""
	if len(word) > 6 {
		least = 3
	}
	for _, w := range words {
		if word == "" || !strings.HasPrefix(w, word[:1]) {
			continue
		}
		if d := distance(word, strings.ToLower(w)); d < least {
			best, least = w, d
		} else if best == "" && len(word) > 2 && strings.HasPrefix(w, word) {
			best = w
		}
	}
	return best
}
