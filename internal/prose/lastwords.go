package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLastWords is how many bytes of an agent's last words are looked at, the
// last ones: a question to the user stands at the end.
const maxLastWords = 8 << 10

// Asks reports whether an agent's last words ask its user for something. That is
// a question at the end of the last paragraph or before the list that it ends
// with, a question to somebody anywhere in it, and a request such as "let me
// know". Code, quotations and headings ask nobody.
func Asks(text string) bool {
	blocks := paragraphs(text)
	aside := false
	for i := len(blocks) - 1; i >= 0; i-- {
		p := &blocks[i]
		switch {
		case p.asks(aside):
			return true
		case p.list: // answers come after their question
		case p.aside():
			aside = true
		default:
			return false
		}
	}
	return false
}

// A paragraph is lines up to a blank one. Each of its runs is text that reads on:
// an item of a list is one of its own. A run is kept in lines.
type paragraph struct {
	runs [][]string
	list bool // it begins with an item
	lead int  // how many runs come before the first item
}

// Asks reports whether the paragraph asks somebody. Where only an aside follows,
// it has to have a word that says so.
func (p *paragraph) asks(before bool) bool {
	for i, run := range p.runs {
		all := sentences(strings.Join(run, " "))
		for k, one := range all {
			words := plain(one.text)
			question := one.asks || slices.ContainsFunc(askingEnds, func(end string) bool { return strings.HasSuffix(one.text, end) })
			ends := k == len(all)-1
			switch {
			case containsAny(words, courtesies...):
			case containsAny(words, requests...):
				return true
			case !question:
			case ends && !before && (i == len(p.runs)-1 || p.list),
				ends && (before || i == p.lead-1) && (containsAny(words, choices...) || containsAny(words, addresses...)), // a list of answers follows, or an aside
				!p.list && containsAny(words, addresses...):
				return true
			}
		}
	}
	return false
}

// aside reports whether the paragraph is a remark in brackets, or a word or two
// at the end: "Thanks!"
func (p *paragraph) aside() bool {
	if len(p.runs) != 1 {
		return false
	}
	text := strings.Join(p.runs[0], " ")
	return strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") || len(strings.Fields(text)) <= 2
}

// paragraphs returns the paragraphs of prose at the end of a text.
func paragraphs(text string) []paragraph {
	cut := len(text) - maxLastWords
	if cut > 0 {
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut++
		}
		text = text[cut:]
	}
	lines := strings.Split(text, "\n")
	fences := 0
	for _, l := range lines {
		if fence(l) {
			fences++
		}
	}
	inside := cut > 0 && fences%2 == 1 // the beginning of the first one was cut off
	var out []paragraph
	open := false // a paragraph may go on
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if fence(l) {
			inside, open = !inside, false
			continue
		}
		switch {
		case inside:
		case strings.Trim(l, "-*_= ") == "", hasAnyPrefix(l, "#", ">"), strings.HasPrefix(l, "**") && strings.HasSuffix(strings.TrimRight(l, ":"), "**"):
			open = false
		default:
			rest, item := strings.CutPrefix(l, bullet(l))
			item = item && bullet(l) != ""
			if !open {
				out = append(out, paragraph{list: item})
				open = true
			}
			p := &out[len(out)-1]
			rest = unquoted(rest)
			if item || len(p.runs) == 0 {
				if item && p.lead == 0 {
					p.lead = len(p.runs)
				}
				p.runs = append(p.runs, []string{rest})
			} else {
				p.runs[len(p.runs)-1] = append(p.runs[len(p.runs)-1], rest)
			}
		}
	}
	return out
}

func fence(l string) bool {
	return hasAnyPrefix(strings.TrimSpace(l), "```", "~~~")
}

// bullet is the mark at the beginning of an item of a list.
func bullet(l string) string {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "|"} {
		if strings.HasPrefix(l, mark) {
			return mark
		}
	}
	n := digits(l)
	if n == 0 && len(l) > 0 && isLetter(l[0]) {
		n = 1 // a) b)
		if len(l) > 1 && l[1] == '.' {
			return "" // a sentence may begin with an initial
		}
	}
	if n > 0 && n+1 < len(l) && (l[n] == '.' || l[n] == ')') && l[n+1] == ' ' {
		return l[:n+2]
	}
	return ""
}

