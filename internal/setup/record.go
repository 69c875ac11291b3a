package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A Record is what setup remembers: who was set up, and what it put where.
type Record struct {
	Version int      `json:"version"` // 1
	Setups  []Setup  `json:"setups"`
	Files   []*Filed `json:"files"`
	Dirs    []string `json:"dirs,omitempty"` // that were made
}

// A Filed is a file that has pieces of ours.
type Filed struct {
	Path   string   `json:"path"`           // without links
	Made   bool     `json:"made,omitempty"` // there was none
	Before string   `json:"before"`         // the sum of what it was
	After  string   `json:"after"`          // and of what we left
	Undo   *undo    `json:"undo,omitempty"` // makes one of the other; not there once somebody else changed the file
	Pieces []placed `json:"pieces"`
}

// A placed piece is one that was not there before.
type placed struct {
	Piece
	Owners []string   `json:"owners"`         // the setups that need it
	Made   [][]string `json:"made,omitempty"` // what was made around it
}

// An undo is what a text had where another one differs.
type undo struct {
	At  int    `json:"at"`
	Cut int    `json:"cut"` // so many bytes are in the place of Old
	Old []byte `json:"old"`
}

// difference is the undo that makes old of new.
func difference(old, new []byte) *undo {
	at, end := shared(old, new)
	return &undo{at, len(new) - at - end, slices.Clone(old[at : len(old)-end])}
}

// before is what a file was before we came, when nobody has changed it since.
func (f *Filed) before(now []byte) ([]byte, bool) {
	if f.Undo == nil || now == nil || sum(now) != f.After {
		return nil, false
	}
	if f.Made {
		return nil, true
	}
	u := f.Undo
	if u.At < 0 || u.Cut < 0 || u.At+u.Cut > len(now) {
		return nil, false
	}
	old := append([]byte{}, now[:u.At]...) // a file with nothing in it is one
	old = append(append(old, u.Old...), now[u.At+u.Cut:]...)
	return old, sum(old) == f.Before
}

func (r *Record) file(path string) *Filed {
	for _, f := range r.Files {
		if f.Path == path {
			return f
		}
	}
	return nil
}

// Has reports whether an agent was set up.
func (r *Record) Has(s Setup) bool { return slices.ContainsFunc(r.Setups, s.Same) }

// A Permission is what setup put into the configuration of an agent's program to let it
// call Pawl's tools unasked.
type Permission struct {
	File, What string
}

// Permissions are those that are there.
func (r *Record) Permissions() []Permission {
	var all []Permission
	for _, f := range r.Files {
		var what []string
		for i := range f.Pieces {
			p := &f.Pieces[i]
			if !strings.Contains(p.For, "permission") {
				continue
			}
			name, element := strings.Join(p.Path, "."), ""
			if p.Kind == agent.KindElement && json.Unmarshal(p.Value, &element) == nil {
				name = element
			}
			what = append(what, name)
		}
		if len(what) > 0 {
			all = append(all, Permission{f.Path, strings.Join(what, ", ")})
		}
	}
	return all
}

// Allows are the permissions that a plan adds.
func (p *Plan) Allows() []Permission {
	was := p.was.Permissions()
	return slices.DeleteFunc(p.record.Permissions(), func(is Permission) bool { return slices.Contains(was, is) })
}

func (r *Record) clone() *Record {
	c := *r
	c.Setups, c.Dirs, c.Files = slices.Clone(r.Setups), slices.Clone(r.Dirs), nil
	for _, f := range r.Files {
		g := *f
		g.Pieces = nil
		for _, p := range f.Pieces {
			p.Owners = slices.Clone(p.Owners)
			g.Pieces = append(g.Pieces, p)
		}
		c.Files = append(c.Files, &g)
	}
	return &c
}

// maxRecord is far more than all agents in hundreds of projects need.
const maxRecord = 16 << 20

// recordFile is where the record is: in the folder setup of the user's state.
func recordFile(getenv func(string) string) (rewrite.File, error) {
	dir, err := userdir.State(getenv)
	return rewrite.File{
		Dir: filepath.Join(dir, "setup"), Name: "record.json", Lock: ".lock", Temp: ".record.new", Mode: 0o600, Limit: maxRecord,
	}, err
}

// Record reads what was set up; nothing when nothing was.
func (d *Planner) Record() (*Record, error) {
	file, err := recordFile(d.Getenv)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file.Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, pawl.Errorf(pawl.Unavailable, "what was set up cannot be read: %w", err)
	}
	return parseRecord(file.Path(), text)
}

func parseRecord(path string, text []byte) (*Record, error) {
	r := &Record{Version: 1}
	if len(bytes.TrimSpace(text)) == 0 {
		return r, nil
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, pawl.Errorf(pawl.Internal, "%s, which says what was set up, cannot be read: %w", path, err)
	}
	if r.Version != 1 {
		return nil, pawl.Errorf(pawl.Invalid, "%s is of a newer pawl", path).Say("use that one")
	}
	r.Files = slices.DeleteFunc(r.Files, func(f *Filed) bool { return f == nil })
	return r, nil
}

// write puts the record in the place of the one that a plan was made with.
func (r *Record) write(ctx context.Context, getenv func(string) string, was *Record) error {
	file, err := recordFile(getenv)
	if err != nil {
		return err
	}
	if err := userdir.Make(file.Dir); err != nil {
		return err
	}
	want, err := json.Marshal(was)
	if err != nil {
		return err
	}
	_, err = file.Change(ctx, func(old []byte) ([]byte, error) {
		now, err := parseRecord(file.Path(), old)
		if err != nil {
			return nil, err
		}
		if is, err := json.Marshal(now); err != nil || !bytes.Equal(is, want) {
			return nil, errMoved
		}
		text, err := json.MarshalIndent(r, "", " ")
		return append(text, '\n'), err
	})
	return err
}

var errMoved = &pawl.Error{Kind: pawl.Conflict, Message: "somebody else sets up agents at the same time", Hint: pawl.Hint{Step: pawl.HintRetry}}
