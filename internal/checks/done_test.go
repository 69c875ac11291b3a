package checks

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/checks/run"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

var (
	unit = pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}}
	vet  = pawl.Check{Name: "vet", Run: []string{"go", "vet", "./..."}}
	ada  = pawl.Actor{Name: "ada", Session: "s1"}
)

// A stage is a board, and a clone whose files and commands a test plays.
type stage struct {
	*testing.T
	*Service
	board  query.Board
	now    Files
	ran    []string                     // names of the checks that ran
	plays  map[string]func() run.Result // what a check does, by its name; passes otherwise
	told   []string
	person bool
}

func newStage(t *testing.T) *stage {
	home := t.TempDir()
	s := &stage{T: t, board: query.Local(pawl.NewBoard(memory.New())), now: Files{Commit: strings.Repeat("c", 40), Tree: strings.Repeat("a", 40)}, plays: map[string]func() run.Result{}}
	s.Service = s.clone(home, t.TempDir())
	return s
}

// clone is the service of a clone in a folder, of a user with a home.
func (s *stage) clone(home, root string) *Service {
	s.Helper()
	getenv := func(name string) string {
		if name == "HOME" || name == "XDG_STATE_HOME" || name == "LOCALAPPDATA" || name == "USERPROFILE" {
			return home
		}
		return ""
	}
	service := Open(Options{Root: root, Board: "https://tasks.example.org/boards/shop", Getenv: getenv})
	service.files = func(context.Context) (Files, error) { return s.now, nil }
	service.states = func(context.Context) map[string]string { return map[string]string{} }
	service.run = func(_ context.Context, c pawl.Check, _ func(string)) (run.Result, error) {
		s.ran = append(s.ran, c.Name)
		if play := s.plays[c.Name]; play != nil {
			return play(), nil
		}
		return run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}, nil
	}
	return service
}

func fails() run.Result {
	return run.Result{Exit: 1, Tail: "--- FAIL: TestX\n", Output: "sha256:" + strings.Repeat("1", 64)}
}

func (s *stage) do(op pawl.Op) pawl.Result {
	s.Helper()
	o := must.Get(s.board.Do(context.Background(), pawl.Request{By: ada, Op: op}, 0))(s)
	return o.Result
}

func (s *stage) request() Request {
	return Request{
		Person: s.person, By: ada.Name,
		Read: Reader(s.board, ada),
		Past: Past(s.board, ada),
		Do: func(ctx context.Context, op pawl.Op) error {
			_, err := s.board.Do(ctx, pawl.Request{By: ada, Op: op}, 0)
			return err
		},
		Tell: func(line string) { s.told = append(s.told, line) },
	}
}

func (s *stage) done(ids ...pawl.ID) error {
	_, err := s.Done(context.Background(), s.request(), pawl.Complete{IDs: ids})
	return err
}

func (s *stage) task(id pawl.ID) *pawl.Task {
	s.Helper()
	tasks := must.Get(s.request().Read(context.Background(), []pawl.ID{id}))(s)
	return &tasks[0]
}

// make adds a task with checks, and claims it.
func (s *stage) make(all ...pawl.Check) pawl.ID {
	s.Helper()
	id := s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "task", Checks: all}}}).IDs[0]
	s.do(pawl.ClaimTask{ID: id})
	return id
}

func (s *stage) trust(all ...pawl.Check) {
	s.Helper()
	tasks := must.Get(s.Open(context.Background(), s.board, ada))(s)
	must.Do(s, s.Trust(context.Background(), all, tasks))
}

// wants checks which checks ran since it was asked last.
func (s *stage) wants(names ...string) {
	s.Helper()
	if !slices.Equal(s.ran, names) {
		s.Errorf("ran %q, want %q", s.ran, names)
	}
	s.ran = nil
}

