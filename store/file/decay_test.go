package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// A decayed journal has a part that is not as it was written. What
// became of it is drawn by a seed.
type decay struct {
	what   string
	seed   uint64
	boot   bool // the machine reboots
	blind  bool // the index is lost with it
	writes int  // changes that are made afterwards
}

func (c decay) String() string {
	return fmt.Sprintf("%s, seed %d, new start %v, index lost %v, %d changes after", c.what, c.seed, c.boot, c.blind, c.writes)
}

var decays = []string{"flip", "flip", "flip", "flip", "cut", "zeros", "garbage", "huge line", "segment gone", "older copy", "all gone"}

// deed is one change of the boards that decay.
func deed(rnd *rand.Rand) pawl.Op {
	id := pawl.ID(1 + rnd.IntN(5))
	switch rnd.IntN(5) {
	case 0:
		return pawl.AddNote{ID: id, Text: fmt.Sprint("note ", rnd.IntN(1000))}
	case 1:
		return pawl.Complete{IDs: []pawl.ID{id}, Force: true}
	case 2:
		return pawl.Reopen{IDs: []pawl.ID{id}}
	case 3:
		return pawl.ClaimTask{ID: id, Lease: pawl.Duration(time.Hour)}
	}
	return pawl.Update{ID: id, Subject: ptr(fmt.Sprint("subject ", rnd.IntN(1000)))}
}

// shortWinded is a store that begins a new segment often.
func shortWinded(t testing.TB, d *disk) *Store {
	s := simStore(t, d.process())
	s.size = 4000
	return s
}

// toil makes so many changes.
func toil(t testing.TB, d *disk, rnd *rand.Rand, n int) {
	t.Helper()
	for made := 0; made < n; {
		d.now += 1e9
		r, err := pawl.NewBoard(shortWinded(t, d)).Do(context.Background(), pawl.Request{By: by, Op: deed(rnd)})
		switch {
		case err == nil && r.Changed:
			made++
		case err != nil && (errors.Is(err, pawl.Unavailable) || errors.Is(err, pawl.Internal)):
			t.Fatal(err)
		}
	}
}

// tasksOf is the board as text; without claims, which are in the journal alone.
func tasksOf(t testing.TB, d *disk, claims bool) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, simStore(t, d.process()).View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{})
		for _, task := range page.Tasks {
			if !claims {
				task.Claim = pawl.Claim{}
			}
			fmt.Fprintf(&b, "%s %v %v\n", taskjson.EncodeFields(&task, nil), task.BlockedBy, task.Damage)
		}
		return err
	}))
	return b.String()
}

func setText(set *pawl.ChangeSet) string {
	packed := packSet(set)
	return fmt.Sprintf("%+v", packed)
}

func revisionOf(t testing.TB, d *disk) (rev pawl.Revision) {
	t.Helper()
	must.Do(t, simStore(t, d.process()).View(context.Background(), func(r pawl.Reader) error { rev = r.Revision(); return nil }))
	return rev
}

// journalText is the journal as it is now, by the names of its segments.
func journalText(d *disk) map[string]string {
	texts := map[string]string{}
	_, _, n, _ := d.find(journalDir)
	for name, file := range n.names {
		texts[name] = string(file.data)
	}
	return texts
}

