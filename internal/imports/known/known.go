// Package known is the table of the formats that pawl import reads, for
// packages that ask about all of them or find one by its name.
package known

import (
	"path"
	"strings"

	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/imports/backlog"
	"github.com/pawl-dev/pawl/internal/imports/beads"
	"github.com/pawl-dev/pawl/internal/imports/checklist"
	"github.com/pawl-dev/pawl/internal/imports/claude"
	"github.com/pawl-dev/pawl/internal/imports/github"
	"github.com/pawl-dev/pawl/internal/imports/taskmaster"
	"github.com/pawl-dev/pawl/internal/imports/taskmd"
)

// Formats are all that are known, the most used first.
var Formats = [...]*imports.Format{
	&checklist.SpecKit, &checklist.OpenSpec, &checklist.Kiro,
	&taskmaster.Format, &backlog.Format, &beads.Format, &taskmd.Format, &github.Format, &claude.Format,
}

// Boxes are those whose boxes pawl sync ticks, a plan in a file included.
func Boxes() []*imports.Format {
	return []*imports.Format{&checklist.SpecKit, &checklist.OpenSpec, &checklist.Kiro, &checklist.PlanFile}
}

// Names are the names of all formats.
func Names() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.Name
	}
	return names
}

// Named returns the format with a name, or nil. Programs write their names with marks
// and large letters: spec-kit, Task Master.
func Named(name string) *imports.Format {
	name = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// A Place is where tasks of a format are.
type Place struct {
	Format *imports.Format
	Path   string // below the root, with slashes
}

// Find returns what a project's folder has of all formats. It reads no file.
func Find(root string) []Place {
	var found []Place
	for _, f := range Formats {
		if f.Find == nil || f.Asked {
			continue
		}
		for _, p := range f.Find(root) {
			found = append(found, Place{f, p})
		}
	}
	return found
}

// Recognise returns the format of a file, by its name and first bytes, or nil.
// A format that is only asked for is not recognised.
func Recognise(name string, head []byte) *imports.Format {
	for _, f := range Formats {
		if !f.Asked && f.Recognises != nil && f.Recognises(path.Clean(name), head) {
			return f
		}
	}
	return nil
}