func (s *stage) is(id pawl.ID, status pawl.Status, standing pawl.Checked) *pawl.Task {
	s.Helper()
	t := s.task(id)
	if t.Status != status || t.Standing() != standing {
		s.Errorf("%v is %s and %q, want %s and %q", id, t.Status, t.Standing(), status, standing)
	}
	return t
}

func (s *stage) unmet(err error, says string) {
	s.Helper()
	if pawl.KindOf(err) != pawl.Unmet || !strings.Contains(err.Error(), says) {
		s.Errorf("%v, want unmet: %s", err, says)
	}
}

func TestDone(t *testing.T) {
	s := newStage(t)
	plain, checked := s.make(), s.make(unit, vet)
	s.trust(unit, vet)
	s.plays["vet"] = fails
	s.unmet(s.done(plain, checked), "vet: failed with exit code 1")
	s.wants("unit", "vet")
	s.is(plain, pawl.InProgress, pawl.NotChecked)
	failed := s.is(checked, pawl.InProgress, pawl.CheckedFailed)
	shown, err := s.Look(context.Background(), failed, true)
	if err != nil || len(shown) != 2 || shown[0].State != Passed || shown[1].State != Failed || !shown[1].Seen || shown[1].Tail != fails().Tail {
		t.Errorf("%+v, %v", shown, err)
	}
	delete(s.plays, "vet")
	must.Do(t, s.done(plain, checked))
	s.wants("vet") // unit has passed on exactly these files
	s.is(checked, pawl.Completed, pawl.CheckedPassed)
	s.is(plain, pawl.Completed, pawl.NotChecked)
}

// What is on other files, not of a commit, or only claimed runs again.
func TestRunsAgain(t *testing.T) {
	for name, change := range map[string]func(s *stage, id pawl.ID){
		"other files": func(s *stage, _ pawl.ID) { s.now.Tree = strings.Repeat("b", 40) },
		"not clean":   func(s *stage, _ pawl.ID) { s.now.Dirty = true },
		"no git":      func(s *stage, _ pawl.ID) { s.now = Files{Tree: pawl.NoTree} },
		"claimed": func(s *stage, id pawl.ID) {
			e := s.task(id).Evidence[0]
			e.Output = "sha256:" + strings.Repeat("9", 64)
			s.do(pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{e}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			id := s.make(unit)
			s.trust(unit)
			must.Get(s.Check(context.Background(), s.request(), []pawl.ID{id}, nil))(t)
			s.wants("unit")
			change(s, id)
			must.Do(t, s.done(id))
			s.wants("unit")
			s.is(id, pawl.Completed, pawl.CheckedPassed)
		})
	}
}

// What happens to the task or the files while checks run is seen: nothing is completed
// that was not checked.
func TestChangesWhileChecksRun(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *stage, id pawl.ID)
		says   string
	}{
		"files":         {func(s *stage, _ pawl.ID) { s.now.Tree = strings.Repeat("b", 40) }, "changed while"},
		"another check": {func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{vet}}) }, "vet: has not run"},
		"the command": {func(s *stage, id pawl.ID) {
			s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{{Name: "unit", Run: []string{"false"}}}})
		}, "unit: has not run"},
		"a label":     {func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, AddLabels: []string{"go"}}) }, "vet: has not run"},
		"a criterion": {func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, AddAccept: []string{"fast"}}) }, "fast: is not ticked"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.Rules = []pawl.CheckRule{{Check: vet, Labels: []string{"go"}}}
			id := s.make(unit)
			s.trust(unit)
			s.plays["unit"] = func() run.Result {
				test.change(s, id)
				return run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}
			}
			s.unmet(s.done(id), test.says)
			if s.task(id).Status != pawl.InProgress {
				t.Error("it was completed")
			}
		})
	}
}

