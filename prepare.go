package pawl

import (
	"strings"
	"unicode/utf8"
)

// A Preparer is a Reader that can prefetch data in one read. It is for stores with a
// long round trip. Nothing depends on it: data that was not prefetched is read when
// needed.
type Preparer interface {
	Reader
	// Prepare reads the data that the reads that follow will probably need.
	Prepare(Wanted) error
}

// Wanted is what requests will need of a board, as far as their ops tell.
type Wanted struct {
	Ops      []OpID   // whose results are looked up
	IDs      []ID     // tasks that are changed, and with them those that wait for them, their parents and blockers
	Sessions []string // whose claims are renewed
	Names    []string // whose claims are listed
	Next     int      // how many of the next ready tasks are claimed; zero: none
}

// prepare tells a reader what requests will need.
func prepare(r Reader, requests []Request) error {
	p, can := r.(Preparer)
	if !can {
		return nil
	}
	var w Wanted
	sessions, names := map[string]bool{}, map[string]bool{}
	for _, req := range requests {
		if req.ID != "" && len(checkOpID(req.ID)) == 0 {
			w.Ops = append(w.Ops, req.ID)
		}
		w.of(req.Op)
		if s := req.By.Session; s != "" && !sessions[s] && isText(s) {
			sessions[s] = true
			w.Sessions = append(w.Sessions, s)
		}
		if _, claims := req.Op.(ClaimTask); claims && !names[req.By.Name] && isText(req.By.Name) {
			names[req.By.Name] = true
			w.Names = append(w.Names, req.By.Name)
		}
	}
	return p.Prepare(w)
}

// isText reports whether a text can be one that a store has. Of requests nothing has
// been checked yet.
func isText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

func (w *Wanted) of(op Op) {
	var ids []ID
	switch op := op.(type) {
	case All:
		for _, one := range op.Ops {
			w.of(one)
		}
	case ClaimTask:
		if op.ID != 0 {
			ids = []ID{op.ID}
		} else {
			w.Next++
		}
	case Update:
		ids = []ID{op.ID}
		for _, some := range [][]ID{op.AddBlockedBy, op.AddBlocks} {
			ids = append(ids, some...)
		}
	case Start:
		ids = op.IDs
	case Complete:
		ids = op.IDs
	case Reopen:
		ids = op.IDs
	case Release:
		ids = op.IDs
	case Assign:
		ids = op.IDs
	case PutHold:
		ids = op.IDs
	case LiftHold:
		ids = op.IDs
	case AddNote:
		ids = []ID{op.ID}
	case Delete:
		ids = op.IDs
	case Renew:
		ids = op.IDs
	}
	for _, id := range ids {
		if id > 0 && id <= MaxID && len(w.IDs) < MaxBatch {
			w.IDs = append(w.IDs, id)
		}
	}
}
