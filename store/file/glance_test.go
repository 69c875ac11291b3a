package file

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// viewed is a store without a quick answer.
type viewed struct{ pawl.Store }

// glancer opens the board as a new process does, which may only look.
func glancer(t testing.TB, d *disk, now time.Time) *Store {
	t.Helper()
	s, err := Open("sim", withFS(d.process()), WithClock(func() time.Time { return now }))
	must.Do(t, err)
	s.pause = func(time.Duration) {}
	return s
}

// looking makes sure that nothing is written until done.
func looking(t testing.TB, d *disk) (done func()) {
	before := d.before
	d.before = func(call int, op, name string) error {
		switch op {
		case "create", "mkdir", "rename", "renamenew", "exchange", "remove", "write", "truncate", "sync", "fdatasync":
			t.Errorf("a glance does %s of %s", op, name)
		}
		return nil
	}
	return func() { d.before = before }
}

// quick is a glance by a process of its own, and whether it was a quick one.
func quick(t testing.TB, d *disk, now time.Time, q pawl.GlanceQuery) (pawl.Glance, bool) {
	t.Helper()
	defer looking(t, d)()
	slices.Sort(q.IDs)
	g, ok, err := glancer(t, d, now).Glance(context.Background(), q)
	must.Do(t, err)
	return g, ok
}

// slow is the same by a view.
func slow(t testing.TB, d *disk, now time.Time, q pawl.GlanceQuery) pawl.Glance {
	t.Helper()
	g, err := pawl.NewBoard(viewed{glancer(t, d, now)}).Glance(context.Background(), q)
	must.Do(t, err)
	return g
}

// Parts of a glance that are compared.
const (
	place  = 1 << iota // of tasks in the order
	around             // what follows for tasks from others
	next               // the ready ones, and the revision
	all    = place | around | next
)

func glanceText(g pawl.Glance, parts int) string {
	var b strings.Builder
	tell := func(what string, tasks []pawl.Task) {
		fmt.Fprintln(&b, what)
		for _, t := range tasks {
			if parts&around == 0 {
				t.BlockedBy, t.Blocks, t.Blockers, t.Children, t.OpenChildren = nil, nil, nil, nil, 0
			}
			fmt.Fprintf(&b, "  %s %+v %d %v %v %d %q", taskjson.EncodeFields(&t, nil), t.Claim, t.Expired, t.Blockers, t.Children, t.OpenChildren, t.Damage)
			if parts&place != 0 {
				fmt.Fprint(&b, t.Urgency, t.Height)
			}
			fmt.Fprintln(&b)
		}
	}
	tell("held", g.Claimed)
	tell("tasks", g.Tasks)
	if parts&next != 0 {
		tell(fmt.Sprint("ready of ", g.Free, " at ", g.Revision), g.Ready)
	}
	return b.String()
}

// agree compares a quick glance with a view of the same board.
func agree(t testing.TB, d *disk, now time.Time, q pawl.GlanceQuery, parts int) (ok bool) {
	t.Helper()
	g, ok := quick(t, d, now, q)
	if !ok {
		return false
	}
	if got, want := glanceText(g, parts), glanceText(slow(t, d, now, q), parts); got != want {
		t.Fatalf("%+v: a glance shows\n%sand a view\n%s", q, got, want)
	}
	return true
}

func mustAgree(t testing.TB, d *disk, now time.Time, q pawl.GlanceQuery) {
	t.Helper()
	if !agree(t, d, now, q, all) {
		t.Fatalf("%+v: there is no quick answer", q)
	}
}

// An office is some people and agents at work on a board.
type office struct {
	t   testing.TB
	d   *disk
	rnd *rand.Rand
	now time.Time
	log []string
	max int // tasks
}

func (o *office) id() pawl.ID { return pawl.ID(1 + o.rnd.IntN(o.max)) }

func (o *office) query() pawl.GlanceQuery {
	q := pawl.GlanceQuery{Session: fmt.Sprint("s", o.rnd.IntN(4)), Ready: o.rnd.IntN(pawl.MaxGlance + 1), For: fmt.Sprint("n", o.rnd.IntN(3))}
	for range o.rnd.IntN(5) {
		if id := o.id(); !slices.Contains(q.IDs, id) {
			q.IDs = append(q.IDs, id)
		}
	}
	return q
}