// Nothing runs that nobody has trusted: another word, folder, variable or time is another
// command, whatever it is called.
func TestTrustIsForTheWhole(t *testing.T) {
	with := func(change func(c *pawl.Check)) pawl.Check {
		c := unit.Clone()
		change(&c)
		return c
	}
	for name, c := range map[string]pawl.Check{
		"argument": with(func(c *pawl.Check) { c.Run[2] = "./cmd/..." }),
		"longer":   with(func(c *pawl.Check) { c.Run = append(c.Run, "-exec=evil") }),
		"folder":   with(func(c *pawl.Check) { c.Dir = "web" }),
		"variable": with(func(c *pawl.Check) { c.Env = []string{"LD_PRELOAD"} }),
		"time":     with(func(c *pawl.Check) { c.Timeout = pawl.Duration(pawl.MaxCheckTimeout) }),
		"code":     with(func(c *pawl.Check) { c.Expect = 1 }),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.trust(unit)
			id := s.make(c)
			s.Refuse = true
			s.unmet(s.done(id), "until a person trusts the check unit: go test")
			if _, err := s.Check(context.Background(), s.request(), []pawl.ID{id}, nil); pawl.KindOf(err) != pawl.Unmet {
				t.Error(err)
			}
			s.wants()
			s.Refuse, s.person = false, true
			s.unmet(s.done(id), "is not trusted in this clone") // a person can do something about it
			s.person = false
			must.Do(t, s.done(id))
			s.wants()
			if got := s.is(id, pawl.Completed, pawl.CheckedOpen); len(got.Notes) != 1 || !strings.Contains(got.Notes[0].Text, "trusted unit") {
				t.Errorf("%+v", got.Notes)
			}
		})
	}
	t.Run("another name", func(t *testing.T) {
		s := newStage(t)
		s.trust(unit)
		id := s.make(with(func(c *pawl.Check) { c.Name = "all" }))
		must.Do(t, s.done(id))
		s.wants("all")
	})
}

// Where a task has had a trusted check, nobody gets around it but by a person's word.
func TestTrustedCheckStays(t *testing.T) {
	optional := unit
	optional.Optional = true
	weaker := unit.Clone()
	weaker.Run = []string{"true"}
	for name, change := range map[string]func(s *stage, id pawl.ID){
		"removed":  func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}}) },
		"optional": func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{optional}}) },
		"weaker":   func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{weaker}}) },
		"the project's label": func(s *stage, id pawl.ID) {
			s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}, RemoveLabels: []string{"go"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.Rules = []pawl.CheckRule{{Check: vet, Labels: []string{"go"}}}
			id := s.make(unit)
			s.do(pawl.Update{ID: id, AddLabels: []string{"go"}})
			s.trust(unit, vet)
			change(s, id)
			s.unmet(s.done(id), "needed")
			s.wants()
			_, err := s.Screened(context.Background(), s.board, true, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{id}}})
			s.unmet(err, "needed")
			s.trust() // a person agrees to what it needs now
			must.Do(t, s.done(id))
		})
	}
	for name, change := range map[string]func(s *stage, id pawl.ID){
		"removed at once": func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}}) },
		"imported": func(s *stage, id pawl.ID) {
			s.do(pawl.Import{Tasks: []pawl.ImportTask{{ID: id, CreatedAt: s.task(id).CreatedAt, NewTask: pawl.NewTask{Subject: "task", Checks: []pawl.Check{}}}}})
		},
		"settings": func(s *stage, id pawl.ID) { s.Rules = nil },
		"label":    func(s *stage, id pawl.ID) { s.do(pawl.Update{ID: id, RemoveLabels: []string{"go"}}) },
		"label of the settings": func(s *stage, id pawl.ID) {
			s.Rules = []pawl.CheckRule{{Check: vet, Labels: []string{"web"}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.Rules = []pawl.CheckRule{{Check: vet, Labels: []string{"go"}}}
			s.trust(unit, vet)
			id := s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "task", Labels: []string{"go"}, Checks: []pawl.Check{unit}}}}).IDs[0]
			change(s, id)
			s.unmet(s.done(id), "needed")
			s.wants()
			s.trust() // a person agrees to what it needs now
			must.Do(t, s.Agree(t.Context()))
			must.Do(t, s.done(id))
		})
	}
	t.Run("the settings", func(t *testing.T) {
		s := newStage(t)
		s.Rules = []pawl.CheckRule{{Check: vet}}
		id := s.make()
		s.trust(vet)
		s.Rules = nil
		s.unmet(s.done(id), "needed vet")
		s.Broken = "pawl.jsonc:1:1: no JSON"
		s.unmet(s.done(id), "cannot be read")
	})
}

