package pawl

import (
	"strconv"
	"strings"
)

// FindCriterion returns the text of the criterion that words name: by its whole text, by
// its number in the task, from 1, or by the beginning of its text that no other one has,
// in any case. An op takes only the text, because numbers change.
func (t *Task) FindCriterion(words string) (string, error) {
	words = oneLine(words)
	if at := t.criterion(words); at >= 0 {
		return t.Accept[at].Text, nil
	}
	if n, err := strconv.Atoi(words); err == nil && n >= 1 && n <= len(t.Accept) {
		return t.Accept[n-1].Text, nil
	}
	var found []string
	for i := range t.Accept {
		if text := t.Accept[i].Text; words != "" && strings.HasPrefix(strings.ToLower(text), strings.ToLower(words)) {
			found = append(found, text)
		}
	}
	switch len(found) {
	case 0:
		return "", notOne(t, "criterion", words)
	case 1:
		return found[0], nil
	}
	for i := range found {
		found[i] = strconv.Quote(clip(found[i], 80))
	}
	return "", Errorf(Invalid, "%q may be %s of %v: write more of it, or its number", clip(words, 80), strings.Join(found, " or "), t.ID).About(t.ID).Next(HintShow, t.ID)
}
