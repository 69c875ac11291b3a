package setup

import (
	"encoding/json"
	"slices"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
)

// A draft is a plan in the making, with the texts as they are to be.
type draft struct {
	*Plan
	files map[string]*Change
	order []string
}

func (d *Planner) draft() (*draft, error) {
	was, err := d.Record()
	if err != nil {
		return nil, err
	}
	return &draft{&Plan{planner: d, was: was, record: was.clone()}, map[string]*Change{}, nil}, nil
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

func (w *draft) done() *Plan {
	for _, name := range w.order {
		if c := w.files[name]; differ(c.Old, c.New) {
			w.Changes = append(w.Changes, *c)
		}
	}
	return w.Plan
}

// leftAlone notes what keeps a file of a setup from being changed.
func (w *draft) leftAlone(s Setup, path string, err error) {
	w.Notes = append(w.Notes, Note{Agent: s.Agent, Path: path, Text: err.Error() + ": it is left alone", Error: true})
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
	if text == nil {
		mode = newFile
		if root != "" {
			mode = newShared
		}
		mode &^= umask()
	}
	c := &Change{Path: path, Old: text, New: text, real: real, mode: mode}
	w.files[real] = c
	w.order = append(w.order, real)
	return c, nil
}

// planned is the disk as it is once a plan is carried out.
type planned struct {
	agent.Disk
	w *draft
}

func (p planned) JSON(path string, at ...string) json.RawMessage {
	c, err := p.w.open(path, "")
	if err != nil {
		return nil
	}
	value, _ := jsonc.Get(c.New, at...)
	return value
}
