package cli

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// prepared is a board on which each verb has something to do: 1 is ready, 2 waits
// for it, 3 is completed, 4 is ada's, 5 is held.
func prepared(t *testing.T) *desk {
	d := newDesk(t)
	for _, subject := range []string{"one", "two", "three", "four", "five"} {
		d.must("add", subject)
	}
	d.must("block", "2", "--by", "1")
	d.must("done", "3")
	d.must("claim", "4")
	d.must("update", "5", "--hold", "not yet")
	for name, text := range map[string]string{"text.txt": "a text\n", "tasks.jsonl": d.must("export")} {
		if err := os.WriteFile(d.dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// hinted runs what the hint of a command that was refused says, and returns it.
func (d *desk) hinted(args ...string) string {
	d.t.Helper()
	a := d.run(args...)
	_, hint, ok := strings.Cut(a.err, "hint: pawl ")
	if a.code != 2 || !ok {
		d.t.Errorf("pawl %s: exit code %d, no hint\n%s", strings.Join(args, " "), a.code, a.err)
		return ""
	}
	hint = strings.TrimSuffix(hint, "\n")
	if a := d.run(shellWords(hint)...); a.code != 0 && !strings.Contains(a.err, "needs an interactive terminal") {
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
	"add": {"Fix", "it"}, "update": {"1"}, "note": {"1", "two", "words"}, "assign": {"1", "bob"}, "block": {"4", "1"}, "unblock": {"2", "1"},
	"rm": {"1"}, "hold": {"1", "not", "now"}, "lift": {"5"}, "claim": {"1"}, "start": {"1"}, "done": {"4"}, "release": {"4"}, "reopen": {"3"}, "show": {"1"}, "check": {"1"},
	"plan": {"1"}, "init": nil, "setup": nil,
	"import": {"tasks.jsonl"}, "help": {"claim"}, "config": {"list"}, "watch": {"--after", "0", "--count", "1"},
}

// TestElsewhere follows the hint about each word that others use: it must work.
func TestElsewhere(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range commandAliases {
		for word := range strings.SplitSeq(e.words, ", ") {
			if _, ours := find(word); ours || seen[word] {
				t.Errorf("%q means something else already", word)
			}
			seen[word] = true
			followWord(t, word, e.form)
		}
	}
}

func followWord(t *testing.T, word, form string) {
	verb, rest, _ := strings.Cut(form, " ")
	args := usual[verb]
	switch {
	case strings.Contains(rest, "--parent $1"):
		args = []string{"1", "two"}
	case form == "update $@":
		args = []string{"1", "priority", "high"}
	case strings.Contains(rest, "--nobody"):
		args = []string{"1"}
	case strings.Contains(rest, "--priority"):
		args = []string{"1", "high"}
	case strings.Contains(rest, "--lift"):
		args = []string{"5"}
	case verb == "list" && strings.Contains(rest, "$*"):
		args = []string{"two", "words"}
	case verb == "update" && strings.Contains(rest, " "):
		args = []string{"1", "two", "words"}
	}
	d := prepared(t)
	d.sharing, d.tty = (&remote{}).functions(), form == "share --stop"
	hint := d.hinted(append(strings.Fields(word), args...)...)
	if !strings.HasPrefix(hint, verb) || len(args) > 0 && strings.HasPrefix(hint, "help") && verb != "help" {
		t.Errorf("%s leads to pawl %s", word, hint)
	}
}

// TestForeignFlags follows the hint about each flag that others have.
func TestForeignFlags(t *testing.T) {
	seen := map[[2]string]bool{}
	for _, f := range flagAliases {
		verbs := []string{f.verb}
		if f.verb == "" {
			verbs = []string{"list"}
			switch f.to {
			case "--priority", "--label", "--owner":
				verbs = []string{"add", "list", "claim"}
			case "--force":
				verbs = []string{"done"}
			}
		}
		for _, flag := range strings.Fields(f.names) {
			if seen[[2]string{f.verb, flag}] {
				t.Errorf("%q of %q comes to two things", flag, f.verb)
			}
			seen[[2]string{f.verb, flag}] = true
			if f.to == "--format" || f.to == "--status" && f.verb == "update" {
				continue // these take only some values, which have lines of their own
			}
			for _, verb := range verbs {
				followFlag(t, verb, flag, f.to)
			}
		}
	}
}

func followFlag(t *testing.T, verb, flag, to string) {
	args := append([]string{verb}, usual[verb]...)
	switch {
	case to == "done $@":
		args[1] = "4"
	case to == "reopen $@":
		args[1] = "3"
	case to == "$1", verb == "block" || verb == "unblock" || verb == "assign":
		args = args[:len(args)-1]
		if to == "$1" && verb == "add" {
			args = args[:1]
		} else if verb == "note" {
			args = args[:2]
		}
	case verb == "add":
		args = []string{"add", "x"}
	case verb == "note":
		args = args[:2]
	case verb == "claim" && to == "--owner", verb == "claim" && to == "--priority", verb == "claim" && to == "--label":
		args = args[:1]
	}
	value, ok := map[string]string{
		"--priority": "medium", "--limit": "3", "--owner": "@me", "--status": "pending", "--desc-file": "text.txt", "--file": "text.txt",
		"--blocked-by": "1", "--by": "1", "block $1 --by $v": "4", "assign $1 $v": "bob", "--after": "0",
		"--remove-check": "unit", "--remove-accept": "fast", "--tick": "fast", "--untick": "1",
	}[to]
	if !ok {
		value = "two words"
	}
	name, with, only := strings.Cut(flag, "=")
	bare := only && with == ""
	dashes := "--"
	if len(name) == 1 {
		dashes = "-"
	}
	args = append(args, dashes+name)
	if bare {
		// it stands alone
	} else if only {
		args = append(args, with)
	} else if takes := strings.Contains(to, "$v") || to == "$1" || strings.HasPrefix(to, "--") && !strings.Contains(to, " ") &&
		!slices.Contains([]string{"--force", "--all", "--verbose", "--dry-run", "--nobody"}, to); takes {
		args = append(args, value)
	}
	prepare := func() *desk {
		d := prepared(t)
		if verb == "claim" && to != "--as" {
			d.must("add", "for ada", "--owner", "ada", "--label", value)
			d.must("release", "4")
		}
		if strings.Contains(to, "check") || strings.Contains(to, "tick") || strings.Contains(to, "accept") {
			d.must("update", "1", "--accept", "fast")
			d.stdin = `{"checks": [{"name": "unit", "run": ["go", "test"], "optional": true}]}` // a required one stays without a terminal
			d.must("update", "1", "--from", "-")
			d.stdin = ""
		}
		return d
	}
	d := prepare()
	if d.run(args...).code == 0 {
		return // it is a flag of ours
	}
	prepare().hinted(args...)
}

// TestWordsOfOthers has whole command lines with what comes of them.
func TestWordsOfOthers(t *testing.T) {
	for _, c := range []struct{ line, hint string }{
		{"create --title 'Fix it' --body 'As said' -l ui -p high", "add 'Fix it' --desc 'As said' --label ui --priority high"},
		{"gh", "help"},
		{"issue create -t x", "add x"},
		{"issue list", "list"},
		{"dep add 4 1", "block 4 --by 1"},
		{"find two words", "list --all --text 'two words'"},
		{"pause 1 not now", "hold 1 'not now'"},
		{"take --help", "help claim"},
		{"help take", "help claim"},
		{"close", "done"},
		{"close --sideways 3", "help done"},
		{"update 1 --title new", "update 1 --subject new"},
		{"update --status done 4", "done 4"},
		{"update 1 --status in_progress", "claim 1"},
		{"list --state closed", "list --status closed"},
		{"list --state all", "list --all"},
		{"list -lui -n 5", "list --label ui --limit 5"},
		{"add '-1 is wrong' --label x", "add --label x -- '-1 is wrong'"},
		{"add '-1 is wrong' --board here", "add --board here -- '-1 is wrong'"},
		{"note 1 '- item'", "note -- 1 '- item'"},
		{"add '--- a line'", "add -- '--- a line'"},
		{"add ---", "add -- ---"},
		{"list --lable x", "list --label x"},
		{"don 4", "done 4"},
		{"cliam 1", "claim 1"},
		{"relase 4", "release 4"},
		{"set 1 priority high", "update 1 --priority high"},
		{"set 1 priority=high", "update 1 --priority high"},
		{"update 1 label ui", "update 1 --add-label ui"},
		{"edit 1 status done", "done 1"},
		{"edit 1 --assignee bob", "assign 1 bob"},
		{"update 1 owner bob", "assign 1 bob"},
		{"prio 1 high", "update 1 --priority high"},
		{"subtask 1 write the tests", "add 'write the tests' --parent 1"},
		{"resume five", "lift 5"},
		{"why 1", "show 1"},
		{"why", "ready --why"},
		{"pause 1", "hold 1"},
		{"resume 5", "lift 5"},
		{"resume 1", "claim 1"},
		{"list parser", "list --all --text parser"},
		{"list ada", "list --owner ada"}, // who has a task
		{"list mine", "list --owner @me"},
		{"list @bob", "list --owner bob"},
		{"list done", "list --status done"},
		{"list held", "list --held"},
		{"list two words", "list --all --text 'two words'"},
		{"list 1", "show 1"},
		{"list -a", "list --all"},
		{"list -a bob", "list --owner bob"},
		{"log --task 1", "log 1"},
		{"claim --next", "claim"},
		{"claim next", "claim"},
		{"assign bob 1", "assign 1 bob"},
		{"block 4 on 1", "block 4 1"},
		{"rm 4 --yes", "rm 4"},
		{"strat 1", "claim 1"},
		{"nxet", "ready --why"},
		{"done 4 -m 'It works'", "note 4 'It works'"},
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
	} {
		if got := d.run(word, "4"); got.code != 2 || !strings.HasSuffix(got.err, "hint: pawl help\n") {
			t.Errorf("pawl %s: exit code %d\n%s", word, got.code, got.err)
		}
	}
}

// Where a word may mean two things, both are said, and what was deleted or undone
// comes back with what the hint says.
func TestEither(t *testing.T) {
	d := prepared(t)
	for _, c := range []struct{ line, hint string }{
		{"cancel 4", "to delete it: pawl rm 4; to give it back: pawl release 4"},
		{"drop 4 --board here", "to delete it: pawl rm 4 --board here; to give it back: pawl release 4 --board here"},
		{"split 1", "pawl plan - --under 1"},
		{"mv 1 5", "to have it wait for that one: pawl block 1 5; to have it inside that one: pawl update 1 --parent 5"},
	} {
		if got := d.run(shellWords(c.line)...); got.code != 2 || !strings.Contains(got.err, "hint: "+c.hint+"\n") {
			t.Errorf("pawl %s: exit code %d\n%s", c.line, got.code, got.err)
		}
	}
	d.must("rm", "1")
	for _, word := range []string{"restore", "redo"} {
		got := d.run(shellWords(map[string]string{"restore": "restore 1", "redo": "redo"}[word])...)
		_, hint, ok := strings.Cut(got.err, "pawl undo ")
		if !ok {
			t.Fatalf("pawl %s: %s", word, got.err)
		}
		d.must("undo", strings.TrimSpace(hint))
	}
	if got := d.run("show", "1"); got.code != 3 {
		t.Errorf("it was deleted, restored and deleted again: %d\n%s", got.code, got.out)
	}
}

// The version is asked for in many ways.
func TestVersionFlags(t *testing.T) {
	for _, flag := range []string{"--version", "-v", "-V"} {
		if out := newDesk(t).must(flag); !strings.HasPrefix(out, "pawl ") {
			t.Errorf("pawl %s prints %s", flag, out)
		}
		newDesk(t).json(flag)
	}
}