// work does something that may well be refused.
func (o *office) work() {
	by := pawl.Actor{Name: fmt.Sprint("n", o.rnd.IntN(3)), Session: fmt.Sprint("s", o.rnd.IntN(4))}
	lease := time.Duration(o.rnd.IntN(3)) * time.Minute
	id, other := o.id(), o.id()
	ids := []pawl.ID{id}
	op := []pawl.Op{
		pawl.Create{Tasks: []pawl.NewTask{{Subject: "one more", Priority: pawl.Priority(o.rnd.IntN(3) - 1)}, {Subject: "and one", BlockedBy: []pawl.Ref{pawl.RefID(id)}}}},
		pawl.ClaimTask{Lease: pawl.Duration(lease)}, pawl.ClaimTask{Lease: pawl.Duration(lease)}, pawl.ClaimTask{ID: id, Lease: pawl.Duration(lease)},
		pawl.Renew{}, pawl.AddNote{ID: id, Text: "hm"},
		pawl.Complete{IDs: ids, Force: true}, pawl.Complete{IDs: ids}, pawl.Reopen{IDs: ids}, pawl.Release{IDs: ids, Force: true},
		pawl.Assign{IDs: ids, Owner: fmt.Sprint("n", o.rnd.IntN(3))}, pawl.Assign{IDs: ids},
		pawl.PutHold{IDs: ids, Reason: "wait"}, pawl.LiftHold{IDs: ids},
		pawl.Update{ID: max(id, other), AddBlockedBy: []pawl.ID{min(id, other)}},
		pawl.Update{ID: max(id, other), RemoveBlockedBy: []pawl.ID{min(id, other)}},
		pawl.Update{ID: id, Priority: ptr(pawl.Priority(o.rnd.IntN(3) - 1))},
		pawl.Update{ID: min(id, other), Parent: ptr(max(id, other))},
		pawl.Delete{IDs: ids},
	}[o.rnd.IntN(19)]
	if _, more := op.(pawl.Create); more && o.max > 40 {
		op = pawl.Renew{}
	}
	r, err := pawl.NewBoard(glancer(o.t, o.d, o.now)).Do(context.Background(), pawl.Request{By: by, Op: op})
	if n := len(r.IDs); err == nil && n > 0 {
		o.max = max(o.max, int(slices.Max(r.IDs)))
	}
	o.log = append(o.log, fmt.Sprintf("%v: %T %+v: %v", by, op, op, err))
	if o.rnd.IntN(6) == 0 {
		o.now = o.now.Add(time.Duration(o.rnd.IntN(90)) * time.Second)
	}
	if o.rnd.IntN(4) == 0 {
		o.d.now += int64(o.rnd.IntN(3)) * 1e9
	}
}

// TestGlancesAtRandom lets several people work on a board, now and then a
// external program edit a file, and compares after each step what a glance shows with
// what a view shows. Each looks in a process of its own.
func TestGlancesAtRandom(t *testing.T) {
	edits, answered := 0, 0
	for seed := range uint64(*faults / 6) {
		o := &office{t: t, d: board(t, create("1", "2", "3", "4", "5", "6", "7", "8")), rnd: rand.New(rand.NewPCG(seed, 7)), now: noon, max: 8}
		defer func() {
			if t.Failed() {
				t.Logf("seed %d, after\n%s", seed, strings.Join(o.log, "\n"))
			}
		}()
		for range 60 {
			o.work()
			for range 2 {
				mustAgree(t, o.d, o.now, o.query())
			}
			if o.rnd.IntN(4) != 0 || len(o.d.root.names) < 4 {
				continue
			}
			o.log = append(o.log, externalEdit(t, o.d, o.rnd))
			edits++
			id := pawl.ID(0)
			fmt.Sscanf(o.log[len(o.log)-1], "#%d", &id)
			if agree(t, o.d, o.now, pawl.GlanceQuery{IDs: []pawl.ID{id}}, around) {
				answered++
			}
			for n := range 4 {
				agree(t, o.d, o.now, pawl.GlanceQuery{Session: fmt.Sprint("s", n)}, 0)
			}
			if o.rnd.IntN(2) == 0 {
				dropIn(t, o.d)
				mustAgree(t, o.d, o.now, o.query())
			} else { // somebody's next op records it
				o.log = append(o.log, "unrecorded")
				comeBy(t, o.d)
			}
			o.max = max(o.max, int(id))
		}
	}
	t.Logf("%d external edits, %d of them seen at a glance", edits, answered)
	if answered < edits*3/4 {
		t.Errorf("only %d of %d edits were seen at a glance", answered, edits)
	}
}

