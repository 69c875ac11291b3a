package project

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/project/consent"
)

const (
	shop     = "https://tasks.example.org/boards/shop"
	database = "postgres://db/pawl?board=shop"
)

func addressOf(t *testing.T, text string) address.Address {
	t.Helper()
	at := must.Get(address.Parse(text))(t)
	return at
}

// Which of several names of a board counts.
func TestAddresses(t *testing.T) {
	named := func(board string) string { return strings.Replace(shop, "shop", board, 1) }
	for _, test := range []struct {
		name               string
		flag, variable     string
		joined             string
		setting, users     string
		trusted, ownExists bool
		want               string // a folder, or an address
		source             Source
		untrusted          string
	}{
		{name: "flag", flag: named("flag"), variable: named("env"), joined: named("joined"), want: named("flag"), source: Flag},
		{name: "variable", variable: named("env"), joined: named("joined"), ownExists: true, want: named("env"), source: Environment},
		{name: "a folder before an address", variable: "../plan", joined: named("joined"), want: "plan/.tasks", source: Environment},
		{name: "joined", joined: named("joined"), ownExists: true, setting: named("settings"), trusted: true, want: named("joined"), source: Joined},
		{name: "joined without a board of its own", joined: named("joined"), users: named("users"), want: named("joined"), source: Joined},
		{name: "settings", ownExists: true, setting: named("settings"), trusted: true, users: named("users"), want: named("settings"), source: Settings},
		{name: "settings without trust", ownExists: true, setting: named("settings"), want: "clone/.tasks", source: Folder, untrusted: named("settings")},
		{name: "own before the user's", ownExists: true, users: named("users"), want: "clone/.tasks", source: Folder},
		{name: "the user's", users: named("users"), want: named("users"), source: User},
		{name: "a database", flag: database, joined: named("joined"), ownExists: true, want: database, source: Flag},
		{name: "a database of the environment, with a password", variable: strings.Replace(database, "db", "ada:secret@db", 1), joined: named("joined"), want: database, source: Environment},
		{name: "a database of the user's", users: database, want: database, source: User},
		{name: "a database of the project's", ownExists: true, setting: database, want: "clone/.tasks", source: Folder},
		{name: "the user's folder", users: "../plan", want: "plan/.tasks", source: User},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t)
			s.write("clone/below/", "")
			s.write("plan/.tasks/", "")
			if test.ownExists {
				s.write("clone/.tasks/", "")
			}
			if test.setting != "" {
				s.write("clone/.tasks/pawl.jsonc", `{"board": "`+test.setting+`"}`)
			}
			if test.users != "" {
				if !address.Is(test.users) {
					test.users = "../../plan" // from the file
				}
				s.write("config/pawl/pawl.jsonc", `{"board": "`+test.users+`"}`)
			}
			if test.trusted {
				if _, _, err := Open(s.from("clone", "")).Trust(t.Context(), time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			if test.joined != "" {
				if changed, err := Open(s.from("clone", "")).Join(t.Context(), addressOf(t, test.joined), time.Now()); !changed || err != nil {
					t.Fatal(changed, err)
				}
			}
			for _, dir := range []string{"clone", "clone/below"} {
				s.vars["PAWL_BOARD"] = test.variable
				if dir != "clone" && test.variable == "../plan" {
					s.vars["PAWL_BOARD"] = "../../plan"
				}
				p := Open(s.from(dir, test.flag))
				board, err := p.Board()
				if err != nil {
					t.Fatal(err)
				}
				where := board.Where()
				if !board.Distant() {
					rel := must.Get(filepath.Rel(s.root, where))(t)
					where = filepath.ToSlash(rel)
				}
				if where != test.want || board.Source != test.source || !board.Exists || board.Distant() && board.Dir != "" || board.Untrusted != test.untrusted {
					t.Errorf("in %s: %s, %+v", dir, where, board)
				}
				// Whatever board it uses, it is one project, if anything says where it begins.
				root, err := p.Root()
				if want := s.path("clone"); err != nil || (test.ownExists || test.joined != "" && test.variable == "" && test.flag == "") && root != want {
					t.Errorf("in %s the project is %s, %v", dir, root, err)
				}
			}
		})
	}
}