// unquoted is a line without what stands in back quotes or quotation marks.
func unquoted(l string) string {
	for _, q := range [][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"«", "»"}, {"「", "」"}} {
		var b strings.Builder
		for {
			before, rest, ok := strings.Cut(l, q[0])
			_, after, closed := strings.Cut(rest, q[1])
			if !ok || !closed {
				break
			}
			b.WriteString(before + "…")
			l = after
		}
		l = b.String() + l
	}
	return l
}

type sentence struct {
	text string // in small letters, without the mark at its end
	asks bool   // which is a question mark
}

// sentences cuts a text where a mark ends a sentence: at its end, or before a
// space. That in an address or a version ends none.
func sentences(text string) []sentence {
	var out []sentence
	from := 0
	add := func(to int, question bool) {
		if s := strings.ToLower(strings.TrimSpace(text[from:to])); strings.ContainsFunc(s, unicode.IsLetter) {
			out = append(out, sentence{s, question})
		} else if question && len(out) > 0 {
			out[len(out)-1].asks = true // "Really?!"
		}
	}
	for i, r := range text {
		next := i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			continue
		}
		wide := strings.ContainsRune("。！？", r)
		if !wide && !strings.ContainsRune(".!?؟", r) {
			continue
		}
		after := strings.TrimLeft(text[next:], `)]}*_"'”’»`)
		if wide || after == "" || after[0] == ' ' || strings.ContainsRune(".!?", rune(after[0])) {
			add(i, strings.ContainsRune("?？؟", r))
			from = next
		}
	}
	add(len(text), false)
	return out
}

// plain is the words of a sentence with one space around each.
func plain(s string) string {
	return " " + strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r != '\'' && r != '’' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ") + " "
}

// askingEnds are ends of a question in languages that need no mark for it.
var askingEnds = []string{"か", "吗", "까요", "나요", "니까"}

// requests ask for an answer without being a question. A space at an end is the
// end of a word.
var requests = []string{
	" let me know", " please ",
	" tell me which", " tell me whether", " tell me if", " tell me how you", " waiting for your ", " wait for your ", " await your ", " awaiting your ",
	" do you want ", " would you like ", " would you prefer ", " i need your ", " i need you to ", " need your input", " need your confirmation",
	" once you confirm", " once you've confirmed", " once you decide", " it's your call ", " up to you ",
	"请确认", "请告诉我", "请告知", "请选择", "请提供", "请指示", "请回复", "需要您", "需要你的", "等待您", "等待你", "要不要", "您希望", "你希望", "您想要", "你想要",
	"教えてください", "お知らせください", "ご確認ください", "選んでください", "ご指示ください", "確認をお願い", "ご返答",
	"알려주세요", "알려 주세요", "확인해 주세요", "확인해주세요", "선택해 주세요", "선택해주세요",
	" lass mich wissen", " lassen sie mich wissen", " sag mir", " sagen sie mir", " gib mir bescheid", " gib bescheid", " geben sie mir bescheid", " bitte bestätig", " bitte wähl", " bitte entscheid", " soll ich ", " sollen wir ", " möchtest du ", " möchten sie ",
	" dites moi", " dis moi", " faites moi savoir", " fais moi savoir", " merci de confirmer", " merci de préciser", " veuillez confirmer", " veuillez choisir", " veuillez préciser", " voulez vous ", " veux tu ", " souhaitez vous ", " souhaites tu ", " dois je ",
	" dime ", " dígame ", " avísame", " avíseme", " hazme saber", " hágame saber", " por favor confirma", " por favor confirme", " por favor elige", " confírmame", " quieres que ", " quiere que ", " te gustaría ", " le gustaría ",
	" me avise", " me avisa", " me diga", " diga me", " por favor confirme", " você quer ", " gostaria que ",
	" fammi sapere", " mi faccia sapere", " dimmi ", " per favore conferma", " vuoi che ", " desidera che ",
	" дайте знать", " дай знать", " сообщите", " подтвердите", " скажите", " хотите", " выберите",
}

