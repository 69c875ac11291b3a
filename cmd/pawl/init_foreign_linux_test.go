package main

import (
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A folder may be an archive that somebody else has made, with .git in it. `pawl init` asks
// its remote for a shared board, and runs no program that its configuration names for that.
func TestInitRunsNothingOfTheFolder(t *testing.T) {
	for name, c := range map[string]struct {
		key, url string
		more     []string
	}{
		"ssh":            {"core.sshCommand", "ssh://host.invalid/repo", nil},
		"proxy":          {"core.gitProxy", "git://host.invalid/repo", nil},
		"helper":         {"credential.helper", "http://127.0.0.1:1/repo", nil},
		"helper of one":  {"credential.http://127.0.0.1:1.helper", "http://127.0.0.1:1/repo", nil},
		"of a work tree": {"core.sshCommand", "ssh://host.invalid/repo", []string{"worktree"}},
		"included":       {"core.sshCommand", "ssh://host.invalid/repo", []string{"include"}},
		"another scheme": {"url.ext::./evil %S.insteadOf", "ssh://host.invalid/repo", nil},
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 2)
			y := newYard(t)
			y.program("evil", "exit 1")
			value := y.dir + "/project/evil"
			if strings.HasPrefix(c.key, "url.") {
				value = "ssh://host.invalid/"
			}
			where := []string{"config"}
			for _, how := range c.more {
				switch how {
				case "worktree":
					y.git("config", "extensions.worktreeConfig", "true")
					where = append(where, "--worktree")
				case "include":
					y.git("config", "include.path", "more")
					where = append(where, "--file", ".git/more")
				}
			}
			y.git(append(where, c.key, value)...)
			y.git("config", "remote.origin.url", c.url)
			code, said := y.says(false, "init")
			if ran := y.ran(); code != 0 || ran != "" {
				t.Errorf("exit code %d, ran %q\n%s", code, ran, said)
			}
			key := strings.ToLower(c.key)
			if strings.HasPrefix(key, "url.") || strings.HasPrefix(key, "credential.http") {
				key = c.key[:strings.LastIndexByte(c.key, '.')+1] + strings.ToLower(c.key[strings.LastIndexByte(c.key, '.')+1:])
			}
			if !strings.Contains(said, "git's configuration of this clone names a program") || !strings.Contains(said, key) || !strings.Contains(said, "pawl share") {
				t.Errorf("init says\n%s", said)
			}
		})
	}
	// What the user's own configuration names leads to a remote as before.
	y := newYard(t)
	y.program("own", "exit 1")
	y.git("config", "remote.origin.url", "ssh://host.invalid/repo")
	must.Do(t, os.WriteFile(y.dir+"/.gitconfig", []byte("[core]\n\tsshCommand = "+y.dir+"/project/own\n"), 0o600))
	if code, said := y.says(false, "init"); code != 0 || !strings.Contains(y.ran(), "host.invalid") {
		t.Errorf("exit code %d; the user's own program did not run\n%s", code, said)
	}
}
