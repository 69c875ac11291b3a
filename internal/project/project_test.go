package project

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project/settings"
)

// A site is some folders, and the variables of somebody who works there.
type site struct {
	t    *testing.T
	root string
	vars map[string]string
}

func newSite(t *testing.T) *site {
	root := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	return &site{t, root, map[string]string{"XDG_STATE_HOME": filepath.Join(root, "state"), "XDG_CONFIG_HOME": filepath.Join(root, "config")}}
}

func (s *site) path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

// write makes a file, or with a slash at its end a folder.
func (s *site) write(name, text string) {
	s.t.Helper()
	dir := s.path(name)
	if !strings.HasSuffix(name, "/") {
		dir = filepath.Dir(dir)
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil && !strings.HasSuffix(name, "/") {
		err = os.WriteFile(s.path(name), []byte(text), 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) from(dir, address string) From {
	return From{Dir: s.path(dir), Address: address, Getenv: func(name string) string { return s.vars[name] }}
}

// The board is that of the flag, else of the environment, else the one that the
// settings name where a person trusts it, else the project's own.
func TestBoard(t *testing.T) {
	for _, test := range []struct {
		name           string
		flag, variable string
		setting        string // of the project
		trusted        bool
		want           string
		source         Source
		untrusted      string
		warning        string
	}{
		{name: "own", want: "clone/.tasks", source: Folder},
		{name: "flag", flag: "../plan", variable: "../other", setting: "../third", trusted: true, want: "plan/.tasks", source: Flag},
		{name: "variable", variable: "../other", setting: "../third", trusted: true, want: "other/.tasks", source: Environment},
		{name: "setting", setting: "../plan", trusted: true, want: "plan/.tasks", source: Settings},
		{name: "setting without trust", setting: "../plan", want: "clone/.tasks", source: Folder, untrusted: "plan/.tasks"},
		{name: "setting that names the own board", setting: ".tasks", want: "clone/.tasks", source: Folder},
		{name: "setting that is none", setting: "ada:secret@host:boards", want: "clone/.tasks", source: Folder, warning: "board must be a folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t)
			for _, name := range []string{"clone", "plan", "other", "third"} {
				s.write(name+"/.tasks/", "")
			}
			if test.setting != "" {
				s.write("clone/.tasks/pawl.jsonc", `{"board": "`+test.setting+`"}`)
			}
			if test.trusted {
				if _, changed, err := Open(s.from("clone", "")).Trust(t.Context(), time.Now()); !changed || err != nil {
					t.Fatal(changed, err)
				}
			}
			s.vars["PAWL_BOARD"] = test.variable
			p := Open(s.from("clone", test.flag))
			board := must.Get(p.Board())(t)
			if test.untrusted != "" {
				test.untrusted = s.path(test.untrusted)
			}
			if board.Dir != s.path(test.want) || board.Source != test.source || board.Untrusted != test.untrusted || !board.Exists {
				t.Errorf("got %+v", board)
			}
			if said := strings.Join(board.Warnings, "\n"); (test.warning == "") != (said == "") || !strings.Contains(said, test.warning) || strings.Contains(said, "secret") {
				t.Errorf("warnings: %q", said)
			}
			// Whatever board it uses, the project is the folder that one works in.
			if root, err := p.Root(); root != s.path("clone") || err != nil {
				t.Errorf("the project is %s, %v", root, err)
			}
		})
	}
}

// A trusted board that does not exist is an error that says where, and no
// other board takes its place.
func TestTrustedBoardIsGone(t *testing.T) {
	s := newSite(t)
	s.write("clone/.tasks/pawl.jsonc", `{"board": "../plan"}`)
	s.write("plan/.tasks/", "")
	p := Open(s.from("clone", ""))
	if _, _, err := p.Trust(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.Rename(s.path("plan/.tasks"), s.path("plan/away")))
	s.write("clone/.tasks/pawl.jsonc", `{"board": "../plan/.tasks"}`)
	p = Open(s.from("clone", ""))
	if _, _, err := p.Trust(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	board, err := p.Board()
	if !errors.Is(err, pawl.Unavailable) || board.Source != Settings || board.Dir != s.path("plan/.tasks") || board.Exists {
		t.Errorf("got %+v, %v", board, err)
	}
}

// A list of trusted boards that others could have written is not believed, and
// that is told.
func TestTrustThatIsNotBelieved(t *testing.T) {
	s := newSite(t)
	s.write("clone/.tasks/pawl.jsonc", `{"board": "../plan"}`)
	s.write("plan/.tasks/", "")
	s.write("state/pawl/consent.json", `{"consents": [{"kind": "board", "clone": 1}]}`)
	board, err := Open(s.from("clone", "")).Board()
	if err != nil || board.Source != Folder || board.Untrusted == "" || len(board.Warnings) != 1 {
		t.Errorf("got %+v, %v", board, err)
	}
	s.vars = map[string]string{} // without a home there is no list, which is not a fault
	board, err = Open(s.from("clone", "")).Board()
	if err != nil || board.Source != Folder || board.Untrusted == "" || len(board.Warnings) != 0 {
		t.Errorf("without a home: %+v, %v", board, err)
	}
}

// The settings that hold are those beside the caller's own board, also where
// another one is used; then the user's, then the session's.
func TestSettings(t *testing.T) {
	s := newSite(t)
	s.write("clone/.tasks/pawl.jsonc", `{"board": "../plan", "lease": "30m", "interactive": "never"}`)
	s.write("plan/.tasks/pawl.jsonc", `{"lease": "1h"}`)
	s.write("config/pawl/pawl.jsonc", `{"interactive": "always", "reminders": "maybe"}`)
	s.write("state/pawl/sessions/s1/pawl.jsonc", `{"interactive": "auto"}`)
	p := Open(s.from("clone", ""))
	if _, _, err := p.Trust(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	for session, want := range map[string]string{"": "always", "s1": "auto", "s2": "always"} {
		held := must.Get(p.Settings(session))(t)
		lease, mode := settings.Of[time.Duration](held, "lease"), settings.Of[string](held, "interactive")
		if lease != 30*time.Minute || mode != want || len(held.Problems()) != 1 {
			t.Errorf("session %q: %s, %s, %v", session, lease, mode, held.Problems())
		}
	}
	s.vars["XDG_CONFIG_HOME"] = "relative"
	held, err := Open(s.from("clone", "")).Settings("s1")
	if !errors.Is(err, pawl.Invalid) || settings.Of[time.Duration](held, "lease") != 30*time.Minute {
		t.Errorf("with a home that is nowhere: %v, %v", held.All(), err)
	}
}

// Leases on a shared board are longer unless somebody chose another one: who works
// in another clone hears of a renewal at the next sync.
func TestLeaseOfASharedBoard(t *testing.T) {
	lease := func(s *site) time.Duration {
		t.Helper()
		held := must.Get(Open(s.from("clone", "")).Settings(""))(t)
		return settings.Of[time.Duration](held, "lease")
	}
	s := newSite(t)
	s.write("clone/.git/HEAD", "ref: refs/heads/main")
	s.write("clone/.tasks/task_1.json", "{}")
	if got := lease(s); got != 15*time.Minute {
		t.Errorf("of a board of its own it is %s", got)
	}
	s.write("clone/.git/pawl/board/state", "{}")
	if got := lease(s); got != time.Hour {
		t.Errorf("of a shared board it is %s", got)
	}
	s.write("config/pawl/pawl.jsonc", `{"lease": "20m"}`)
	if got := lease(s); got != 20*time.Minute {
		t.Errorf("of one who wants another it is %s", got)
	}
	held, _ := Open(s.from("clone", "")).Settings("")
	if v := held.Get("sync"); v.Origin.Scope != settings.Default || v.Is != "claims" {
		t.Errorf("sync is %+v", v)
	}
}

// A command reads a file once. A process that runs on reads one again that has
// changed, and finds a board that was made.
func TestLast(t *testing.T) {
	s := newSite(t)
	s.write("clone/", "")
	once, lasting := Open(s.from("clone", "")), Open(s.from("clone", ""))
	lasting.Last()
	check := func(p *Project, want time.Duration) {
		t.Helper()
		held, err := p.Settings("")
		if err != nil || settings.Of[time.Duration](held, "lease") != want {
			t.Errorf("the lease is %s, want %s (%v)", settings.Of[time.Duration](held, "lease"), want, err)
		}
	}
	check(once, 15*time.Minute)
	check(lasting, 15*time.Minute)
	s.write("clone/.tasks/pawl.jsonc", `{"lease": "30m"}`)
	check(lasting, 15*time.Minute)
	once.Again()
	lasting.Again()
	check(once, 30*time.Minute)
	check(lasting, 30*time.Minute)
	s.write("clone/.tasks/pawl.jsonc", `{"lease": "120m"}`)
	check(once, 30*time.Minute)
	check(lasting, 2*time.Hour)
}
