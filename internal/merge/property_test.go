package merge

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

var (
	histories = flag.Int("histories", 60, "how many random histories the property tests go through")
	from      = flag.Int("from", 0, "the first of them")
)

// Two clones that did anything merge, whoever merges.
func TestAnyTwoBoards(t *testing.T) {
	var total tally
	for seed := range *histories {
		seed += *from
		if err := pairOf(uint64(seed), &total); err != nil {
			t.Fatalf("history %d: %v", seed, err)
		}
	}
	t.Logf("%+v", total)
	if *histories >= 400 && (total.Moved == 0 || total.Cut == 0 || total.Kept == 0 || total.Both == 0 || total.Reopened == 0 || total.Noted == 0) {
		t.Errorf("the histories lack something: %+v", total)
	}
}

// tally counts what happened in the histories.
type tally struct{ Moved, Cut, Kept, Both, Reopened, Noted, Unclear, Beside, Waiting int }

func (n *tally) add(r Report) {
	n.Moved += len(r.Moved)
	n.Cut += len(r.Cut)
	n.Kept += len(r.Kept)
	n.Both += len(r.Both)
	n.Reopened += len(r.Reopened)
	n.Noted += len(r.Noted)
	n.Unclear += len(r.Unclear)
	n.Beside += len(r.Beside)
	n.Waiting += len(r.Waiting)
}

// pairOf makes one history of three clones from one base and checks every promise.
func pairOf(seed uint64, total *tally) (err error) {
	s := newSim(seed)
	base := Board{Tasks: map[pawl.ID][]byte{}}
	for range s.rng.IntN(12) {
		base = s.act(base, 1)
	}
	s.gone = map[string]bool{}
	sides := []Board{base, base, base}
	for range s.rng.IntN(14) {
		i := s.rng.IntN(3)
		sides[i] = s.act(sides[i], i)
	}
	o, t, u := sides[0], sides[1], sides[2]
	merge := func(bases []Board, o, t Board) Board {
		m, r := Boards(bases, o, t)
		total.add(r)
		again, mirror := Boards(bases, t, o)
		switch {
		case err != nil:
		case !sameBoard(m, again):
			err = fmt.Errorf("not symmetric:\n%s", differ(m, again))
		case !untouched(bases, o, t) && !mirrored(r, mirror):
			err = fmt.Errorf("the report is not mirrored:\n%+v\n%+v", r, mirror)
		default:
			if err = check(s, bases, o, t, m, r); err != nil {
				err = fmt.Errorf("%w\nbases\n%sours\n%stheirs\n%smerged\n%s", err, brief(bases...), brief(o), brief(t), brief(m))
			}
		}
		return m
	}
	same := func(what string, want Board, bases []Board, o, t Board) {
		m, _ := Boards(bases, o, t)
		if err == nil && !sameBoard(m, want) {
			err = fmt.Errorf("%s:\n%s", what, differ(want, m))
		}
	}
	one := []Board{base}
	m1, m2 := merge(one, o, t), merge(one, t, u)
	same("merged again", m1, []Board{m1}, m1, m1)
	same("ours merged again", m1, []Board{o}, m1, o)
	same("theirs merged again", m1, []Board{t}, t, m1)
	same("the base merged again", m1, one, m1, base)
	if err != nil {
		return err
	}
	c := merge([]Board{t}, m1, m2)
	// Criss-cross: each merges the other's tip before it went on.
	x1, x2 := s.act(m1, 0), s.act(m1, 1)
	n1, n2 := merge([]Board{o}, x1, s.act(o, 0)), merge([]Board{t}, x2, s.act(t, 1))
	merge([]Board{m1, t}, n1, n2)
	x := merge([]Board{o, t}, m1, s.act(m1, 2))
	same("after a criss-cross", x, []Board{m1}, x, m1)
	same("the third merged again", c, []Board{u}, u, c)
	return err
}

var mention = regexp.MustCompile(`#(\d+) \((u\d+)\)`)

