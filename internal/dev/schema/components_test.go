package schema

import (
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

// firstJSON is one of two ops.
type firstJSON struct {
	Op   string          `json:"op"`             // first
	ID   pawl.ID         `json:"id"`             // a task
	Kind query.StateName `json:"kind,omitempty"` // how it stands
}

// TestComponents has each type once, under its name, be it a struct or more than
// its Go kind says.
func TestComponents(t *testing.T) {
	c := NewComponents("#/components/schemas/")
	if ref := c.Envelope("sample", "A sample", sampleJSON{}); ref.Ref != "#/components/schemas/Sample" {
		t.Errorf("the envelope is at %s", ref.Ref)
	}
	c.Variant(firstJSON{}, "op", "first", "Does something")
	all := must.Get(c.All())(t)
	for _, name := range []string{"Sample", "Part", "First", "ID", "Moment", "StateName"} {
		if all[name] == nil || all[name].Description == "" {
			t.Errorf("the schema %s is missing or says nothing", name)
		}
	}
	if first := all["First"]; *first.Properties["op"].Const != "first" || first.Properties["id"].Ref != "#/components/schemas/ID" {
		t.Errorf("%+v", first.Properties)
	}
	c.Add("Sample", all["ID"])
	if _, err := c.All(); err == nil || !strings.Contains(err.Error(), "two schemas are called Sample") {
		t.Errorf("a name is given twice: %v", err)
	}
}