// TestGlanceOfMany uses up what a summary knows of a board, before the log is so
// long that a new index is made.
func TestGlanceOfMany(t *testing.T) {
	var plan []pawl.Request
	for range 24 {
		plan = append(plan, pawl.Request{By: by, Op: create(slices.Repeat([]string{"one of many"}, 500)...)})
		for i := range 500 {
			op := plan[len(plan)-1].Op.(pawl.Create)
			op.Tasks[i].Ref = fmt.Sprint(i)
		}
	}
	d := newDisk()
	s := simStore(t, d.process())
	apply := func(requests ...pawl.Request) {
		t.Helper()
		must.Do(t, errOf(pawl.NewBoard(s).DoAll(context.Background(), requests...)))
		mustAgree(t, d, noon, pawl.GlanceQuery{Session: "s1", Ready: pawl.MaxGlance, For: "eve", IDs: []pawl.ID{1, 300, 5777, 7001}})
	}
	apply(plan...)
	done := pawl.ID(0)
	for round := range 12 {
		if round%4 == 1 {
			s = simStore(t, d.process())
		}
		generation, summary := s.loaded.generation, string(s.loaded.summary)
		requests := []pawl.Request{{By: by, Op: pawl.ClaimTask{ID: done + 30}}}
		for range 29 {
			done++
			requests = append(requests, pawl.Request{By: by, Op: pawl.Complete{IDs: []pawl.ID{done}}})
		}
		done++
		apply(requests...)
		if s.loaded.generation == generation && string(s.loaded.summary) != summary {
			t.Logf("a new summary in the same log, with %d tasks used up", done)
			return
		}
	}
	t.Error("there was no new summary before there was a new index")
}

// TestGlanceBeyond: what comes after the last task of a short summary is not
// known, however many are known that come later still.
func TestGlanceBeyond(t *testing.T) {
	known := func(id pawl.ID, height int) content {
		e := &entry{id: id, height: height, status: pawl.Pending, subject: "x", checked: 1}
		blob := appendBlob(nil, e)
		return append(appendRecord(nil, e, 0, len(blob)), blob...)
	}
	l := quickIndex{
		now: noon, head: &head{}, mark: mark{free: 100 + 1},
		summary: summary{cut: cutReady, ready: []pawl.Rank{{ID: 5, Height: 3}, {ID: 2, Height: 2}, {ID: 3, Height: 2}}},
		tasks:   map[pawl.ID]content{5: known(5, 3), 2: nil, 3: known(3, 2), 7: known(7, 4), 8: known(8, 1)},
	}
	for n, ok := range []bool{3: true, 4: false} {
		got, free, sure := l.ready(&pawl.GlanceQuery{Ready: n})
		if n < 3 {
			continue
		}
		if sure != ok || ok && (free != 100 || fmt.Sprint(got[0].ID, got[1].ID, got[2].ID) != "#7 #5 #3") {
			t.Errorf("of %d: %v of %d, %v", n, got, free, sure)
		}
	}
	l.mark.free = 0
	if _, free, sure := l.ready(&pawl.GlanceQuery{Ready: 1}); sure {
		t.Errorf("%d are ready, and nobody has counted", free)
	}
}

// TestGlanceOfLog: a glance takes the same from a log as anybody, wherever it
// ends.
func TestGlanceOfLog(t *testing.T) {
	o := &office{t: t, d: board(t, create("1", "2", "3", "4", "5", "6", "7", "8")), rnd: rand.New(rand.NewPCG(1, 8)), now: noon, max: 8}
	for range 40 {
		o.work()
	}
	text := []byte(o.d.text(logName))[logHeader:]
	frames := 0
	eachFrame(text, func(_ byte, _ []byte, end int) {
		frames++
		var l quickIndex
		log := readFrames(text[:end])
		if ok := l.readFrames(text[:end]); ok != (log.mark != nil) {
			t.Fatalf("up to %d: %v", end, ok)
		} else if !ok {
			return
		}
		claimed := 0
		for id, c := range l.tasks {
			switch e, logged := log.changes[id]; {
			case !logged:
				claimed++
			case (c == nil) != (e == nil) || c != nil && !reflect.DeepEqual(c.entry(), e):
				t.Fatalf("up to %d %v is another task", end, id)
			}
		}
		if l.mark != *log.mark || len(l.tasks)-claimed != len(log.changes) || claimed > len(l.summary.claims) {
			t.Fatalf("up to %d: mark %+v and %+v, %d tasks and %d, %d of them claimed", end, l.mark, *log.mark, len(l.tasks), len(log.changes), claimed)
		}
	})
	if frames < 40 {
		t.Errorf("there were %d frames", frames)
	}
}

