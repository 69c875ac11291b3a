package prose

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Analysis is how much work a prompt asks for.
type Analysis struct {
	Score float64  // 0 to 1; a user decides from which on it counts
	Steps []string // the steps that could be made out, in their order, at most MaxSteps
	// Ordered says that the prompt has words of a sequence. Consecutive prompts
	// that have them are one piece of work told bit by bit.
	Ordered bool
}

// MaxSteps are kept of a prompt.
const MaxSteps = 20

// MaxPrompt is how many bytes of a prompt are looked at, the first ones: files and logs
// come later.
const MaxPrompt = 64 << 10

// maxStep is how many characters of a step are kept: it is shown in a line.
const maxStep = 100

// Analyze estimates how much work a prompt asks for: how many pieces, each of
// which could be forgotten.
//
// It counts: items of lists, requests, words of a sequence, questions, and words that go
// with much work or with little. Quotations (code, logs, traces, diffs, other people's
// words) are not counted. The words are English ones, and the most frequent ones of
// Chinese, Japanese, German, French, Spanish, Portuguese and Russian.
func Analyze(prompt string) Analysis {
	c := countsOf(cutBytes(prompt, MaxPrompt))
	sum := base
	for i := range clues {
		sum += clues[i].weight * clues[i].of(&c)
	}
	return Analysis{Score: 1 / (1 + math.Exp(-sum)), Steps: c.steps, Ordered: c.order > 0}
}

func countsOf(prompt string) counts {
	own := ownWords(prompt)
	c := counts{
		prompt: prompt,
		quotes: len(strings.Fields(prompt))-len(strings.Fields(own)) > 12,
		length: utf8.RuneCountInString(strings.TrimSpace(own)),
		arrow:  strings.Contains(own, "->") || strings.Contains(own, "→"),
		plus:   strings.Count(own, " + "),
		wide:   wide(own),
	}
	c.sentences(c.list(own))
	return c
}

// counts are what a prompt is judged by.
type counts struct {
	items, verbs, asked int  // of its list: that are open, begin with a verb, are questions
	part                bool // of what one thing is to do
	alone               bool // nothing stands beside the list
	inline              int  // items within a line: 1) … 2) …

	said, requests, questions, polite, wants, order int
	things, clauses                                 int  // of an enumeration: in a sentence, behind a colon
	first, last                                     bool // the first words ask, and the last sentence does
	several, two, each, make, migrates, stories     bool
	words                                           int
	kinds                                           [kindCount]int
	seen                                            map[string]bool // of large things

	prompt              string
	quotes, arrow, wide bool
	plus, length        int
	steps               []string
}

