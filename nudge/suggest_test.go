package nudge_test

import (
	"strings"
	"testing"
)

// Prompts about which nobody could be in doubt, with the settings that everybody
// begins with.
func TestSuggestionAtPlainPrompts(t *testing.T) {
	for prompt, want := range map[string]string{
		`Please do the following:\n\n1. Add a login page\n2. Write tests for the login\n3. Update the docs\n4. Migrate the users table\n5. Deploy to staging`: "1. Add a login page\n",
		`First read the parser, then rewrite it, then add tests for each rule, and finally update the docs and the changelog.`:                                "todo_write",
		`Thanks!`:                        "",
		`What does this function do?`:    "",
		`Rename foo to bar in parser.go`: "",
		`hi`:                             "",
	} {
		s := newSession(t)
		if got := s.play("prompt " + prompt).Tell; (got != "") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", prompt, got)
		}
	}
}
