package prose

import (
	"strings"
	"testing"
)

// What people say, and whether the work that is planned rests after it.
func TestIntent(t *testing.T) {
	prompts := map[Intent]string{
		Stop: `
Stop. Do nothing more for now.
stop
STOP!
Please stop.
ok, stop here
Stop what you are doing.
stop it now
You can stop now.
can you stop please?
I said stop
Stop working on this, I want to look at it first.
Stop after step 2.
Finish step A, then stop.
Only do step A, then stop.
Only fix the typo.
only do the first one
only the first two, please
stop changing the tests and fix the code instead
wait, why?
we can stop here
Just answer my question: what does it return?
just explain the parser
Just fix the failing test, nothing else.
Wait, do not change anything yet. What does parse() do?
wait
Wait a minute.
Wait for my OK before you go on.
wait until I have looked at it
Hold on.
hold off for now
Hang on, I need to think about this.
Pause please
pause here
Let's pause for today.
Don't do anything.
do not change anything
Please don't touch anything until I am back.
Don't make any changes yet, I want to discuss it.
Do not write any code yet.
don't start yet
Don't continue.
Don't go on until I say so.
Do nothing.
thanks, that is all for today
Thanks!
Thank you, great work.
That's all.
That will be all, thanks.
We're done for today.
good night
Let's continue tomorrow.
Never mind.
forget it
cancel that
Enough for now.
let me check first
Let me take it from here.
Not now.
Stop! Revert the last change.
Stop and tell me where you are.
no more changes please
Once A is done, stop.
Implement A. That's all.
Halt.
Stopp. Mach erst mal nichts mehr.
Warte, ändere noch nichts.
Warte bitte.
Hör auf.
Nur Schritt A machen, dann stopp.
Danke, das war's für heute.
Das reicht.
Noch nicht.
Arrête.
Arrête-toi.
Attends, ne change rien pour l'instant.
Merci, c'est tout pour aujourd'hui.
Ne fais rien pour le moment.
Para ahí.
Espera, no cambies nada todavía.
Gracias, eso es todo por hoy.
No hagas nada más.
停
停下来。
等一下，先不要改任何东西。
先别动代码。
只做第一步，然后停下。
谢谢，今天就到这里。
什么都不要做。
止めて
ちょっと待ってください。
まだ何も変更しないでください。
今日はここまでにしましょう。
ステップAだけやって、そこで止めて。
ありがとうございました。
`,
		Question: `
What does main.go do?
what is 2+2
Why did you choose SQLite?
How does the parser handle comments?
is it done?
What is left? And how long will it take?
Ok. What does that mean?
Hmm, why is it slow?
Does the server stop when the port is taken?
What happens if I stop the server and restart it?
Which file has the settings?
Can you explain how parse works?
Explain the parser to me.
Tell me what you have changed.
I want to understand how the parser works.
Should we add an index there?
Is the build green now?
Warum schlägt der Build fehl?
Was macht main.go?
Pourquoi est-ce si lent ?
¿Qué hace main.go?
main.go 是做什么的？
这个函数返回什么？
main.goは何をしますか？
どうしてこんなに遅いのですか。
`,
		Work: `
Don't stop until all tests pass.
do not stop
never stop before everything is green
stop the server and restart it
Stop the container, remove it and start a new one.
wait for the build, then deploy
Wait for CI, then merge it.
why does the build fail? fix it
Why does the build fail, and can you fix it?
Can you add a test?
can you continue?
Could you please fix the parser?
Why don't you use a map there?
How about adding a cache?
Is it possible to add a flag?
Please do not commit anything
don't do that, use a map
that's all wrong, redo it
Add a stop button, then wait for review
Why did you stop?
Continue.
go on
Go on, don't wait for me.
ok
yes
Yes, do it.
Sounds good.
next
keep going
Just do it.
just continue with the list
Just go on and don't ask.
do B
Fix the build.
Fix the parser. Thanks!
Thanks, now do B.
Thanks. Please go on.
Thanks to you it works. Add the docs now.
Refactor auth, but do not change anything in the public API.
Fix the bug. Only change files in src/.
Fix the bug but don't push yet.
Wait, also fix the linter.
Hold on to the lock until the write is done; fix that.
Stop using var, use let.
Run the tests; if they fail, stop.
The stop button does not work.
pause button is broken on mobile
The tests fail on Windows.
I get this error. What does it mean?
Never mind the warnings, go on.
Forget that, use Postgres instead.
Stop asking and go on.
Add a pause command to the player.
Implement wait() and stop() for the worker.
Write a function that stops the timer and waits for the worker.
Enough tests exist for now, write the docs.
Let's continue with the second step.
Cancel the order when the payment fails: implement that.
Only one thing is left: write the docs.
Nicht aufhören, bis alle Tests grün sind.
Mach weiter.
Warum schlägt der Build fehl? Korrigiere es.
Stoppe den Server und starte ihn neu.
Kannst du einen Test hinzufügen?
Continue avec la liste.
Arrête le serveur et relance-le.
Ajoute un test.
Sigue con la lista.
Para el servidor y reinícialo.
Añade una prueba.
继续
不要停，直到所有测试通过。
为什么构建失败？修复它。
停掉服务器，然后重启。
请添加一个测试。
続けてください。
テストが全部通るまで止めないで。
サーバーを止めて、再起動して。
テストを追加してください。
`,
	}
	n := 0
	for want, lines := range prompts {
		for prompt := range strings.Lines(strings.TrimSpace(lines)) {
			prompt = strings.TrimSpace(prompt)
			n++
			if got := IntentOf(prompt); got != want {
				t.Errorf("%q is %d, want %d", prompt, got, want)
			}
		}
	}
	if n < 150 {
		t.Errorf("only %d prompts", n)
	}
}
