package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A Desk is where setups are planned.
type Desk struct {
	Getenv func(string) string
	OS     string // as runtime.GOOS
	Home   string // of the user, absolute
	// Command is how agents are to call this program: pawl when that is found on
	// their PATH, else its whole path.
	Command string
}

// A Plan is what is to be done. Nothing is until it is applied.
type Plan struct {
	Changes []Change
	Notes   []Note
	Steps   []Note // what is left to a person

	desk   *Desk
	was    *Record
	record *Record
	undoes bool
}

// A Change is a file's new text.
type Change struct {
	Path     string // as the agent knows it
	Old, New []byte // nil: there is no file
	For      []string

	real  string
	mode  fs.FileMode
	whole bool // the file itself is the piece
}

// Alone reports whether the file is made, or removed, with what is ours alone.
func (c Change) Alone() bool { return (c.Old == nil || c.New == nil) && c.whole }

// A Note is something that a person should know.
type Note struct {
	Agent string
	Path  string // empty: it is about no file
	Text  string
	Error bool // what was asked for cannot be had there
}

// Failed reports whether something that was asked for cannot be had.
func (p *Plan) Failed() bool {
	return slices.ContainsFunc(p.Notes, func(n Note) bool { return n.Error })
}

// Empty reports whether nothing has to be written.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 && p.record.equal(p.was) }

func (r *Record) equal(o *Record) bool {
	return slices.Equal(r.Setups, o.Setups) && len(r.Files) == len(o.Files)
}

func (d *Desk) place(s Setup) place { return place{s, d.Getenv, d.OS, d.Home} }

// Used are the agents that seem to be used here: their folder is there.
func (d *Desk) Used() (names []string) {
	for _, a := range Agents {
		if there(a.home(d.place(Setup{Agent: a.Name, Scope: User}))) {
			names = append(names, a.Name)
		}
	}
	return names
}

// Record is what was set up.
func (d *Desk) Record() (*Record, error) { return readRecord(d.Getenv) }

// A draft is a plan in the making, with the texts as they are to be.
type draft struct {
	*Plan
	files map[string]*Change
	order []string
}

func (d *Desk) draft() (*draft, error) {
	was, err := d.Record()
	if err != nil {
		return nil, err
	}
	return &draft{&Plan{desk: d, was: was, record: was.clone()}, map[string]*Change{}, nil}, nil
}

// mark returns what takes the draft back to where it is now.
func (w *draft) mark() (back func()) {
	record, texts := w.record.clone(), map[string]Change{}
	for name, c := range w.files {
		texts[name] = *c
	}
	return func() {
		w.record = record
		for name, c := range w.files {
			if was, ok := texts[name]; ok {
				*c = was
			} else {
				c.New, c.For = c.Old, nil
			}
		}
	}
}

// done makes a plan of it.
func (w *draft) done() *Plan {
	for _, name := range w.order {
		if c := w.files[name]; (c.Old == nil) != (c.New == nil) || string(c.Old) != string(c.New) {
			w.Changes = append(w.Changes, *c)
		}
	}
	return w.Plan
}

// note adds one that is not there yet.
func (w *draft) note(n Note) {
	if !slices.Contains(w.Notes, n) {
		w.Notes = append(w.Notes, n)
	}
}

// open reads a file for the plan, once.
func (w *draft) open(path, root string) (*Change, error) {
	real, err := resolve(path, root)
	if err != nil {
		return nil, err
	}
	if c := w.files[real]; c != nil {
		return c, nil
	}
	text, mode, err := read(real)
	if err != nil {
		return nil, err
	}
	c := &Change{Path: path, Old: text, New: text, real: real, mode: mode}
	w.files[real] = c
	w.order = append(w.order, real)
	return c, nil
}

// Setup plans what the agents of setups need.
func (d *Desk) Setup(setups []Setup) (*Plan, error) {
	w, err := d.draft()
	if err != nil {
		return nil, err
	}
	for _, s := range setups {
		agent, err := Find(s.Agent)
		if err != nil {
			return nil, err
		}
		if s.Scope == Project && agent.noProject != "" {
			w.Notes = append(w.Notes, Note{Agent: s.Agent, Error: true, Text: agent.noProject + ": set it up with --user"})
			continue
		}
		p := d.place(s)
		files := agent.files(p)
		if s.Block != "" {
			files = append(files, File{s.Block, []Piece{{Kind: Block, For: "AGENTS.md", Text: agentsBlock}}})
		}
		back := w.mark()
		reached := map[string]bool{}
		failed := false
		for _, f := range files {
			if !w.put(s, f, reached) {
				failed = true
			}
		}
		for _, filed := range slices.Clone(w.record.Files) { // what it needed once
			if !reached[filed.Path] && !failed {
				w.drop(s, filed)
			}
		}
		if failed { // half of it would not work, and nobody would know
			back()
			continue
		}
		if what, step := agent.twice(p); what != "" {
			w.note(Note{Agent: s.Agent, Text: what + ": " + step})
		}
		for _, step := range agent.steps(p) {
			w.Steps = append(w.Steps, Note{Agent: s.Agent, Text: step})
		}
		i := slices.IndexFunc(w.record.Setups, s.same)
		if i < 0 {
			w.record.Setups = append(w.record.Setups, s)
		} else {
			w.record.Setups[i] = s
		}
	}
	return w.done(), nil
}