// check checks a merged board against what went in.
func check(s *sim, bases []Board, o, t, m Board, r Report) error {
	merged, ours, theirs := s.look(m), s.look(o), s.look(t)
	at, oat, tat := byName(merged), byName(ours), byName(theirs)
	known := map[string]bool{}
	had := map[string][]*pawl.Task{}
	var olds []*table
	for _, b := range bases {
		olds = append(olds, s.look(b))
		for name, tasks := range byName(olds[len(olds)-1]) {
			known[name] = true
			had[name] = append(had[name], tasks...)
		}
		for _, g := range b.Gone { // a side can have it again: what it had said is not new, and can be changed
			for name, tasks := range byName(s.look(Board{Tasks: map[pawl.ID][]byte{g.ID: g.Text}})) {
				had[name] = append(had[name], tasks...)
			}
		}
	}
	for _, side := range []map[string][]*pawl.Task{oat, tat} {
		for name, tasks := range side {
			n := len(at[name])
			both := len(oat[name]) > 0 && len(tat[name]) > 0
			if n == 0 && (!known[name] || both) {
				return fmt.Errorf("%s is lost", name)
			}
			old := saidIn(had[name])
			for said := range saidIn(tasks) {
				if n == 0 && !old[said] {
					return fmt.Errorf("%s is lost, and with it %s", name, said)
				}
			}
			if n > max(1, len(oat[name]), len(tat[name])) && !s.odd[name] && known[name] {
				return fmt.Errorf("%s is there %d times", name, n)
			}
		}
	}
	for name, tasks := range at {
		if len(oat[name])+len(tat[name]) == 0 {
			return fmt.Errorf("%s came back", name)
		}
		if s.odd[name] {
			continue
		}
		if err := checkTask(tasks, had[name], oat[name], tat[name]); err != nil {
			return fmt.Errorf("%s: %v", name, err)
		}
		if len(tasks) == 1 && len(oat[name]) == 1 && len(tat[name]) == 1 && len(had[name]) <= 1 && len(bases) == 1 {
			if err := checkShown(tasks[0], oat[name][0], tat[name][0], had[name]); err != nil {
				return fmt.Errorf("%s: %v", name, err)
			}
		}
	}
	if err := whole(merged); err != nil {
		return err
	}
	if merged.mark < max(ours.mark, theirs.mark) || merged.last() < max(ours.last(), theirs.last()) {
		return fmt.Errorf("numbers may come again: %v after %v and %v", merged.last(), ours.last(), theirs.last())
	}
	return checkEdges(bases, olds, ours, theirs, merged, r)
}

// whole checks that a board is as Pawl keeps it: edges on both sides, no cycle,
// and nothing completed that waits, or has an open child.
func whole(merged *table) error {
	for id, task := range merged.tasks {
		if task.ID != id {
			return fmt.Errorf("%v says that it is %v", id, task.ID)
		}
		for _, b := range task.BlockedBy {
			if merged.tasks[b] == nil || !merged.tasks[b].Open() || !slices.Contains(merged.tasks[b].Blocks, id) {
				return fmt.Errorf("%v waits for %v, which does not block it", id, b)
			}
		}
		for _, w := range task.Blocks {
			if other := merged.tasks[w]; other == nil || task.Open() && other.Open() && !slices.Contains(other.BlockedBy, id) {
				return fmt.Errorf("%v blocks %v, which does not wait for it", id, w)
			}
		}
		if !task.Open() && len(task.BlockedBy) > 0 {
			return fmt.Errorf("%v is completed and waits for %v", id, task.BlockedBy)
		}
		for _, n := range merged.needs(id) {
			if merged.reaches(n, id) {
				return fmt.Errorf("%v is in a cycle through %v", id, n)
			}
		}
		if p := merged.tasks[task.Parent]; task.Parent != 0 && (p == nil || task.Open() && !p.Open()) {
			return fmt.Errorf("%v is an open child of %v: %+v", id, task.Parent, p)
		}
	}
	return nil
}

func byName(t *table) map[string][]*pawl.Task {
	all := map[string][]*pawl.Task{}
	for _, id := range t.ids() {
		all[uid(t.tasks[id])] = append(all[uid(t.tasks[id])], t.tasks[id])
	}
	return all
}

var named = regexp.MustCompile(`\b[nsdhm]\d+\b`)

// saidIn are the names of the texts and labels of tasks.
func saidIn(tasks []*pawl.Task) map[string]bool {
	all := map[string]bool{}
	for _, t := range tasks {
		for _, text := range textsOf(t) {
			for _, name := range named.FindAllString(text, -1) {
				all[name] = true
			}
		}
		for _, label := range t.Labels {
			all[label] = true
		}
	}
	return all
}

// checkTask checks that nothing which a side added to a task is lost: a text is
// there, in its place or in a note.
func checkTask(m, b, o, t []*pawl.Task) error {
	old, has := saidIn(b), saidIn(m)
	for _, side := range [][]*pawl.Task{o, t} {
		for name := range saidIn(side) {
			if !old[name] && !has[name] {
				return fmt.Errorf("%s is lost", name)
			}
		}
	}
	seen := map[string]bool{}
	for _, n := range m[0].Notes {
		if name := named.FindString(n.Text); name != "" && strings.HasPrefix(name, "n") {
			if seen[name] {
				return fmt.Errorf("note %s is there twice", name)
			}
			seen[name] = true
		}
	}
	return nil
}

