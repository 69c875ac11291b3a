package file

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"slices"

	"github.com/pawl-dev/pawl"
)

// rewroteSum marks the result of a rewriting. It stands where that of a request has
// a hash of the op, so that no request is taken for one with the same op id.
const rewroteSum = 1

type rewrote struct {
	Sum      uint64        `json:"sum"`
	Revision pawl.Revision `json:"revision"`
}

func rewroteAs(rev pawl.Revision) []byte {
	text, err := json.Marshal(rewrote{rewroteSum, rev})
	if err != nil {
		panic("file: a result cannot be encoded: " + err.Error()) // numbers only
	}
	return text
}

// rewroteAt is the revision in a result; zero: it cannot be read.
func rewroteAt(result []byte) pawl.Revision {
	var r rewrote
	if json.Unmarshal(result, &r) != nil {
		return 0
	}
	return r.Revision
}

// Ran returns the revision of the change set with an op id. Unlike
// [pawl.Reader.Result] it searches all of the history that is kept, the newest
// first, and so finds sets older than a day, too.
func (s *Store) Ran(ctx context.Context, op pawl.OpID) (rev pawl.Revision, ran bool, err error) {
	h, err := s.history(ctx)
	if err != nil {
		return 0, false, err
	}
	key, err := json.Marshal(op)
	if err != nil {
		return 0, false, err
	}
	key = append([]byte(`"op":`), key...)
	for i := len(h.segments) - 1; i >= 0; i-- {
		lines, _, err := h.lines(i)
		if err != nil {
			return 0, false, err
		}
		for _, l := range slices.Backward(lines) {
			var r struct{ Sets []journalSet }
			if !bytes.Contains(l.body, key) || json.Unmarshal(l.body, &r) != nil {
				continue
			}
			for i := range r.Sets {
				if r.Sets[i].Op == op {
					return r.Sets[i].Rev, true, nil
				}
			}
		}
	}
	return 0, false, nil
}

// A Recorded is a change set, and the tasks that have another number because of it.
type Recorded struct {
	pawl.ChangeSet
	Moved []Move
}

// Since returns the sets after a revision, up to Files.Revision, as [Store.Changes]
// does. It may be called inside the function given to Rewrite.
func (f *Files) Since(after pawl.Revision) iter.Seq2[Recorded, error] {
	return func(yield func(Recorded, error) bool) {
		if f.past == nil || f.Revision <= after {
			return
		}
		h := *f.past
		h.span, h.upTo = pawl.Span{After: after}, h.revision
		h.forward(func(set pawl.ChangeSet, err error) bool { return yield(Recorded{set, h.moved}, err) })
	}
}

// Files returns the texts of the board's files as they are.
func (s *Store) Files(ctx context.Context) (*Files, error) {
	for n := 1; ; n++ {
		f, err := s.files(ctx)
		if err != errAgain || n == attempts {
			return f, err
		}
	}
}

func (s *Store) files(ctx context.Context) (*Files, error) {
	defer s.fs.Hold()()
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	s.use()
	r, err := s.presentWhole(ctx)
	if err != nil {
		return nil, err
	}
	f, _, err := s.allFiles(r)
	if err != nil {
		return nil, err
	}
	f.Edited = r.edited
	if f.past = (&history{}); s.loaded.exists {
		f.past, err = s.loadedHistory()
	}
	return f, err
}

// Revision returns the board's revision, and whether another program has edited
// files since. It reads no file whose stat is unchanged.
func (s *Store) Revision(ctx context.Context) (rev pawl.Revision, edited bool, err error) {
	defer s.fs.Hold()()
	if err := s.enter(ctx); err != nil {
		return 0, false, err
	}
	defer s.leave()
	s.use()
	r, err := s.presentWhole(ctx)
	if err != nil {
		return 0, false, err
	}
	return r.revision, r.edited, nil
}

// presentWhole is present where a newer version has not written the board's state.
func (s *Store) presentWhole(ctx context.Context) (*reader, error) {
	r, err := s.present(ctx)
	if err == nil {
		err = r.newer
	}
	return r, err
}