// root is what a file of a setup may not lead out of.
func (s Setup) root(path string) string {
	if s.Scope == Project || path == s.Block {
		if s.Root == "" {
			return filepath.Dir(path)
		}
		return s.Root
	}
	return ""
}

// put plans a file of a setup, and reports whether it can be.
func (w *draft) put(s Setup, f File, reached map[string]bool) bool {
	bad := func(err error) bool {
		w.Notes = append(w.Notes, Note{Agent: s.Agent, Path: f.Path, Text: err.Error() + ": it is left alone", Error: true})
		return false
	}
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
	for i := len(pieces) - 1; i >= 0; i-- { // what it needs no more
		old := &pieces[i]
		if !slices.Contains(old.Owners, owner) || slices.ContainsFunc(f.Pieces, old.equal) {
			continue
		}
		old.Owners = less(old.Owners, owner)
		if len(old.Owners) > 0 {
			continue
		}
		is, err := old.editor().look(text, old.Piece)
		if err != nil {
			return bad(err)
		}
		if is == same || is == akin {
			if text, err = old.editor().take(text, old.Piece, old.Made); err != nil {
				return bad(err)
			}
		}
		pieces = slices.Delete(pieces, i, i+1)
	}
	var notes []Note
	for _, p := range f.Pieces {
		is, err := p.editor().look(text, p)
		if err != nil {
			return bad(err)
		}
		if is == missing {
			now, made, err := p.editor().put(text, p)
			if err != nil {
				return bad(err)
			}
			text = now
			pieces = append(pieces, placed{p, []string{owner}, made})
			continue
		}
		if i := slices.IndexFunc(pieces, func(g placed) bool { return g.equal(p) }); i >= 0 {
			if is != theirs && !slices.Contains(pieces[i].Owners, owner) {
				pieces[i].Owners = append(slices.Clone(pieces[i].Owners), owner)
			}
			if is == theirs {
				notes = append(notes, Note{s.Agent, f.Path, p.For + ": changed since by somebody, and left so", false})
			}
			continue
		}
		switch is {
		case akin:
			notes = append(notes, Note{s.Agent, f.Path, p.For + ": there already in other words, and left so", false})
		case theirs:
			notes = append(notes, Note{s.Agent, f.Path, p.For + ": something else is in that place, and left so", false})
		}
	}
	if string(text) != string(c.New) || (text == nil) != (c.New == nil) {
		if err := writable(c.real, c.mode); err != nil {
			return bad(err)
		}
	}
	for _, n := range notes {
		w.note(n)
	}
	w.keep(c, filed, pieces, text)
	return true
}

// less is a list without one of its elements.
func less(list []string, s string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(e string) bool { return e == s })
}

