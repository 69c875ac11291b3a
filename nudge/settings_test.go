package nudge_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/nudge"
)

// Each setting has an effect: with another value a session goes otherwise.
func TestEverySettingHasAnEffect(t *testing.T) {
	stops := []string{"prompt Hm.", "todos [>] Fix it", "stop", "stop", "stop", "call", "stop", "stop"}
	prompts := []string{"prompt Hm.", "prompt Hm.", "wait 3m", "prompt Hm.", "wait 3m", "prompt Hm."}
	tests := map[string]struct{ usual, other, play []string }{
		"Continue":      {nil, []string{"continue=off"}, stops},
		"Attempts":      {nil, []string{"attempts=2"}, stops},
		"PerPrompt":     {nil, []string{"perPrompt=1"}, stops},
		"Reminders":     {[]string{"threshold=0"}, []string{"reminders=off"}, prompts},
		"Suggest":       {[]string{"threshold=0"}, []string{"suggest=off"}, prompts},
		"Threshold":     {[]string{"threshold=0"}, []string{"threshold=2"}, prompts},
		"Cooldown":      {[]string{"threshold=0"}, []string{"cooldown=2m"}, prompts},
		"EscalateAfter": {[]string{"threshold=0"}, []string{"escalateAfter=9"}, prompts},
		"StaleAfter":    {nil, []string{"staleAfter=3"}, []string{"todos [>] Fix it", "call x2", "call"}},
		"ModelTokens":   {nil, []string{"tokens=75"}, []string{"todos [>] Fix it | [ ] Test it", "owned #12 Refactor auth", "start startup"}},
	}
	for i := range reflect.TypeFor[nudge.Settings]().NumField() {
		name := reflect.TypeFor[nudge.Settings]().Field(i).Name
		test, ok := tests[name]
		if !ok {
			t.Errorf("there is no test of %s", name)
			continue
		}
		session := func(settings ...[]string) string {
			s := newSession(t)
			var b strings.Builder
			for _, fields := range settings {
				s.set(fields)
			}
			for _, command := range test.play {
				b.WriteString("> " + command + "\n" + show(s.play(command)))
			}
			return b.String()
		}
		if usual, other := session(test.usual), session(test.usual, test.other); usual == other {
			t.Errorf("%s has no effect:\n%s", name, usual)
		}
	}
}

// The defaults are those that people read in the table of settings.
func TestDefaults(t *testing.T) {
	d := nudge.Defaults
	for key, value := range map[string]any{
		"todo-continuation": d.Attempts, "reminders": d.StaleAfter, "recovery.tokens": d.ModelTokens,
	} {
		if s := settings.Find(key); s == nil || s.Default != fmt.Sprint(value) {
			t.Errorf("%s is %v here, and in the table: %+v", key, value, s)
		}
	}
}
