package prose

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

		{"All 14 tests pass now.\n\nNext steps:\n- wire up the CLI\n- update README\n\nWould you like me to proceed with these?", true},
		{"I've implemented the parser. Do you want me to continue with the printer, or would you rather review first?", true},
		{"I've hit a fork: the API key isn't set.\n\n**Options:**\n1. You set `OPENAI_API_KEY`\n2. I mock the client\n\nHow would you like to proceed?", true},
		{"Here's my plan:\n\n1. Refactor\n2. Test\n\nIf this looks good, I'll start.", false},
		{"Ready to proceed when you are.", false},
		{"Before I make changes I want to confirm: should the flag default to on?", true},
		{"Should I:\n- (a) drop the column, or\n- (b) keep it nullable?", true},
		{"What should the retry limit be?", true},
		{"Done! The build is green. Let me know if you'd like any changes.", true},
		{"Done! Let me know if you have further questions or need anything else!", false},
		{"I've completed the first three items. Next I'll tackle the migration.", false},
		{"The question was: does the cache evict? Yes, it does. I've added a test for this.", false},
		{"You asked: \"can you rename it?\" — done, everywhere.", false},
		{"Fixed `isValid?` helper in ruby. Moving on.", false},
		{"The SQL uses `WHERE id = ?` and the driver binds it.", false},
		{"I used a ternary `a ? b : c` there", false},
		{"a ? b : c was the issue", false},
		{"Two things remain: what about tests? I'll add them. What about docs? I'll write them too.", false},
		{"I can't access the repo. Please provide the URL.", true},
		{"I need the production credentials to continue.", false},
		{"I'm blocked: permission denied when pushing. Please grant access and I'll continue.", true},
		{"Which of these do you prefer?\n\n| Option | Cost |\n|---|---|\n| A | 1 |\n| B | 2 |", true},
		{"Please review the diff above and confirm.", true},
		{"Can you run `make test` on your machine and paste the output?", true},
		{"I'll wait for your confirmation before deleting the data.", true},
		{"Let me know when the deploy is finished so that I can verify.", true},
		{"Now let me run the tests.", false},
		{"Tell me how you want to handle it.", true},
		{"Everything's done?! Not quite: two tests fail. On to these.", false},
		{"我已经完成了第一部分。是否继续？", true},
		{"第一部分完成。接下来我会写测试。", false},
		{"どうしますか？", true},
		{"次に進みます。", false},
		{"Möchten Sie, dass ich fortfahre?", true},
		{"Ich mache jetzt mit den Tests weiter.", false},
		{"Voulez-vous que je continue ?", true},
		{"Je continue avec les tests.", false},
		{"¿Procedo con la migración?", true},
		{"Sigo con la migración.", false},
		{"Summary of what changed:\n- parser.go: why is `x` nil? fixed\n- printer.go: cleaned up\n", false},
		{"Open questions for later (noted in TODO.md):\n- Do we need caching?\n- Which DB?\n\nI'm moving on to the tests now.", false},
		{"Question: use tabs or spaces?", true},
		{"Should be good to go. OK?", true},
		{"I've paused here since the next step is destructive. Say \"go\" to continue.", false},
		{"Any thoughts?", true},
		{"Which file should I edit: `a.go` or `b.go`?\n\n```go\nfunc main() {}\n```", true},
		{"Which file should I edit?\n\n(I looked at a.go and b.go.)", true},
		{"Do you want A or B?\n\nThanks!", true},
		{"Shall I go ahead?\n\n— Claude", true},
		{"Shall I drop the table?\n\n```sql\nDROP TABLE orders CASCADE;\nDROP TABLE customers CASCADE;", true}, // cut off by a limit
		{"It asks:\n```\nDo you want to continue?", false},

		{"I finished steps 1-3 of 7. Continuing with step 4 in the next turn.", false},
		{"The migration is ready. Want me to run it?", true},
		{"Does that sound right?", true},
		{"That's everything for today. I'll pick up the remaining todos next time.", false},
		{"Remaining: docs, release notes. I'd be happy to continue if you want.", false},
		{"I could not find `config.yml`. Where is it?", true},
		{"Tests fail with `TypeError: x is not a function?`. I'm looking into why.", false},
		{"Which approach is better? Option A is simpler, so I went with it.", false},
		{"✅ Lint\n✅ Tests\n❌ Deploy (not started)", false},
		{"Here is the summary:\n\n```\n3 passed\n```", false},
		{"Would it be OK to force-push here?", true},
		{"The user may ask: why so slow? Therefore I've added a note in the README.", false},
		{"No further action is needed from your side. I continue with the tests.", false},
		{"Let me check whether you have the right version installed.", false},
		{"If you have any questions, let me know.", false},
		{"Should you need more, just ask.", false},
		{"How to proceed? I see two ways, and take the first.", false},
		{"Do you have a preference between pnpm and npm? If not I'll go with pnpm.", true},
		{"Soll die Spalte gelöscht werden?", true},
		{"Was ist noch offen? Die Tests; ich schreibe sie jetzt.", false},
		{"On continue ?", true},
		{"¿Por qué fallaba? Faltaba una coma. Ya está.", false},
		{"需要我继续吗", true},
		{"为什么失败？因为端口被占用。我已修复。", false},
		{"続けますか？", true},
		{"なぜ失敗したか？ポートが使用中だったため。修正しました。", false},
		{"Ich brauche eine Entscheidung von dir: A oder B?", true},
		{"OK?", true},
	} {
		if got := Asks(c.text); got != c.want {
			t.Errorf("Asks(%q) = %t", c.text, got)
		}
	}
}

// Whatever an agent says, that it said something else before is no matter.
func FuzzAsks(f *testing.F) {
	f.Add("Shall I go on?\n\n1. yes\n2. no\n\n(Or not.)")
	f.Add("```\na?\n```\n> b?\n# c?\n| d |\n**e**\nf? g! h。i？")
	f.Add("\xff?\n-\n1.\n1. \n\"?\"“?”")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "```") || strings.Contains(text, "~~~") || len(text) > maxLastWords/2 {
			Asks(text)
			return
		}
		if alone, after := Asks(text), Asks("I have read the file.\n\n"+text); alone != after {
			t.Errorf("Asks is %t, and %t after another paragraph: %q", alone, after, text)
		}
	})
}
