package tool_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/tool"
)

// Where not all notes have room the newest are told, and how to get the others.
func TestNewestNotesSurvive(t *testing.T) {
	const all = 40
	s := newStory(t)
	by := tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}
	s.ask(by, "task_create", `{"subject":"Long"}`)
	for i := range all {
		s.ask(by, "task_update", fmt.Sprintf(`{"taskId":1,"note":"note %d. %s"}`, i, strings.Repeat("and so on ", 80)))
	}
	for _, name := range []string{"task_get", "task_claim"} {
		text := s.ask(by, name, `{"taskId":1}`).LLMContent
		if !strings.Contains(text, fmt.Sprintf("note %d. ", all-1)) || strings.Contains(text, "note 0. ") {
			t.Errorf("%s tells\n%s", name, text)
		}
		if left := all - strings.Count(text, ". and so on"); !strings.Contains(text, fmt.Sprintf(", with %d older notes: task_get {\"taskId\":1", left)) {
			t.Errorf("%s leaves out %d notes, and ends with %q", name, left, text[len(text)-200:])
		}
	}
	rest := regexp.MustCompile(`more bytes, with .* notes?: task_get (.*)`)
	for args := []string{"", `{"taskId":1}`}; args != nil; {
		text := s.ask(by, "task_get", args[1]).LLMContent
		if strings.Contains(text, "note 0. ") {
			return
		}
		args = rest.FindStringSubmatch(text)
	}
	t.Error("the oldest note is not to be had")
}
