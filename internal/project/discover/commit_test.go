package discover

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestLastCommit(t *testing.T) {
	const zero, one, two = "0000000000000000000000000000000000000000", "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	line := func(from, to, at, what string) string {
		return from + " " + to + " Ada van A <ada@example.com> " + at + " +0100\t" + what + "\n"
	}
	first := line(zero, one, "1000", "commit (initial): Begin: it all")
	for _, tt := range []struct{ name, log, hash, subject string }{
		{"a commit", first, one, "Begin: it all"},
		{"the newest", first + line(one, two, "1001", "commit (amend): Fix"), two, "Fix"},
		{"a revert", first + line(one, two, "1001", "revert: Revert it"), two, "Revert it"},
		{"after it a checkout", first + line(one, two, "1001", "checkout: moving from a to b"), one, "Begin: it all"},
		{"only others'", line(zero, one, "1000", "clone: from elsewhere") + line(one, two, "1001", "pull: Fast-forward"), "", ""},
		{"an older one", line(zero, one, "900", "commit (initial): Begin"), "", ""},
		{"torn", first[:60], "", ""},
		{"no time", strings.Replace(first, "1000", "x", 1), "", ""},
		{"no hash", strings.Replace(first, one, "$(rm -rf x)", 1), "", ""},
		{"long", strings.Repeat(line(one, one, "950", "pull: x"), 300) + first, one, "Begin: it all"},
		{"nothing", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			plain, linked := filepath.Join(dir, "main", ".git"), filepath.Join(dir, "linked")
			for _, logs := range []string{plain, filepath.Join(plain, "worktrees", "linked")} {
				must.Do(t, os.MkdirAll(filepath.Join(logs, "logs"), 0o755))
				for name, text := range map[string]string{"logs/HEAD": tt.log, "HEAD": "ref: refs/heads/main\n"} {
					must.Do(t, os.WriteFile(filepath.Join(logs, name), []byte(text), 0o644))
				}
			}
			must.Do(t, os.MkdirAll(filepath.Join(linked, "deep"), 0o755))
			must.Do(t, os.WriteFile(filepath.Join(linked, ".git"), []byte("gitdir: ../main/.git/worktrees/linked\n"), 0o644))
			for _, at := range []string{filepath.Join(dir, "main"), filepath.Join(linked, "deep")} {
				c, ok := LastCommit(at, time.Unix(950, 0))
				if ok != (tt.hash != "") || ok && (c.Hash != tt.hash || c.Subject != tt.subject) {
					t.Errorf("in %s it is %+v, %v", filepath.Base(at), c, ok)
				}
			}
		})
	}
	if c, ok := LastCommit(t.TempDir(), time.Time{}); ok {
		t.Errorf("without git it is %+v", c)
	}
}
