package setup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Setup plans what the agents of setups need.
func (d *Planner) Setup(setups []Setup) (*Plan, error) {
	w, err := d.draft()
	if err != nil {
		return nil, err
	}
	for _, s := range setups {
		a, err := Find(s.Agent)
		if err != nil {
			return nil, err
		}
		if s.Scope != User && a.Config.NoProject != "" {
			w.Notes = append(w.Notes, Note{Agent: s.Agent, Error: true, Text: a.Config.NoProject + ": set it up with --user"})
			continue
		}
		if s.Agent == Git {
			if why := d.noGit(s); why != "" {
				w.Notes = append(w.Notes, Note{Agent: s.Agent, Error: true, Text: why})
				continue
			}
		}
		p := d.place(a, s)
		if a.Config.Needs != nil && a.Config.Needs(p) != "" {
			w.Notes = append(w.Notes, Note{Agent: s.Agent, Error: true, Text: a.Config.Needs(p)})
			continue
		}
		s.Brought = w.brought(a, s)
		back := w.mark()
		reached := map[string]bool{}
		failed := false
		files := a.Config.Files(p)
		for _, f := range files {
			if !w.put(a, s, f, reached) {
				failed = true
			}
		}
		if hidden, err := w.hidden(s, files); err != nil {
			w.Notes = append(w.Notes, Note{Agent: s.Agent, Text: err.Error(), Error: true})
			failed = true
		} else if len(hidden.Pieces) > 0 && !w.put(a, s, hidden, reached) {
			failed = true
		}
		for _, filed := range slices.Clone(w.record.Files) { // what it needed once
			if !reached[filed.Path] && !failed {
				w.drop(s, filed)
			}
		}
		if s.Agent == Git {
			w.attributes(s)
		}
		if failed { // half of it would not work, and nobody would know
			back()
			continue
		}
		if what, step := twice(p); what != "" {
			w.note(Note{Agent: s.Agent, Text: what + ": " + step})
		}
		if a.Config.List != nil {
			then := p
			then.Disk = planned{disk{}, w}
			w.Lists = append(w.Lists, Note{Agent: s.Agent, Text: a.Config.List(then)})
		}
		for _, step := range a.Config.Steps(p) {
			w.Steps = append(w.Steps, Note{Agent: s.Agent, Text: step})
		}
		if known := slices.IndexFunc(w.record.Setups, s.Same); known < 0 {
			w.record.Setups = append(w.record.Setups, s)
		} else {
			w.record.Setups[known] = s
		}
	}
	return w.done(), nil
}

// root is what a file of a setup may not lead out of; empty for one of the user's
// own.
func (s Setup) root(path string) string {
	if s.Scope != User && strings.HasPrefix(path, strings.TrimSuffix(s.Root, string(filepath.Separator))+string(filepath.Separator)) {
		return s.Root
	}
	return ""
}