// checkEdges checks that no edge is lost that a side added, and that the texts that
// a side wrote name the tasks that were meant.
func checkEdges(bases []Board, olds []*table, ours, theirs, merged *table, r Report) error {
	edges := func(t *table) map[[2]string]bool {
		all := map[[2]string]bool{}
		for _, id := range t.ids() {
			for _, b := range t.waits(id) {
				all[[2]string{uid(t.tasks[id]), uid(t.tasks[b])}] = true
			}
		}
		return all
	}
	old, texts := map[[2]string]bool{}, map[string]bool{}
	for _, b := range olds {
		maps.Copy(old, edges(b))
		for _, task := range b.tasks {
			for _, text := range textsOf(task) {
				texts[text] = true
			}
		}
	}
	at := byName(merged)
	have := edges(merged)
	lost := 0
	for _, side := range []*table{ours, theirs} {
		for e := range edges(side) {
			if !old[e] && !have[e] && at[e[0]] != nil && at[e[1]] != nil {
				lost++
			}
		}
	}
	if lost > 2*len(r.Cut) {
		return fmt.Errorf("%d edges are lost, %d were cut", lost, len(r.Cut))
	}
	for _, side := range []*table{ours, theirs} {
		for _, task := range side.tasks {
			for _, text := range textsOf(task) {
				if texts[text] {
					continue
				}
				for _, found := range mention.FindAllStringSubmatch(text, -1) {
					var id pawl.ID
					fmt.Sscan(found[1], &id)
					if side.tasks[id] == nil || uid(side.tasks[id]) != found[2] || len(at[found[2]]) != 1 || len(at[uid(task)]) != 1 {
						continue
					}
					name := regexp.MustCompile(`\b[unsdh]\d+\b`).FindString(text)
					want := fmt.Sprintf("%v (%s)", at[found[2]][0].ID, found[2])
					for _, now := range textsOf(at[uid(task)][0]) {
						if i := strings.Index(now, name+" "); i >= 0 && !strings.Contains(now[i:], want) {
							return fmt.Errorf("%q became %q, want %s", text, now, want)
						}
					}
				}
			}
		}
	}
	return nil
}

func textsOf(t *pawl.Task) []string {
	texts := []string{t.Subject, t.Description}
	for _, n := range t.Notes {
		texts = append(texts, n.Text)
	}
	if t.Hold != nil {
		texts = append(texts, t.Hold.Reason)
	}
	return texts
}

// untouched reports whether one side is as the base: there is nothing to tell then
// of the other.
func untouched(bases []Board, o, t Board) bool {
	return len(bases) == 1 && (sameBoard(bases[0], o) || sameBoard(bases[0], t))
}

// mirrored reports whether two reports say the same of swapped sides.
func mirrored(a, b Report) bool {
	turn := func(s Side) Side {
		if s == Ours {
			return Theirs
		}
		return Ours
	}
	b.Moved, b.Kept, b.Both, b.Noted = slices.Clone(b.Moved), slices.Clone(b.Kept), slices.Clone(b.Both), slices.Clone(b.Noted)
	for i := range b.Moved {
		b.Moved[i].Side = turn(b.Moved[i].Side)
	}
	for i := range b.Kept {
		b.Kept[i].Deleted = turn(b.Kept[i].Deleted)
	}
	for i := range b.Both {
		b.Both[i].Ours, b.Both[i].Theirs = b.Both[i].Theirs, b.Both[i].Ours
	}
	for i := range b.Noted {
		b.Noted[i].Side = turn(b.Noted[i].Side)
	}
	a.Arrived, b.Arrived, a.Changed, b.Changed, a.Deleted, b.Deleted = nil, nil, nil, nil, nil, nil
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// brief shows boards, a line for each task.
func brief(boards ...Board) string {
	var out strings.Builder
	for _, b := range boards {
		t := open(b)
		for _, id := range t.ids() {
			k := t.tasks[id]
			fmt.Fprintf(&out, "  %v %s %q was %v made %d %s by %v blocks %v parent %d\n",
				id, uid(k), k.Subject, k.Was, k.CreatedAt.UnixMilli()%100000, k.Status, k.BlockedBy, k.Blocks, k.Parent)
		}
	}
	return out.String()
}

// differ shows how two boards differ.
func differ(a, b Board) string {
	var out strings.Builder
	if a.Mark != b.Mark {
		fmt.Fprintf(&out, "marks %v and %v\n", a.Mark, b.Mark)
	}
	ids := slices.Sorted(maps.Keys(a.Tasks))
	for id := range b.Tasks {
		if a.Tasks[id] == nil {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if !bytes.Equal(a.Tasks[id], b.Tasks[id]) {
			fmt.Fprintf(&out, "%v:\n%s\n---\n%s\n", id, a.Tasks[id], b.Tasks[id])
		}
	}
	return out.String()
}
