package cli

import (
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/wire"
)

// configJSON is the envelope of config.
type configJSON struct {
	wire.Envelope
	Changed  bool               `json:"changed"`  // a file was changed
	Settings []settingItem      `json:"settings"` // the settings asked for, with the values in effect
	Files    []settingsFile     `json:"files"`    // those that were read; a later one overrides
	Problems []settings.Problem `json:"problems"` // what has no effect in them
}

// settingItem is a setting with its value.
type settingItem struct {
	Key     string   `json:"key"`               // as in docs/settings.md
	Aliases []string `json:"aliases,omitempty"` // its other names
	Type    string   `json:"type"`              // bool, int, duration, choice, folder, checks, name, command, paths, agents, times or budget
	Value   any      `json:"value"`             // the value in effect; a duration is text such as 15m
	Default any      `json:"default"`           // the value if none is set
	Scope   string   `json:"scope"`             // where its value is from: default, project, user or session
	File    string   `json:"file,omitempty"`    // where the files set it
	Line    int      `json:"line,omitempty"`    // in the file, from 1
	Column  int      `json:"column,omitempty"`  // in the line, in characters, from 1
	Wants   string   `json:"wants"`             // what a value must be
	Meaning string   `json:"meaning"`           // what it decides
	ReadBy  string   `json:"readBy"`            // what reads it
}

// settingsFile is where settings can be set.
type settingsFile struct {
	Scope  string `json:"scope"`  // for whom: project, user or session
	File   string `json:"file"`   // its path
	Exists bool   `json:"exists"` // it exists
}

func (c *config) printConfig(changed bool, files []*settings.File, values ...settings.Value) error {
	answer := configJSON{wire.NewEnvelope("config"), changed, []settingItem{}, []settingsFile{}, []settings.Problem{}}
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
		answer.Problems = append(answer.Problems, f.Problems...)
	}
	return c.printJSON(answer)
}
