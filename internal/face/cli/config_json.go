package cli

import (
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/wire"
)

// configJSON is the envelope of config.
type configJSON struct {
	wire.Envelope
	Changed  bool              `json:"changed"`  // a file was changed
	Settings []settingItem     `json:"settings"` // what was asked for, with what holds
	Files    []settingsFile    `json:"files"`    // those that were read; the later one wins
	Problems []settingsProblem `json:"problems"` // what in them has no effect
}

// settingItem is a setting with its value.
type settingItem struct {
	Key     string   `json:"key"`               // as in docs/settings.md
	Aliases []string `json:"aliases,omitempty"` // other names that it has
	Type    string   `json:"type"`              // bool, int, float, duration, choice or folder
	Value   any      `json:"value"`             // what holds; a duration is text such as 15m
	Default any      `json:"default"`           // what holds when nobody says otherwise
	Scope   string   `json:"scope"`             // who says so: default, project, user or session
	File    string   `json:"file,omitempty"`    // where they say so
	Line    int      `json:"line,omitempty"`    // in the file, from 1
	Column  int      `json:"column,omitempty"`  // in the line, in characters, from 1
	Wants   string   `json:"wants"`             // what a value must be
	Meaning string   `json:"meaning"`           // what it decides
	ReadBy  string   `json:"readBy"`            // what acts on it
}

// settingsFile is where settings may be said.
type settingsFile struct {
	Scope  string `json:"scope"`  // for whom: project, user or session
	File   string `json:"file"`   // its path
	Exists bool   `json:"exists"` // it is there
}

// settingsProblem is something in a settings file that has no effect.
type settingsProblem struct {
	File   string `json:"file"`             // its path
	Line   int    `json:"line,omitempty"`   // from 1; not there: the file as a whole
	Column int    `json:"column,omitempty"` // in characters, from 1
	Key    string `json:"key,omitempty"`    // what it is about
	Text   string `json:"text"`             // goes on where the key, or the file's name, stands
	Error  bool   `json:"error"`            // it cannot mean anything; else it is only unknown here
}

func (c *config) printConfig(changed bool, files []*settings.File, values ...settings.Value) error {
	answer := configJSON{wire.NewEnvelope("config"), changed, []settingItem{}, []settingsFile{}, []settingsProblem{}}
	for _, v := range values {
		s := v.Setting
		standard := settings.Merge().Get(s.Key)
		answer.Settings = append(answer.Settings, settingItem{
			Key: s.Key, Aliases: s.Aliases, Type: s.Type.String(), Value: v.JSON(), Default: standard.JSON(),
			Scope: v.Origin.Scope.String(), File: v.Origin.File, Line: v.Origin.Line, Column: v.Origin.Column,
			Wants: s.Wants(), Meaning: s.Meaning, ReadBy: s.ReadBy,
		})
	}
	for _, f := range files {
		answer.Files = append(answer.Files, settingsFile{f.Scope.String(), f.Path, f.Exists})
		for _, p := range f.Problems {
			answer.Problems = append(answer.Problems, settingsProblem(p))
		}
	}
	return c.printJSON(answer)
}
