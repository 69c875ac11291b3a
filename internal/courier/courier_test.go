package courier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/query/querytest"
	"github.com/pawl-dev/pawl/store/memory"
)

// A machine has a state folder, a clock, and a server that does what a test wants.
type machine struct {
	t     *testing.T
	state string
	now   time.Time
	store *memory.Store
	board *pawl.Board

	mu      sync.Mutex
	fail    error                               // of each exchange
	before  func()                              // a change is about to arrive
	after   func(requests []pawl.Request) error // a change was made: the answer may still be lost
	sent    []pawl.Request
	spawned int
	dials   int
	dialErr error // of the courier
	log     []string
}

func newMachine(t *testing.T) *machine {
	m := &machine{t: t, state: t.TempDir(), now: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	m.store = memory.New(memory.WithClock(func() time.Time { return m.now }))
	m.board = pawl.NewBoard(m.store)
	m.do(pawl.Actor{Name: "ann"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "One"}, {Subject: "Two"}, {Subject: "Three"}}})
	return m
}

var shop = address.Address{Origin: "https://pawl.test", Board: "shop"}

func (m *machine) post() *Post {
	return Open(Options{
		State: m.state, Address: shop, Now: func() time.Time { return m.now }, Patience: time.Minute, // the machine is busy
		Dial: func(time.Duration) (query.Board, error) {
			m.dials++
			return line{querytest.Loop(query.Local(m.board)), m}, m.dialErr
		},
		Spawn: func() error { m.spawned++; return nil },
		Log:   func(err error) { m.mu.Lock(); defer m.mu.Unlock(); m.log = append(m.log, err.Error()) },
	})
}

// line is a board whose answers may be lost.
type line struct {
	query.Board
	m *machine
}

func (l line) Close() error { return nil }

func (l line) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	if l.m.fail != nil {
		return nil, l.m.fail
	}
	return l.Board.Ask(ctx, who, q)
}

func (l line) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	if l.m.fail != nil {
		return make([]query.Outcome, len(requests)), l.m.fail
	}
	if l.m.before != nil {
		l.m.before()
	}
	out, err := l.Board.DoAll(ctx, want, requests...)
	l.m.sent = append(l.m.sent, requests...)
	if l.m.after != nil {
		if lost := l.m.after(requests); lost != nil {
			return make([]query.Outcome, len(requests)), lost
		}
	}
	return out, err
}

func (m *machine) do(by pawl.Actor, op pawl.Op) {
	m.t.Helper()
	if _, err := m.board.Do(m.t.Context(), pawl.Request{By: by, Op: op}); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) task(id pawl.ID) pawl.Task {
	m.t.Helper()
	g, err := m.board.Glance(m.t.Context(), pawl.GlanceQuery{IDs: []pawl.ID{id}})
	if err != nil || len(g.Tasks) != 1 {
		m.t.Fatal(g, err)
	}
	return g.Tasks[0]
}

func (m *machine) claim(session string, ids ...pawl.ID) {
	m.t.Helper()
	for _, id := range ids {
		m.do(pawl.Actor{Name: "ada", Session: session}, pawl.ClaimTask{ID: id, Lease: pawl.Duration(15 * time.Minute)})
	}
}

func (m *machine) leave(j Job) {
	m.t.Helper()
	if err := m.post().Leave(m.t.Context(), j); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) run() {
	m.t.Helper()
	if err := m.post().Run(m.t.Context()); err != nil {
		m.t.Fatal(err)
	}
}

var away1 = pawl.Errorf(pawl.Unavailable, "no route")

// Jobs are done in the order in which they came.
func TestOrder(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.leave(Job{Do: Move, Session: "s2", From: "s1"})
	m.leave(Job{Do: Tend, Session: "s2"})
	m.leave(Job{Do: End, Session: "s2"})
	m.run()
	var verbs []string
	for _, r := range m.sent {
		verbs = append(verbs, r.Op.Verb()+" of "+r.By.Session)
	}
	if got, want := strings.Join(verbs, ", "), "claim of s2, renew of s2, release of s2"; got != want {
		t.Errorf("it sent %s, want %s", got, want)
	}
	if m.task(1).Status != pawl.Pending || m.post().Waits() {
		t.Errorf("the task is %s; jobs wait: %v", m.task(1).Status, m.post().Waits())
	}
}