// put plans a file of a setup, and reports whether it can be.
func (w *draft) put(a *agent.Agent, s Setup, f File, reached map[string]bool) bool {
	bad := func(err error) bool { w.leftAlone(s, f.Path, err); return false }
	c, err := w.open(f.Path, s.root(f.Path))
	if err != nil {
		return bad(err)
	}
	reached[c.real] = true
	filed := w.record.file(c.real)
	if filed != nil && (c.New == nil || sum(c.New) == filed.Before && sum(c.New) != filed.After) {
		// Somebody put the file back: nothing of ours is in it.
		w.record.Files = slices.DeleteFunc(w.record.Files, func(g *Filed) bool { return g == filed })
		filed = nil
	}
	text, owner := c.New, s.key()
	var pieces []placed
	if filed != nil {
		pieces = slices.Clone(filed.Pieces)
	}
	own := func(p *placed) {
		if !slices.Contains(p.Owners, owner) {
			p.Owners = append(slices.Clone(p.Owners), owner)
		}
	}
	for _, p := range f.Pieces {
		text, _ = renew(text, p)
		for i, old := range pieces {
			if now, ok := renewed(old.Piece, p); ok {
				pieces[i].Piece = now
			}
		}
	}
	for i := len(pieces) - 1; i >= 0; i-- { // what it no longer needs
		old := &pieces[i]
		if !slices.Contains(old.Owners, owner) || slices.ContainsFunc(f.Pieces, func(p Piece) bool { return equal(old.Piece, p) }) {
			continue
		}
		if now := f.Pieces[0]; now.Kind == agent.KindWhole && old.Kind == agent.KindWhole && string(text) == old.Text {
			// A newer text of ours is for the other agents that read this file, too.
			old.Piece, text = now, []byte(now.Text)
			continue
		}
		old.Owners = less(old.Owners, owner)
		if len(old.Owners) > 0 {
			continue
		}
		is, err := editorOf(old.Piece).look(text, old.Piece)
		if err != nil {
			return bad(err)
		}
		if is == same || is == akin {
			if text, err = editorOf(old.Piece).take(text, old.Piece, old.Made); err != nil {
				return bad(err)
			}
		}
		pieces = slices.Delete(pieces, i, i+1)
	}
	var notes []Note
	for _, p := range f.Pieces {
		is, err := editorOf(p).look(text, p)
		if err != nil {
			return bad(err)
		}
		i := slices.IndexFunc(pieces, func(g placed) bool { return equal(g.Piece, p) })
		if is == theirs {
			switch at := strings.Join(p.Path, "."); {
			case p.Kind == agent.KindElement:
				return bad(fmt.Errorf("%s: %s is not a list, so nothing can be added there", p.For, at))
			case p.IsServer() && i < 0:
				return bad(fmt.Errorf("%s: %s calls another program: give that another name", p.For, at))
			}
		}
		if is == missing {
			now, made, err := editorOf(p).put(text, p)
			if err != nil {
				return bad(err)
			}
			text = now
			if i < 0 {
				pieces = append(pieces, placed{Piece: p})
				i = len(pieces) - 1
			}
			pieces[i].Made = append(slices.Clone(pieces[i].Made), made...)
			own(&pieces[i])
			continue
		}
		switch {
		case i >= 0 && is == theirs:
			notes = append(notes, Note{s.Agent, f.Path, p.For + ": changed since by somebody, and left so", false})
		case i >= 0:
			own(&pieces[i])
		case is == akin:
			notes = append(notes, Note{s.Agent, f.Path, p.For + ": there already in other words, and left so", false})
		case is == theirs:
			notes = append(notes, Note{s.Agent, f.Path, p.For + ": something else is in that place, and left so", false})
		}
	}
	if err := c.may(text); err != nil {
		return bad(err)
	}
	for _, b := range braked(a.Config, f, text) {
		notes = append(notes, Note{Agent: s.Agent, Path: f.Path, Text: b.Text + ": " + b.Step})
	}
	for _, n := range notes {
		w.note(n)
	}
	w.keep(c, filed, pieces, text)
	return true
}

// less is a list without some of its elements.
func less(list []string, some ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(e string) bool { return slices.Contains(some, e) })
}

func (w *draft) keep(c *Change, filed *Filed, pieces []placed, text []byte) {
	changed := differ(text, c.New)
	switch {
	case filed == nil && len(pieces) == 0:
		if changed { // lines of a setup without a record
			c.New, c.For = text, []string{"hooks"}
		}
		return
	case filed == nil:
		filed = &Filed{Path: c.real, Made: c.New == nil, Before: sum(c.New), After: sum(text), Undo: difference(c.New, text)}
		w.record.Files = append(w.record.Files, filed)
	case changed:
		if before, ok := filed.before(c.New); ok {
			filed.Undo = difference(before, text)
		} else {
			filed.Undo = nil
		}
		filed.After = sum(text)
	}
	filed.Pieces = pieces
	if changed {
		c.For = kindsOf(pieces)
	}
	c.New = text
	c.whole = len(pieces) == 1 && pieces[0].Kind == agent.KindWhole
}