// Of projects in one another the nearest counts, be it joined or with a board.
func TestJoinedNearest(t *testing.T) {
	s := newSite(t)
	s.write("top/a/.tasks/", "")
	s.write("top/a/deep/", "")
	s.write("top/b/", "")
	if _, err := Open(s.from("top", "")).Join(t.Context(), addressOf(t, shop), time.Now()); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"top": shop, "top/b": shop, "top/a": "", "top/a/deep": ""} {
		board, err := Open(s.from(dir, "")).Board()
		if err != nil || board.Distant() != (want != "") {
			t.Errorf("%s: %+v, %v", dir, board, err)
		}
	}
	if err := Open(s.from("top/b", "")).Leave(t.Context()); err != nil {
		t.Errorf("left: %v", err)
	}
	if board, err := Open(s.from("top/b", "")).Board(); err != nil || board.Distant() || board.Exists {
		t.Errorf("after it: %+v, %v", board, err)
	}
}

// A linked work tree uses what its main one has joined, and a path with links leads to
// the same project.
func TestJoinedElsewhere(t *testing.T) {
	s := newSite(t)
	s.write("main/.git/HEAD", "ref: refs/heads/main\n")
	s.write("main/.git/worktrees/side/gitdir", s.path("side/.git")+"\n")
	s.write("main/.git/worktrees/side/commondir", "") // for Wine a folder was made when a file came into it last
	s.write("side/.git", "gitdir: "+s.path("main/.git/worktrees/side")+"\n")
	s.write("main/.git/worktrees/side/commondir", "../..\n")
	if _, err := Open(s.from("main", "")).Join(t.Context(), addressOf(t, shop), time.Now()); err != nil {
		t.Fatal(err)
	}
	mustrun.Link(t, s.path("main"), s.path("link"))
	for _, dir := range []string{"main", "side", "link"} {
		if board, err := Open(s.from(dir, "")).Board(); err != nil || !board.Distant() {
			t.Errorf("%s: %+v, %v", dir, board, err)
		}
	}
}

// A join is that of one clone: another one at its path, or a copy of it, uses its own board
// and says which one was joined.
func TestJoinedByAnotherClone(t *testing.T) {
	for _, test := range []struct {
		name   string
		git    bool
		become func(s *site) (elsewhere string)
	}{
		{"made again", true, func(s *site) string {
			must.Do(t, os.RemoveAll(s.path("clone")))
			s.write("clone/.git/HEAD", "ref: refs/heads/main\n")
			return "clone"
		}},
		{"made again without git", false, func(s *site) string {
			if mustrun.UnderWine() { // which numbers folders without a count of their uses
				must.Do(t, os.Rename(s.path("clone"), s.path("before")))
			}
			must.Do(t, os.RemoveAll(s.path("clone")))
			s.write("clone/", "")
			return "clone"
		}},
		{"moved", true, func(s *site) string {
			must.Do(t, os.Rename(s.path("clone"), s.path("moved")))
			return "moved"
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSite(t)
			s.write("clone/", "")
			if test.git {
				s.write("clone/.git/HEAD", "ref: refs/heads/main\n")
			}
			if _, err := Open(s.from("clone", "")).Join(t.Context(), addressOf(t, shop), time.Now()); err != nil {
				t.Fatal(err)
			}
			dir := test.become(s)
			board, err := Open(s.from(dir, "")).Board()
			if err != nil || board.Distant() || board.Stray != shop {
				t.Errorf("%s: %+v, %v", dir, board, err)
			}
			if _, err := Open(s.from(dir, "")).Join(t.Context(), addressOf(t, shop), time.Now()); err != nil {
				t.Fatal(err)
			}
			if board, err := Open(s.from(dir, "")).Board(); err != nil || !board.Distant() || board.Stray != "" {
				t.Errorf("joined again: %+v, %v", board, err)
			}
		})
	}
}