// An answer that was lost, or a courier that was killed before it noted what it did: the
// job comes again with the same op ids, and takes nothing that was claimed since.
func TestRunsOnce(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.leave(Job{Do: End, Session: "s1"})
	jobs := must.Get(os.ReadFile(m.post().path(jobFile)))(t)
	m.run()
	must.Do(t, os.WriteFile(m.post().path(jobFile), jobs, 0o600))
	m.claim("s1", 1) // the session was resumed
	Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: "s1"}, Op: pawl.ClaimTask{ID: 1}}})
	m.run()
	if c := m.task(1); c.Status != pawl.InProgress || m.post().Waits() {
		t.Errorf("a job that came twice released a later claim")
	}
	if len(m.log) > 0 {
		t.Errorf("the log is %q", m.log)
	}
}

// While the courier tries a job again its session may have begun again.
func TestTakenBack(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.leave(Job{Do: End, Session: "s1"})
	p := m.post()
	board, _ := p.o.Dial(0)
	j := p.jobs()[0]
	must.Do(t, p.Cancel(t.Context(), "s1"))
	if err := p.deliver(t.Context(), board, j); err != nil || m.task(1).Status != pawl.InProgress {
		t.Errorf("%v, the task is %s", err, m.task(1).Status)
	}
}

// Each request has an op id of its own, the same whenever the job comes.
func TestOpIDs(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1, 2)
	m.leave(Job{Do: Tend, Session: "s1"})
	jobs, _ := os.ReadFile(m.post().path(jobFile))
	m.run()
	must.Do(t, os.WriteFile(m.post().path(jobFile), jobs, 0o600))
	m.run()
	if len(m.sent) != 4 || m.sent[0].ID == m.sent[1].ID || m.sent[0].ID != m.sent[2].ID || m.sent[1].ID != m.sent[3].ID || m.sent[0].ID == "" {
		t.Errorf("%d requests were sent: %v", len(m.sent), m.sent)
	}
}

// What is claimed between the look and the release is another claim.
func TestReleasesOldClaimOnly(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.before = func() {
		m.do(pawl.Actor{Name: "ada", Session: "s1"}, pawl.Release{IDs: []pawl.ID{1}})
		m.claim("s1", 1)
	}
	if left, err := m.post().Do(t.Context(), Job{Do: End, Session: "s1"}); left || err != nil {
		t.Fatal(left, err)
	}
	if m.task(1).Status != pawl.InProgress {
		t.Error("a later claim was released")
	}
}

// A hook that has no time leaves a job, whose outcome on the server is not known.
func TestLostAnswer(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1, 2)
	m.after = func([]pawl.Request) error { return away1 }
	left, err := m.post().Do(t.Context(), Job{Do: End, Session: "s1"})
	if !left || err != nil || m.spawned != 1 {
		t.Fatalf("left %v, %v, %d couriers", left, err, m.spawned)
	}
	m.after = nil
	if _, _, err := m.post().Glance(t.Context(), "s1", Look{}); !Away(err) {
		t.Error("a line that failed a moment ago was tried")
	}
	m.run()
	if m.task(1).Status != pawl.Pending || m.task(2).Status != pawl.Pending {
		t.Error("it was not given back")
	}
	if left, err := m.post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); left || err != nil {
		t.Error("the courier has had an answer, and a hook does not ask:", err)
	}
}

// While something waits nothing goes before it.
func TestNothingOvertakes(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.leave(Job{Do: Move, Session: "s2", From: "s1"})
	left, err := m.post().Do(t.Context(), Job{Do: End, Session: "s2"})
	if !left || err != nil {
		t.Fatalf("left %v, %v", left, err)
	}
	m.run()
	if m.task(1).Status != pawl.Pending {
		t.Error("the claim outlived its session")
	}
}

// The queue is bounded, and of what it drops the reason is logged.
func TestQueueBounds(t *testing.T) {
	m := newMachine(t)
	for n := range maxJobs + 3 {
		m.leave(Job{Do: End, Session: fmt.Sprint("s", n)})
	}
	if jobs := m.post().jobs(); len(jobs) != maxJobs || jobs[0].Session != "s3" {
		t.Errorf("%d jobs wait, the first of %s", len(jobs), jobs[0].Session)
	}
	if len(m.log) != 3 || !strings.Contains(m.log[0], "more than 200 wait") {
		t.Errorf("the log is %q", m.log)
	}
	m.now = m.now.Add(25 * time.Hour)
	m.leave(Job{Do: Tend, Session: "s"})
	m.leave(Job{Do: Tend, Session: "s"}) // takes the place of the one before
	if jobs := m.post().jobs(); len(jobs) != 1 {
		t.Errorf("%d jobs wait: %v", len(jobs), jobs)
	}
	if len(m.log) != 3+maxJobs || !strings.Contains(m.log[3], "older than a day") {
		t.Errorf("the log has %d lines", len(m.log))
	}
}

