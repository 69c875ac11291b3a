package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// prepared is a board on which each verb has something to do: 1 is ready, 2 waits
// for it, 3 is completed, 4 is ada's, 5 is held.
func prepared(t *testing.T) *fixture {
	d := newFixture(t)
	for _, subject := range []string{"one", "two", "three", "four", "five"} {
		d.must("add", subject)
	}
	d.must("block", "2", "--by", "1")
	d.must("done", "3")
	d.must("claim", "4")
	d.must("hold", "5", "not yet")
	d.env["HOME"] = t.TempDir()
	for name, text := range map[string]string{"text.txt": "a text\n", "tasks.jsonl": d.must("export")} {
		must.Do(t, os.WriteFile(d.dir+"/"+name, []byte(text), 0o644))
	}
	return d
}

// hinted runs what the hint of a command that was refused says, and returns it.
func (d *fixture) hinted(args ...string) string {
	d.t.Helper()
	a := d.run(args...)
	_, hint, ok := strings.Cut(a.err, "hint: pawl ")
	if a.code != 2 || !ok {
		d.t.Errorf("pawl %s: exit code %d, no hint\n%s", strings.Join(args, " "), a.code, a.err)
		return ""
	}
	hint = strings.TrimSuffix(hint, "\n")
	if a := d.run(shellWords(hint)...); a.code != 0 && !strings.Contains(a.err, "needs an interactive terminal") && !strings.Contains(a.err, "has joined no board") {
		d.t.Errorf("pawl %s hints at pawl %s, which ends with %d\n%s", strings.Join(args, " "), hint, a.code, a.err)
	}
	return hint
}

// shellWords takes apart what quote put together.
func shellWords(line string) []string {
	var words []string
	word, quoted := "", false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word += line[i : i+1]
		case c == ' ' && !quoted:
			words, word = append(words, word), ""
		default:
			word += line[i : i+1]
		}
	}
	return append(words, word)
}

// usual are arguments that a verb of ours can work with on that board.
var usual = map[string][]string{
	"add": {"Fix", "it"}, "update": {"1", "--priority", "high"}, "note": {"1", "two", "words"}, "rm": {"1"}, "hold": {"1", "not", "now"}, "setup": {"--dry-run"},
	"claim": {"1"}, "done": {"4"}, "release": {"4"}, "reopen": {"3"}, "show": {"1"}, "check": {"1"}, "help": {"claim"},
}

// TestElsewhere follows the hint about each word that others use: it must work.
func TestElsewhere(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range commandAliases {
		verb, rest, _ := strings.Cut(e.form, " ")
		args, ok := map[string][]string{
			"update ID --priority": {"1", "high"},
			"add --parent":         {"1", "two"},
			"block ID --by":        {"4", "1"}, "block ID --remove": {"2", "1"}, "hold --lift": {"5"}, "claim --renew": {"4"}, "ready --why": {},
			"log --follow": {"--after", "0", "--count", "1"}, "todo forget": {"--session", "s1", "--yes"}, "join --leave": {}, "assign ID --to": {"1", "bob"}, "assign --nobody": {"1"},
			"list --all --text": {"two", "words"},
		}[e.form]
		if !ok && strings.HasPrefix(rest, "ID ") {
			args = []string{"1", "two", "words"}
		} else if !ok {
			args = usual[verb]
		}
		for word := range strings.FieldsSeq(e.words) {
			if _, ours := find(word); ours || seen[word] {
				t.Errorf("%q means something else already", word)
			}
			seen[word] = true
			hint := prepared(t).hinted(append([]string{word}, args...)...)
			if !strings.HasPrefix(hint, verb) {
				t.Errorf("%s leads to pawl %s", word, hint)
			}
		}
	}
}

// TestWordsOfOthers has whole command lines with what comes of them.
func TestWordsOfOthers(t *testing.T) {
	for _, c := range []struct{ line, hint string }{
		{"create --title 'Fix it' --body 'As said' -l ui -p high", "add 'Fix it' --desc 'As said' --label ui --priority high"},
		{"gh", "help"},
		{"issue create -t x", "add x"},
		{"issue list", "list"},
		{"dep 4 1", "block 4 --by 1"},
		{"find two words", "list --all --text 'two words'"},
		{"pause 1 'not now'", "hold 1 'not now'"},
		{"take --help", "help claim"},
		{"help take", "help claim"},
		{"close", "done"},
		{"close --sideways 3", "help done"},
		{"update 1 --title new", "update 1 --subject new"},
		{"update --status done 4", "done 4"},
		{"update 1 --status in_progress", "claim 1"},
		{"list --state closed", "list --status closed"},
		{"list -l ui -n 5", "list --label ui --limit 5"},
		{"add '-1 is wrong' --label x", "add --label x -- '-1 is wrong'"},
		{"add '-1 is wrong' --board here", "add --board here -- '-1 is wrong'"},
		{"note 1 '- item'", "note -- 1 '- item'"},
		{"add '--- a line'", "add -- '--- a line'"},
		{"add ---", "add -- ---"},
		{"list --lable x", "list --label x"},
		{"don 4", "done 4"},
		{"cliam 1", "claim 1"},
		{"relase 4", "release 4"},
		{"set 1 --priority=high", "update 1 --priority high"},
		{"set 1 priority high", "help update"},
		{"update 1 -l ui", "update 1 --add-label ui"},
		{"edit 4 --status done", "done 4"},
		{"add -t bug Fix", "help add"},
		{"add --title a --summary b", "help add"},
		{"prio 1 high", "update 1 --priority high"},
		{"subtask 1 write the tests", "add write the tests --parent 1"},
		{"why 1", "show 1"},
		{"pause 1", "hold 1"},
		{"resume 1", "claim 1"},
		{"list parser", "list --all --text parser"},
		{"mine", "list --owner @me"},
		{"list -s done", "list --status done"},
		{"list two words", "list --all --text 'two words'"},
		{"list -a bob", "list --owner bob"},
		{"claim --next", "claim"},
		{"claim next", "claim"},
		{"assign bob 1", "assign 1 bob"},
		{"block 4 on 1", "block 4 1"},
		{"rm 4 --yes", "rm 4"},
	} {
		d := prepared(t)
		if got := d.hinted(shellWords(c.line)...); got != c.hint {
			t.Errorf("pawl %s hints at pawl %s, want pawl %s", c.line, got, c.hint)
		}
	}
}

// A word that is another one, and no slip, gets no command that writes.
func TestOtherWords(t *testing.T) {
	d := prepared(t)
	for _, word := range []string{
		"clone", "stash", "sort", "reset", "none", "play", "quit", "and", "rebase", "fetch", "pull", "push", "node", "star", "hole",
		"rank", "fork", "rest", "pin", "bone", "hoke", "mcq", "start-over", "lost", "clam",
		"lease", "unlock", "completed", "closed", "command", "content", "unclaimed", "unassigned", "forge", "left", "step", "see", "exit", "remote", "review", "commit",
	} {
		if got := d.run(word, "4"); got.code != 2 || !strings.HasSuffix(got.err, "hint: pawl help\n") {
			t.Errorf("pawl %s: exit code %d\n%s", word, got.code, got.err)
		}
	}
}

// The version is asked for in many ways.
func TestVersionFlags(t *testing.T) {
	for _, flag := range []string{"--version", "-v", "-V"} {
		if out := newFixture(t).must(flag); !strings.HasPrefix(out, "pawl ") {
			t.Errorf("pawl %s prints %s", flag, out)
		}
		newFixture(t).json(flag)
	}
}
