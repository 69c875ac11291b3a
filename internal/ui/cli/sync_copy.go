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

// recall has a file of boxes tell what a person changed in this copy of it. It returns what
// keeps what the file says by now, where the board does not go with the file: other clones
// and work trees have older copies.
func (a *app) recall(ctx context.Context, f *imports.Format, in *imports.Input, r *imports.Result, board []pawl.Task) (func(), error) {
	work, err := a.project().Work()
	if err != nil || !f.Boxes || in.Place == "" || in.In != nil {
		return func() {}, err
	}
	name, err := a.copyFile(f, in, work)
	if err != nil {
		return nil, err
	}
	var seen imports.Seen
	if name != "" && (json.Unmarshal(gitdir.File(name, imports.MaxFile), &seen) != nil || seen == nil) {
		seen = imports.Seen{} // what is damaged is forgotten
	}
	var git []*imports.Result
	if a.env.Git != nil {
		texts, err := a.env.Git.Committed(ctx, filepath.Join(work, filepath.FromSlash(in.Place)))
		if err != nil {
			return nil, err
		}
		for _, raw := range texts {
			was := *in
			was.Was = raw
			if text, err := imports.Read(f, &was); err == nil { // else it cannot be read as a list
				git = append(git, text)
			}
		}
	}
	r.Recall(f, board, seen, git...)
	return func() {
		if name == "" {
			return
		}
		now, err := json.Marshal(r.Now)
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
func (a *app) copyFile(f *imports.Format, in *imports.Input, work string) (string, error) {
	place, err := a.place()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(place.Dir, ".pawl", "boxes")
	if place.Distant() {
		if dir, err = userdir.State(a.env.Getenv); err != nil {
			return "", nil
		}
		dir = filepath.Join(dir, "boxes")
	} else if status, err := a.sharedAt(place.Dir); err != nil || status == nil && filepath.Dir(clone.Real(place.Dir)) == work {
		return "", err
	}
	id, err := clone.Of(work).Mark()
	if err != nil {
		return "", nil // nothing can be remembered of this clone
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{string(id), work, place.Dir, place.Address.String(), f.Name, in.Place, fmt.Sprint(in.Under)}, "\x00")))
	return filepath.Join(dir, hex.EncodeToString(sum[:16])+".json"), nil
}
