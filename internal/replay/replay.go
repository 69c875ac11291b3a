package replay

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// Load makes the film of a board as the one called name sees it, of its newest
// limit change sets, and of at most [MaxSteps]; zero: of so many. It leaves out
// sets that are committed while it reads.
func Load(ctx context.Context, b *pawl.Board, name string, limit int) (*Film, error) {
	p := Present{Name: name}
	err := b.Recorded(ctx, func(r pawl.Reader) error {
		p.Revision, p.Now, p.Tasks = r.Revision(), r.Now(), nil
		for q := (pawl.Query{Limit: pawl.MaxPage, Brief: true}); ; {
			page, err := r.Select(q)
			if err != nil {
				return err
			}
			p.Tasks = append(p.Tasks, page.Tasks...)
			if q.After = page.Next; q.After == nil {
				return nil
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if limit <= 0 || limit > MaxSteps {
		limit = MaxSteps
	}
	return p.Film(b.Changes(ctx, pawl.Span{Backward: true}), limit)
}

// A Present is a board as it is now, where its history leads to.
type Present struct {
	Revision pawl.Revision
	Now      time.Time   // by the board's clock
	Tasks    []pawl.Task // all, as recorded: a lease that has ended is not settled; brief ones will do
	Name     string      // who looks
}

// Film makes the film from the change sets that led here, the newest first: the
// last ones, at most limit.
func (p Present) Film(sets iter.Seq2[pawl.ChangeSet, error], limit int) (*Film, error) {
	r := reel{
		board: board{tasks: make(map[pawl.ID]*facts, len(p.Tasks)), open: map[pawl.ID]int{}},
		told:  undos{wanted: map[pawl.Revision]bool{}, kept: map[pawl.Revision]told{}},
	}
	for i := range p.Tasks {
		r.board.put(p.Tasks[i].ID, factsOf(&p.Tasks[i]))
	}
	if err := r.wind(p.Revision, sets, limit); err != nil {
		return nil, err
	}
	r.told.tell(r.takes)
	film := &Film{Envelope: wire.NewEnvelope("replay"), Revision: p.Revision, From: r.from, Cut: r.cut}
	s := screen{board: r.board, name: p.Name, shown: make(map[pawl.ID]Standing, len(p.Tasks)), latest: make(map[pawl.ID]string, len(p.Tasks))}
	film.Start = s.show(slices.Collect(maps.Keys(r.board.tasks)))
	film.Steps = make([]Step, 0, len(r.takes))
	for _, t := range slices.Backward(r.takes) {
		t.step.Changes = s.play(t.changes)
		film.Steps = append(film.Steps, t.step)
	}
	film.Now = s.now(p)
	film.Tasks = s.title(film)
	return film, nil
}

// screen shows the board of one revision after the other.
type screen struct {
	board  board
	name   string
	shown  map[pawl.ID]Standing // the tasks that are there, as they were shown last
	latest map[pawl.ID]string   // what each was called last
}

// play carries a step out and tells what it changed.
func (s *screen) play(changes []change) []Standing {
	touched := make([]pawl.ID, 0, len(changes))
	touch := func(id pawl.ID) {
		touched = append(touched, id)
		if f := s.board.tasks[id]; f != nil && f.parent != 0 {
			touched = append(touched, f.parent)
		}
	}
	for _, c := range changes {
		touch(c.id)
		s.board.redo(c)
		touch(c.id)
	}
	return s.show(touched)
}

// show tells of those tasks that stand otherwise than they were shown last.
func (s *screen) show(ids []pawl.ID) []Standing {
	slices.Sort(ids)
	changed := []Standing{}
	for _, id := range slices.Compact(ids) {
		changed = s.differs(changed, s.board.standing(id, s.name))
	}
	return changed
}

// differs adds a standing to list when it is not as it was shown last.
func (s *screen) differs(list []Standing, is Standing) []Standing {
	was, shown := s.shown[is.ID]
	if is == was || is.Gone && !shown {
		return list
	}
	if is.Gone {
		delete(s.shown, is.ID)
	} else {
		s.shown[is.ID], s.latest[is.ID] = is, is.Subject
	}
	return append(list, is)
}

// now tells which tasks readers see otherwise than history leaves them.
func (s *screen) now(p Present) []Standing {
	there := make(map[pawl.ID]bool, len(p.Tasks))
	otherwise := []Standing{}
	for i := range p.Tasks {
		t := p.Tasks[i].Settle(p.Now)
		there[t.ID] = true
		otherwise = s.differs(otherwise, Standing{ID: t.ID, State: query.StateOf(&t, p.Name).Name(), Owner: t.Owner, Subject: t.Subject})
	}
	for id := range s.shown {
		if !there[id] {
			otherwise = s.differs(otherwise, Standing{ID: id, Gone: true})
		}
	}
	slices.SortFunc(otherwise, func(a, b Standing) int { return cmp.Compare(a.ID, b.ID) })
	return otherwise
}

// title lists what the tasks are called, and takes that out of the film where it
// is the same.
func (s *screen) title(film *Film) []Named {
	leave := func(list []Standing) {
		for i := range list {
			if list[i].Subject == s.latest[list[i].ID] {
				list[i].Subject = ""
			}
		}
	}
	leave(film.Start)
	for i := range film.Steps {
		leave(film.Steps[i].Changes)
	}
	leave(film.Now)
	named := make([]Named, 0, len(s.latest))
	for _, id := range slices.Sorted(maps.Keys(s.latest)) {
		named = append(named, Named{id, s.latest[id]})
	}
	return named
}
