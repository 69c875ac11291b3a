package tui

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/served"
	"github.com/pawl-dev/pawl/internal/lookup"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func init() { time.Local = time.UTC } // golden files tell times

// A pilot sits at a model as a reader does at a terminal: commands run beside
// it, and it waits until all is quiet. It lives in a bubble in which time passes
// only while it waits (sleep), so nothing is left to chance.
type pilot struct {
	t     *testing.T
	model *model
	board *pawl.Board
	store *counted
	msgs  chan tea.Msg
	over  bool // the model wants to end
	drawn int  // how many times the model changed, so that it was drawn again
}

var me = pawl.Actor{Name: "ada", Session: "terminal"}

// fly runs a story on a board with some tasks. The terminal has 120 columns and
// 40 rows, dark, with Unicode; size changes that.
func fly(t *testing.T, story func(p *pilot), ops ...pawl.Op) {
	t.Helper()
	flyOn(t, func(_ testing.TB, b *pawl.Board) query.Board { return query.Local(b) }, story, ops...)
}

// flyOn is fly with the model at another board than one in this process.
func flyOn(t *testing.T, reach func(testing.TB, *pawl.Board) query.Board, story func(p *pilot), ops ...pawl.Op) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		store := &counted{Store: memory.New()}
		board := pawl.NewBoard(store)
		defer func() { // of a story that failed, too
			stop()
			time.Sleep(pawl.MaxLease + time.Hour) // whatever waits for a time has it
			must.Do(t, board.Close())
		}()
		p := &pilot{t: t, board: board, store: store, msgs: make(chan tea.Msg, 10_000)}
		for _, op := range ops {
			p.do(me, op)
		}
		p.model = newModel(ctx, shows(func() query.Board { return reach(t, board) }))
		p.model.exec = func(_ *exec.Cmd, done tea.ExecCallback) tea.Cmd { // an editor in which nothing is changed
			return func() tea.Msg { return done(nil) }
		}
		p.run(p.model.Init())
		p.size(120, 40)
		story(p)
	})
}

// shows are the options of a model that shows a board.
func shows(board func() query.Board) Options {
	return Options{
		Terminal: Terminal{Unicode: true, Theme: "dark", Now: time.Now, Programs: lookup.Finder{Getenv: func(string) string { return "" }}},
		Live: show.Live{
			By:    me,
			Open:  func(context.Context, bool) (query.Board, string, error) { return board(), "", nil },
			Await: func(context.Context) (query.Board, error) { return board(), nil },
		},
	}
}

// do has somebody do something on the board, past the model.
func (p *pilot) do(by pawl.Actor, op pawl.Op) pawl.Result {
	p.t.Helper()
	result, err := p.board.Do(p.t.Context(), pawl.Request{By: by, Op: op})
	if err != nil {
		p.t.Fatalf("%T: %v", op, err)
	}
	return result
}

func (p *pilot) run(cmd tea.Cmd) {
	if cmd != nil {
		go func() { p.msgs <- cmd() }()
	}
}

// send gives the model a message, and waits until it has all that follows.
func (p *pilot) send(msgs ...tea.Msg) {
	p.t.Helper()
	for _, msg := range msgs {
		p.update(msg)
	}
	p.settle()
}

func (p *pilot) update(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			p.run(cmd)
		}
	case tea.QuitMsg:
		p.over = true
	default:
		_, cmd := p.model.Update(msg)
		p.drawn++
		p.run(cmd)
	}
}

func (p *pilot) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-p.msgs:
			p.update(msg)
		default:
			p.model.View() // as the library does
			return
		}
	}
}

// sleep lets time pass.
func (p *pilot) sleep(d time.Duration) {
	time.Sleep(d)
	p.settle()
}

// size makes the terminal another one, and lets it look.
func (p *pilot) size(width, height int) {
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	p.sleep(time.Second)
}