// strike lets something become of the journal.
func (c decay) strike(d *disk, rnd *rand.Rand, older map[string]string) {
	_, _, dir, _ := d.find(journalDir)
	all, _ := segments(d.process())
	last := dir.names[fmt.Sprint(all[len(all)-1], ".jsonl")]
	at := dir.names[fmt.Sprint(all[rnd.IntN(len(all))], ".jsonl")]
	touch := func(n *node, data []byte) {
		d.tick()
		n.data, n.mtime, n.ctime = data, d.now, d.now
	}
	switch c.what {
	case "flip":
		data := slices.Clone(at.data)
		most := len(data)
		if c.blind && at == last { // without the index, nothing tells that the last line was committed
			most = bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
		}
		if most > 0 {
			data[rnd.IntN(most)] ^= 1 << rnd.IntN(8)
		}
		touch(at, data)
	case "cut":
		touch(last, slices.Clone(last.data[:len(last.data)-1-rnd.IntN(min(len(last.data)-1, 1500))]))
	case "zeros":
		n := 1 + rnd.IntN(min(len(last.data)-1, 1500))
		touch(last, append(slices.Clone(last.data[:len(last.data)-n]), make([]byte, n)...))
	case "garbage":
		lines := bytes.SplitAfter(at.data, []byte("\n"))
		i := rnd.IntN(len(lines))
		touch(at, bytes.Join(slices.Insert(slices.Clone(lines), i, []byte("garbage\n")), nil))
	case "huge line":
		touch(last, append(slices.Clone(last.data), bytes.Repeat([]byte("a"), 300_000)...))
	case "segment gone":
		d.drop(segmentName(all[rnd.IntN(len(all))]))
	case "older copy":
		for _, n := range all {
			name := fmt.Sprint(n, ".jsonl")
			if text, ok := older[name]; ok {
				touch(dir.names[name], []byte(text))
			} else {
				d.drop(segmentName(n))
			}
		}
	case "all gone":
		for _, n := range all {
			d.drop(segmentName(n))
		}
	}
}

// run returns what went wrong, and whether history had a hole.
func (c decay) run(t testing.TB) (problem string, hole bool) {
	rnd := rand.New(rand.NewPCG(c.seed, 7))
	d := board(t, chain("a", "b", "c"), create("d", "e"))
	n := 5 + rnd.IntN(20)
	toil(t, d, rnd, n/2)
	older := journalText(d)
	toil(t, d, rnd, n-n/2)
	was, rev := tasksOf(t, d, !c.blind), revisionOf(t, d)
	model := map[pawl.Revision]string{}
	for _, set := range changeSets(t, d) {
		model[set.Revision] = setText(&set)
	}
	first := rev - pawl.Revision(len(model)) + 1
	if c.boot {
		d.boot++
	}
	if c.blind {
		d.drop(indexName)
	}
	c.strike(d, rnd, older)

	if now := tasksOf(t, d, !c.blind); now != was {
		return fmt.Sprintf("the board is\n%sand was\n%s", now, was), false
	}
	if c.writes == 0 {
		if now := revisionOf(t, d); now < rev && !c.blind {
			return fmt.Sprintf("the board is at revision %d, and was at %d", now, rev), false
		}
		return c.follow(t, d, model, first)
	}
	mine := map[pawl.Revision]bool{}
	for range c.writes {
		d.now += 1e9
		r, err := pawl.NewBoard(shortWinded(t, d)).Do(context.Background(), pawl.Request{By: by, Op: pawl.AddNote{ID: 4, Text: "later"}})
		if err != nil {
			return fmt.Sprintf("a change after it: %v", err), false
		}
		if model[r.Revision] != "" || mine[r.Revision] {
			return fmt.Sprintf("revision %d is given again", r.Revision), false
		}
		mine[r.Revision] = true
	}
	for set, err := range simStore(t, d.process()).Changes(context.Background(), pawl.Span{After: rev}) {
		// Without the index, what the journal does not say of a file is adopted.
		if err == nil && (mine[set.Revision] || c.blind && set.By.Name == pawl.ExternalName) {
			model[set.Revision] = setText(&set)
			delete(mine, set.Revision)
		}
	}
	if len(mine) > 0 {
		return fmt.Sprintf("the changes made after it are not in history: %v", mine), false
	}
	return c.follow(t, d, model, first)
}