// Lines that a crash or somebody else left are passed over.
func TestTornQueue(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.leave(Job{Do: End, Session: "s1"})
	good, _ := os.ReadFile(m.post().path(jobFile))
	for _, text := range []string{"\x00\x00\n" + string(good), "{}\n" + string(good) + `{"id":"x","do":"end","sess`, `{"id":"y","do":"dance","session":"s1"}` + "\n" + string(good)} {
		m.claim("s1", 1)
		good := strings.ReplaceAll(text, m.post().firstID(good), newID())
		must.Do(t, os.WriteFile(m.post().path(jobFile), []byte(good), 0o600))
		m.run()
		if m.task(1).Status != pawl.Pending || m.post().Waits() {
			t.Errorf("%q: the task is %s; jobs wait: %v", text, m.task(1).Status, m.post().Waits())
		}
	}
}

func (p *Post) firstID(text []byte) string {
	_, rest, _ := strings.Cut(string(text), `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// One courier runs, one waits, and a third ends at once.
func TestOneAtATime(t *testing.T) {
	m := newMachine(t)
	p := m.post()
	waiting, err := p.lock(t.Context(), nextName, 0)
	if waiting == nil {
		t.Fatal(err)
	}
	m.run() // ends
	if err := p.wake(); err != nil || m.spawned != 0 || m.dials != 0 {
		t.Errorf("while one waits %d couriers were started, and the server was asked %d times: %v", m.spawned, m.dials, err)
	}
	waiting()

	working, err := p.lock(t.Context(), workingName, 0)
	if working == nil {
		t.Fatal(err)
	}
	done := make(chan error)
	begin := func() { done <- m.post().Run(t.Context()) }
	go begin()
	for !filelock.Held(p.path(nextName)) { // until it waits
		select {
		case err := <-done: // a look takes the lock: this one met it, and ended as a third
			if err != nil {
				t.Fatal(err)
			}
			go begin()
		default:
			runtime.Gosched()
		}
	}
	select {
	case <-done:
		t.Fatal("two ran at once")
	default:
	}
	working()
	if err := <-done; err != nil || m.dials != 1 {
		t.Errorf("%v, the server was asked %d times", err, m.dials)
	}
	if err := p.wake(); err != nil || m.spawned != 1 {
		t.Errorf("%d couriers were started: %v", m.spawned, err)
	}
}

// Where no courier may run, what waits is done by the next hook that the server answers,
// before what is new.
func TestNoCourier(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	m.claim("s2", 2)
	post := func() *Post {
		p := m.post()
		p.o.Spawn = nil
		return p
	}
	m.fail = pawl.Errorf(pawl.Unavailable, "no route")
	if left, err := post().Do(t.Context(), Job{Do: End, Session: "s2"}); !left || err != nil {
		t.Fatal(left, err)
	}
	if left, err := post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); !left || err != nil {
		t.Fatal(left, err)
	}
	m.fail, m.now = nil, m.now.Add(slowAfter+time.Second)
	if left, err := post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); left || err != nil {
		t.Errorf("it was left (%v), %v", left, err)
	}
	if got := m.task(2).Status; got != pawl.Pending {
		t.Errorf("the task of the session that ended is %s", got)
	}
	if post().Waits() {
		t.Errorf("%v wait", post().jobs())
	}
	if held := post().Claims("s1").Held; len(held) != 1 {
		t.Errorf("held are %v", held)
	}
}

// What keeps failing is logged once, and tried again after a pause that grows.
func TestFailures(t *testing.T) {
	m := newMachine(t)
	m.dialErr = errors.New("the server says 500")
	for range 3 {
		m.run()
	}
	if len(m.log) != 1 {
		t.Errorf("the log is %q", m.log)
	}
	if err := m.post().wake(); err != nil || m.spawned != 0 {
		t.Errorf("a courier was started at once: %v", err)
	}
	m.now = m.now.Add(mostPause)
	if err := m.post().wake(); err != nil || m.spawned != 1 {
		t.Errorf("%d couriers were started: %v", m.spawned, err)
	}
	m.dialErr = nil
	m.run()
	if s := m.post().state(); s.Failures != 0 || !s.Since.IsZero() {
		t.Errorf("the line is %+v", s)
	}
}

// A claim that ends is lost, unless the session ended it itself.
func TestLost(t *testing.T) {
	bob := pawl.Actor{Name: "bob", Session: "b"}
	for name, test := range map[string]struct {
		happens func(m *machine)
		want    func(l Lost) bool // nil: nothing is lost
	}{
		"nothing": {func(*machine) {}, nil},
		"expired": {func(m *machine) { m.now = m.now.Add(time.Hour) }, func(l Lost) bool { return l.By == "" && !l.Ended.IsZero() }},
		"taken": {func(m *machine) {
			m.now = m.now.Add(time.Hour)
			m.do(bob, pawl.ClaimTask{ID: 1})
		}, func(l Lost) bool { return l.By == "bob" && !l.Own && !l.Ended.IsZero() }},
		"forced":               {func(m *machine) { m.do(bob, pawl.ClaimTask{ID: 1, Force: true}) }, func(l Lost) bool { return l.By == "bob" && l.Ended.IsZero() }},
		"released by somebody": {func(m *machine) { m.do(bob, pawl.Release{IDs: []pawl.ID{1}, Force: true}) }, func(l Lost) bool { return l.By == "" && l.Ended.IsZero() }},
		"held by somebody":     {func(m *machine) { m.do(bob, pawl.Release{IDs: []pawl.ID{1}, Force: true, Hold: "wait"}) }, func(l Lost) bool { return l.Hold == "wait" }},
		"completed by somebody": {func(m *machine) {
			m.do(bob, pawl.ClaimTask{ID: 1, Force: true})
			m.do(bob, pawl.Complete{IDs: []pawl.ID{1}})
		}, func(l Lost) bool { return l.Done && l.By == "bob" }},
		"deleted": {func(m *machine) { m.do(bob, pawl.Delete{IDs: []pawl.ID{1}, Force: true}) }, func(l Lost) bool { return l.Gone }},
		"completed itself": {func(m *machine) {
			op := pawl.Complete{IDs: []pawl.ID{1}}
			Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: "s1"}, Op: op}})
			m.do(pawl.Actor{Name: "ada", Session: "s1"}, op)
		}, nil},
		"released itself, and taken at once": {func(m *machine) {
			op := pawl.Release{IDs: []pawl.ID{1}}
			Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: "s1"}, Op: op}})
			m.do(pawl.Actor{Name: "ada", Session: "s1"}, op)
			m.do(bob, pawl.ClaimTask{ID: 1})
		}, nil},
		"released another one itself, and taken": {func(m *machine) {
			Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: "s1"}, Op: pawl.Release{IDs: []pawl.ID{2}}}})
			m.do(bob, pawl.ClaimTask{ID: 1, Force: true})
		}, func(l Lost) bool { return l.By == "bob" }},
		"another session of the name": {func(m *machine) { m.do(pawl.Actor{Name: "ada", Session: "s9"}, pawl.ClaimTask{ID: 1, Force: true}) }, func(l Lost) bool { return l.By == "ada" && l.Own }},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.claim("s1", 1)
			if left, err := m.post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); left || err != nil {
				t.Fatal(left, err)
			}
			test.happens(m)
			if left, err := m.post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); left || err != nil {
				t.Fatal(left, err)
			}
			lost, err := m.post().TakeLost("s1", "")
			switch {
			case err != nil:
				t.Fatal(err)
			case test.want == nil && len(lost) > 0, test.want != nil && (len(lost) != 1 || !test.want(lost[0])):
				t.Errorf("lost is %+v", lost)
			}
			if again, err := m.post().TakeLost("s1", ""); err != nil || len(again) > 0 {
				t.Errorf("told twice: %+v, %v", again, err)
			}
		})
	}
}

// A clock that was ahead and is set back keeps nobody from finding out what is lost.
func TestClockSetBack(t *testing.T) {
	m := newMachine(t)
	right := m.now
	tend := func() {
		t.Helper()
		if left, err := m.post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); left || err != nil {
			t.Fatal(left, err)
		}
	}
	m.now = right.Add(24 * time.Hour)
	m.claim("s1", 1)
	tend()
	m.now = right.Add(time.Minute)
	m.do(pawl.Actor{Name: "bob", Session: "b"}, pawl.ClaimTask{ID: 1, Force: true})
	tend()
	if lost, err := m.post().TakeLost("s1", ""); err != nil || len(lost) != 1 || lost[0].By != "bob" {
		t.Errorf("lost is %+v, %v", lost, err)
	}
}

// A session with more claims than a glance shows loses none of them from sight.
func TestManyClaims(t *testing.T) {
	m := newMachine(t)
	var create pawl.Create
	var ids []pawl.ID
	for n := range 2*pawl.MaxGlance + 5 {
		create.Tasks = append(create.Tasks, pawl.NewTask{Subject: fmt.Sprint("More ", n)})
		ids = append(ids, pawl.ID(n+4))
	}
	m.do(pawl.Actor{Name: "ann"}, create)
	m.claim("s1", ids...)
	for range 3 {
		if left, err := m.post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); left || err != nil {
			t.Fatal(left, err)
		}
	}
	if c := m.post().Claims("s1"); len(c.Held) != len(ids) || len(c.Lost) != 0 {
		t.Errorf("%d are held and %d lost, want %d held", len(c.Held), len(c.Lost), len(ids))
	}
	m.now = m.now.Add(time.Hour)
	for range 3 {
		if _, err := m.post().Do(t.Context(), Job{Do: Tend, Session: "s1"}); err != nil {
			t.Fatal(err)
		}
	}
	if c := m.post().Claims("s1"); len(c.Held) != 0 || len(c.Lost) != len(ids) {
		t.Errorf("%d are held and %d lost, want all lost", len(c.Held), len(c.Lost))
	}
}

// What was seen is good until this machine changes something, or for an hour. A
// renewal does not count as a change.
func TestOldGlance(t *testing.T) {
	m := newMachine(t)
	m.claim("s1", 1)
	look := Look{Query: pawl.GlanceQuery{Session: "s1", Ready: 5}}
	see := func() (int, error) {
		p := m.post()
		g, old, err := p.Glance(t.Context(), "s1", look)
		if err == nil && old.IsZero() != (m.fail == nil) {
			t.Errorf("old is %v", old)
		}
		return len(g.Claimed), err
	}
	if n, err := see(); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	m.fail = away1
	if n, err := see(); n != 1 || err != nil {
		t.Error(n, err)
	}
	Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: "s7"}, Op: pawl.Renew{}}})
	if n, err := see(); n != 1 || err != nil {
		t.Error("after a renewal:", n, err)
	}
	m.now = m.now.Add(16 * time.Minute)
	if n, err := see(); n != 0 || err != nil {
		t.Error("after its lease a claim is shown:", n, err)
	}
	Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: "s7"}, Op: pawl.Complete{}}})
	if _, err := see(); !Away(err) {
		t.Error("after a change of this machine:", err)
	}
	m.fail, m.now = nil, m.now.Add(time.Minute)
	if _, err := see(); err != nil {
		t.Error(err)
	}
	m.fail, m.now = away1, m.now.Add(2*time.Hour)
	if _, err := see(); !Away(err) {
		t.Error("after two hours:", err)
	}
}

// A session is forgotten with all of its agents, and no other one.
func TestForget(t *testing.T) {
	m := newMachine(t)
	m.now = time.Now() // that of what forgets
	m.claim("s1", 1)
	for _, session := range []string{"s1", "s11"} {
		for _, agent := range []string{"", "helper"} {
			if _, _, err := m.post().Glance(t.Context(), session, Look{Agent: agent, Query: pawl.GlanceQuery{Session: session}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := m.post().Do(t.Context(), Job{Do: Tend, Session: session}); err != nil {
			t.Fatal(err)
		}
		Changed(m.state, shop)([]pawl.Request{{By: pawl.Actor{Session: session}, Op: pawl.Complete{}}})
	}
	m.leave(Job{Do: End, Session: "s1"})
	m.leave(Job{Do: End, Session: "s11"})
	if n, err := Forget(m.state, "s1"); n != 4 || err != nil {
		t.Errorf("%d files were removed: %v", n, err)
	}
	if jobs := m.post().jobs(); len(jobs) != 1 || jobs[0].Session != "s11" {
		t.Errorf("jobs are %v", jobs)
	}
	left, _ := filepath.Glob(m.post().path("*", "*s11*"))
	gone, _ := filepath.Glob(m.post().path("*", "s1"))
	if len(left) != 4 || len(gone) != 0 {
		t.Errorf("left are %q, and %q", left, gone)
	}
}
