package merge

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A file that cannot be read is merged as a text, keeps its number, and stops
// nothing.
func TestDamagedFiles(t *testing.T) {
	const torn, torn2 = `{"id": 2, "subj`, `{"id": 2, "subject": "x", "status": "cancelled"}`
	with := func(text string, more ...pawl.Task) Board {
		b := board(append(more, pawl.Task{ID: 1, Subject: "a", Blocks: ids(2)})...)
		if text != "" {
			b.Tasks[2] = []byte(text)
		}
		return b
	}
	good := string(board(pawl.Task{ID: 2, Subject: "b", BlockedBy: ids(1)}).Tasks[2])
	better := string(board(pawl.Task{ID: 2, Subject: "better", BlockedBy: ids(1)}).Tasks[2])
	for _, c := range []struct{ name, b, o, t, want, beside string }{
		{"one side tore it", good, torn, good, torn, ""},
		{"a later version changed it", good, good, torn2, torn2, ""},
		{"torn here, changed there", good, torn, better, better, torn},
		{"both tore it", good, torn, torn2, torn2, torn},
		{"mended", torn, good, torn, good, ""},
		{"deleted", torn, torn, "", "", ""},
		{"deleted, and torn there", good, torn, "", torn, ""},
		{"torn in one way", good, torn, torn, torn, ""},
		{"new", "", torn, "", torn, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			// A task of theirs is new, so that there is something to merge.
			m, r := Boards([]Board{with(c.b)}, with(c.o), with(c.t, pawl.Task{ID: 3, Subject: "new"}))
			again, _ := Boards([]Board{with(c.b)}, with(c.t, pawl.Task{ID: 3, Subject: "new"}), with(c.o))
			if !sameBoard(m, again) {
				t.Fatalf("not symmetric:\n%s", differ(m, again))
			}
			want(t, "#2", string(m.Tasks[2]), c.want)
			want(t, "#3 is there", len(m.Tasks[3]) > 0, true)
			beside := ""
			for _, l := range r.Beside {
				beside += string(l.Text)
			}
			want(t, "beside", beside, c.beside)
			want(t, "kept", len(r.Kept), 0)
			if m2, _ := Boards([]Board{with(c.b)}, m, with(c.b)); !sameBoard(m, m2) {
				t.Errorf("the base again:\n%s", differ(m, m2))
			}
		})
	}
}

// What new tasks want the number of a damaged file get another one.
func TestDamagedFileKeepsItsNumber(t *testing.T) {
	o, th := board(), board(pawl.Task{ID: 2, Subject: "b", Blocks: ids(3)}, pawl.Task{ID: 3, Subject: "c", BlockedBy: ids(2)})
	o.Tasks[2] = []byte("<<<<<<< ours\n")
	o.Tasks[7] = []byte(`{"id": 8}`)
	m, r := Boards(nil, o, th)
	want(t, "texts", fmt.Sprintf("%s%s", m.Tasks[2], m.Tasks[7]), fmt.Sprintf("%s%s", th.Tasks[2], o.Tasks[7]))
	want(t, "beside", len(r.Beside), 1)
	// With a history in which it was another task.
	base := board(pawl.Task{ID: 2, Subject: "old"})
	m, _ = Boards([]Board{base}, o, th)
	if len(m.Tasks) != 4 && len(m.Tasks) != 3 {
		t.Errorf("%d files", len(m.Tasks))
	}
}

// A folder that is not a board of Pawl's, or is hostile, is merged like any other.
func TestOddBoards(t *testing.T) {
	for _, text := range []string{"", "{}", "\x00", `{"id":1}`, `{"id":1,"blocks":[1],"blockedBy":[1],"parent":1}`, `{"id":"1","was":[1,1,1],"createdAt":0}`,
		`{"id":1,"was":[4503599627370496],"notes":"x","hold":"y","labels":["a","a"]}`, `{"id":1,"metadata":{"ref":null}}`, `{"id":1,"extra":{"a":[[[[]]]]}}`} {
		odd := Board{Tasks: map[pawl.ID][]byte{1: []byte(text)}}
		for _, other := range []Board{{}, board(pawl.Task{ID: 1, Subject: "a"}), board(pawl.Task{ID: 5, Subject: "a", BlockedBy: ids(1), Parent: 1})} {
			for _, base := range [][]Board{nil, {odd}, {other}, {{}}, {odd, other}} {
				m, _ := Boards(base, odd, other)
				again, _ := Boards(base, other, odd)
				if !sameBoard(m, again) {
					t.Errorf("%q: not symmetric:\n%s", text, differ(m, again))
				}
				if m2, _ := Boards([]Board{m}, m, m); !sameBoard(m, m2) {
					t.Errorf("%q: no no-op:\n%s", text, differ(m, m2))
				}
			}
		}
	}
}