// A completion that leaves out a check which nobody trusts is held to all others.
func TestSkippedIsNoWayAround(t *testing.T) {
	for name, change := range map[string]func(s *stage, id pawl.ID){
		"unreadable": func(s *stage, id pawl.ID) {
			s.do(pawl.Import{Tasks: []pawl.ImportTask{{ID: id, CreatedAt: s.task(id).CreatedAt, NewTask: pawl.NewTask{Subject: "task"}, Extra: map[string]json.RawMessage{"accept": json.RawMessage(`7`)}}}})
		},
		"another criterion": func(s *stage, id pawl.ID) {
			s.plays["unit"] = func() run.Result {
				s.do(pawl.Update{ID: id, AddAccept: []string{"tried"}})
				return run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}
			}
		},
		"another check": func(s *stage, id pawl.ID) {
			s.plays["unit"] = func() run.Result {
				s.do(pawl.Update{ID: id, AddChecks: []pawl.Check{{Name: "more", Run: []string{"more"}}}})
				return run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.trust(unit)
			id, other := s.make(unit), s.make(vet)
			change(s, id)
			s.unmet(s.done(id, other), "")
			if s.task(id).Status != pawl.InProgress {
				t.Error("it was completed")
			}
		})
	}
}

// A run on files that changed is not kept: no record of it that somebody writes counts.
func TestRunOnChangedFilesIsNotKept(t *testing.T) {
	s := newStage(t)
	s.trust(unit)
	id := s.make(unit)
	was := s.now
	s.plays["unit"] = func() run.Result {
		s.now.Tree = strings.Repeat("b", 40)
		return run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}
	}
	s.unmet(s.done(id), "changed while")
	s.now = was
	s.do(pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{{Check: "unit", Sum: unit.Sum(), Commit: was.Commit, Tree: was.Tree, Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}}})
	s.plays["unit"] = fails
	s.unmet(s.done(id), "")
}

// To name the board of another project gets around nothing that is trusted there.
func TestFromElsewhere(t *testing.T) {
	home, top := t.TempDir(), t.TempDir()
	t.Setenv("XDG_STATE_HOME", home)
	in := func(dir, board string) *Service {
		t.Helper()
		getenv := func(name string) string {
			switch name {
			case "PAWL_BOARD":
				return board
			case "HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "USERPROFILE", "APPDATA":
				return home
			}
			return ""
		}
		return must.Get(In(project.Open(project.From{Dir: dir, Getenv: getenv}), getenv))(t)
	}
	project, elsewhere := filepath.Join(top, "project"), filepath.Join(top, "elsewhere")
	board := filepath.Join(project, ".tasks")
	for _, dir := range []string{board, elsewhere} {
		must.Do(t, os.MkdirAll(dir, 0o700))
	}
	if s := in(elsewhere, board); s.home != nil || !s.Refuse {
		t.Error("nothing is trusted there, and by default what nobody trusts is refused")
	}
	users := func(text string) {
		t.Helper()
		config := must.Get(settings.UserFile(func(name string) string {
			return map[string]string{"HOME": home, "APPDATA": home, "USERPROFILE": home}[name]
		}))(t)
		must.Do(t, os.MkdirAll(filepath.Dir(config), 0o700))
		must.Do(t, os.WriteFile(config, []byte(text), 0o600))
	}
	users(`{"checks.untrusted": "skip", "checks.trusted": ["go vet ./..."]}`)
	if s := in(elsewhere, board); len(s.Users) != 1 {
		t.Fatal("the settings are not read")
	} else if s.home != nil || s.Refuse {
		t.Error("a command that the user's settings trust everywhere is taken for one that is trusted there")
	}
	users("{}")
	s := newStage(t)
	s.Service = in(project, "")
	id := s.make(unit)
	s.trust(unit)
	s.Service = in(elsewhere, board)
	s.unmet(s.done(id), "until a person trusts the check unit")
	s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}})
	s.unmet(s.done(id), "needed unit")
	s.Service = in(project, board)
	s.unmet(s.done(id), "needed unit")
}