// addresses are words of a question that is put to somebody, and not to oneself.
var addresses = []string{
	" you ", " your ", " you'd ", " shall i ", " shall we ", " should i ", " should we ", " do i ", " may i ", " can i ", " prefer", " okay ", " ok ",
	"你", "您", "是否", "しますか", "ましょうか", "でしょうか",
	" sie ", " du ", " ihr ", " soll ich ", " sollen wir ", " vous ", " tu ", " dois je ", " usted", " tú ", " prefieres", " prefiere ", " debo ",
	" você", " devo ", " preferisci", " вы ", " вам ", " ты ",
}

// choices are words of a question that a list of answers follows, beside addresses.
var choices = []string{
	" which ", " or ", " oder ", " welche", " ou ", " quel", " laquelle", " o ", " cuál", " qual ", " quale ", " или ", " какой", " какую",
	"哪", "还是", "どちら", "どの", "どれ",
}

// courtesies look like requests and ask for nothing.
var courtesies = []string{
	" let me know if you have any ", " let me know if there's any", " let me know if there is any", " let me know if anything", " let me know if you need any", " let me know if you run into", " let me know if you see any",
	" please note ", " anything else", " any questions", " what else ",
	"如有任何问题", "如果有任何问题", "还有什么", "他に何か", "bei fragen", "noch etwas", " autre chose", " si vous avez des questions", " algo más", " si tienes alguna pregunta",
}

// Blocked reports whether an agent's last words say that something keeps it from
// going on: those of the last paragraph, or of the one before an aside. A note
// asks for such words, so that it is not to be answered by another one.
func Blocked(text string) bool {
	blocks := paragraphs(text)
	for i := len(blocks) - 1; i >= max(0, len(blocks)-2); i-- {
		for _, run := range blocks[i].runs {
			for _, one := range sentences(strings.Join(run, " ")) {
				words := strings.ReplaceAll(plain(one.text), "’", "'")
				if containsAny(words, hindered...) && !containsAny(words, unhindered...) {
					return true
				}
			}
		}
	}
	return false
}

// hindered says that somebody cannot go on. A space at an end is the end of a word.
var hindered = []string{
	" i am blocked ", " i'm blocked ", " am still blocked ", " i remain blocked ", " is blocked on ", " is blocked by ", " are blocked on ", " are blocked by ", " blocked until ", " i am stuck ", " i'm stuck ",
	" i cannot ", " i can't ", " i can not ", " cannot be ", " can't be ", " cannot continue ", " cannot proceed ", " cannot go on ", " unable to ", " not able to ", " no way to ", " not possible ", " impossible to ",
	" i need the ", " i need a ", " i need an ", " i need access", " i need someone ", " i need somebody ", " i still need ", " i would need ", " i'd need ", " waiting for ", " waiting on ", " wait for ", " wait until ", " have to wait ",
	" i do not have access", " i don't have access", " i have no access", " i lack ", " i don't have the ", " i do not have the ", " i don't have permission", " i do not have permission",
	"无法", "不能继续", "没法", "被阻塞", "卡住", "需要等", "在等待", "等待", "我需要", "没有权限",
	"できません", "できない", "進められ", "待って", "待ち", "ブロックされ", "が必要です", "権限がありません",
	" ich bin blockiert ", " blockiert ", " ich kann nicht ", " kann ich nicht ", " ich kann ohne ", " nicht möglich ", " nicht in der lage ", " ich brauche ", " ich benötige ", " ich warte auf ", " warte auf ", " komme nicht weiter ",
	" je suis bloqué", " bloqué par ", " je ne peux pas ", " je ne peux plus ", " impossible de ", " j'ai besoin ", " il me faut ", " j'attends ", " en attente d", " incapable de ",
	" estoy bloquead", " bloqueado por ", " no puedo ", " no es posible ", " necesito ", " me falta ", " estoy esperando ", " espero a ", " a la espera ",
}

// unhindered takes that back.
var unhindered = []string{
	" cannot see why ", " can't see why ", " not blocked ", " no longer blocked ", " can't be right ", " cannot be right ", " no longer waiting ", " nothing is blocked ", " cannot find any ", " can't find any ", " no need to wait ", " without waiting for ",
	"不再等待", "无法再现", "もう待",
}