// Whatever is torn, the rest is merged, and every text is on the board or beside it.
func TestAnyDamage(t *testing.T) {
	for seed := range uint64(*histories) {
		seed += uint64(*from)
		s := newSim(seed + 5e6)
		base := Board{Tasks: map[pawl.ID][]byte{}}
		for range 3 + s.rng.IntN(8) {
			base = s.act(base, 1)
		}
		sides := []Board{base, base, base}
		for range 2 + s.rng.IntN(10) {
			i := s.rng.IntN(2)
			sides[i] = s.act(sides[i], i)
		}
		whole := map[string]bool{} // tasks that are new on a side, and not torn
		known := byName(open(base))
		for i := range sides {
			torn := Board{Tasks: maps.Clone(sides[i].Tasks), Mark: sides[i].Mark}
			for id, text := range sides[i].Tasks {
				if s.rng.IntN(4) == 0 {
					torn.Tasks[id] = text[:s.rng.IntN(len(text)-2)]
					continue
				}
				name := uid(open(Board{Tasks: map[pawl.ID][]byte{id: text}}).tasks[id])
				whole[name] = whole[name] || i < 2 && known[name] == nil
			}
			sides[i] = torn
		}
		o, th, b := sides[0], sides[1], sides[2]
		m, r := Boards([]Board{b}, o, th)
		again, mirror := Boards([]Board{b}, th, o)
		if !sameBoard(m, again) || !untouched([]Board{b}, o, th) && !mirrored(r, mirror) {
			t.Fatalf("history %d: not symmetric:\n%s\n%+v\n%+v", seed, differ(m, again), r, mirror)
		}
		all := ""
		for _, text := range m.Tasks {
			all += string(text)
		}
		for _, l := range r.Beside {
			all += string(l.Text)
		}
		for name, is := range whole {
			if is && !strings.Contains(all, `"`+name+`"`) {
				t.Fatalf("history %d: %s is lost", seed, name)
			}
		}
		for _, side := range []Board{o, th} {
			if m2, _ := Boards([]Board{side}, m, side); !sameBoard(m, m2) {
				t.Fatalf("history %d: a side again:\n%s", seed, differ(m, m2))
			}
		}
	}
}

// Circles that go through thousands of tasks are cut in good time.
func TestManyCircles(t *testing.T) {
	const n = 3_000
	chain := func(step pawl.ID) Board {
		var tasks []pawl.Task
		for id := pawl.ID(1); id <= n; id++ {
			task := pawl.Task{ID: id, Subject: "t", CreatedAt: at(int(id))}
			if on := id - step; on >= 1 && on <= n {
				task.BlockedBy = ids(on)
			}
			if next := id + step; next >= 1 && next <= n {
				task.Blocks = ids(next)
			}
			tasks = append(tasks, task)
		}
		return board(tasks...)
	}
	base := chain(2 * n)
	_, r, m := bothWays(t, []Board{base}, chain(1), chain(-1))
	if err := wholeEdges(m); err != nil {
		t.Error(err)
	}
	want(t, "cut", len(r.Cut), n-1)
}

func wholeEdges(m Board) error {
	next := map[pawl.ID][]pawl.ID{}
	for id, task := range open(m).tasks {
		next[id] = task.BlockedBy
	}
	state := map[pawl.ID]int{}
	var visit func(id pawl.ID) error
	visit = func(id pawl.ID) error {
		if state[id] == 1 {
			return fmt.Errorf("%v is in a cycle", id)
		}
		if state[id] == 2 {
			return nil
		}
		state[id] = 1
		for _, on := range next[id] {
			if err := visit(on); err != nil {
				return err
			}
		}
		state[id] = 2
		return nil
	}
	for id := range next {
		if err := visit(id); err != nil {
			return err
		}
	}
	return nil
}
