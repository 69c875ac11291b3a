package prose

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Analysis is how much work a prompt asks for, and why that is believed.
type Analysis struct {
	Score   float64  // 0 to 1; a user decides from which on it counts
	Reasons []string // for people: "4 list items", "sequence words: first, then"
	Steps   []string // the steps that could be made out, in their order, at most MaxSteps
	// Ordered says that the prompt has words of a sequence. Consecutive prompts
	// that have them are one piece of work told bit by bit.
	Ordered bool
}

// MaxSteps are kept of a prompt.
const MaxSteps = 20

// MaxPrompt is how many bytes of a prompt are looked at, the first ones: what
// comes later are files and logs.
const MaxPrompt = 64 << 10

// maxStep is how many characters of a step are kept: it is shown in a line.
const maxStep = 100

// Analyze estimates how much work a prompt asks for: how many pieces, each of
// which could be forgotten.
//
// What is only quoted (code, logs, traces, diffs, other people's words) counts
// for nothing, and neither does length. The words that it knows are English
// ones, and the most frequent ones of Chinese, Japanese, German, French,
// Spanish, Portuguese and Russian. It takes time in proportion to the prompt.
func Analyze(prompt string) Analysis {
	f := &findings{prompt: cutBytes(prompt, MaxPrompt)}
	own := ownWords(f.prompt)
	prose := f.lists(own)
	all := phrases(prose)
	for _, s := range all {
		if courtesy(s) {
			continue
		}
		if wide(s.text(prose)) {
			f.wide(prose, s)
		} else {
			before := f.clauses
			f.tale.sentence(s)
			f.sentence(s)
			f.spec.statements(s, f.clauses > before)
		}
	}
	f.wonders = !f.led && len(all) > 0 && wonders(all[len(all)-1])
	if f.handed {
		f.quoted = quotedPieces(f.prompt, own)
	}
	return f.analysis()
}

// findings collect what is seen in a prompt.
type findings struct {
	prompt    string
	steps     []span
	items     int     // of lists that ask for work
	asked     float64 // pieces of work that sentences ask for
	hints     float64 // pieces that are only named, wished for or told: an enumeration, "should be red"
	clauses   int     // that they are asked for in
	announced float64 // pieces that there are, as it says
	// statements are the clauses of prose, and after how many there were where
	// the number of pieces was announced.
	statements, after int
	led               bool    // it asks in so many words: please, could you
	wonders           bool    // it ends with a question, and nothing is asked for
	narrow            bool    // it holds the work down to little
	handed            bool    // it asks for all of what it quotes
	large             float64 // how surely one piece is a large one
	what              span    // that piece
	quoted            int     // pieces of what is quoted, if all of them are asked for
	sequence          []string
	spec              specification
	tale              tale
	sentences         int
}

// A span is a part of the prompt.
type span struct{ from, to int }

// analysis weighs what was found.
func (f *findings) analysis() Analysis {
	a := Analysis{Ordered: len(f.sequence) > 0}
	// Each kind of evidence is a chance that the work is complex, and they
	// are taken as independent of each other.
	told := f.spec.score(f.clauses)
	if f.couple() {
		told = 0
	}
	a.Score = 1 - (1-along(f.pieces(), byPieces))*(1-f.large)*(1-told)
	if f.spec.spared || f.wonders || f.narrow && f.asked < 3 && f.items < 3 {
		a.Score /= 2
	}

	reason := func(n int, format string, args ...any) {
		if n > 0 {
			a.Reasons = append(a.Reasons, fmt.Sprintf(format, args...))
		}
	}
	reason(f.items, "%d list item%s", f.items, pluralS(f.items))
	reason(f.clauses, "%d thing%s asked for", f.clauses, pluralS(f.clauses))
	if f.quoted > 2 {
		reason(f.quoted, "%d quoted", f.quoted)
	}
	reason(len(f.sequence), "sequence words: %s", strings.Join(f.sequence, ", "))
	if f.large >= 0.4 {
		reason(1, "a large piece: %s", f.show(f.what))
	}
	if told >= 0.3 {
		reason(int(f.spec.parts), "told in %d parts", int(f.spec.parts))
	}
	for _, s := range f.steps {
		if text := f.show(s); text != "" && len(a.Steps) < MaxSteps {
			a.Steps = append(a.Steps, text)
		}
	}
	return a
}

// pieces is how many pieces of work there are.
func (f *findings) pieces() float64 {
	hints := f.hints
	if f.tale.one && f.clauses == 1 {
		hints = min(hints, 0.5)
	}
	if f.spec.small {
		hints = 0 // they say how a small thing is to be made
	}
	n := float64(f.items) + f.asked + hints
	switch {
	case f.couple():
		return min(n, 2) // however much is said about them
	case f.items == 0 && f.statements-f.after >= int(f.announced):
		n = max(n, f.announced)
	}
	if f.spec.small && f.spec.code && f.items == 0 && len(f.sequence) < 2 {
		n = min(n, 2)
	}
	if !f.spec.wonders && !f.spec.code && f.items == 0 {
		n = max(n, float64(f.tale.pieces()))
	}
	if f.quoted > 2 {
		n = max(n, float64(min(f.quoted, 7)))
	}
	if n >= 1.95 && f.spec.beyond(f.clauses) >= 1 {
		n += 0.4 // two requests, and more is told
	}
	return n
}

// couple says that two things are announced, which are no list.
func (f *findings) couple() bool { return f.announced == 2 && f.items == 0 }

// byPieces is how surely work is complex that has so many pieces. Between two
// points the line is straight.
var byPieces = []point{{0, 0}, {1, 0.1}, {2, 0.42}, {2.35, 0.6}, {3, 0.75}, {4, 0.82}, {6, 0.9}, {12, 0.98}}

type point struct{ x, y float64 }

func along(x float64, line []point) float64 {
	for i, p := range line {
		if x > p.x {
			continue
		}
		if i == 0 {
			return p.y
		}
		before := line[i-1]
		return before.y + (p.y-before.y)*(x-before.x)/(p.x-before.x)
	}
	return line[len(line)-1].y
}

// step notes a piece of work that starts at a place.
func (f *findings) step(s span) {
	if len(f.steps) < MaxSteps {
		f.steps = append(f.steps, s)
	}
}

// ordered notes a word of a sequence.
func (f *findings) ordered(word string) {
	for _, w := range f.sequence {
		if w == word {
			return
		}
	}
	if len(f.sequence) < MaxSteps {
		f.sequence = append(f.sequence, word)
	}
}

// show is a part of the prompt in one short line.
func (f *findings) show(s span) string {
	text := strings.Join(strings.Fields(cutBytes(f.prompt[s.from:s.to], 8*maxStep)), " ")
	text = strings.Trim(text, " ,;:.!?-*_，。、；：！？")
	if utf8.RuneCountInString(text) <= maxStep {
		return text
	}
	short := string([]rune(text)[:maxStep-1])
	if i := strings.LastIndexByte(short, ' '); i > len(short)/2 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:") + "…"
}

// cutBytes is the beginning of a text that fits, of whole characters.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

func pluralS(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
