package cli

import (
	"slices"
	"strings"
	"testing"
)

// A file of settings that sets nothing has an empty list.
func TestConfigOfNothing(t *testing.T) {
	d := newFixture(t)
	d.env["HOME"] = t.TempDir()
	if got := d.run("config", "list", "--user"); got.code != 0 || got.out != "" || got.err != "" {
		t.Errorf("exit code %d\n%s%s", got.code, got.out, got.err)
	}
}

// Words that only resemble one task are answered with the line that was typed, and its number.
func TestWordsThatResemble(t *testing.T) {
	for _, c := range []struct{ line, hint string }{
		{"hold --lift fix login", "pawl hold --lift 1"},
		{"log fix login --verbose", "pawl log 1 --verbose"},
		{"log --limit 5 fix login", "pawl log --limit 5 1"},
		{"done fix login --token=3", "pawl done 1 --token=3"},
		{"release fix --hold login login", "pawl release 1 --hold login"},
		{"reopen -- fix login", "pawl reopen 1"},
		{"claim fix login --session s2", "pawl claim 1 --session s2"},
		{"rm fix login", "pawl show 1"},
	} {
		d := newFixture(t)
		d.must("add", "fix the login of guests")
		d.must("hold", "1", "not yet")
		if got := d.run(shellWords(c.line)...); got.code != 3 || !strings.HasSuffix(got.err, "\npawl: hint: "+c.hint+"\n") {
			t.Errorf("pawl %s: exit code %d, want the hint %s\n%s", c.line, got.code, c.hint, got.err)
		}
	}
}

// A line of a command that went, or of a flag, is answered with what it became.
func TestWhatWent(t *testing.T) {
	for _, c := range []struct{ line, hint string }{
		{"update --hold 'not yet' 2", "hold 2 'not yet'"},
		{"update 2 --hold='not yet'", "hold 2 'not yet'"},
		{"update --hold '- not yet' 2", "hold -- 2 '- not yet'"},
		{"update 2 --lift", "hold --lift 2"},
		{"update --lift 2 --json", "hold --lift 2 --json"},
		{"update 2 --hold-file 'why not'", "hold 2 - < 'why not'"},
		{"update --hold-file - 2", "hold 2 -"},
		{"update 2 --hold x --lift", "help update"},
		{"update 2 --lift=false", "help update"},
		{"update 2 --hold x --priority high", "help update"},
		{"update 2 --hold x --status done", "help update"},
		{"update 2 --status done --lift", "help update"},
		{"update --hold x", "help update"},
		{"edit 2 --hold x", "hold 2 x"},
		{"watch --task 2", "log 2 --follow"},
		{"watch --after 0 --task 2 --count 1", "log 2 --follow --after 0 --limit 1"},
		{"log --task 2", "log 2"},
		{"watch --after 0 --count 5000", "log --follow --after 0 --limit 5000"},
		{"unblok 2 --by 1", "block 2 --remove --by 1"},
		{"uninstal", "setup --remove"},
		{"renw 4", "claim 4 --renew"},
		{"help unblok", "help block"},
		{"strat 1", "claim 1"},
		{"delet 1", "help"},
	} {
		d := prepared(t)
		got := d.run(shellWords(c.line)...)
		_, hint, _ := strings.Cut(got.err, "hint: pawl ")
		if strings.Contains(c.line, "--json") {
			_, hint, _ = strings.Cut(got.out, `"hint":"pawl `)
			hint, _, _ = strings.Cut(hint, `"`)
		}
		if got.code != 2 || strings.TrimSuffix(hint, "\n") != c.hint {
			t.Errorf("pawl %s: exit code %d, want pawl %s\n%s", c.line, got.code, c.hint, got.err)
		}
	}
}

// Changes are followed up to any number of them.
func TestFollowMany(t *testing.T) {
	d := prepared(t)
	if got := d.run("log", "--follow", "--after", "0", "--limit", "5000", "--timeout", "100ms"); got.code != 0 || got.out == "" {
		t.Errorf("exit code %d\n%s", got.code, got.err)
	}
	for _, line := range []string{"log --follow --limit 0", "log --follow --limit -1", "log --limit 5000"} {
		if got := d.run(strings.Fields(line)...); got.code != 2 || !strings.Contains(got.err, "--limit must be") {
			t.Errorf("pawl %s: exit code %d\n%s", line, got.code, got.err)
		}
	}
}

// What a shell offers depends on what a verb was told to do.
func TestCompletionOfSwitches(t *testing.T) {
	d := prepared(t)
	d.must("hold", "2", "not yet")
	d.must("claim", "1", "--as", "bob")
	for _, c := range []struct {
		line string
		want []string
	}{
		{"claim", nil},
		{"claim --renew", []string{"4"}},
		{"claim --renew 4", nil},
		{"hold", []string{"1", "2", "4", "5"}},
		{"hold 1", nil},
		{"hold --lift", []string{"2", "5"}},
		{"hold --lift 2", []string{"5"}},
		{"hold 2 --lift", []string{"5"}},
	} {
		var got []string
		for line := range strings.Lines(d.must(slices.Concat([]string{"__complete"}, strings.Fields(c.line), []string{""})...)) {
			if id, _, ok := strings.Cut(line, "\t"); ok {
				got = append(got, id)
			}
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("pawl %s offers %v, want %v", c.line, got, c.want)
		}
	}
}
