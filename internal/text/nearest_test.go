package text

import "testing"

func TestNearest(t *testing.T) {
	verbs := []string{"add", "plan", "list", "ready", "show", "done", "release", "reopen", "rm"}
	for _, c := range []struct{ word, want string }{
		{"lst", "list"}, {"lits", "list"}, {"LIST", "list"}, {"shwo", "show"}, {"rel", "release"},
		{"releas", "release"}, {"reopne", "reopen"}, {"redy", "ready"}, {"frobnicate", ""}, {"x", ""}, {"", ""},
		{"r", "rm"}, {"done1", "done"}, {"zzz", ""},
	} {
		if got := Nearest(c.word, verbs); got != c.want {
			t.Errorf("%q is near %q, want %q", c.word, got, c.want)
		}
	}
}

func TestMisspelt(t *testing.T) {
	verbs := []string{"list", "claim", "done", "release", "reopen", "panel", "renew", "serve", "start", "block", "unblock", "uninstall"}
	for _, c := range []struct{ word, want string }{
		{"don", "done"}, {"cliam", "claim"}, {"relase", "release"}, {"realese", "release"}, {"LITS", "list"}, {"rel", "release"},
		{"move", ""}, {"clone", ""}, {"share", ""}, {"stash", ""}, {"sort", ""}, {"merge", ""}, {"cancel", ""}, {"reset", ""},
		{"none", ""}, {"lock", ""}, {"install", ""}, {"re", ""}, {"x", ""}, {"", ""},
	} {
		if got := Misspelt(c.word, verbs); got != c.want {
			t.Errorf("%q is a slip of %q, want %q", c.word, got, c.want)
		}
	}
}
