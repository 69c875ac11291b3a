package prose

import (
	"strings"
	"unicode/utf8"
)

// Chinese and Japanese sentences have no blanks between words: what is looked
// for is looked for anywhere in a clause.

// wide looks for what a Chinese or Japanese sentence asks. The text may hold
// several of them.
func (f *findings) wide(text string, s phrase) {
	from, to := s[0].at.from, s[len(s)-1].at.to
	told := false   // by somebody: what happens
	polite := false // the sentence ends by asking
	for begins := true; from < to; {
		if begins {
			polite = politely(text[from:to])
		}
		end, sign := wideClause(text, from, to)
		clause := strings.TrimSpace(text[from:end])
		if order := wideOrder(clause); order != "" && wideAsks(clause) {
			f.ordered(order)
		}
		f.spec.wide(clause, sign)
		if clause != "" {
			f.statements++
			if n := wideAnnounced(clause); n > f.announced && sign != '?' {
				f.announced, f.after = n, f.statements
			}
		}
		switch n := wideThings(clause); {
		case clause == "":
		case wideTold(clause):
			told = true
		case told:
		case sign == '?' && containsAny(clause, "哪", "什么", "怎么", "如何", "多少", "どう", "なぜ", "何", "どこ"):
		case wideAsks(clause), polite && sign == ',' && goesOn(clause) && n == 0:
			f.clauses++
			f.asked += 1 + n
			f.step(span{from, end})
			if large := wideLarge(clause, text[from:to]); large > f.large {
				f.large, f.what = large, span{from, end}
			}
		}
		if begins = sign != ','; begins {
			told = false
		}
		_, n := utf8.DecodeRuneInString(text[end:])
		from = end + n
	}
}

// wideClause is where the clause ends that begins at a place, and what kind of
// sign is there: , within a sentence, . or ? at its end.
func wideClause(text string, from, to int) (end int, sign byte) {
	for i, r := range text[from:to] {
		switch r {
		case '，', '、', ',':
			if r == '、' && !goesOn(text[from:from+i]) {
				continue // between things: 登录、注册
			}
			return from + i, ','
		case '。', '；', ';', '！', '!', '：':
			return from + i, '.'
		case '？', '?':
			return from + i, '?'
		}
	}
	return to, '.'
}

