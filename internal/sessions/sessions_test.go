package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions"
	"github.com/pawl-dev/pawl/internal/sessions/keeper"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
)

// An office is a server and the machines that work on its board.
type office struct {
	*testing.T
	dir    string
	keeper *keeper.Keeper
	now    time.Time // by the server's clock
	off    bool      // it does not answer
	lost   bool      // it does what it is told, and its answer is lost
	sent   [][]byte  // what came in
}

func newOffice(t *testing.T) *office {
	o := &office{T: t, dir: t.TempDir(), now: time.Now()}
	o.keeper = keeper.Open(o.dir, func() time.Time { return o.now }, func(text string) { t.Error(text) })
	return o
}

// A machine has a user with a token.
type machine struct {
	*office
	name    string
	token   access.Token
	state   string
	project string
	ahead   time.Duration // its clock
	local   *todofile.Store
	store   *sessions.Store
	lists   *todo.Service
}

func (o *office) machine(name, token string) *machine {
	o.Helper()
	m := &machine{office: o, name: name, token: access.Token{ID: token + "1", Name: token, Role: access.Work}, state: filepath.Join(o.TempDir(), "home", name)}
	m.project = filepath.Join(m.state, "work", "shop")
	m.restart()
	return m
}

// restart is another process of the machine's user.
func (m *machine) restart() {
	var err error
	if m.local, err = todofile.Open(filepath.Join(m.state, "todos")); err != nil {
		m.Fatal(err)
	}
	m.store = sessions.New(sessions.Options{
		Local: m.local, Server: m, Dir: m.dir(), Name: m.token.Name, Machine: m.name, Folder: "shop", Now: m.clock,
	})
	m.Cleanup(m.store.Close)
	m.lists = todo.New(m.store, m.clock)
}

func (m *machine) dir() string      { return filepath.Join(m.state, "at") }
func (m *machine) clock() time.Time { return m.now.Add(m.ahead) }

var errAway = &pawl.Error{Kind: pawl.Unavailable, Message: "away"}

func (m *machine) Away() time.Time { return time.Time{} }

func (m *machine) Lists(ctx context.Context, since string, wait time.Duration) (remote.Lists, error) {
	if m.off {
		return remote.Lists{}, errAway
	}
	lists, err := m.keeper.Lists(ctx, "shop", since, wait)
	text, _ := json.Marshal(lists)
	var copy remote.Lists
	return copy, errors.Join(err, json.Unmarshal(text, &copy))
}

func (m *machine) List(_ context.Context, id string) (remote.Session, error) {
	if m.off {
		return remote.Session{}, errAway
	}
	return m.keeper.List(context.Background(), "shop", id)
}

func (m *machine) sender() *sessions.Sender {
	return &sessions.Sender{
		Dir: m.dir(), Token: m.token.ID, Lists: m.local, Machine: m.name, Home: m.state, Now: m.clock,
		Arguments: func(string) bool { return false },
		Send: func(_ context.Context, send remote.Send) (remote.Sent, error) {
			text, err := json.Marshal(send)
			if m.off || err != nil {
				return remote.Sent{}, errors.Join(errAway, err)
			}
			m.sent = append(m.sent, text)
			var copy remote.Send
			if err := json.Unmarshal(text, &copy); err != nil {
				return remote.Sent{}, err
			}
			sent, err := m.keeper.Send(context.Background(), "shop", m.token, copy)
			if m.lost {
				return remote.Sent{}, errAway
			}
			return sent, err
		},
	}
}

func (m *machine) sync() {
	m.Helper()
	if err := m.sender().Sync(m.Context()); err != nil {
		m.Error(err)
	}
}

// write replaces the list of a session: "x!" is in progress, "x." completed.
func (m *machine) write(session string, todos ...string) {
	m.Helper()
	var draft []map[string]string
	for _, text := range todos {
		status := "pending"
		if s, ok := strings.CutSuffix(text, "!"); ok {
			text, status = s, "in_progress"
		} else if s, ok := strings.CutSuffix(text, "."); ok {
			text, status = s, "completed"
		}
		draft = append(draft, map[string]string{"content": text, "status": status})
	}
	text, err := json.Marshal(draft)
	if err != nil {
		m.Fatal(err)
	}
	items, err := todo.Decode(text, false)
	if err == nil {
		_, err = m.lists.Write(m.Context(), todo.Key{Session: session}, items, todo.Writing{Project: m.project})
	}
	if err != nil {
		m.Fatal(err)
	}
	if err := sessions.Mark(m.dir(), sessions.Seen{Key: todo.Key{Session: session}, Program: "claude", Folder: "shop"}); err != nil {
		m.Fatal(err)
	}
}

