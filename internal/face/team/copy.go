package team

import (
	"context"
	"net/http"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/transfer"
)

// A copy takes over, or brings away, a whole board: no rule of a board holds for what it
// brings, so it is for administrators.

// A Copied is an opened board that can be copied as a whole.
type Copied interface{ Transfer() transfer.Local }

// whole is the board to copy; nil: it does not exist.
func (v *visit) whole(ctx context.Context, write bool) (*transfer.Local, error) {
	if v.token.Role != access.Admin {
		e := pawl.Errorf(pawl.Invalid, "to copy a whole board takes a token of the role admin, and this one has the role %s", v.token.Role)
		e.Cause = access.ErrRefused
		return nil, &refusal{why: e, status: http.StatusForbidden}
	}
	b, err := v.board(ctx, write)
	if err != nil || b == nil {
		return nil, err
	}
	is, ok := b.Board.(Copied)
	if !ok {
		return nil, pawl.Errorf(pawl.Invalid, "this server's boards cannot be copied as a whole")
	}
	local := is.Transfer()
	return &local, nil
}

func (v *visit) copyLook(w http.ResponseWriter, r *http.Request) error {
	var m remote.CopyLook
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	free()
	board, err := v.whole(r.Context(), false)
	if err != nil {
		return err
	}
	var look transfer.Look
	if board != nil {
		if look, err = board.Look(r.Context(), m.Revision); err != nil {
			return err
		}
	}
	text, err := pawl.Encode(look)
	if err != nil {
		return err
	}
	v.server.send(w, http.StatusOK, text)
	return nil
}

func (v *visit) copyRead(w http.ResponseWriter, r *http.Request) error {
	var m remote.CopyRead
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	free()
	board, err := v.whole(r.Context(), false)
	if err != nil {
		return err
	}
	if board == nil {
		return pawl.Errorf(pawl.NotFound, "the board %s does not exist yet, so it cannot be copied", v.name)
	}
	sent, err := v.server.export(r.Context(), v.token.ID)
	if err != nil {
		return err
	}
	defer sent()
	v.noteCopy(r, "copy from", 0)
	out := v.begin(w)
	defer out.end()
	for item, err := range board.Read(r.Context(), m.After) {
		if err != nil {
			out.fail(err)
			return nil
		}
		text, err := pawl.Encode(remote.Item{Copy: &item}) // which spells raw values as they are
		if err != nil {
			out.fail(err)
			return nil
		}
		if out.send([][]byte{append(text, '\n')}, item.Start != nil || item.End != nil) != nil {
			return nil
		}
	}
	return nil
}

func (v *visit) copyPart(w http.ResponseWriter, r *http.Request) error {
	var part pawl.Part
	free, err := v.read(w, r, &part)
	if err != nil {
		return err
	}
	defer free()
	ctx := context.WithoutCancel(r.Context()) // what has begun is done, though its client goes
	if err := part.Check(); err != nil {
		return err
	}
	board, err := v.whole(ctx, part.Begin != nil)
	if err != nil {
		return err
	}
	if board == nil {
		return pawl.OtherRunError()
	}
	if err := board.Receive(ctx, part); err != nil {
		return err
	}
	switch {
	case part.Begin != nil:
		v.noteCopy(r, "copy to, begun", part.Begin.Since)
	case part.End != nil:
		v.noteCopy(r, "copy to", part.End.Revision)
	}
	v.server.send(w, http.StatusOK, []byte("{}"))
	return nil
}

func (v *visit) noteCopy(r *http.Request, verb string, rev pawl.Revision) {
	e := Entry{Event: "change", Board: v.name, Token: v.token.ID, Name: v.token.Name, Verb: verb, Revision: rev}
	if w, known := r.Context().Value(wayKey{}).(way); known {
		e.By, e.From = w.by, w.from
	}
	v.server.Audit.Note(e)
}