// Trust is for one clone, and a list that others could have written counts for nothing.
func TestTrustIsForOneClone(t *testing.T) {
	s := newStage(t)
	id := s.make(unit)
	home := s.Getenv("HOME")
	s.trust(unit)
	other := s.clone(home, t.TempDir())
	items, err := other.Items(s.task(id))
	if err != nil || items[0].Trusted {
		t.Errorf("another folder trusts %+v, %v", items, err)
	}
	otherUser := s.clone(t.TempDir(), s.Root)
	if items, err := otherUser.Items(s.task(id)); err != nil || items[0].Trusted {
		t.Errorf("another user trusts %+v, %v", items, err)
	}
	path := s.list.Path()
	if os.PathSeparator == '/' {
		must.Do(t, os.Chmod(path, 0o666))
		if _, err := s.Items(s.task(id)); err == nil {
			t.Error("a list that all can write is believed")
		}
		must.Do(t, os.Chmod(path, 0o600))
	}
	if gone, err := s.list.Forget(context.Background(), s.place.Of); err != nil || len(gone) != 1 {
		t.Error(gone, err)
	}
	s.Refuse = true
	s.unmet(s.done(id), "until a person trusts the check unit")
	s.wants()
}

// Evidence that this clone has not seen is claimed.
func TestClaimed(t *testing.T) {
	s := newStage(t)
	id := s.make(unit)
	s.trust(unit)
	s.do(pawl.AddEvidence{ID: id, Evidence: []pawl.Evidence{{Check: "unit", Sum: unit.Sum(), Tree: s.now.Tree, Passed: true}}})
	shown, err := s.Look(context.Background(), s.task(id), true)
	if err != nil || shown[0].Seen || shown[0].State != Passed {
		t.Errorf("%+v, %v", shown, err)
	}
	s.now.Tree = strings.Repeat("b", 40)
	if shown, err = s.Look(context.Background(), s.task(id), true); err != nil || shown[0].State != Stale {
		t.Errorf("%+v, %v", shown, err)
	}
	if shown, err = s.Look(context.Background(), s.task(id), false); err != nil || shown[0].State != Passed {
		t.Errorf("%+v, %v", shown, err)
	}
}

// A claim whose lease is shorter than its checks does not end while they run.
func TestClaimIsRenewed(t *testing.T) {
	s := newStage(t)
	id := s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "task", Checks: []pawl.Check{unit}}}}).IDs[0]
	s.do(pawl.ClaimTask{ID: id, Lease: pawl.Duration(pawl.MinLease)})
	s.trust(unit)
	request, renewed := s.request(), make(chan bool)
	do := request.Do
	request.Do = func(ctx context.Context, op pawl.Op) error {
		err := do(ctx, op)
		if _, is := op.(pawl.Renew); is && ctx.Err() == nil {
			select {
			case renewed <- err == nil:
			case <-ctx.Done():
			}
		}
		return err
	}
	s.plays["unit"] = func() run.Result {
		for range 4 { // a third of the lease each
			if !<-renewed {
				t.Error("it is not renewed")
			}
		}
		return run.Result{Passed: true, Output: "sha256:" + strings.Repeat("0", 64)}
	}
	must.Get(s.Done(context.Background(), request, pawl.Complete{IDs: []pawl.ID{id}}))(t)
	s.is(id, pawl.Completed, pawl.CheckedPassed)
}

