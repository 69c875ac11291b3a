package wire

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

// Each key of a task in an envelope comes from the task: a new field is to be set in newTask.
func TestNewTask(t *testing.T) {
	at := time.UnixMilli(1)
	full := pawl.Task{
		ID: 1, Subject: "s", Description: "d", Status: pawl.Pending, BlockedBy: []pawl.ID{2}, Blocks: []pawl.ID{3, 4}, Owner: "ada", ActiveForm: "a",
		Priority: pawl.High, Parent: 5, Was: []pawl.ID{6}, Labels: []string{"l"}, Notes: []pawl.Note{{Text: "n"}}, Hold: &pawl.Hold{Reason: "r"},
		Checks: []pawl.Check{{Name: "c"}}, Accept: []pawl.Criterion{{Text: "c"}}, Evidence: []pawl.Evidence{{Check: "c"}},
		Metadata:  map[string]json.RawMessage{"k": json.RawMessage("1")},
		CreatedAt: at, UpdatedAt: at, StartedAt: at, CompletedAt: at, Extra: map[string]json.RawMessage{"k": json.RawMessage("1")},
		Children: []pawl.ID{7}, Urgency: pawl.High, Height: 1, Claim: pawl.Claim{Token: 1}, Expired: 1, Merging: []pawl.Task{{ID: 1}}, Conflicted: true, Damage: "d",
	}
	one := newTask(&full, "ada", map[pawl.ID]bool{3: true})
	free := newTask(&pawl.Task{Status: pawl.Pending}, "ada", nil)
	for i, v := 0, reflect.ValueOf(one); i < v.NumField(); i++ {
		if v.Field(i).IsZero() && reflect.ValueOf(free).Field(i).IsZero() {
			t.Errorf("%s is not set", v.Type().Field(i).Name)
		}
	}
	for i, v := 0, reflect.ValueOf(full); i < v.NumField(); i++ {
		name := v.Type().Field(i).Name
		if _, has := reflect.TypeFor[Task]().FieldByName(name); !has && name != "Blockers" && name != "OpenChildren" {
			t.Errorf("an envelope's task has no %s", name)
		}
		if v.Field(i).IsZero() && name != "Blockers" && name != "OpenChildren" && name != "Checked" {
			t.Errorf("set %s here", name)
		}
	}
}
