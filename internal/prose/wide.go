package prose

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Chinese and Japanese sentences have no blanks between words: words are looked
// for anywhere in a clause.

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

// goesOn says that a Japanese clause ends with a form that another clause follows.
func goesOn(clause string) bool {
	last, _ := utf8.DecodeLastRuneInString(clause)
	return strings.ContainsRune("てしきり", last)
}

func wideOrder(clause string) bool {
	return hasAnyPrefix(clause, "首先", "第一步", "先", "然后", "接着", "接下来", "之后", "随后", "最后", "第二步", "まず", "最初に", "次に", "それから", "その後", "続いて", "最後に")
}

// wideTold says that a clause tells what somebody does or what happens.
func wideTold(clause string) bool {
	return containsAny(clause, "我先", "我在", "我已经", "已经", "客户反馈", "用户反馈", "的时候", "ました", "ません", "そうです", "报错", "崩溃", "我怀疑", "没有人")
}

// wideAsks says that a clause asks for work.
func wideAsks(clause string) bool {
	return containsAny(clause, "添加", "增加", "新增", "修复", "修改", "重构", "补充", "更新", "编写", "实现", "删除", "移除", "迁移", "部署", "测试一", "配置", "优化", "替换", "升级", "引入", "集成", "设计", "搭建", "开发", "支持", "调整", "整理",
		"运行", "提交", "生成", "拆分", "合并", "抽取", "封装", "接入", "清理", "发布", "重写", "翻译", "创建", "改成", "改为", "做一个", "做个", "写一", "检查", "移到", "移动", "补一", "导入", "安装", "去掉", "统一", "告诉我", "完善", "加上", "加个", "加入", "抽到", "抽出", "提取", "跑一", "跑测试", "拆", "改一", "换成", "画一", "找出", "补上", "看一下", "查一下", "改进", "去除", "打开", "排查",
		"追加", "作成", "修正", "実装", "変更し", "変更す", "削除", "移行", "書き換え", "書い", "書く", "書き", "直し", "直す", "調べ", "定義", "導入", "整理し", "構築", "開発し", "作って", "作る", "デプロイし", "テストし", "更新し", "更新す", "更新を", "移し", "実行", "対応し", "対応す", "反映し", "分割", "差し替え", "用意", "報告", "ようにし", "通し", "改善し", "確認し", "統合し", "分け", "にして", "してください", "してほしい", "置い", "作りたい") ||
		strings.Contains(clause, "加") && !strings.Contains(clause, "加载")
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func hasAnyPrefix(s string, heads ...string) bool {
	return slices.ContainsFunc(heads, func(h string) bool { return strings.HasPrefix(s, h) })
}
