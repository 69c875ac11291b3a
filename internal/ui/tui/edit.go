package tui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/query"
)

// An editing is a text that is open in the reader's editor. It lies in a private
// folder until it is saved or discarded.
type editing struct {
	id     pawl.ID
	before draft
	read   pawl.Was // the fields of the task as they were read
	editor []string // a program and its arguments
	file   string
	given  string // the text that the editor got
	fault  string // why the editor opened it again; empty: it did not
}

// edit opens a task in the reader's editor.
func (m *model) edit(id pawl.ID) tea.Cmd {
	if m.board == nil {
		return nil
	}
	ctx, board, who, programs := m.ctx, m.board, m.who(), m.Programs
	return func() tea.Msg {
		e := editing{id: id}
		err := e.begin(ctx, board, who, programs)
		return e.ready(err)
	}
}

// begin reads the task and writes the file.
func (e *editing) begin(ctx context.Context, board query.Board, who query.Asker, programs lookup.Finder) error {
	detail, err := detailOf(ctx, board, who, e.id)
	if err != nil {
		return err
	}
	t := &detail.Task
	if t.Damage != "" {
		return &pawl.Error{Kind: pawl.Internal, Message: t.ID.String() + " is damaged: " + t.Damage, Hint: pawl.Hint{Step: pawl.HintDiagnose}}
	}
	text := render(t)
	if e.before, err = parse(text, draft{}); err != nil {
		return pawl.Errorf(pawl.Invalid, "%v cannot be edited as text: %w", t.ID, err)
	}
	e.read = pawl.Was{Subject: &t.Subject, Description: &t.Description, ActiveForm: &t.ActiveForm, Priority: &t.Priority, Parent: &t.Parent}
	return e.lay(text, programs)
}

// lay finds the reader's editor and writes the text for it.
func (e *editing) lay(text string, programs lookup.Finder) (err error) {
	if e.editor, err = editorOf(programs); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "pawl-edit-")
	if err != nil {
		return pawl.Errorf(pawl.Internal, "cannot create a folder for the text: %w", err)
	}
	e.file = filepath.Join(dir, "task-"+strings.TrimPrefix(e.id.String(), "#")+".txt")
	return e.write(text)
}

func (e *editing) write(text string) error {
	e.given = text
	fresh := e.file + ".new" // so that a failed write keeps the old text
	err := os.WriteFile(fresh, []byte(text), 0o600)
	if err == nil {
		err = filelock.Rename(fresh, e.file)
	}
	if err != nil {
		return pawl.Errorf(pawl.Internal, "cannot write the text: %w", err)
	}
	return nil
}

// kept says why a text was not saved, and which file has it.
func (e *editing) kept(why string) notice {
	return notice{text: text.Sentence(text.Line(why + "; the text is kept in " + e.file)), bad: true}
}

// drop removes the text's folder. It is a command.
func (e editing) drop() tea.Msg {
	if e.file != "" {
		_ = os.RemoveAll(filepath.Dir(e.file)) // the system cleans its temporary folder
	}
	return nil
}

// ready has a text edited that is ready for that, unless err says why it is not.
func (e editing) ready(err error) then {
	return func(m *model) tea.Cmd {
		switch {
		case err != nil && e.fault != "":
			m.notice = e.kept(err.Error())
			return nil
		case err != nil:
			m.notice = notice{text: m.refusal(err), bad: true}
			return e.drop
		}
		return e.open(m, func(text string, err error) tea.Cmd { return m.edited(e, text, err) })
	}
}

// open lends the terminal to the editor, and passes its text to left.
func (e *editing) open(m *model, left func(text string, err error) tea.Cmd) tea.Cmd {
	file := e.file
	m.lent = *e
	cmd := exec.CommandContext(m.ctx, e.editor[0], append(e.editor[1:len(e.editor):len(e.editor)], file)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // so that it leaves the terminal as it found it
	cmd.WaitDelay = editorGrace
	return m.exec(cmd, func(failed error) tea.Msg {
		text, err := os.ReadFile(file)
		return then(func(m *model) tea.Cmd {
			m.lent = editing{}
			return left(string(text), cmp.Or(failed, err))
		})
	})
}

// tidy removes the text of an editor that was ended with the board, unless
// something was written in it.
func (m *model) tidy() {
	e := m.lent
	if text, err := os.ReadFile(e.file); err == nil && string(text) == e.given && e.fault == "" {
		e.drop()
	}
}

// editorGrace is how long an editor may take to end when the board does.
const editorGrace = 2 * time.Second

// edited saves the text that the editor has left.
func (m *model) edited(e editing, text string, err error) tea.Cmd {
	switch {
	case err != nil && text == e.given && e.fault == "": // such as :cq in vi
		m.notice = notice{text: sentence(fmt.Errorf("nothing changed; %s: %w", filepath.Base(e.editor[0]), err)), bad: true}
		return e.drop
	case err != nil:
		m.notice = e.kept(filepath.Base(e.editor[0]) + ": " + err.Error())
		return nil
	case text == e.given && e.fault != "":
		m.notice = e.kept("not saved: " + strings.ReplaceAll(e.fault, "\n", "; "))
		return nil
	}
	ctx, board, who := m.ctx, m.board, m.who()
	seen := m.filter.query
	return func() tea.Msg { return e.save(ctx, board, who, seen, text) }
}

// editors are tried in this order if the reader names none.
var editors = []string{"nano", "vi", "vim", "notepad"}

// editorOf is the editor of the reader, with its arguments.
func editorOf(programs lookup.Finder) ([]string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(programs.Getenv(name))
		words := commandWords(value)
		if len(words) == 0 {
			continue
		}
		for _, try := range [][]string{{value}, words} { // the path of a program may have spaces
			if path := editorAt(programs, try[0]); path != "" {
				return append([]string{path}, try[1:]...), nil
			}
		}
		return nil, pawl.Errorf(pawl.NotFound, "cannot find the editor %s, which %s names", words[0], name)
	}
	for _, name := range editors {
		if path := programs.Find(name); path != "" {
			return []string{path}, nil
		}
	}
	return nil, &pawl.Error{Kind: pawl.NotFound, Message: "no editor was found", Hint: pawl.Hint{Step: pawl.HintSay, Text: "set EDITOR, for example: export EDITOR=nano"}}
}

// editorAt is the program that a name or a path means. A path is the reader's own choice.
func editorAt(programs lookup.Finder, name string) string {
	if filepath.Base(name) == name {
		return programs.Find(name)
	}
	return lookup.Finder{Getenv: programs.Getenv}.At(name)
}

// commandWords splits a command at spaces, but not inside of quotes.
func commandWords(command string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, begun = r, true
		case unicode.IsSpace(r):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