// politely says that the first sentence of a Japanese text asks for something,
// and with its last verb all that it says before.
func politely(text string) bool {
	if i := strings.Index(text, "。"); i >= 0 {
		text = text[:i]
	}
	text = strings.TrimRight(text, "！!　 ")
	for _, end := range [...]string{"ください", "下さい", "お願いします", "おねがいします", "ほしい", "して", "しよう"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// goesOn says that a Japanese clause ends with a form that another clause follows.
func goesOn(clause string) bool {
	last, _ := utf8.DecodeLastRuneInString(clause)
	return strings.ContainsRune("てしきり", last)
}

func wideOrder(clause string) string {
	for _, w := range [...]string{"首先", "第一步", "先", "然后", "接着", "接下来", "之后", "随后", "最后", "第二步", "まず", "最初に", "次に", "それから", "その後", "続いて", "最後に"} {
		if strings.HasPrefix(clause, w) {
			return w
		}
	}
	return ""
}

// wideTold says that a clause tells what somebody does or what happens.
func wideTold(clause string) bool {
	for _, w := range [...]string{"我先", "我在", "我已经", "已经", "客户反馈", "用户反馈", "的时候", "ました", "ません", "そうです", "报错", "崩溃", "我怀疑", "没有人"} {
		if strings.Contains(clause, w) {
			return true
		}
	}
	return false
}

// wideAsks says that a clause asks for work.
func wideAsks(clause string) bool {
	for _, w := range [...]string{"添加", "增加", "新增", "修复", "修改", "重构", "补充", "更新", "编写", "实现", "删除", "移除", "迁移", "部署", "测试一", "配置", "优化", "替换", "升级", "引入", "集成", "设计", "搭建", "开发", "支持", "调整", "整理",
		"运行", "提交", "生成", "拆分", "合并", "抽取", "封装", "接入", "清理", "发布", "重写", "翻译", "创建", "改成", "改为", "做一个", "做个", "写一", "检查", "移到", "移动", "补一", "导入", "安装", "去掉", "统一", "告诉我", "完善", "加上", "加个", "加入", "抽到", "抽出", "提取", "跑一", "跑测试", "拆", "改一", "换成", "画一", "找出", "补上", "看一下", "查一下", "改进", "去除", "打开", "排查",
		"追加", "作成", "修正", "実装", "変更し", "変更す", "削除", "移行", "書き換え", "書い", "書く", "書き", "直し", "直す", "調べ", "定義", "導入", "整理し", "構築", "開発し", "作って", "作る", "デプロイし", "テストし", "更新し", "更新す", "更新を", "移し", "実行", "対応し", "対応す", "反映し", "分割", "差し替え", "用意", "報告", "ようにし", "通し", "改善し", "確認し", "統合し", "分け", "にして", "してください", "してほしい", "置い", "作りたい"} {
		if strings.Contains(clause, w) {
			return true
		}
	}
	return strings.Contains(clause, "加") && !strings.Contains(clause, "加载")
}

// wide is clause for Chinese and Japanese.
func (p *specification) wide(clause string, sign byte) {
	n := utf8.RuneCountInString(clause)
	if n < 2 {
		return
	}
	size := max(0.5, float64(n)/12)
	if containsAny(clause, "想", "要", "需要", "希望", "必须", "应该", "ほしい", "欲しい", "たい", "必要", "べき", "ください", "お願い") {
		p.wanted++
	}
	switch {
	case sign == '?', containsAny(clause, "吗", "为什么", "怎么", "なぜ", "でしょうか", "ですか"):
		p.asked++
		p.wonders = p.wonders || p.parts == 0
	case wideTold(clause), containsAny(clause, "失败", "乱码", "不对", "不行", "异常", "错误", "没有", "エラー", "おかしい", "ずれ", "バグ", "落ち", "なります"):
		p.faults += size
	case containsAny(clause, "不要", "别动", "别改", "しないで", "そのまま"):
		p.kept += size
	default:
		p.parts += size
	}
}

// wideAnnounced is announced for Chinese and Japanese: 有三个问题, 3つお願い.
func wideAnnounced(clause string) float64 {
	for _, thing := range [...]string{"件事", "个问题", "个地方", "个改动", "处修改", "个任务", "点", "つお願い", "つあります", "つのこと"} {
		at := strings.Index(clause, thing)
		if at < 0 {
			continue
		}
		switch before, _ := utf8.DecodeLastRuneInString(clause[:at]); before {
		case '两', '二', '2', '２':
			return 2
		case '三', '3', '３':
			return 3
		case '四', '4', '４':
			return 4
		case '五', '5', '５':
			return 5
		case '六', '6', '６':
			return 6
		}
	}
	return 0
}

// wideThings is how many things more than one a clause asks for.
func wideThings(clause string) float64 {
	n := strings.Count(clause, "、")
	if n == 0 || containsAny(clause, "选项", "字段", "枚举", "这几个", "颜色", "状态", "参数", "カラム", "選択肢", "項目", "パラメータ", "の値") {
		return 0
	}
	if n == 1 {
		return 0.4
	}
	return float64(min(n, 6))
}

// wideLarge says how surely a clause asks for a large piece of work.
func wideLarge(clause, all string) float64 {
	large := 0.0
	if containsAny(clause, "网站", "系统", "平台", "应用", "商城", "小程序", "项目", "框架", "游戏", "サイト", "アプリ", "システム", "プラットフォーム", "ゲーム", "サービス", "プロジェクト", "コードベース", "代码库") &&
		containsAny(clause, "搭建", "开发", "做一个", "做个", "弄一个", "搞一个", "需要一个", "作りたい", "ほしい", "欲しい", "实现", "创建", "设计", "重写", "迁移", "重构", "作って", "作成", "構築", "開発", "実装", "移行") {
		large = bigThing
	}
	if containsAny(clause, "多语言", "多言語", "国际化", "国際化", "多租户", "マルチテナント", "权限管理") && !containsAny(clause, "？", "?", "吗") {
		large = bigThing
	}
	if containsAny(clause, "所有", "全部", "整个", "全て", "すべて", "全体", "全面") && containsAny(clause, "迁移", "改成", "改为", "换成", "切换到", "升级到", "重写", "移行", "書き換え", "置き換え", "切り替え") {
		large = sureThing
	}
	if large > 0 && containsAny(all, "从零", "整个", "完整", "全部", "所有", "ゼロから", "全体", "すべて", "一から", "プロジェクト", "项目") {
		large += 0.25
	}
	return large
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
