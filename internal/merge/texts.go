package merge

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
)

// words are a text of a task, and the board by whose numbers it names tasks.
type words struct {
	text string
	in   *layer // nil: the numbers stay as they are
}

// shift finds the numbers that do not mean the same task on every board. Texts
// that name no such number need no second look.
func (m *merger) shift() {
	m.shifty = map[pawl.ID]bool{}
	meant := make(map[pawl.ID]kref, len(m.kinds))
	number := make([]pawl.ID, len(m.kinds))
	for _, l := range m.all {
		for i := range l.items {
			it := &l.items[i]
			if k, ok := meant[it.id]; ok && k != it.kind {
				m.shifty[it.id] = true
			}
			meant[it.id] = it.kind
			if n := number[it.kind]; n != 0 && n != it.id {
				m.shifty[n], m.shifty[it.id] = true, true
			}
			number[it.kind] = it.id
		}
	}
}

// same reports whether two texts say the same: with the same tasks in the places
// of their numbers, or to the letter. A text that was there before a task moved
// keeps its numbers, whatever these mean since.
func (m *merger) same(a, b words) bool {
	return a.text == b.text || len(m.shifty) > 0 && m.canon(a) == m.canon(b)
}

// canon is the text with identities in it. No text of a task has a NUL.
func (m *merger) canon(w words) string {
	if len(m.shifty) == 0 || w.in == nil {
		return w.text
	}
	return renumber(w.text, func(id pawl.ID) string {
		if !m.shifty[id] {
			return ""
		}
		k := m.resolve(w.in, id)
		if m.kinds[k].ghost != 0 {
			return ""
		}
		return "\x00" + strconv.Itoa(int(k)) + "\x00"
	})
}

// lower is the text with the numbers of the merged board. A number that means no
// task there stays.
func (m *merger) lower(w words) string {
	if len(m.shifty) == 0 || w.in == nil {
		return w.text
	}
	if m.sided && w.in == m.theirs { // whose tasks keep their numbers
		return w.text
	}
	return renumber(w.text, func(id pawl.ID) string {
		if !m.shifty[id] {
			return ""
		}
		k := m.kinds[m.resolve(w.in, id)]
		if !k.lives || k.id == id {
			return ""
		}
		return strconv.FormatInt(int64(k.id), 10)
	})
}

// renumber replaces the numbers of the tasks that a text mentions; those for which
// to says nothing stay.
//
// A mention is # and a number, as in "after #12, (#13) and `#14`". It is none when
// it is a part of something longer: of a word (abc#12, #12a), another mark (##12,
// &#12;), a version (#1.2), a path or an address (lib/#12, http://x.y/?a=#12).
func renumber(text string, to func(pawl.ID) string) string {
	at := strings.IndexByte(text, '#')
	if at < 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for at < len(text) {
		if text[at] != '#' {
			at++
			continue
		}
		end := at + 1
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		digits := text[at+1 : end]
		if n := len(digits); n > 0 && n <= 16 && digits[0] != '0' && startsMention(text[:at]) && endsMention(text[end:]) {
			id, _ := strconv.ParseInt(digits, 10, 64)
			if new := to(pawl.ID(id)); new != "" {
				b.WriteString(text[from : at+1])
				b.WriteString(new)
				from = end
			}
		}
		at = end
	}
	if from == 0 {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

// startsMention reports whether a mention can follow what stands before it.
func startsMention(before string) bool {
	if before == "" {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`_#/\&=.@%+$?`, r) {
		return false
	}
	word := before[strings.LastIndexAny(before, " \t\n\r")+1:]
	return !strings.Contains(word, "://")
}

// endsMention reports whether a mention can end before what follows.
func endsMention(after string) bool {
	if after == "" {
		return true
	}
	r, size := utf8.DecodeRuneInString(after)
	switch {
	case r == '.' || r == ',' || r == '/':
		return size == len(after) || after[size] < '0' || after[size] > '9'
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return false
	}
	return r != '_' && r != '#'
}
