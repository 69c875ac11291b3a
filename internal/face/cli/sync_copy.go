package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// lastJSON is what one copy of a file said when it was last exchanged with a board that
// does not go with it.
type lastJSON struct {
	Head  string       `json:"head,omitempty"` // the sum of the file in git's commit then
	Lines imports.Seen `json:"lines"`
}

// recall has a file of boxes tell what was changed in this copy of it, where the board
// does not go with the file: other clones have older copies. It returns what keeps what
// the file says by now.
func (a *app) recall(ctx context.Context, f *imports.Format, in *imports.Input, r *imports.Result, board []pawl.Task) (func(), error) {
	root, err := a.project().Root()
	if err != nil {
		return nil, err
	}
	name, err := a.copyFile(f, in, root)
	if name == "" || err != nil {
		return func() {}, err
	}
	var is lastJSON
	_ = json.Unmarshal(gitdir.File(name, imports.MaxFile), &is) // what is damaged is forgotten
	head, committed := is.Head, (*imports.Result)(nil)
	if a.env.Committed != nil {
		was := imports.Input{Root: in.Root, Path: in.Path, Place: in.Place, Chain: in.Chain, Parallel: in.Parallel, Under: in.Under, After: in.After, Known: in.Known}
		if was.Was, err = a.env.Committed(ctx, filepath.Join(root, filepath.FromSlash(in.Place))); err != nil {
			return nil, err
		}
		if head = sumOf(was.Was); head != is.Head && was.Was != nil {
			if committed, err = imports.Read(f, &was); err != nil {
				committed = nil // git has a text that cannot be read as a list
			}
			was.Close()
		}
	}
	r.Recall(f, board, is.Lines, committed)
	return func() {
		now, err := json.Marshal(lastJSON{head, r.Now})
		if err == nil && !bytes.Equal(now, gitdir.File(name, imports.MaxFile)) {
			if err = userdir.Make(filepath.Dir(name)); err == nil {
				err = rewrite.Swap(name, now)
			}
		}
		if err != nil {
			a.say("what %s says is not remembered, so a box that you empty there is ticked again: %s", text.Line(in.Path), text.Line(err.Error()))
		}
	}, nil
}

// copyFile is where that is kept; empty: the board goes with the file.
func (a *app) copyFile(f *imports.Format, in *imports.Input, root string) (string, error) {
	place, err := a.place()
	if err != nil || !f.Boxes || in.Place == "" || in.In != nil {
		return "", err
	}
	dir := filepath.Join(place.Dir, ".pawl", "boxes")
	if place.Distant() {
		if dir, err = userdir.State(a.env.Getenv); err != nil {
			return "", nil
		}
		dir = filepath.Join(dir, "boxes")
	} else if status, err := a.sharedAt(place.Dir); err != nil || status == nil && filepath.Dir(clone.Real(place.Dir)) == root {
		return "", err
	}
	id, err := clone.Of(root).Mark()
	if err != nil {
		return "", nil // nothing can be remembered of this clone
	}
	return filepath.Join(dir, sumOf([]byte(strings.Join([]string{string(id), root, place.Dir, place.Address.String(), f.Name, in.Place, fmt.Sprint(in.Under)}, "\x00")))+".json"), nil
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