// follow holds history to a model: each set is as it was, none is left out
// without a word, and what is left out is named by a check.
func (c decay) follow(t testing.TB, d *disk, model map[pawl.Revision]string, first pawl.Revision) (problem string, hole bool) {
	ctx := context.Background()
	s := simStore(t, d.process())
	now := revisionOf(t, d)
	at, gone := first-1, 0
	for at < now { // as Board.Watch goes on
		before := at
		for set, err := range s.Changes(ctx, pawl.Span{After: at}) {
			e, _ := errors.AsType[*pawl.Error](err)
			switch {
			case err == nil && set.Revision != at+1:
				return fmt.Sprintf("revision %d follows %d", set.Revision, at), false
			case err == nil && model[set.Revision] != setText(&set):
				return fmt.Sprintf("revision %d is told as %s and was %s", set.Revision, setText(&set), model[set.Revision]), false
			case err == nil:
				at = set.Revision
			case e == nil || e.Kind != pawl.Gone || e.Revision <= at || e.Revision > now:
				return fmt.Sprintf("after %d of %d: %v", at, now, err), false
			default:
				at = e.Revision
				gone++
			}
		}
		if at == before {
			return fmt.Sprintf("history ends at %d of %d without a word", at, now), false
		}
	}
	var mine pawl.Revision // the newest change that an undo takes back, as far as history is told
	at = now
	for set, err := range s.Changes(ctx, pawl.Span{After: first - 1, Backward: true}) {
		if err != nil {
			if pawl.KindOf(err) != pawl.Gone {
				return err.Error(), false
			}
			hole = true
			break
		}
		if set.Revision != at || model[set.Revision] != setText(&set) {
			return fmt.Sprintf("backward, revision %d stands where %d should: %s", set.Revision, at, setText(&set)), false
		}
		at--
		if mine == 0 && set.By == by && slices.ContainsFunc(set.Changes, func(c pawl.Change) bool {
			return c.Before == nil || !slices.Equal(c.Fields, []pawl.Field{pawl.FieldClaim})
		}) {
			mine = set.Revision
		}
	}
	switch {
	case hole != (gone > 0):
		return fmt.Sprintf("forward, history has %d holes; backward, it has one: %v", gone, hole), hole
	case !hole && at != first-1:
		return fmt.Sprintf("backward, history ends at %d, and begins at %d", at, first), hole
	}
	set, err := pawl.NewBoard(s).Undoable(ctx, pawl.Actor{Name: by.Name}, nil)
	switch {
	case mine == 0 && err == nil:
		return fmt.Sprintf("revision %d is to be undone, and what came after it is not known: %v", set.Revision, err), hole
	case mine != 0 && set.Revision != mine:
		return fmt.Sprintf("revision %d is to be undone and not %d: %v", set.Revision, mine, err), hole
	}
	problems, err := s.Check(ctx)
	if err != nil {
		return err.Error(), hole
	}
	named := slices.ContainsFunc(problems, func(p pawl.Problem) bool { return p.Kind == "journal" })
	if hole && !named && d.text(segmentName(1)) != "" { // without it the history is one that was trimmed
		return fmt.Sprintf("nothing names the hole: %+v", problems), hole
	}
	return "", hole
}

// TestDecay lets journals decay in many ways. Who reads history, follows it or
// takes a change back gets what was, or is told that it is not known.
func TestDecay(t *testing.T) {
	const least = 50 // rounds, in which each kind of decay breaks history at least once
	holes := map[string]int{}
	for seed := range uint64(max(*faults/2, least)) {
		rnd := rand.New(rand.NewPCG(seed, 8))
		c := decay{what: decays[seed%uint64(len(decays))], seed: seed, boot: rnd.IntN(4) == 0, writes: []int{0, 0, 1, 1, 1, 3, 3, 70}[rnd.IntN(8)]}
		c.blind = c.what == "flip" && rnd.IntN(4) == 0
		problem, hole := c.run(t)
		if problem != "" {
			t.Fatalf("%v: %s", c, problem)
		}
		if hole {
			holes[c.what]++
		}
	}
	t.Logf("history was broken: %v", holes)
	for _, what := range []string{"flip", "cut", "zeros", "segment gone", "older copy"} {
		if holes[what] == 0 {
			t.Errorf("%s never broke history", what)
		}
	}
}

// A request is not carried out a second time because the record of the first
// cannot be read.
func TestResultDecayed(t *testing.T) {
	d := board(t, create("a"))
	ask := func() (pawl.Result, error) {
		d.now += 1e9
		return pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, ID: "once", Op: create("b")})
	}
	must.Do(t, errOf(ask()))
	do(t, d, create("c"))
	d.put(segmentName(1), strings.Replace(d.text(segmentName(1)), `"subject":"b"`, `"subject":"B"`, 1))
	if r, err := ask(); !errors.Is(err, pawl.Gone) || len(see(t, d)) != 3 {
		t.Errorf("asked again: %v, %v", r.IDs, err)
	}
}
