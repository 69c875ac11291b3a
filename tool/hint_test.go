package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/tool"
)

// proposed is a call as texts propose it.
var proposed = regexp.MustCompile(`(?m)^    .*?\b(t(?:ask|odo)_[a-z]+) (\{.*\})`)

// A call that an answer proposes can be made as it stands, and destroys nothing.
func TestProposedCallsWork(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	must.Do(t, err)
	calls := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must.Do(t, err)
		for _, m := range proposed.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(m[2], `\"`) { // else it is told once more, to a program
				calls[m[1]+" "+m[2]] = true
			}
		}
	}
	if len(calls) < 12 {
		t.Fatalf("%d calls are proposed", len(calls))
	}
	for call := range calls {
		name, args, _ := strings.Cut(call, " ")
		if strings.Contains(args, "delete") || strings.Contains(args, "force") {
			t.Errorf("%s destroys something", call)
		}
		s := newStory(t)
		r := s.ask(tool.Caller{Actor: pawl.Actor{Name: "ada", Session: "s1"}}, name, args)
		if errors.Is(r.Err, pawl.Invalid) {
			t.Errorf("%s is proposed, and cannot work:\n%s", call, r.LLMContent)
		}
	}
}

// Each step that an error can hint at is a call, or a sentence.
func TestEveryStepIsSaid(t *testing.T) {
	board := func(step pawl.Step, ids []pawl.ID) func(context.Context, tool.Caller, bool) (query.Board, string, error) {
		return func(context.Context, tool.Caller, bool) (query.Board, string, error) {
			return nil, "", &pawl.Error{Kind: pawl.Conflict, Message: "no", Hint: pawl.Hint{Step: step, IDs: ids, Text: "say this"}, IDs: ids}
		}
	}
	for step := pawl.HintSay; step <= pawl.HintDiagnose; step++ {
		for _, ids := range [][]pawl.ID{{12}, {12, 13}, nil} {
			if ids == nil && step != pawl.HintSay && step != pawl.HintList && step != pawl.HintNext && step != pawl.HintRetry && step != pawl.HintHistory && step != pawl.HintDiagnose {
				continue // these are about tasks
			}
			for _, one := range tool.New(tool.Options{Board: board(step, ids)}) {
				if one.Name == "task_create" {
					continue
				}
				r := one.Call(t.Context(), tool.Caller{}, json.RawMessage(map[string]string{"task_update": `{"taskId":1}`, "task_get": `{"taskId":1}`}[one.Name]))
				_, next, ok := strings.Cut(r.LLMContent, "no\nNext: ")
				if !ok || next == "" || strings.Contains(next, "[]") || strings.Contains(next, "null") {
					t.Errorf("step %d about %v after %s: %q", step, ids, one.Name, r.LLMContent)
				}
			}
		}
	}
}