// TestGlanceAfterCrash lets a process die at every single call, with and without
// a power cut: what is seen at a glance then, by whichever way, is what is there.
func TestGlanceAfterCrash(t *testing.T) {
	tr := traceOf(t, sound)
	q := pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{1, 2, 3, 4, 5, 9}, Ready: 9}
	quickly, died := 0, 0
	for at := 0; at < tr.calls; at += stride() {
		for _, power := range []bool{false, true} {
			if !*long.Asked && power != (at%2 == 0) {
				continue
			}
			d := newDisk()
			d.before = func(call int, _, _ string) error {
				if call >= at {
					return errDead
				}
				return nil
			}
			_, dies := labour(t, d, usual, 0)
			d.before = nil
			if !dies {
				break // that many calls are not made when nobody looks at the board between
			}
			died++
			if power {
				d.powerCut(rand.New(rand.NewPCG(uint64(at), 3)))
			}
			if agree(t, d, noon, q, all) {
				quickly++
			}
			g, err := pawl.NewBoard(glancer(t, d, noon)).Glance(context.Background(), q)
			must.Do(t, err)
			if got, want := glanceText(g, all&^next), glanceText(slow(t, d, noon, q), all&^next); got != want {
				t.Fatalf("after a crash at call %d, power cut %v, a glance shows\n%sand a view\n%s", at, power, got, want)
			}
			if len(d.root.names) > 2 {
				do(t, d, create("after"))
				mustAgree(t, d, noon, q)
			}
		}
	}
	t.Logf("%d of %d crashes left a quick answer", quickly, died)
	if died < tr.calls/stride()/2 || quickly == 0 || quickly == died {
		t.Error("too few crashes, or they all left the same")
	}
}

