package settings

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// page is docs/settings.md but for the table.
//
//go:embed testdata/settings.md
var page string

const docsFile = "../../../docs/settings.md"

// TestDocs holds docs/settings.md to the table. With -update it is written.
func TestDocs(t *testing.T) {
	head, tail, found := strings.Cut(page, "TABLE\n")
	if !found {
		t.Fatal("the page has no place for the table")
	}
	want := "<!-- Made by internal/project/settings from its table: go test ./internal/project/settings -update -->\n\n" + head + table() + tail
	if *update {
		must.Do(t, os.WriteFile(docsFile, []byte(want), 0o644))
	}
	got := must.Get(os.ReadFile(docsFile))(t)
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/settings.md is stale: go test ./internal/project/settings -update (-want +got):\n%s", diff)
	}
}

func table() string {
	var b strings.Builder
	b.WriteString("| key | default | values | meaning | read by |\n|---|---|---|---|---|\n")
	for i := range Table {
		s := &Table[i]
		key := "`" + s.Key + "`"
		for _, alias := range s.Aliases {
			key += ", also `" + alias + "`"
		}
		standard := "none"
		if s.Default != "" {
			standard = "`" + s.Default + "`"
		}
		if s.Shared != "" {
			standard += "; on a shared board `" + s.Shared + "`"
		}
		meaning := s.Meaning
		if s.Only != nil {
			meaning += " (only for the " + scopes(s.Only) + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", key, standard, values(s), meaning, s.ReadBy)
	}
	return b.String()
}

// values says in a cell what Wants says in a sentence.
func values(s *Setting) string {
	text := strings.TrimPrefix(s.Wants(), "must be ")
	switch s.Type {
	case Int:
		return strings.TrimPrefix(text, "a ") + ", in " + s.Unit
	case Duration:
		text = strings.Replace(text, fmt.Sprintf(" such as %q", s.Default), "", 1)
		if s.Zero != "" && s.Min == 0 {
			text += "; 0: " + s.Zero
		}
	}
	return strings.ReplaceAll(text, `"`, "`")
}