// clues are what is counted, and how much it says: the log of the odds that a todo list
// helps. They are fitted to the labelled prompts of testdata that are not put away, and
// rounded; see the README there.
var clues = [...]struct {
	name   string
	weight float64
	of     func(c *counts) float64
}{
	{"items2", -0.9, func(c *counts) float64 { return is(c.items > 1) }},
	{"items3", 1.9, func(c *counts) float64 { return is(c.items > 2) }},
	{"itemverbs", 1.5, func(c *counts) float64 { return upTo(3, c.verbs) }},
	{"itemquestions", 1.1, func(c *counts) float64 { return upTo(3, c.asked) }},
	{"alone", 1.8, func(c *counts) float64 { return is(c.alone && c.items > 2) }},
	{"unasked", 1, func(c *counts) float64 { return is(c.items > 2 && c.requests == 0) }},
	{"part", -0.7, func(c *counts) float64 { return is(c.part) }},
	{"inline", 1.3, func(c *counts) float64 { return is(c.inline > 2) }},
	{"requests2", 1, func(c *counts) float64 { return is(c.requests > 1) }},
	{"requests3", 0.6, func(c *counts) float64 { return is(c.requests > 2) }},
	{"requests4", 1.4, func(c *counts) float64 { return is(c.requests > 3) }},
	{"order", 2.4, func(c *counts) float64 { return upTo(3, c.order) }},
	{"questions", -2, func(c *counts) float64 { return upTo(2, c.questions) }},
	{"last", -2.1, func(c *counts) float64 { return is(c.last) }},
	{"first", -1.3, func(c *counts) float64 { return is(c.first && c.requests == 0 && c.polite == 0) }},
	{"onlyasks", -1.7, func(c *counts) float64 { return is(c.questions > 0 && c.requests == 0) }},
	{"polite", -0.9, func(c *counts) float64 { return is(c.polite > 0) }},
	{"things2", 1.5, func(c *counts) float64 { return is(c.things > 1) }},
	{"things5", -0.1, func(c *counts) float64 { return is(c.things > 4) }},
	{"colonasks", -2.8, func(c *counts) float64 { return is(c.clauses > 1 && c.questions > 0) }},
	{"whole", 3.6, func(c *counts) float64 { return upTo(3, c.kinds[whole]) }},
	{"large", 1.8, func(c *counts) float64 { return upTo(3, len(c.seen)) }},
	{"headline", 1.7, func(c *counts) float64 {
		return is(c.words < 13 && len(c.seen) > 0 && c.requests < 2 && c.questions == 0)
	}},
	{"creates", 2.2, func(c *counts) float64 { return is(c.make && len(c.seen) > 0) }},
	{"moves", 0.7, func(c *counts) float64 { return is(c.kinds[big] > 0) }},
	{"migrates", 0.9, func(c *counts) float64 { return is(c.migrates) }},
	{"arrow", 0.5, func(c *counts) float64 { return is(c.arrow) }},
	{"narrow", -2.6, func(c *counts) float64 { return upTo(2, c.kinds[narrow]) }},
	{"several", 2.8, func(c *counts) float64 { return is(c.several) }},
	{"told", 1.4, func(c *counts) float64 { return is(c.several && c.said > 2) }},
	{"two", -2, func(c *counts) float64 { return is(c.two) }},
	{"wants3", 1.4, func(c *counts) float64 { return is(c.wants > 2) }},
	{"fault", -0.9, func(c *counts) float64 { return is(c.kinds[fault] > 0 && !c.several && c.items < 2) }},
	{"fault1", -0.9, func(c *counts) float64 { return is(c.kinds[fault] > 0 && c.requests < 2 && c.items < 2) }},
	{"smallthings", -1.3, func(c *counts) float64 { return is(c.kinds[small] > 0 && c.things > 1 && c.items < 3) }},
	{"answer", -1.3, func(c *counts) float64 { return is(c.kinds[answer] > 0) }},
	{"keeps", -1.9, func(c *counts) float64 { return upTo(3, c.kinds[keep]) }},
	{"each", 1.1, func(c *counts) float64 { return is(c.each && c.quotes) }},
	{"short", -1.2, func(c *counts) float64 { return is(c.length < 40) }},
	{"long", -0.8, func(c *counts) float64 { return is(c.length > 300) }},
	{"wide", 0.4, func(c *counts) float64 { return is(c.wide) }},
	{"plus", 2.6, func(c *counts) float64 { return upTo(3, c.plus) }},
}

const base = -1.1

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// upTo is a count as a share of what creates a difference.
func upTo(most, n int) float64 { return float64(min(n, most)) / float64(most) }