// TestGlanceWithout: what is missing, damaged, older or newer than the rest, or
// more than there is room for, costs the quick answer and nothing else.
func TestGlanceWithout(t *testing.T) {
	flip := func(name string, at int) func(*disk) {
		return func(d *disk) {
			text := []byte(d.text(name))
			if at < 0 {
				at += len(text)
			}
			text[at] ^= 1
			d.put(name, string(text))
		}
	}
	sumAt := logHeader + frameSize + 3
	many := func(n int, op func(i int) pawl.Op) func(*disk) {
		return func(d *disk) {
			s := simStore(t, d.process())
			for i := range n {
				must.Do(t, errOf(pawl.NewBoard(s).DoAll(context.Background(), pawl.Request{By: by, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "x"}}}}, pawl.Request{By: by, Op: op(i + 4)})))
			}
			d.drop(logName)
			do(t, d, create("last")) // makes a new index, and a new summary with it
		}
	}
	for _, c := range []struct {
		name  string
		quick bool
		spoil func(*disk)
	}{
		{"nothing is amiss", true, func(*disk) {}},
		{"no board", false, func(d *disk) { *d = *newDisk() }},
		{"no state", false, func(d *disk) { d.drop(stateDir) }},
		{"no index", false, func(d *disk) { d.drop(indexName) }},
		{"no log", false, func(d *disk) { d.drop(logName) }},
		{"no journal", false, func(d *disk) { d.drop(journalDir) }},
		{"an empty index", false, func(d *disk) { d.put(indexName, "") }},
		{"an empty log", false, func(d *disk) { d.put(logName, "") }},
		{"a damaged header", false, flip(indexName, 20)},
		{"a damaged summary", false, flip(logName, sumAt)},
		{"a torn end of the log", false, flip(logName, -3)},
		{"a log of another index", false, func(d *disk) {
			log := d.text(logName)
			d.put(logName, string(newLog(99))+log[logHeader:])
		}},
		{"a log without a summary", false, func(d *disk) {
			log := d.text(logName)
			var w logWriter
			eachFrame([]byte(log[logHeader:]), func(kind byte, c []byte, _ int) {
				if kind != frameSum {
					w.frame(kind, func(dst []byte) []byte { return append(dst, c...) })
				}
			})
			d.put(logName, log[:logHeader]+string(w.buf))
		}},
		{"a log whose mark counts nothing", false, func(d *disk) {
			s := simStore(t, d.process())
			do(t, d, pawl.AddNote{ID: 2, Text: "new"})
			log := d.text(logName)
			must.Do(t, s.View(context.Background(), func(pawl.Reader) error { return nil }))
			m := s.loaded.mark
			m.free = 0
			w := logWriter{[]byte(log)}
			w.mark(&m)
			d.put(logName, string(w.buf))
		}},
		{"a newer version's log", false, flip(logName, 9)},
		{"a journal that is ahead", false, func(d *disk) {
			n := segmentName(1)
			d.put(n, d.text(n)+`{"crc":`)
		}},
		{"a new segment", false, func(d *disk) { d.put(segmentName(2), "") }},
		{"a new start of the machine", false, func(d *disk) { d.boot++ }},
		{"more claims than a summary holds", false, many(sumClaims, func(i int) pawl.Op { return pawl.ClaimTask{ID: pawl.ID(i)} })},
		{"more assigned than a summary holds", false, many(sumTaken+1, func(i int) pawl.Op { return pawl.Assign{IDs: []pawl.ID{pawl.ID(i)}, Owner: "eve"} })},
		{"a task in another one's place", false, func(d *disk) { d.put(taskName(2), `{"id": 2, "subject": "by a counter"}`) }},
		{"a task that is new", false, func(d *disk) { d.put(taskName(99), `{"id": 99, "subject": "by hand"}`) }},
		{"a task that cannot be read", true, func(d *disk) { d.now += 1e9; d.put(taskName(2), `{"id": 2,`) }},
		{"a task that is gone", true, func(d *disk) { d.drop(taskName(2)) }},
		{"a task of another id", true, func(d *disk) { d.put(taskName(2), `{"id": 3, "subject": "copied"}`) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := board(t, chain("a", "b", "c"), pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}, pawl.AddNote{ID: 1, Text: "hm"})
			c.spoil(d)
			q := pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{2, 3, 99}, Ready: 4, For: "ada"}
			if _, ok := quick(t, d, noon, q); ok != c.quick {
				t.Errorf("a quick answer: %v", ok)
			}
			g, err := pawl.NewBoard(glancer(t, d, noon)).Glance(context.Background(), q)
			must.Do(t, err)
			if got, want := glanceText(g, around), glanceText(slow(t, d, noon, q), around); got != want {
				t.Errorf("a glance shows\n%sand a view\n%s", got, want)
			}
			if c.quick || c.name == "a newer version's log" {
				return
			}
			do(t, d, create("x"), pawl.AddNote{ID: 1, Text: "hm"}) // and the next writer puts it right, if it can
			if _, ok := quick(t, d, noon, q); ok == strings.HasPrefix(c.name, "more") {
				t.Errorf("after the next write a quick answer: %v", ok)
			}
		})
	}
}

// TestGlanceKeepsPlace: of an edited task its place in the order stays as it was,
// for it follows from tasks that a glance does not look at.
func TestGlanceKeepsPlace(t *testing.T) {
	d := board(t, chain("a", "b", "c"), pawl.Update{ID: 3, Priority: ptr(pawl.High)}, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
	d.edit(t, 1, `"owner"`, `"priority": "low", "owner"`)
	if !agree(t, d, noon, pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{1}}, place|around) {
		t.Error("there is no quick answer")
	}
}

