package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/git"
)

// A Sight is what git sees of a project's files. Nil: git does not manage it.
type Sight struct {
	tree    *git.Tree
	exclude string // the file with the rules of this clone alone
	ctx     context.Context
}

// Sees finds out what git sees below a project's folder.
func Sees(ctx context.Context, root string) (*Sight, error) {
	tree, err := git.Find(ctx, root)
	if tree == nil || err != nil {
		if errors.Is(err, git.ErrMissing) {
			err = nil
		}
		return nil, err
	}
	exclude, err := tree.Exclude(ctx)
	if err != nil {
		return nil, err
	}
	return &Sight{tree, exclude, ctx}, nil
}

// Seen counts the changes of a plan that git sees: in files that it tracks, or
// that nothing keeps out of it.
func (s *Sight) Seen(p *Plan) (int, error) {
	if s == nil {
		return 0, nil
	}
	var paths []string
	lines := map[string]bool{} // that the plan writes, or wrote
	for _, f := range p.record.Files {
		for _, piece := range f.Pieces {
			if piece.Kind == agent.KindLine {
				lines[piece.Text] = true
			}
		}
	}
	inside := 0
	for _, c := range p.Changes {
		line, ok := git.Pattern(s.tree.Root, c.real)
		if !ok || c.real == s.exclude || strings.HasPrefix(line, "/.git/") {
			continue
		}
		if inside++; !lines[line] {
			paths = append(paths, c.real)
		}
	}
	if len(paths) == 0 {
		return 0, nil
	}
	rules, err := s.tree.Ignored(s.ctx, paths...)
	return len(paths) - len(rules), err
}

// hidden is the file that keeps the files of a setup out of git, with a line for
// each that it makes. An error is about one that git tracks: a change in it would be
// a change for everybody.
func (w *draft) hidden(s Setup, files []File) (hidden File, err error) {
	sight := w.planner.Git
	if s.Scope != Here || sight == nil {
		return File{}, nil
	}
	owner := s.key()
	hidden.Path = sight.exclude
	had := map[string]bool{}
	if filed := w.record.file(sight.exclude); filed != nil {
		for _, p := range filed.Pieces {
			had[p.Text] = had[p.Text] || p.Kind == agent.KindLine
		}
	}
	var changed, made []string
	for _, f := range files {
		real, _ := resolve(f.Path, s.root(f.Path))
		c := w.files[real]
		if c == nil || s.root(f.Path) == "" {
			continue
		}
		filed := w.record.file(c.real)
		if c.Old != nil && string(c.Old) != string(c.New) {
			changed = append(changed, c.real)
		}
		if c.Old == nil || filed != nil && filed.Made && owns(filed, owner) {
			made = append(made, c.real)
		}
	}
	tracked, err := sight.tree.Tracked(sight.ctx, changed...)
	if err != nil {
		return hidden, err
	}
	if len(tracked) > 0 {
		rel, _ := filepath.Rel(s.Root, tracked[0])
		return hidden, fmt.Errorf("git tracks %s, so a change there is one for everybody: use --project, or --user for all your projects", filepath.ToSlash(rel))
	}
	rules, err := sight.tree.Ignored(sight.ctx, made...)
	if err != nil {
		return hidden, err
	}
	for _, path := range made {
		line, ok := git.Pattern(sight.tree.Root, path)
		ignored := slices.ContainsFunc(rules, func(r git.Rule) bool { return r.Path == path })
		if ok && (had[line] || !ignored) {
			hidden.Pieces = append(hidden.Pieces, Piece{Kind: agent.KindLine, For: "kept out of git", Text: line})
		}
	}
	return hidden, nil
}

func owns(filed *Filed, owner string) bool {
	return slices.ContainsFunc(filed.Pieces, func(p placed) bool { return slices.Contains(p.Owners, owner) })
}

// A line of a text file, as of an exclude file of git's.

func lookLine(text []byte, p Piece) (state, error) {
	if _, _, found := findLine(text, p.Text); found {
		return same, nil
	}
	return missing, nil
}

func putLine(text []byte, p Piece) ([]byte, [][]string, error) {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return append(bytes.Clone(text), newline(text)+p.Text...), nil, nil
	}
	return append(bytes.Clone(text), p.Text+newline(text)...), nil, nil
}

func takeLine(text []byte, p Piece, _ [][]string) ([]byte, error) {
	from, to, found := findLine(text, p.Text)
	if !found {
		return text, nil
	}
	return append(bytes.Clone(text[:from]), text[to:]...), nil
}

// findLine finds the last line with a text. At the end of a file without an end of
// line, the one before it belongs to it.
func findLine(text []byte, line string) (from, to int, found bool) {
	for at := 0; at < len(text); {
		end := endOfLine(text, at)
		if strings.TrimRight(string(text[at:end]), "\r\n") == line {
			from, to, found = at, end, true
		}
		at = end
	}
	if found && to == len(text) && text[to-1] != '\n' {
		from = len(bytes.TrimSuffix(text[:from], []byte(newline(text))))
	}
	return from, to, found
}