// keep takes a file's new text and pieces into the plan.
func (w *draft) keep(c *Change, filed *Filed, pieces []placed, text []byte) {
	changed := string(text) != string(c.New) || (text == nil) != (c.New == nil)
	switch {
	case filed == nil && len(pieces) == 0:
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
	c.whole = len(pieces) == 1 && pieces[0].Kind == Whole
}

// Uninstall plans to take out what setups put in. One that is not known is
// looked for by what it would put in.
func (d *Desk) Uninstall(setups []Setup) (*Plan, error) {
	w, err := d.draft()
	if err != nil {
		return nil, err
	}
	w.undoes = true
	for _, s := range setups {
		agent, err := Find(s.Agent)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(w.record.Setups, s.same)
		if i < 0 {
			w.forget(s, agent)
			continue
		}
		s = w.record.Setups[i]
		notes := len(w.Notes)
		for _, filed := range slices.Clone(w.record.Files) {
			w.drop(s, filed)
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
	if !slices.ContainsFunc(filed.Pieces, func(p placed) bool { return slices.Contains(p.Owners, owner) }) {
		return
	}
	bad := func(err error) {
		w.Notes = append(w.Notes, Note{Agent: s.Agent, Path: filed.Path, Text: err.Error() + ": it is left alone", Error: true})
	}
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
	if string(text) != string(c.New) || (text == nil) != (c.New == nil) {
		if err := writable(c.real, c.mode); err != nil {
			bad(err)
			return
		}
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
	c.For = kindsOf(going)
	c.whole = len(going) == 1 && going[0].Kind == Whole
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
		is, err := p.editor().look(text, p.Piece)
		if err != nil {
			return nil, err
		}
		switch {
		case is == theirs:
			w.note(Note{s.Agent, filed.Path, p.For + ": changed since by somebody, and left", false})
			continue
		case is != same && is != akin:
			continue
		}
		now, err := p.editor().take(text, p.Piece, p.Made)
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
	switch strings.Join(strings.Fields(string(text)), "") {
	case "", "{}":
		return true
	}
	return false
}

// forget plans to take out what looks as if we had put it in: what is known of
// it is lost, or was never here, where settings are kept with a home.
func (w *draft) forget(s Setup, agent *Agent) {
	found := false
	for _, f := range agent.files(w.desk.place(s)) {
		c, err := w.open(f.Path, s.root(f.Path))
		if err != nil || c.New == nil || w.record.file(c.real) != nil {
			continue
		}
		text := c.New
		for _, p := range slices.Backward(f.Pieces) {
			is, err := p.editor().look(text, p)
			if err == nil && (is == same || is == akin) && !p.Frame {
				text, err = p.editor().take(text, p, above(p))
				found = found || err == nil
			}
			if err != nil {
				w.Notes = append(w.Notes, Note{Agent: s.Agent, Path: f.Path, Text: err.Error() + ": it is left alone", Error: true})
				text = c.New
				break
			}
		}
		if string(text) == string(c.New) {
			continue
		}
		if err := writable(c.real, c.mode); err != nil {
			w.Notes = append(w.Notes, Note{Agent: s.Agent, Path: f.Path, Text: err.Error() + ": it is left alone", Error: true})
			continue
		}
		if ours := strings.HasPrefix(filepath.Base(f.Path), "pawl") || strings.Contains(filepath.ToSlash(f.Path), "/plugins/pawl/"); ours && bare(text, f.Pieces) {
			text = nil // by its name it was ours alone
		}
		c.New = text
	}
	if !found {
		w.Notes = append(w.Notes, Note{Agent: s.Agent, Text: "is not set up here"})
	}
}

// bare reports whether nothing is in a text but the frame of a file.
func bare(text []byte, pieces []Piece) bool {
	for _, p := range pieces {
		if p.Frame {
			if now, err := p.editor().take(text, p, nil); err == nil {
				text = now
			}
		}
	}
	return blank(text)
}

// above are the paths that may have been made for a piece.
func above(p Piece) (paths [][]string) {
	n := len(p.Path)
	if p.Kind == Member {
		n--
	}
	for ; n > 0; n-- {
		paths = append(paths, p.Path[:n])
	}
	return paths
}

// Apply writes the plan. What it remembers of a setup is written before the
// files, and forgotten after them: after a crash in between, files that are as
// they were before count as such.
func (p *Plan) Apply(ctx context.Context) error {
	if !p.undoes {
		if err := p.record.write(ctx, p.desk.Getenv, p.was); err != nil {
			return err
		}
	}
	var dirs []string
	var failed []error
	for _, c := range p.Changes {
		made, err := replace(c.real, c.Old, c.New, c.mode)
		dirs = append(dirs, made...)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.Path, err))
			if p.undoes {
				break
			}
		}
	}
	last := p.record.clone()
	was := p.record
	for _, dir := range dirs {
		if !slices.Contains(last.Dirs, dir) {
			last.Dirs = append(last.Dirs, dir)
		}
	}
	if p.undoes {
		was = p.was
		last.Dirs = sweepDirs(last.Dirs, len(last.Setups) == 0)
	}
	if len(failed) == 0 || !p.undoes {
		if err := last.write(ctx, p.desk.Getenv, was); err != nil {
			return err
		}
	}
	if err := errors.Join(failed...); err != nil {
		return pawl.Errorf(pawl.Unavailable, "not all could be written: %w", err)
	}
	return nil
}

// sweepDirs removes folders that were made and are empty, and returns the
// others.
func sweepDirs(dirs []string, all bool) (left []string) {
	slices.Sort(dirs)
	for _, dir := range slices.Backward(dirs) { // the inner ones first
		info, err := os.Lstat(dir)
		if err == nil && info.IsDir() {
			err = os.Remove(dir) // which is refused when something is in it
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !all {
			left = append(left, dir)
		}
	}
	slices.Sort(left)
	return left
}