// list counts the items of a prompt's list, and returns the text with them blank. Short
// lines below a head are items without a mark.
func (c *counts) list(own string) string {
	lines := splitLines(own)
	rest := []byte(own)
	var items []span
	beside := false
	head, below := "", false // the last line that is not an item, and whether it ends with a colon
	for n := 0; n < len(lines); n++ {
		l := lines[n]
		line := own[l.from:l.to]
		trimmed := strings.TrimSpace(line)
		m := markerOf(line)
		run := 1
		switch {
		case trimmed == "" || m.kind == itemDone:
			below = below && trimmed == ""
			continue
		case m.kind != 0:
			l.from += m.body
		case ticketLen(trimmed) > 0:
			l.from = l.to - len(strings.TrimLeft(line, " \t")) + ticketLen(trimmed)
		case strings.HasPrefix(trimmed, strconv.Itoa(len(items)+1)+" "):
			l.from += strings.IndexByte(line, ' ')
		default:
			for run = 0; below && n+run < len(lines) && short(own[lines[n+run].from:lines[n+run].to]); run++ {
			}
			if run < 3 {
				head, below, beside = trimmed, strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, "："), true
				continue
			}
		}
		below = false
		if unread(head) {
			continue
		}
		if text := own[l.from:l.to]; run == 1 && (strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")) {
			c.asked++
			blank(rest[l.from:l.to])
			continue
		}
		if len(items) == 0 && run == 1 {
			words := strings.Fields(strings.ToLower(strings.TrimRight(head, ": ")))
			c.part = len(words) > 0 && relative.has(words[len(words)-1])
		}
		items = append(append(items, l), lines[n+1:n+run]...)
		n += run - 1
	}
	if len(items)+c.asked < 2 {
		c.asked, c.part = 0, false
		return own
	}
	c.items, c.alone = len(items), !beside
	for _, l := range items {
		text := own[l.from:l.to]
		if all := phrases(text); len(all) > 0 && requestAt(all[0], 0).verb >= 0 || wideAsks(text) {
			c.verbs++
		}
		c.step(l)
		blank(rest[l.from:l.to])
	}
	return string(rest)
}

// unread says that a list below a head is about what happens, or is to be answered.
func unread(head string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(head), notLetter), facts.has) || containsAny(head, "再現", "复现", "期待", "問題")
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' && r < 0x80 }

// short says that a line could be an item without a mark.
func short(line string) bool {
	line = strings.TrimSpace(line)
	return line != "" && len(line) < 70 && strings.IndexByte(".?!:,;", line[len(line)-1]) < 0 && markerOf(line).kind == 0
}