// sees is what a machine's user sees now, in another process.
func (m *machine) sees(want ...string) {
	m.Helper()
	m.restart()
	heads, err := m.lists.Sessions(m.Context(), "")
	if err != nil {
		m.Fatal(err)
	}
	var got []string
	for _, h := range heads {
		list, err := m.lists.Read(m.Context(), h.Key)
		if err != nil {
			m.Error(err)
		}
		line := h.Session + ":"
		for _, it := range list.Items {
			line += " " + it.Content
		}
		got = append(got, line)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		m.Errorf("%s sees:\n%s\nwant:\n%s", m.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What one machine's agents plan, the others see, with whose it is; nobody else can
// change it.
func TestTwoMachines(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s1", "parse!", "test")
	mini.sync()
	air.write("s2", "docs")
	air.sync()
	mini.sees("s1: parse test", "s2@bob.air: docs")
	air.sees("s2: docs", "s1@ada.mini: parse test")

	key := todo.Key{Session: "s1@ada.mini"}
	if list, err := air.lists.Read(t.Context(), key); err != nil || list.Origin.Whose() != "ada on mini" || list.Origin.Program != "claude" || list.Origin.Folder != "shop" {
		t.Errorf("read %+v, %v", list, err)
	}
	_, err := air.lists.Edit(t.Context(), key, todo.Editing{By: "A person"}, todo.Clear{})
	if err == nil || !strings.Contains(err.Error(), "ada on mini") || !strings.Contains(err.Error(), "s1") {
		t.Errorf("another's list was edited: %v", err)
	}
	if err := air.store.Remove(t.Context(), key); err == nil {
		t.Error("another's list was removed")
	}
	if _, err := air.lists.Resume(t.Context(), todo.Key{Session: "s2"}, todo.Editing{}, key); err != nil {
		t.Error(err)
	}
	air.sync()
	mini.sees("s1: parse test", "s2@bob.air: parse test")

	// Emptied and removed lists go there, too.
	if _, err := mini.lists.Forget(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	mini.sync()
	air.sees("s2: parse test")
}

// What is written without a server is sent later, and once.
func TestOffline(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s1", "one")
	mini.sync()
	air.sees("s1@ada.mini: one")
	o.off = true
	mini.write("s1", "two")
	if err := mini.sender().Sync(t.Context()); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("a server that does not answer: %v", err)
	}
	air.sees("s1@ada.mini: one") // as it was
	if told := air.lists.Problems(); len(told) != 1 || !strings.Contains(told[0], "as of") {
		t.Errorf("told %q", told)
	}
	if !sessions.Unsent(t.Context(), mini.dir(), mini.local) {
		t.Error("what waits is not known")
	}
	o.now = o.now.Add(5 * 24 * time.Hour)
	o.off = false
	mini.restart()
	mini.sync()
	air.sees("s1@ada.mini: two")
	n := len(o.sent)
	mini.sync()
	if sessions.Unsent(t.Context(), mini.dir(), mini.local) {
		t.Error("what was sent is said to wait")
	}
	if again := len(o.sent) - n; again > 1 { // the first settles the stamp of a list that had just changed
		t.Errorf("nothing changed, and %d requests were sent", again)
	}
}

// An answer that is lost, and a process that is killed before it remembers, send the
// same once more, and nothing else.
func TestLostAnswer(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s1", "one")
	o.lost = true
	if err := mini.sender().Sync(t.Context()); err == nil {
		t.Error("the answer was lost, and nobody says so")
	}
	o.lost = false
	mini.write("s1", "two")
	mini.sync()
	air.sees("s1@ada.mini: two")

	// The memory of what was sent is lost, or older than what was sent.
	if err := os.Remove(filepath.Join(mini.dir(), "sent.json")); err != nil {
		t.Fatal(err)
	}
	mini.ahead = -48 * time.Hour // and its clock was set right
	mini.write("s1", "three")
	mini.sync()
	mini.sees("s1: three")
	air.sees("s1@ada.mini: three")
}

// A memory that is older than what the server has does not hold back what is new.
func TestOldMemory(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s1", "one")
	mini.sync()
	path := filepath.Join(mini.dir(), "sent.json")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mini.ahead = 24 * time.Hour // for a while
	mini.write("s1", "two")
	mini.sync()
	mini.ahead = 0
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	mini.write("s1", "three")
	mini.sync()
	air.sees("s1@ada.mini: three")
}

// A server that was set up anew gets everything again.
func TestServerForgets(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s1", "one")
	mini.sync()
	o.now = o.now.Add(time.Hour)
	o.keeper = keeper.Open(t.TempDir(), func() time.Time { return o.now }, func(string) {})
	mini.write("s1", "one", "two")
	mini.write("s2", "x")
	mini.sync()
	air.sees("s1@ada.mini: one two", "s2@ada.mini: x")
}

// Sessions of one name on two machines stay apart, with one token or two.
func TestOneName(t *testing.T) {
	o := newOffice(t)
	one, two, three := o.machine("mini", "ada"), o.machine("mini", "ada"), o.machine("air", "ada")
	for _, m := range []*machine{one, two, three} {
		m.write("default", filepath.Base(filepath.Dir(filepath.Dir(m.state)))[:0]+fmt.Sprint(len(o.sent)))
		m.sync()
	}
	heads, err := one.lists.Sessions(t.Context(), "")
	if err != nil || len(heads) != 3 || heads[0].Key == heads[1].Key || heads[1].Key == heads[2].Key || heads[0].Key == heads[2].Key {
		t.Errorf("heads %+v, %v", heads, err)
	}
	again, _ := one.lists.Sessions(t.Context(), "")
	for i := range again {
		if again[i].Key != heads[i].Key {
			t.Errorf("a session has another name the next time: %v, %v", heads[i].Key, again[i].Key)
		}
	}
}

// Clocks that are apart do not make others' lists look old, or of tomorrow.
func TestClocksApart(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.ahead, air.ahead = 30*time.Hour, -7*time.Hour
	mini.write("s1", "one")
	mini.sync()
	recent, err := air.lists.Recent(t.Context(), func(h todo.Head) bool { return h.Origin != nil }, time.Hour)
	if err != nil || len(recent.Running) != 1 {
		t.Fatalf("%+v, %v", recent, err)
	}
	if age := recent.Now.Sub(recent.Running[0].UpdatedAt); age.Abs() > time.Minute {
		t.Errorf("the list seems %s old", age)
	}
}

// A session without a list is there while it does something, and gone when it ends.
func TestPresence(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	seen := sessions.Seen{Key: todo.Key{Session: "s9"}, Program: "codex", Folder: "shop"}
	present := func() (all []todo.Origin) {
		air.restart()
		recent, err := air.lists.Recent(t.Context(), func(todo.Head) bool { return true }, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return recent.Present
	}
	if err := sessions.Mark(mini.dir(), seen); err != nil {
		t.Fatal(err)
	}
	mini.sync()
	if all := present(); len(all) != 1 || all[0].Whose() != "ada on mini" || all[0].Program != "codex" || all[0].Here {
		t.Errorf("present: %+v", all)
	}
	seen.Ended = true
	if err := sessions.Mark(mini.dir(), seen); err != nil {
		t.Fatal(err)
	}
	mini.sync()
	if all := present(); len(all) != 0 {
		t.Errorf("present after the end: %+v", all)
	}
	if marks, err := sessions.Marked(mini.dir()); len(marks) != 0 || err != nil {
		t.Errorf("marks: %+v, %v", marks, err)
	}
}

// The server gets neither secrets nor paths nor arguments, whatever has them.
func TestMasking(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
	o := newOffice(t)
	mini := o.machine("mini", "ada")
	mini.write("s1", "read "+mini.project+"/secret/plan.txt and "+mini.state+"/.ssh/id!", "export GITHUB_TOKEN="+secret, "in "+mini.project)
	key := todo.Key{Session: "s1"}
	args, err := json.Marshal(map[string]string{"path": mini.project + "/in/arguments.go", "token": secret})
	if err != nil {
		t.Fatal(err)
	}
	call := todo.Call{ToolCall: todo.ToolCall{ID: "c1", Name: "Read", Parameters: args}, Arguments: true}
	if err := mini.lists.CallStarted(t.Context(), key, call); err != nil {
		t.Fatal(err)
	}
	if _, err := mini.lists.Pause(t.Context(), key, mini.project, "no key "+secret+" in "+mini.project+"/x"); err != nil {
		t.Fatal(err)
	}
	mini.sync()
	files := 0
	err = filepath.WalkDir(o.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		for _, planted := range []string{secret, mini.project, mini.state, o.T.TempDir(), "arguments.go"} {
			if strings.Contains(path+string(text), planted) {
				t.Errorf("the server has %q", planted)
			}
		}
		for _, sent := range []string{"secret/plan.txt", "~/.ssh", "Read", "[masked]"} {
			if !strings.Contains(string(text), sent) {
				t.Errorf("the server has no %q:\n%s", sent, text)
			}
		}
		return err
	})
	if err != nil || files != 1 {
		t.Errorf("%d files, %v", files, err)
	}
}

// A list that is larger than what is sent loses what is missed least.
func TestHuge(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	_, err := mini.local.Update(t.Context(), todo.Key{Session: "s1"}, func(l *todo.List) error {
		l.UpdatedAt = o.now
		for i := range todo.MaxItems {
			item := todo.Item{ID: fmt.Sprint(i), Content: strings.Repeat("名", todo.MaxContent), Status: todo.Pending, Priority: todo.Low}
			for s := range 3 {
				item.Subtasks = append(item.Subtasks, todo.Subtask{ID: fmt.Sprint(s), Content: strings.Repeat("前", todo.MaxContent), Status: todo.Pending})
			}
			l.Items = append(l.Items, item)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := sessions.Mark(mini.dir(), sessions.Seen{Key: todo.Key{Session: "s1"}}); err != nil {
		t.Fatal(err)
	}
	mini.sync()
	list, err := air.lists.Read(t.Context(), todo.Key{Session: "s1@ada.mini"})
	if err != nil || len(list.Items) < 80 {
		t.Errorf("%d todos arrived, %v", len(list.Items), err)
	}
}

// One who looks on hears of a change without asking.
func TestFollow(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	before, err := air.lists.StampAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mini.write("s1", "one")
	mini.sync()
	for heads := []todo.Head(nil); len(heads) == 0; {
		now, err := air.lists.StampAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if now == before { // as every interface does
			runtime.Gosched()
			continue
		}
		before = now
		if heads, err = air.lists.Sessions(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
}

// An outbox sends changes that come together in one go, and what failed again.
func TestOutbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, fail := time.Now(), true
		var at []time.Duration
		box := sessions.NewOutbox(func(context.Context) error {
			at = append(at, time.Since(start).Round(time.Second))
			if fail {
				return errAway
			}
			return nil
		})
		for range 5 {
			box.Wake()
		}
		time.Sleep(4 * time.Second)
		fail = false
		time.Sleep(4 * time.Second)
		box.Wake()
		box.Wake()
		time.Sleep(10 * time.Second)
		if want := []time.Duration{0, 5 * time.Second, 8 * time.Second}; !slices.Equal(at, want) {
			t.Errorf("sent after %v, want %v", at, want)
		}
		if box.Close() {
			t.Error("something is said to be left")
		}
	})
	box := sessions.NewOutbox(func(context.Context) error { return errAway })
	box.Wake()
	if !box.Close() {
		t.Error("nothing is said to be left of a change that was not sent")
	}
}

// A session that is over is forgotten there with its list, and leaves no trace here.
func TestEnd(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s-secret", "one")
	mini.sync()
	mini.sees("s-secret: one")
	air.sees("s-secret@ada.mini: one")
	if _, err := mini.lists.Forget(t.Context(), "s-secret"); err != nil {
		t.Fatal(err)
	}
	if marked, err := sessions.End(mini.dir(), "s-secret"); !marked || err != nil {
		t.Error(marked, err)
	}
	mini.sync()
	mini.sees()
	air.sees()
	for _, dir := range []string{mini.state, o.dir} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if text, err := os.ReadFile(path); err != nil || strings.Contains(path+string(text), "s-secret") {
				t.Errorf("%s has it: %s, %v", path, text, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A liar is a server that sends what no server may.
type liar struct {
	lists remote.Lists
	err   error
}

func (l liar) Lists(context.Context, string, time.Duration) (remote.Lists, error) {
	return l.lists, l.err
}
func (l liar) List(context.Context, string) (remote.Session, error) {
	return remote.Session{Session: "s", List: &remote.List{Items: []todo.Item{{Status: "?"}}}}, nil
}
func (l liar) Away() time.Time { return time.Time{} }

// What a server sends that is not as it should be is left out, and the rest is shown.
// What it refuses is told as it says it.
func TestLies(t *testing.T) {
	item := func(status todo.Status, n int) *remote.List {
		return &remote.List{Items: []todo.Item{{ID: "1", Content: strings.Repeat("x", n), Status: status}}}
	}
	head := &remote.ListHead{Pending: 1}
	lie := liar{lists: remote.Lists{Whole: true, Now: time.Now().Add(-200 * 365 * 24 * time.Hour), Sessions: []remote.Session{
		{ID: "1", Session: "good", Name: "ada", Head: head, List: item(todo.Pending, 1)},
		{ID: "2", Session: "status", Head: head, List: item("\x1b[2J", 1)},
		{ID: "3", Session: "long", Head: head, List: item(todo.Pending, todo.MaxContent+1)},
		{ID: "4", Session: strings.Repeat("s", remote.MaxKey+1), Head: head},
		{ID: "5", Session: " ", Head: head},
		{Session: "no id", Head: head},
		{ID: "6", Session: "asked", Name: "bob", Head: head},
	}}}
	o := newOffice(t)
	mini := o.machine("mini", "ada")
	open := func(l liar) *todo.Service {
		return todo.New(sessions.New(sessions.Options{Local: mini.local, Server: l, Dir: mini.dir(), Folder: "shop", Now: time.Now}), time.Now)
	}
	lists := open(lie)
	heads, err := lists.Sessions(t.Context(), "")
	if err != nil || len(heads) != 2 {
		t.Errorf("%+v, %v", heads, err)
	}
	if _, err := lists.Read(t.Context(), todo.Key{Session: "asked@bob"}); err == nil {
		t.Error("a list that is none was shown")
	}
	refused := open(liar{err: pawl.Errorf(pawl.Invalid, "the token has ended")})
	if _, err := refused.Sessions(t.Context(), ""); err != nil {
		t.Error(err)
	}
	if told := refused.Problems(); len(told) != 1 || !strings.Contains(told[0], "the token has ended") {
		t.Errorf("told %q", told)
	}
}

// partly is lists of which one cannot be read.
type partly struct {
	sessions.Source
	not string
}

func (p partly) Load(ctx context.Context, key todo.Key) (todo.List, error) {
	if key.Session == p.not {
		return todo.List{}, errors.New("permission denied")
	}
	return p.Source.Load(ctx, key)
}

// A list that cannot be read keeps no other one from being sent, and is sent later.
func TestUnreadable(t *testing.T) {
	o := newOffice(t)
	mac, pc := o.machine("mac", "ada"), o.machine("pc", "bob")
	mac.write("s1", "One")
	mac.write("s2", "Two")
	s := mac.sender()
	s.Lists = partly{s.Lists, "s1"}
	if err := s.Sync(t.Context()); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("the error is %v", err)
	}
	pc.sees("s2@ada.mac: Two")
	mac.sync()
	pc.sees("s1@ada.mac: One", "s2@ada.mac: Two")
}

// Who leaves takes the lists along.
func TestLeave(t *testing.T) {
	o := newOffice(t)
	mini, air := o.machine("mini", "ada"), o.machine("air", "bob")
	mini.write("s1", "one")
	mini.write("s2", "two")
	mini.sync()
	air.sees("s1@ada.mini: one", "s2@ada.mini: two")
	if err := sessions.Leave(t.Context(), *mini.sender()); err != nil {
		t.Fatal(err)
	}
	air.sees()
	mini.sees("s1: one", "s2: two")
}