// press presses keys, by their names: "j", "enter", "ctrl+w", "G".
func (p *pilot) press(keys ...string) {
	p.t.Helper()
	for _, name := range keys {
		p.send(keyOf(p.t, name))
	}
	p.sleep(time.Second)
}

// write types a text.
func (p *pilot) write(text string) {
	for _, r := range text {
		p.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	p.sleep(time.Second)
}

var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "space": tea.KeySpace,
}

func keyOf(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	var k tea.KeyPressMsg
	rest := name
	for _, mod := range []struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if after, ok := strings.CutPrefix(rest, mod.name); ok {
			k.Mod, rest = k.Mod|mod.mod, after
		}
	}
	if code, ok := namedKeys[rest]; ok {
		k.Code = code
		if rest == "space" && k.Mod == 0 {
			k.Text = " "
		}
		return k
	}
	if len([]rune(rest)) != 1 {
		t.Fatalf("there is no key %q", name)
	}
	k.Code = []rune(rest)[0]
	if k.Mod == 0 {
		k.Text = rest
	}
	return k
}

// text is what stands on the screen, without colours, and without spaces at the
// ends of lines.
func (p *pilot) text() string {
	f, _ := p.model.frame()
	return plainOn(f, p.model.Unicode)
}

func plain(f frame) string { return plainOn(f, true) }

func plainOn(f frame, unicode bool) string {
	th := theme{}
	var b strings.Builder
	for _, cells := range f {
		var line strings.Builder
		th.paintRow(&line, cells, unicode)
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// sees fails unless each of the texts stands on the screen.
func (p *pilot) sees(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.text(), text) {
			p.t.Fatalf("the screen does not show %q:\n%s", text, p.text())
		}
	}
}

// seesNot fails when one of the texts stands on the screen.
func (p *pilot) seesNot(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if strings.Contains(p.text(), text) {
			p.t.Fatalf("the screen shows %q:\n%s", text, p.text())
		}
	}
}

// golden compares the screen with testdata/NAME.txt.
func (p *pilot) golden(name string) {
	p.t.Helper()
	golden(p.t, name+".txt", p.text())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := must.Get(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s differs (-update writes it anew):\n%s", path, got)
	}
}

// atServer is the board as it is at an address.
func atServer(t testing.TB, b *pawl.Board) query.Board { return served.Board(t, query.Local(b)) }

// task is a new task, for Create.
func task(subject string, after ...pawl.ID) pawl.NewTask {
	t := pawl.NewTask{Subject: subject}
	for _, id := range after {
		t.BlockedBy = append(t.BlockedBy, pawl.RefID(id))
	}
	return t
}

// plan makes tasks, one after another, each with the ids 1, 2, 3 …
func plan(tasks ...pawl.NewTask) pawl.Op {
	var all pawl.All
	for _, t := range tasks {
		all.Ops = append(all.Ops, pawl.Create{Tasks: []pawl.NewTask{t}})
	}
	return all
}

// A change that somebody else makes shows by itself, and many changes cost few
// looks.
func TestFollowsTheBoard(t *testing.T) {
	fly(t, func(p *pilot) {
		p.sees("Ready 1")
		p.do(me, plan(task("Write code", 1)))
		p.sleep(gap)
		p.sees("Blocked 1", "Ready 1")

		looks, drawn := 0, p.drawn
		began := p.model.feed.last
		for i := range 100 {
			p.do(pawl.Actor{Name: "bob", Session: "b"}, pawl.AddNote{ID: 1, Text: strings.Repeat("x", i+1)})
			time.Sleep(10 * time.Millisecond)
			p.settle()
			if !p.model.feed.last.Equal(began) {
				looks, began = looks+1, p.model.feed.last
			}
		}
		if looks < 2 || looks > 21 {
			t.Errorf("%d looks in a second, want one in 50 ms", looks)
		}
		if drawn = p.drawn - drawn; drawn > 3*looks+3 {
			t.Errorf("drawn %d times for %d looks", drawn, looks)
		}
	}, plan(task("Set up")))
}