// ticketLen is how long the name of a ticket is that a line begins with: PAY-311, R1.
func ticketLen(line string) int {
	letters := len(line) - len(strings.TrimLeft(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	rest := strings.TrimPrefix(line[letters:], "-")
	n := digits(rest)
	if letters == 0 || letters > 6 || n == 0 || n > 5 || n == len(rest) || strings.IndexByte(" :.)", rest[n]) < 0 {
		return 0
	}
	return len(line) - len(rest) + n + 1
}

// sentences counts what the sentences of a prompt say and ask for.
func (c *counts) sentences(text string) {
	marks, stories := map[string]bool{}, 0
	c.seen = map[string]bool{}
	for n, s := range phrases(text) {
		c.said++
		whole := s.text(text)
		if wide(whole) {
			c.wideSentence(whole, s[0].at.from)
			continue
		}
		asks, told := s.asksSomething(), tells(s)
		polite, wants, things, colon := false, false, 0, -1
		for i := range s {
			word := s[i].word
			next := ""
			if i+1 < len(s) {
				next = s[i+1].word
			}
			told = told || word == "i'll" || word == "we'll" // then I'll merge it
			k := kindsOf(word)
			for left := k; left != 0; left &= left - 1 {
				c.kinds[bits.TrailingZeros64(left)]++
			}
			c.words++
			if k&(1<<large) != 0 {
				c.seen[strings.TrimSuffix(word, "s")] = true
			}
			polite = polite || k&(1<<courteous) != 0 || (word == "can" || word == "could" || word == "would" || word == "will") && (next == "you" || next == "u" || next == "we")
			wants = wants || k&(1<<want) != 0
			if k&(1<<number) != 0 && nearly(s, i, thing) {
				c.several = true
			}
			c.two = c.two || k&(1<<pair) != 0 && nearly(s, i, thing)
			if (word == "tell" || word == "let" || word == "sag") && (next == "me" || next == "mir") || word == "look" && next == "at" || word == "find" && next == "out" {
				c.kinds[answer]++
			}
			c.make = c.make || k&(1<<creates) != 0 && determined.has(next)
			if k&(1<<move) != 0 {
				for _, t := range s[i+1:] {
					c.migrates = c.migrates || to.has(t.word)
				}
			}
			if word == "as" && (next == "a" || next == "an") || word == "step" {
				stories++
			}
			join := conjunction.has(word)
			if join || s[i].stop == ',' {
				things++
				if colon >= 0 {
					colon++
				}
			}
			if s[i].stop == ':' && colon < 0 {
				colon = 0
			}
			if len(word) == 1 && text[s[i].at.to-1] == ')' {
				marks[word] = true
			}
			if !clauseStart(s, i) {
				continue
			}
			if r := requestAt(s, i); r.verb >= 0 && !r.never && (r.led || !told) {
				c.requests++
				end := clauseEnd(s, r.verb)
				c.step(span{s[r.verb].at.from, s[max(end-1, r.verb)].at.to})
				c.order += int(is(r.order))
			}
		}
		for _, t := range s[max(0, len(s)-4):] {
			c.each = c.each || all.has(t.word)
		}
		c.first = c.first || n == 0 && interrogative(s)
		c.last = asks && !polite
		c.polite += int(is(polite))
		c.questions += int(is(asks && !polite))
		c.wants += int(is(wants))
		c.things, c.clauses = max(c.things, things), max(c.clauses, colon)
	}
	c.inline, c.stories = len(marks), stories > 1
}

// nearly says that one of the next two words is of a kind.
func nearly(s phrase, i int, k kind) bool {
	return slices.ContainsFunc(s[i+1:min(len(s), i+3)], func(t term) bool { return k.has(t.word) })
}

// wideSentence is for Chinese and Japanese.
func (c *counts) wideSentence(text string, at int) {
	polite := containsAny(text, "てもらえ", "ください", "帮")
	c.polite += int(is(polite))
	c.several = c.several || containsAny(text, "三个", "四个", "五个", "几个", "三点", "几点", "几处", "三つ", "四つ", "五つ", "いくつか")
	c.two = c.two || containsAny(text, "两个", "两点", "二つ", "2つ")
	c.wants += int(is(containsAny(text, "希望", "需要", "要", "必要", "ほしい")))
	c.kinds[narrow] += int(is(containsAny(text, "だけ", "只", "仅")))
	c.kinds[answer] += int(is(containsAny(text, "意味", "教えて", "どう", "为什么", "什么意思", "原因")))
	c.kinds[whole] += int(is(containsAny(text, "全部", "所有", "整个", "全体", "すべて", "都")))
	if containsAny(text, "网站", "系统", "平台", "应用", "商城", "小程序", "サイト", "アプリ", "システム", "ゲーム", "サービス") {
		c.seen["wide"] = true
		c.make = c.make || containsAny(text, "开发", "做一个", "做个", "搭建", "作って", "作りたい", "ほしい", "開発", "构建")
	}
	things := 0
	for from := 0; from < len(text); {
		end, sign := wideClause(text, from, len(text))
		clause := strings.TrimSpace(text[from:end])
		things += strings.Count(clause, "、") + int(is(sign == ','))
		c.last = sign == '?' && !polite
		c.questions += int(is(c.last))
		if wideAsks(clause) && !wideTold(clause) {
			c.requests++
			c.step(span{at + from, at + end})
			c.order += int(is(wideOrder(clause)))
		}
		_, n := utf8.DecodeRuneInString(text[end:])
		from = end + n
	}
	c.things = max(c.things, things)
}

// step notes a piece of work, in one short line.
func (c *counts) step(s span) {
	text := strings.Join(strings.Fields(cutBytes(c.prompt[s.from:s.to], 8*maxStep)), " ")
	text = strings.Trim(text, " ,;:.!?-*_，。、；：！？")
	if text == "" || len(c.steps) == MaxSteps {
		return
	}
	if utf8.RuneCountInString(text) > maxStep {
		short := string([]rune(text)[:maxStep-1])
		if i := strings.LastIndexByte(short, ' '); i > len(short)/2 {
			short = short[:i]
		}
		text = strings.TrimRight(short, " ,;:") + "…"
	}
	c.steps = append(c.steps, text)
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
