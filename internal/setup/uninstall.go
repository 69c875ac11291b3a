package setup

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
)

// Uninstall plans to take out the pieces of setups. A setup that is not in the
// record is looked for by the pieces that it would put in.
func (d *Planner) Uninstall(setups []Setup) (*Plan, error) {
	w, err := d.draft()
	if err != nil {
		return nil, err
	}
	w.undoes = true
	for _, s := range setups {
		a, err := Find(s.Agent)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(w.record.Setups, s.Same)
		if i < 0 {
			w.forget(s, a)
			continue
		}
		s = w.record.Setups[i]
		notes := len(w.Notes)
		for _, filed := range slices.Clone(w.record.Files) {
			w.drop(s, filed)
		}
		if s.Brought {
			w.forget(s, a)
		}
		if !slices.ContainsFunc(w.Notes[notes:], func(n Note) bool { return n.Error }) {
			w.record.Setups = slices.Delete(w.record.Setups, i, i+1)
		}
	}
	return w.done(), nil
}

// drop plans to take the pieces of a setup out of a file.
func (w *draft) drop(s Setup, filed *Filed) {
	owner := s.key()
	if !owns(filed, owner) {
		return
	}
	bad := func(err error) { w.leftAlone(s, filed.Path, err) }
	c, err := w.open(filed.Path, "")
	if err == nil && c.real != filed.Path {
		err = errors.New("it has become a link")
	}
	if err != nil {
		bad(err)
		return
	}
	var left, going []placed
	for _, p := range filed.Pieces {
		p.Owners = less(p.Owners, owner)
		if len(p.Owners) > 0 {
			left = append(left, p)
		} else {
			going = append(going, p)
		}
	}
	text := c.New
	before, exact := filed.before(c.New)
	switch {
	case c.New == nil: // somebody removed it
	case exact && len(left) == 0:
		text = before
	default:
		if text, err = w.takeAll(s, filed, text, going, len(left) == 0); err != nil {
			bad(err)
			return
		}
		if filed.Made && len(left) == 0 && blank(text) {
			text = nil
		}
	}
	if err := c.may(text); err != nil {
		bad(err)
		return
	}
	if len(left) == 0 {
		w.record.Files = slices.DeleteFunc(w.record.Files, func(g *Filed) bool { return g.Path == filed.Path })
	} else {
		filed.Pieces = left
		if exact {
			filed.Undo, filed.After = difference(before, text), sum(text)
		} else {
			filed.Undo = nil
		}
	}
	c.New = text
	c.Restored = exact && len(left) == 0
	c.For = kindsOf(going)
	c.whole = len(going) == 1 && going[0].Kind == agent.KindWhole
}

func kindsOf(pieces []placed) (names []string) {
	for _, p := range pieces {
		if !slices.Contains(names, p.For) {
			names = append(names, p.For)
		}
	}
	return names
}

// takeAll takes pieces out, the last first. all says that none of ours is left
// then.
func (w *draft) takeAll(s Setup, filed *Filed, text []byte, going []placed, all bool) ([]byte, error) {
	slices.SortStableFunc(going, func(a, b placed) int { // frames at the end
		switch {
		case a.Frame == b.Frame:
			return 0
		case a.Frame:
			return -1
		}
		return 1
	})
	for _, p := range slices.Backward(going) {
		is, err := editorOf(p.Piece).look(text, p.Piece)
		if err != nil {
			return nil, err
		}
		switch {
		case is == theirs:
			text := p.For + ": changed since by somebody, and left"
			if p.Kind == agent.KindWhole {
				text += ": it is still in force, so delete it yourself if it is to go"
			}
			w.note(Note{s.Agent, filed.Path, text, false})
			continue
		case is != same && is != akin:
			continue
		}
		now, err := editorOf(p.Piece).take(text, p.Piece, p.Made)
		if err != nil {
			return nil, err
		}
		if p.Frame && filed.Made && !(all && blank(now)) {
			continue // somebody else has begun to use the file
		}
		text = now
	}
	return text, nil
}

// blank reports whether a text says nothing.
func blank(text []byte) bool {
	s := strings.Join(strings.Fields(string(text)), "")
	return s == "" || s == "{}"
}

// forget plans to take out pieces that look like ours: their record is lost,
// or was never here, where settings are kept with a home.
func (w *draft) forget(s Setup, a *agent.Agent) {
	found := false
	for _, f := range a.Config.Files(w.planner.place(a, s)) {
		c, err := w.open(f.Path, s.root(f.Path))
		if err != nil || c.New == nil || w.record.file(c.real) != nil {
			continue
		}
		text := c.New
		for _, p := range slices.Backward(f.Pieces) {
			is, err := editorOf(p).look(text, p)
			if err == nil && (is == same || is == akin) && !p.Frame && !p.Common {
				text, err = editorOf(p).take(text, p, above(p))
				found = found || err == nil
			}
			if err != nil {
				w.leftAlone(s, f.Path, err)
				text = c.New
				break
			}
		}
		if string(text) == string(c.New) {
			continue
		}
		if err := c.writable(); err != nil {
			w.leftAlone(s, f.Path, err)
			continue
		}
		if ours := strings.HasPrefix(filepath.Base(f.Path), "pawl") || strings.Contains(filepath.ToSlash(f.Path), "/plugins/pawl/"); ours && bare(text, f.Pieces) {
			text = nil // by its name it was ours alone
		}
		if s.root(f.Path) != "" && bare(text, f.Pieces) {
			text = nil // and so was one of a project with nothing else in it
		}
		c.New = text
	}
	switch {
	case found:
		w.note(Note{Agent: s.Agent, Text: "what its files were before Pawl came is not known here: what is Pawl's goes, and the rest stays"})
	case !s.Brought:
		w.Notes = append(w.Notes, Note{Agent: s.Agent, Text: "is not set up here"})
	}
}

// bare reports whether nothing is in a text but the frame of a file.
func bare(text []byte, pieces []Piece) bool {
	for _, p := range pieces {
		if p.Frame {
			if now, err := editorOf(p).take(text, p, nil); err == nil {
				text = now
			}
		}
	}
	return blank(text)
}

// above are the paths that may have been made for a piece.
func above(p Piece) (paths [][]string) {
	n := len(p.Path)
	if p.Kind == agent.KindMember {
		n--
	}
	for ; n > 0; n-- {
		paths = append(paths, p.Path[:n])
	}
	return paths
}
