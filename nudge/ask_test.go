package nudge

import (
	"strings"
	"testing"
)

func TestAsks(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"", false},
		{"Done with the parser. The tests are next.", false},
		{"I have finished the first half.\n\nShall I continue with the tests?", true},
		{"Which database do you want?\n\n1. PostgreSQL\n2. SQLite", true},
		{"Which one?\n- PostgreSQL\n- SQLite\n", true},
		{"Before I go on:\n1. Which port?\n2. Which host?", true},
		{"Two ways are open. Should I take the first one? It is simpler, and slower.", true},
		{"Shall I run them? (They take a while.)", true},
		{"Could you check whether the key is valid? Without it nothing can be deployed.", true},
		{"Is **this** what you meant?**", true},
		{"Really?!", true},
		{"Please confirm before I drop the table.", true},
		{"I need your input here: the schema is ambiguous.", true},
		{"Two schemas are possible. Let me know which one to use.", true},
		{"I stop here. Tell me whether the name is right.", true},
		{"Everything is ready.\n\nI'm waiting for your go.", true},

		{"Why did it fail? Because the port was taken. I have changed it.", false},
		{"Why did it fail?\n\nThe port was taken; it is free now.", false},
		{"What's left?\n- the tests\n- the docs", false},
		{"## What is next?\n- the tests\n- the docs", false},
		{"**Was it worth it?**\nThe build is twice as fast.", false},
		{"Do you want this?\n\nThe first part is in place, on to the second.", false},
		{"The dialog now says \"Delete all?\"", false},
		{"The prompt is `Continue? [y/N]`", false},
		{"It prints:\n```\nDo you want to continue?\n```", false},
		{"It prints:\n```\nDo you want to continue?\n```\nand I answer it in the script.", false},
		{"```\n" + strings.Repeat("go test ./...\n", 2000) + "Do you want to continue?\n```\nIt asks, and I say yes.", false},
		{"```\n" + strings.Repeat("go test ./...\n", 2000) + "```\nDo you want to continue?", true},
		{"> Shall I go on?\n\nI went on.", false},
		{"See https://example.com/?q=1&you=2 for more.", false},
		{"The parser is done. Let me know if you have any questions.", false},
		{"The list is updated. Anything else?", false},
		{"If you like, I can also write the docs.", false},
		{"The regex is a? and matches an optional a.", false},

		{"解析器已完成。要继续写测试吗？", true},
		{"有两个方案，请选择。", true},
		{"解析器已完成，接下来写测试。", false},
		{"どちらにしますか。", true},
		{"テストを続けてもよろしいでしょうか。", true},
		{"どのスキーマを使うか教えてください。", true},
		{"パーサーは完成しました。次はテストです。", false},
		{"계속할까요", true},
		{"Soll ich weitermachen?", true},
		{"Es gibt zwei Wege. Sag mir bitte, welcher es sein soll.", true},
		{"Der Parser ist fertig. Bei Fragen einfach melden.", false},
		{"Dois-je continuer ?", true},
		{"Dites-moi quelle base utiliser.", true},
		{"L'analyseur est terminé, les tests suivent.", false},
		{"¿Quieres que siga con las pruebas?", true},
		{"Avísame cuando la clave esté lista.", true},
		{"El analizador está listo. Sigo con las pruebas.", false},
		{"Devo continuare con i test?", true},
		{"Продолжать?", true},
		{"هل أكمل؟", true},
	} {
		if got := asks(c.text); got != c.want {
			t.Errorf("asks(%q) = %t", c.text, got)
		}
	}
}
