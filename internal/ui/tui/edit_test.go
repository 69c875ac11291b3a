package tui

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/lookup"
)

// writes has a person sit at the editor: each of the steps is what they make of
// the text that they get. It returns the texts.
func (p *pilot) writes(steps ...func(text string) string) *[]string {
	got := &[]string{}
	dir := p.t.TempDir()
	p.t.Setenv("TMPDIR", dir)
	p.t.Setenv("TMP", dir) // on Windows
	p.model.Programs.Getenv = func(name string) string { return map[string]string{"VISUAL": os.Args[0] + " --wait"}[name] }
	p.model.exec = func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
		return func() tea.Msg {
			file := c.Args[len(c.Args)-1]
			if len(c.Args) != 3 || c.Args[1] != "--wait" {
				p.t.Errorf("the editor is started as %q", c.Args)
			}
			if info, err := os.Stat(filepath.Dir(file)); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
				p.t.Errorf("others can look into the folder: %v, %v", info.Mode(), err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return done(err)
			}
			*got = append(*got, string(text))
			if len(*got) > len(steps) {
				p.t.Errorf("the text comes back once more:\n%s", text)
				return done(nil)
			}
			return done(os.WriteFile(file, []byte(steps[len(*got)-1](string(text))), 0o600))
		}
	}
	return got
}

// left are the files that an edit leaves behind.
func (p *pilot) left() []string {
	return must.Get(filepath.Glob(filepath.Join(os.TempDir(), "pawl-edit-*", "*")))(p.t)
}

func exchange(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

func keep(text string) string { return text }

// What was changed in the editor is one change of the task, and what others
// changed since stays.
func TestEdit(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		high := pawl.High
		p.writes(func(text string) string {
			p.do(pawl.Actor{Name: "bob", Session: "b"}, pawl.Update{ID: 2, Priority: &high, AddLabels: []string{"bobs"}})
			return exchange("Write the parser", "Write the whole parser", "labels: core, parser", "labels: parser, new", "grammar.md", "grammar.txt")(text)
		})
		p.at(2)
		p.press("e")
		p.sees("Updated #2 Write the whole parser (was called Write the parser")
		tasks := must.Get(p.board.Get(t.Context(), 2))(t)
		got := tasks[0]
		if got.Subject != "Write the whole parser" || got.Priority != pawl.High || got.Description != "The grammar is in doc/grammar.txt" ||
			!reflect.DeepEqual(got.Labels, []string{"parser", "bobs", "new"}) {
			t.Errorf("%+v", got)
		}
		if files := p.left(); len(files) > 0 {
			t.Errorf("%v are left", files)
		}
	}, board...)
}

// A field that somebody else has changed since is not overwritten unseen: the
// text comes back with what they wrote, and saving it once more replaces that.
// Other fields of theirs stay.
func TestEditConflict(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		bob, high, theirs := pawl.Actor{Name: "bob", Session: "b"}, pawl.High, "The grammar is gone.\n# Ask eve."
		texts := p.writes(
			func(text string) string {
				p.do(bob, pawl.Update{ID: 2, Priority: &high, Description: &theirs})
				return exchange("grammar.md", "my work")(text)
			},
			exchange("# To replace it with your text, delete this line, save and quit.\n", ""),
		)
		p.at(2)
		p.press("e")
		if len(*texts) != 2 || !strings.Contains((*texts)[1], "# Somebody else has changed the description. It is now:\n#   The grammar is gone.\n#   # Ask eve.\n") {
			t.Fatalf("%s", strings.Join(*texts, "=========\n"))
		}
		tasks := must.Get(p.board.Get(t.Context(), 2))(t)
		if got := tasks[0]; got.Description != "The grammar is in doc/my work" || got.Priority != high {
			t.Errorf("%q, priority %v", got.Description, got.Priority)
		}
		if files := p.left(); len(files) > 0 {
			t.Errorf("%v are left", files)
		}
	}, board...)
}

// Who leaves a text with such a conflict as it came keeps what the other wrote.
func TestEditConflictGivenUp(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		theirs := "theirs"
		p.writes(func(text string) string {
			p.do(pawl.Actor{Name: "bob", Session: "b"}, pawl.Update{ID: 2, Subject: &theirs})
			return exchange("Write the parser", "Mine")(text)
		}, keep)
		p.at(2)
		p.press("e")
		p.sees("Not saved: Somebody else has changed the subject. It is now:", "the text is kept in")
		if tasks, err := p.board.Get(t.Context(), 2); err != nil || tasks[0].Subject != theirs {
			t.Errorf("%+v, %v", tasks, err)
		}
	}, board...)
}

