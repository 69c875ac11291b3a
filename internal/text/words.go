package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Indent sets text off by two spaces before each line that is not empty.
func Indent(text string) string {
	lines := strings.Split(strings.TrimRight(Lines(text), "\n"), "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}

// Count is a number with its noun: "1 task", "3 tasks".
func Count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, Plural(n, one, many)) }

// Counts says how many there are of what, where any are: "2 arrived", "3 sent".
func Counts(words []string, numbers ...int) (parts []string) {
	for i, n := range numbers {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words[i]))
		}
	}
	return parts
}

// Some are the texts that say something.
func Some(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

// Plural is the word that fits a number.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Sentence returns text with its first letter in upper case.
func Sentence(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if strings.HasPrefix(text, "#") || n == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[n:]
}

// Clip shortens s to at most n runes, the last of them an ellipsis.
func Clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return string(runes[:n-1]) + "…"
}

// Few joins the first few of some names: Claude Code, Codex and 2 more.
func Few(names []string, most int) string {
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	return And(names)
}

// And joins names as a sentence has them: Claude Code, Codex and Goose.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Grouped is a number as people read it: 24,763.
func Grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
