package workflows

import (
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestAction: action.yml uses the inputs that it declares, all of them, and runs only
// its script, whose steps are tested by proof/packages. No input is part of a
// script: its text could end the command.
func TestAction(t *testing.T) {
	var action struct {
		Name, Description string
		Inputs            map[string]struct{ Description, Default string }
		Outputs           map[string]struct{ Description, Value string }
		Runs              struct {
			Using string
			Steps []struct {
				ID, If, Shell, Run string
				Env                map[string]string
			}
		}
	}
	text := read(t, "action.yml")
	if err := yaml.Unmarshal([]byte(text), &action); err != nil {
		t.Fatal(err)
	}
	if action.Name == "" || len(action.Description) > 125 || action.Runs.Using != "composite" || len(action.Runs.Steps) != 3 {
		t.Fatalf("the action is %+v", action)
	}
	used := map[string]bool{}
	for _, found := range regexp.MustCompile(`inputs\.(\w+)`).FindAllStringSubmatch(text, -1) {
		used[found[1]] = true
		if _, ok := action.Inputs[found[1]]; !ok {
			t.Errorf("it uses the input %s, which it does not declare", found[1])
		}
	}
	for name, input := range action.Inputs {
		if !used[name] || input.Description == "" {
			t.Errorf("the input %s is not used, or not described", name)
		}
	}
	steps := map[string]bool{}
	for _, step := range action.Runs.Steps {
		word, ok := strings.CutPrefix(step.Run, `bash "$PACKAGING/action/pawl.sh" `)
		if !ok || step.Shell != "bash" || step.Env["PACKAGING"] == "" || !strings.Contains(read(t, "packaging/action/pawl.sh"), "\n"+word+"() {") {
			t.Errorf("a step runs %q with %s", step.Run, step.Shell)
		}
		steps[step.ID] = true
	}
	for name, output := range action.Outputs {
		found := regexp.MustCompile(`^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$`).FindStringSubmatch(output.Value)
		if found == nil || !steps[found[1]] {
			t.Errorf("the output %s is %q", name, output.Value)
		}
	}
}