func TestEditNothing(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.writes(keep)
		p.at(2)
		before := p.model.lanes.Revision
		p.press("e")
		p.sees("Nothing changed")
		if p.model.lanes.Revision != before || len(p.left()) > 0 {
			t.Errorf("revision %d, before %d; %v are left", p.model.lanes.Revision, before, p.left())
		}
	}, board...)
}

// A text that cannot be read, or that the board refuses, comes back with what is
// wrong, and nothing that was written is lost.
func TestEditFault(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		texts := p.writes(
			exchange("priority: medium", "priority: urgent", "grammar.md", "my work"),
			exchange("priority: urgent", "priority: high", "parent: #1", "parent: #99"),
			exchange("parent: #99", "parent: #1"),
		)
		p.at(2)
		p.press("e")
		p.sees("Updated #2 Write the parser (description, priority medium → high)")
		if len(*texts) != 3 || !strings.HasPrefix((*texts)[1], topMark+"\n# priority: ") || !strings.Contains((*texts)[1], "my work") ||
			!strings.Contains((*texts)[2], "no task #99; the last is #") || strings.Contains((*texts)[2], "urgent") {
			t.Errorf("%s", strings.Join(*texts, "=========\n"))
		}
		if files := p.left(); len(files) > 0 {
			t.Errorf("%v are left", files)
		}
	}, board...)
}

// Who gives up is told where the text is.
func TestEditGivenUp(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.size(200, 40)
		p.writes(exchange("parent: #1", "parent: #2"), keep)
		p.at(2)
		p.press("e")
		files := p.left()
		if len(files) != 1 {
			t.Fatalf("%v are left", files)
		}
		p.sees("Not saved: ", "; the text is kept in", files[0])
		if text, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(text), "parent: #2") {
			t.Errorf("%s, %v", text, err)
		}
	}, board...)
}

func TestEditNoEditor(t *testing.T) {
	flyOn(t, atServer, func(p *pilot) {
		p.model.Programs.Getenv = func(name string) string { return map[string]string{"EDITOR": "no-such-editor -x"}[name] }
		p.at(2)
		p.press("e")
		p.sees("Cannot find the editor no-such-editor, which EDITOR names")
	}, board...)
}

// An editor that the reader names by its path may be the project's, one from PATH is not.
func TestEditorNotOfTheProject(t *testing.T) {
	dir := t.TempDir()
	name := "nano"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	theirs, yours := filepath.Join(dir, "project", name), filepath.Join(dir, "bin", name)
	for _, path := range []string{theirs, yours} {
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755)))
	}
	for editor, want := range map[string][]string{"": {yours}, "nano": {yours}, "nano -w": {yours, "-w"}, theirs: {theirs}, `"` + theirs + `" -w`: {theirs, "-w"}} {
		getenv := func(name string) string {
			return map[string]string{"EDITOR": editor, "PATH": filepath.Dir(theirs) + string(filepath.ListSeparator) + filepath.Dir(yours)}[name]
		}
		got, err := editorOf(lookup.Outside(getenv, filepath.Dir(theirs)))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("EDITOR=%s is %q, %v", editor, got, err)
		}
	}
}

func TestCommandWords(t *testing.T) {
	for command, want := range map[string][]string{
		"vi":                              {"vi"},
		" code  --wait\t-n ":              {"code", "--wait", "-n"},
		`"C:\Program Files\e.exe" -a`:     {`C:\Program Files\e.exe`, "-a"},
		`emacsclient -a '' --eval="x y"z`: {"emacsclient", "-a", "", "--eval=x yz"},
		`"open`:                           {"open"},
		`  `:                              nil,
	} {
		if got := commandWords(command); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

// Of an editor that is ended with the board, only what was written in it stays.
func TestEditorEndsWithTheBoard(t *testing.T) {
	for _, c := range []struct {
		name string
		does func(text string) string
		left int
	}{{"nothing was written", keep, 0}, {"something was written", exchange("Set up", "Set it up"), 1}} {
		t.Run(c.name, func(t *testing.T) {
			flyOn(t, atServer, func(p *pilot) {
				p.writes(c.does)
				lend := p.model.exec
				p.model.exec = func(cmd *exec.Cmd, done tea.ExecCallback) tea.Cmd {
					end := lend(cmd, done)
					return func() tea.Msg { end(); return nil } // nobody is left to hear of it
				}
				p.press("e")
				if n := len(p.left()); n != 1 {
					t.Fatalf("the editor has %d files", n)
				}
				p.model.tidy()
				if n := len(p.left()); n != c.left {
					t.Errorf("%d files are left, want %d", n, c.left)
				}
			}, plan(task("Set up")))
		})
	}
}