// TestGlanceDuring lets somebody commit between the look at the index and that
// at the files.
func TestGlanceDuring(t *testing.T) {
	d := board(t, create("a", "b"), pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
	for i, commits := range []int{1, 2, 3, 9, 1} {
		left, last := commits, i == 4
		d.before = func(_ int, op, name string) error {
			if left > 0 && op == "read" && strings.HasSuffix(name, taskName(1)) {
				left--
				before := d.before
				d.before = nil
				op := pawl.Op(pawl.AddNote{ID: 1, Text: fmt.Sprint(commits, left)})
				if last {
					op = pawl.Delete{IDs: []pawl.ID{1}}
				}
				do(t, d, op)
				d.before = before
			}
			return nil
		}
		g, ok, err := glancer(t, d, noon).Glance(context.Background(), pawl.GlanceQuery{Session: "s1"})
		d.before = nil
		if err != nil || ok != (commits < attempts) {
			t.Fatalf("%d commits: %v, %v", commits, ok, err)
		}
		if ok {
			if want := slow(t, d, noon, pawl.GlanceQuery{Session: "s1"}); glanceText(g, all) != glanceText(want, all) {
				t.Errorf("%d commits: a glance shows\n%sand a view\n%s", commits, glanceText(g, all), glanceText(want, all))
			}
		}
	}
}

// TestGlanceAtEachCall lets one process look at each call of another one's
// commit, and one commit at each call of another one's look. A glance sees
// the board before or after, or waits; nobody looks the long way instead.
func TestGlanceAtEachCall(t *testing.T) {
	q := pawl.GlanceQuery{Session: "s1", Ready: 3, IDs: []pawl.ID{1, 2}}
	op := pawl.ClaimTask{ID: 2, Lease: pawl.Duration(time.Hour)}
	for _, looks := range []bool{true, false} {
		outcomes := map[string]int{}
		for at := 1; ; at++ {
			d := board(t, chain("a", "b"), create("c"), pawl.Complete{IDs: []pawl.ID{1}})
			before := glanceText(slow(t, d, noon, q), all&^next)
			came := false
			var g pawl.Glance
			var ok bool
			var looked, wrote error
			look := func() { g, ok, looked = glancer(t, d, noon).Glance(context.Background(), q) }
			commit := func() {
				_, wrote = pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: op})
			}
			first, second := commit, look
			if !looks {
				first, second = look, commit
			}
			start := d.calls
			d.before = func(call int, _, _ string) error {
				if call-start == at {
					came, d.before = true, nil
					second()
				}
				return nil
			}
			first()
			d.before = nil
			if !came {
				break
			}
			after := glanceText(slow(t, d, noon, q), all&^next)
			text := glanceText(g, all&^next)
			switch {
			case errors.Is(looked, pawl.Unavailable):
				outcomes["waits"]++
			case looked != nil || !ok:
				t.Fatalf("looks %v, at call %d: %v, %v, %v", looks, at, ok, looked, wrote)
			case text == before && (!looks || before != after || wrote != nil):
				outcomes["before"]++
			case text == after:
				outcomes["after"]++
			default:
				t.Fatalf("looks %v, at call %d a glance shows\n%sand neither\n%snor\n%s", looks, at, text, before, after)
			}
		}
		t.Log(outcomes)
		if other := map[bool]string{true: "waits", false: "after"}[looks]; outcomes["before"] == 0 || outcomes[other] == 0 {
			t.Errorf("looks %v: %v", looks, outcomes)
		}
	}
}

// TestGlanceReadOnly: where nothing can be written there is no lock, and an
// answer anyway.
func TestGlanceReadOnly(t *testing.T) {
	d := board(t, chain("a", "b"), pawl.ClaimTask{Lease: pawl.Duration(time.Hour)})
	d.before = func(_ int, op, name string) error {
		if op == "lock" && strings.HasSuffix(name, "gate") {
			return syscall.EROFS
		}
		return nil
	}
	g, ok, err := glancer(t, d, noon).Glance(context.Background(), pawl.GlanceQuery{Session: "s1", Ready: 2})
	if err != nil || !ok || len(g.Claimed) != 1 || g.Claimed[0].Subject != "a" {
		t.Errorf("a glance shows %+v, %v, %v", g, ok, err)
	}
}

// TestGlanceEnds: a caller that gives up waiting for the lock gets an error.
func TestGlanceEnds(t *testing.T) {
	d := board(t, create("a"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok, err := glancer(t, d, noon).Glance(ctx, pawl.GlanceQuery{}); ok || !errors.Is(err, pawl.Unavailable) {
		t.Errorf("a glance that nobody waits for: %v, %v", ok, err)
	}
}

func FuzzSummary(f *testing.F) {
	d := board(f, chain("a", "b", "c"), pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}, create("d"), pawl.Assign{IDs: []pawl.ID{4}, Owner: "eve"})
	s := simStore(f, d.process())
	do(f, d, create("e"))
	must.Do(f, s.View(context.Background(), func(pawl.Reader) error { return nil }))
	s.loaded.summarise()
	f.Add(s.loaded.summary)
	f.Fuzz(func(t *testing.T, text []byte) {
		sum := parseSummary(text)
		for _, c := range sum.claims {
			content(c).entry()
		}
		l := quickIndex{store: s, now: noon, head: &head{}, summary: sum, mark: mark{free: 1}, tasks: map[pawl.ID]content{}}
		l.ready(&pawl.GlanceQuery{Ready: 3, For: "eve"})
	})
}
