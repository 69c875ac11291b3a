package prose

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Chinese and Japanese clauses about the work that is planned. A word that alone
// holds work back may be about a thing that follows it: 停 is stop, and 停掉服务 stops
// a service.
var (
	wideOnward = []string{"继续", "接着做", "不要停", "别停", "続けて", "続行", "進めて", "止めないで", "やめないで", "止まらないで"}
	wideAlone  = []string{"停", "停下", "停下来", "停止", "请停止", "请停下", "停一下", "暂停", "先停", "先停下", "够了", "住手", "止めて", "とめて", "やめて", "止めてください", "やめてください", "ストップ", "停止", "一旦停止", "一時停止", "中止", "中断"}
	wideHalts  = []string{"什么都不要做", "什么都别做", "什么也不要做", "什么也别做", "不要再做", "别再做", "到此为止", "何もしないで", "作業を止め", "作業をやめ", "作業を中断"}
	wideHolds  = []string{
		"等一下", "等等", "等一等", "稍等", "先等", "先别", "先不要", "别动", "别改", "不要改", "不要动", "不要修改", "别修改", "还不要", "就这样", "就到这", "算了", "今天就到", "没别的", "没有别的",
		"待って", "お待ち", "変更しないで", "触らないで", "変えないで", "まだ始めないで", "しないで", "今日はここまで", "ここまでで", "ここまでにし", "以上です", "それだけです", "もういい", "もう大丈夫",
	}
	wideLimits = []string{"只做", "只改", "只修", "只需", "只要", "只完成", "只执行", "只回答", "仅做", "仅完成", "だけやって", "だけして", "だけ直して", "だけお願い", "だけ実行", "だけ答えて", "のみ実行", "だけで"}
	wideThanks = []string{"谢谢", "多谢", "辛苦了", "ありがとう", "お疲れ"}
	wideAsking = []string{"吗", "呢", "什么", "为什么", "怎么", "哪", "か", "何"}
)

// wide adds what a Chinese or Japanese sentence means. Its words may hold several
// sentences; the mark that ends them all stands with the last one.
func (m *intents) wide(s phrase, text string) {
	if s.asksSomething() {
		text += "？"
	}
	for from := 0; from < len(text); {
		end, sign := wideClause(text, from, len(text))
		m.add(wideSense(strings.TrimSpace(text[from:end]), sign))
		_, n := utf8.DecodeRuneInString(text[end:])
		from = end + n
	}
}

func wideSense(clause string, sign byte) sense {
	for _, please := range [...]string{"请", "好的", "好", "那", "では", "じゃあ"} {
		clause = strings.TrimPrefix(clause, please)
	}
	bare := strings.TrimRight(clause, "。．.!！~～吧了")
	switch {
	case clause == "":
		return nothing
	case containsAny(clause, wideOnward...):
		return onward
	case slices.Contains(wideAlone, bare), containsAny(clause, wideHalts...):
		return halt
	case containsAny(clause, wideLimits...):
		return limit
	case containsAny(clause, wideHolds...):
		return hold
	case containsAny(clause, wideThanks...):
		return thanks
	case wideAsks(clause):
		return work
	case sign == '?', containsAny(clause, wideAsking...) && strings.TrimRight(bare, "吗呢么か") != bare:
		return question
	}
	return says
}