// What cannot be trusted to say which board is meant is an error: no other board takes
// its place.
func TestJoinedUnreadable(t *testing.T) {
	s := newSite(t)
	s.write("clone/.tasks/", "")
	if _, err := Open(s.from("clone", "")).Join(t.Context(), addressOf(t, shop), time.Now()); err != nil {
		t.Fatal(err)
	}
	list := s.path("state/pawl/consent.json")
	good := must.Get(os.ReadFile(list))(t)
	for _, text := range []string{"{", `{"consents": "join"}`, strings.Replace(string(good), shop, "ftp://x", 1)} {
		must.Do(t, os.WriteFile(list, []byte(text), 0o600))
		if board, err := Open(s.from("clone", "")).Board(); err == nil {
			t.Errorf("%s: %+v", text, board)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	must.Do(t, os.WriteFile(list, good, 0o600))
	must.Do(t, os.Chmod(list, 0o666))
	if board, err := Open(s.from("clone", "")).Board(); !errors.Is(err, pawl.Invalid) {
		t.Errorf("one that others can write: %+v, %v", board, err)
	}
}

// The settings of the clone hold at an address too, and what is wrong in them is told.
func TestSettingsAtAddress(t *testing.T) {
	s := newSite(t)
	s.write("clone/.tasks/pawl.jsonc", `{"lease": "20m", "panel": 3}`)
	p := Open(s.from("clone", shop))
	board, err := p.Board()
	if err != nil || len(board.Warnings) != 1 || !strings.Contains(board.Warnings[0], "panel must be true or false") {
		t.Errorf("got %+v, %v", board, err)
	}
	held, err := p.Settings("")
	if err != nil || held.Get("lease").String() != "20m" {
		t.Errorf("the lease is %s, %v", held.Get("lease"), err)
	}
}

func TestUses(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"one", "two", "gone"} {
		s.write(name+"/", "")
		if _, err := Open(s.from(name, "")).Join(t.Context(), addressOf(t, shop), time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, os.Remove(s.path("gone")))
	s.write("config/pawl/pawl.jsonc", `{"board": "`+shop+`"}`)
	uses, err := Uses(s.from("", "").Getenv, addressOf(t, shop))
	if err != nil || len(uses) != 3 {
		t.Errorf("got %v, %v", uses, err)
	}
	if uses, err := Uses(s.from("", "").Getenv, addressOf(t, shop+"2")); err != nil || len(uses) != 0 {
		t.Errorf("of another board: %v, %v", uses, err)
	}
}

// The author of a project's files must not choose where the user's login is sent: not
// by its settings, not with trust, and not by joining.
func TestDatabaseIsTheUsers(t *testing.T) {
	s := newSite(t)
	s.write("clone/.tasks/pawl.jsonc", `{"board": "`+database+`"}`)
	p := Open(s.from("clone", ""))
	if board, err := p.Board(); err != nil || board.Distant() || board.Untrusted != "" || len(board.Warnings) == 0 {
		t.Errorf("the settings lead to %+v, %v", board, err)
	}
	if _, changed, err := Open(s.from("clone", "")).Trust(t.Context(), time.Now()); err == nil || changed {
		t.Errorf("trusted: %v, %v", changed, err)
	}
	if changed, err := Open(s.from("clone", "")).Join(t.Context(), addressOf(t, database), time.Now()); changed || !errors.Is(err, pawl.Invalid) {
		t.Errorf("joined: %v, %v", changed, err)
	}
	list := must.Get(consent.Of(p.from.Getenv))(t)
	for _, given := range []consent.Given{{Kind: consent.Join, Thing: database}, Ask{Address: database, Board: database}.given()} {
		board := ""
		if given.Kind == consent.Board {
			board = s.path("clone/.tasks")
		}
		if _, err := list.Add(t.Context(), consent.At(s.path("clone"), board), time.Now(), given); err != nil {
			t.Fatal(err)
		}
		if board, err := Open(s.from("clone", "")).Board(); board.Distant() {
			t.Errorf("the %s leads to %+v, %v", given.Kind, board, err)
		}
		if _, err := list.Forget(t.Context(), func(*consent.Entry) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
}

// A flag is seen by other users of the machine, and settings are kept and copied.
func TestPasswordRefused(t *testing.T) {
	s := newSite(t)
	s.write("clone/", "")
	bad := strings.Replace(database, "db", "ada:secret@db", 1)
	board, err := Open(s.from("clone", bad)).Board()
	if !errors.Is(err, pawl.Invalid) || strings.Contains(err.Error(), "secret") || strings.Contains(board.Where(), "secret") {
		t.Errorf("by a flag: %+v, %v", board, err)
	}
	s.write("config/pawl/pawl.jsonc", `{"board": "`+bad+`"}`)
	board, err = Open(s.from("clone", "")).Board()
	if err != nil || board.Distant() || len(board.Warnings) != 1 || strings.Contains(board.Warnings[0], "secret") {
		t.Errorf("by the user's settings: %+v, %v", board, err)
	}
}
