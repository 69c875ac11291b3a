package todo

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Salvage reads a list as [Decode] does, and of one with faults what can be kept:
// the first [MaxItems] todos that are any, with texts cut to their limits. It is
// for copies of a list that an agent wrote elsewhere: nobody can be asked to
// correct it, and most of it is worth more than the one before. It fails with the
// error of Decode when nothing can be kept.
func Salvage(todos json.RawMessage, merge bool) (Draft, error) {
	draft, fault := Decode(todos, merge)
	todos = bytes.TrimSpace(todos)
	if fault == nil || len(todos) > MaxInput || !utf8.Valid(todos) {
		return draft, fault
	}
	value, err := parseJSON(todos)
	if err != nil {
		value = string(todos)
	}
	all := reader{checker: checker{merge: merge}}
	ids := map[string]bool{}
	for _, given := range all.entries(value, maxWrapped) {
		one := reader{checker: checker{merge: merge}}
		var it DraftItem
		if len(draft.Items) == MaxItems || !one.read(0, given, &it) || it.Content == "" && !(merge && it.Said.ID) {
			continue
		}
		if it.Content, it.ActiveForm = cutRunes(it.Content, MaxContent), cutRunes(it.ActiveForm, MaxContent); utf8.RuneCountInString(it.ID) > MaxID || ids[it.ID] {
			it.ID, it.Said.ID = "", false
		}
		// Its faults so far are of parts that read passed over.
		check := checker{merge: merge}
		check.item(0, &it)
		kept := it.Subtasks[:0]
		for _, sub := range it.Subtasks {
			sub.Content = cutRunes(sub.Content, MaxContent)
			var part checker
			if part.subtask("", &sub, map[string]bool{}); part.err() == nil && sub.Content != "" {
				sub.ID = ""
				kept = append(kept, sub)
			}
		}
		it.Subtasks = kept
		if check.err() != nil {
			continue
		}
		if it.ID != "" {
			ids[it.ID] = true
		}
		it.defaults()
		draft.Items = append(draft.Items, it)
	}
	if len(draft.Items) == 0 {
		return Draft{}, fault
	}
	draft.number()
	return draft, nil
}

// cutRunes is the beginning of a text that fits.
func cutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > limit {
			return s[:i]
		}
	}
	return s
}