// Two tasks that were made in one moment and have the same check each keep their own run,
// also under another number.
func TestRunsOfTwins(t *testing.T) {
	s := newStage(t)
	both := s.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "a", Checks: []pawl.Check{unit}}, {Subject: "b", Checks: []pawl.Check{unit}}}}).IDs
	s.trust(unit)
	s.plays["unit"] = fails
	if _, err := s.Check(context.Background(), s.request(), both[:1], nil); pawl.KindOf(err) != pawl.Unmet {
		t.Fatal(err)
	}
	delete(s.plays, "unit")
	must.Get(s.Check(context.Background(), s.request(), both[1:], nil))(t)
	moved := s.task(both[0]).Clone()
	moved.ID, moved.Was = 99, []pawl.ID{both[0]}
	for _, task := range []*pawl.Task{s.task(both[0]), s.task(both[1]), &moved} {
		if shown, err := s.Look(context.Background(), task, false); err != nil || !shown[0].Seen || (shown[0].Tail != "") != (task.Subject == "a") {
			t.Errorf("%v: %+v, %v", task.ID, shown, err)
		}
	}
}

// What cannot be read is not left out as if nothing were asked.
func TestCheckUnreadable(t *testing.T) {
	s := newStage(t)
	id := s.make(unit)
	s.trust(unit)
	s.Broken = "a comma is missing"
	if _, err := s.Check(context.Background(), s.request(), []pawl.ID{id}, nil); pawl.KindOf(err) != pawl.Unmet || len(s.ran) > 0 {
		t.Errorf("%v, ran %q", err, s.ran)
	}
	s.Broken = ""
	request := s.request()
	request.Read = func(context.Context, []pawl.ID) ([]pawl.Task, error) {
		return []pawl.Task{{ID: id, Extra: map[string]json.RawMessage{"checks": json.RawMessage(`"all"`)}}}, nil
	}
	if _, err := s.Check(context.Background(), request, []pawl.ID{id}, nil); pawl.KindOf(err) != pawl.Unmet || len(s.ran) > 0 {
		t.Errorf("%v, ran %q", err, s.ran)
	}
}

// A server that lets no agent complete without checks is not gone around: the agent is
// told what waits for a person.
func TestBoundToUntrusted(t *testing.T) {
	s := newStage(t)
	id := s.make(unit)
	request := s.request()
	request.Do = func(ctx context.Context, op pawl.Op) error {
		_, err := s.board.Do(ctx, pawl.Request{By: ada, Op: op, Bound: true}, 0)
		return err
	}
	_, err := s.Done(context.Background(), request, pawl.Complete{IDs: []pawl.ID{id}})
	s.unmet(err, "unit: go test ./... is not trusted")
	s.is(id, pawl.InProgress, pawl.CheckedOpen)
}

// What a person agreed to stays agreed when the board records it later, as it does with
// an edit of a task's file.
func TestAgreedBeforeItIsRecorded(t *testing.T) {
	s := newStage(t)
	s.Service.now = func() time.Time { return time.Now().Add(-time.Hour) }
	id := s.make(unit)
	s.trust(unit)
	edited := *s.task(id)
	edited.Checks = []pawl.Check{vet}
	// A person sees the edited task, and trusts.
	must.Do(t, s.Trust(context.Background(), []pawl.Check{vet}, []pawl.Task{edited}))
	s.do(pawl.Update{ID: id, RemoveChecks: []string{"unit"}, AddChecks: []pawl.Check{vet}})
	must.Do(t, s.done(id))
	s.wants("vet")
	// Who requires it again needs a person again to let it go.
	again := s.make(unit)
	s.trust(unit)
	s.do(pawl.Update{ID: again, RemoveChecks: []string{"unit"}})
	s.trust()
	s.do(pawl.Update{ID: again, AddChecks: []pawl.Check{unit}})
	s.trust()
	s.do(pawl.Update{ID: again, RemoveChecks: []string{"unit"}})
	s.unmet(s.done(again), "needed unit")
}
