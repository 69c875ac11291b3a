package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/dev/source"
	"github.com/pawl-dev/pawl/internal/project"
)

// What a program of a story at an address is told by its environment.
const (
	storyServerVar = "STORY_SERVER" // the origin of the server
	storyKeysVar   = "STORY_KEYS"   // a folder with a token in a file for each name
	storyCertVar   = "STORY_CERT"   // the fingerprint of the server's certificate
	storyNameVar   = "STORY_NAME"   // of the story, which begins the names of its boards
)

// folderOnly is how a story says that it cannot be told with the board at an address,
// and why.
var folderOnly = regexp.MustCompile(`(?m)^# folder only: (.+)$`)

// A teamServer keeps the boards of all stories.
type teamServer struct{ origin, cert, boards, keys string }

// serveStories starts a server whose tokens are for the names in the stories. Its boards
// are in a folder, or in a database.
func serveStories(t *testing.T, database bool) *teamServer {
	t.Helper()
	dir := t.TempDir()
	s := &teamServer{boards: filepath.Join(dir, "boards"), keys: filepath.Join(dir, "keys")}
	for _, dir := range []string{s.boards, s.keys} {
		must.Do(t, os.Mkdir(dir, 0o700))
	}
	program := filepath.Join(os.Getenv(builtVar), "storyserver.exe")
	if os.Getenv(builtVar) == "" {
		program = filepath.Join(dir, "storyserver.exe")
		must.Do(t, source.BuildServer(program, "./internal/dev/storyserver"))
	}
	args := append([]string{s.boards, s.keys}, namesInStories(t)...)
	if database {
		args = append([]string{"-store", pgtest.Server(t).Database(t)}, args...)
	}
	cmd := exec.Command(program, args...)
	cmd.Stderr = t.Output()
	in := must.Get(cmd.StdinPipe())(t)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	must.Get(fmt.Fscan(out, &s.origin, &s.cert))(t)
	return s
}

// namesInStories are those in whose names the stories act.
func namesInStories(t *testing.T) []string {
	t.Helper()
	scripts := must.Get(filepath.Glob("testdata/s*/*.txtar"))(t)
	names := []string{"ada"}
	for _, a := range known.Agents {
		names = append(names, a.Name)
	}
	for _, script := range scripts {
		text := must.Get(os.ReadFile(script))(t)
		for _, found := range regexp.MustCompile(`(?:--as[ =]|PAWL_AGENT=|USER=)([a-zA-Z][\w.-]*)`).FindAllSubmatch(text, -1) {
			names = append(names, string(found[1]))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// joinStory makes the folder that this process is about a clone that is joined to a
// board at the stories' server, unless it is one or another board is named. Who acts in
// another name than ada's has another token: that is how it would be on that other
// person's machine.
func joinStory(args []string, dirs ...string) error {
	server := os.Getenv(storyServerVar)
	if server == "" {
		return nil
	}
	os.Unsetenv(storyServerVar) // what this process starts is of the same user
	if os.Getenv("PAWL_BOARD") != "" || flagOf(args, "--board") != "" {
		return nil
	}
	if dir := flagOf(args, "--project"); dir != "" {
		dirs = append(dirs, dir)
	}
	if dir, err := os.Getwd(); err == nil {
		dirs = append(dirs, dir)
	}
	name := strings.TrimPrefix(caller.Name(os.Getenv, flagOf(args, "--as")), "@")
	if flagOf(args, "--as") == "" && caller.Person(os.Getenv) {
		name = "ada" // whatever a shell calls its user
	}
	for i, dir := range dirs {
		if err := joinFolder(server, dir, name, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// joinFolder joins one folder. If it is the one that matters a name gets its token.
func joinFolder(server, dir, name string, matters bool) error {
	ctx := context.Background()
	p := project.Open(project.From{Dir: dir, Getenv: os.Getenv})
	board, err := p.Board()
	if err != nil {
		return nil // the program will say so
	}
	if !board.Distant() {
		if board.Address, err = storyBoard(server, p); err != nil {
			return err
		}
		if _, err := p.Join(ctx, board.Address, time.Now()); err != nil {
			return nil // without a home nothing can be joined
		}
	}
	if _, err := credentials.Find(os.Getenv, board.Address); errors.Is(err, pawl.NotFound) {
		secret, err := os.ReadFile(filepath.Join(os.Getenv(storyKeysVar), "ada"))
		if err != nil {
			return err
		}
		store, err := credentials.Of(os.Getenv)
		if err != nil {
			return err
		}
		if err := store.Put(ctx, credentials.Credential{
			Address: board.Address.String(), Token: credentials.Secret(secret), Cert: os.Getenv(storyCertVar), Name: "ada", Person: true, Role: "admin", At: time.Now(),
		}); err != nil {
			return err
		}
	}
	if name == "ada" || !matters {
		return nil
	}
	secret, err := os.ReadFile(filepath.Join(os.Getenv(storyKeysVar), name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the stories' server has no token for %q: see namesInStories", name)
	}
	if err != nil {
		return err
	}
	os.Setenv("PAWL_BOARD", board.Address.String())
	os.Setenv("PAWL_TOKEN", string(secret))
	return nil
}

// storyBoard is the address of the board of a project: named after its story, and
// after its folder in that.
func storyBoard(server string, p *project.Project) (address.Address, error) {
	root, err := p.Root()
	if err != nil {
		return address.Address{}, err
	}
	name := os.Getenv(storyNameVar)
	work, err := filepath.EvalSymlinks(os.Getenv("WORK"))
	if err != nil {
		return address.Address{}, err
	}
	if rel, err := filepath.Rel(work, root); err == nil && filepath.IsLocal(rel) && rel != "." {
		name += "-" + strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(rel), "-"), "-")
	}
	return address.Address{Origin: server, Board: name}, nil
}

// flagOf is the value of a flag among arguments; empty: it is not there.
func flagOf(args []string, flag string) string {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, flag+"="); ok {
			return value
		}
		if arg == flag && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// host lets the programs of a story find the server.
func (s *teamServer) host(env *testscript.Env) {
	story := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	env.Setenv(storyServerVar, s.origin)
	env.Setenv(storyKeysVar, s.keys)
	env.Setenv(storyCertVar, s.cert)
	env.Setenv(storyNameVar, story)
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".user", "config"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, ".user", "state"))
	env.Setenv("BOARDS", s.boards)
	env.Setenv("TASKS", filepath.Join(s.boards, story, project.Name))
}

// TestScriptsOfServer plays the stories that start a server for a team, or ask for one.
func TestScriptsOfServer(t *testing.T) {
	playScripts(t, played{wired: true}, testscript.Params{Dir: "testdata/server"})
}

// TestScriptsAtAddress plays the stories with the boards at the addresses of a server,
// over HTTPS: some of them, or all with -long. [TestScripts] plays all in folders, and
// that the stores agree is proved by package storetest.
func TestScriptsAtAddress(t *testing.T) {
	files := slices.DeleteFunc(storiesAtAddress(t), func(file string) bool { return !long.Turn("at an address/"+filepath.Base(file), 16) })
	playScripts(t, played{host: serveStories(t, false).host}, testscript.Params{Files: files})
}

// TestScriptsInDatabase plays stories with a server whose boards are in a database: some
// of them, or all with -long.
func TestScriptsInDatabase(t *testing.T) {
	pgtest.Need(t)
	files := slices.DeleteFunc(storiesAtAddress(t), func(file string) bool {
		return elsewhere.MatchString(filepath.Base(file)) || !long.Turn("database/"+filepath.Base(file), 16)
	})
	if len(files) < 3 {
		t.Fatalf("only %d stories", len(files))
	}
	playScripts(t, played{host: serveStories(t, true).host, database: true}, testscript.Params{Files: files})
}

// elsewhere are stories that are the same wherever a board at an address is kept: of the
// program, of the user's machine, and of what the agents' programs say in their own ways.
var elsewhere = regexp.MustCompile(`^(colour|completion|config|demo|doctor|flag|gone|guesses|hints|merge|serve|setup|text|uninstall|usage|version|words)` +
	`|^hook_(chat|codex|commit|copilot|cursor|gemini|goose|llxprt|opencode|others|printed|qwen|vscode)`)

// storiesAtAddress are the files of the stories that do not say otherwise.
func storiesAtAddress(t *testing.T) []string {
	return storiesThat(t, "s*", func(text []byte) bool { return !folderOnly.Match(text) })
}

// storiesThat are the files of the stories in some folders of testdata whose texts are such.
func storiesThat(t *testing.T, folders string, are func(text []byte) bool) (files []string) {
	t.Helper()
	scripts := must.Get(filepath.Glob("testdata/" + folders + "/*.txtar"))(t)
	for _, script := range scripts {
		text := must.Get(os.ReadFile(script))(t)
		if are(text) {
			files = append(files, script)
		}
	}
	if len(files) < 20 {
		t.Fatalf("only %d stories", len(files))
	}
	return files
}

// TestFolderOnly sees to it that few stories are for folders only, and that each of
// them fails at an address.
func TestFolderOnly(t *testing.T) {
	files := storiesThat(t, "s*", folderOnly.Match)
	if others := storiesAtAddress(t); 2*len(files) > len(others) {
		t.Fatalf("%d stories are for folders only, and %d are not", len(files), len(others))
	}
	files = slices.DeleteFunc(files, func(file string) bool { return !long.Turn("folder only/"+filepath.Base(file), 16) })
	host := serveStories(t, false).host
	failed := &failures{of: map[string]bool{}}
	testscript.RunT(failed, storyParams(t, played{host: host}, testscript.Params{Files: files}))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if fails, played := failed.of[name]; !played {
			t.Errorf("%s was not played", name)
		} else if !fails {
			t.Errorf("%s can be told at an address, so it is not for folders only", name)
		}
	}
}

// failures notes which stories fail.
type failures struct {
	of   map[string]bool // by name; false: it went as told, or was skipped
	name string
}

func (f *failures) Run(name string, story func(testscript.T)) {
	f.of[name] = false
	done := make(chan struct{})
	go func() { // a story ends by ending its goroutine
		defer close(done)
		story(&failures{f.of, name})
	}()
	<-done
}

func (f *failures) FailNow() {
	f.of[f.name] = true
	runtime.Goexit()
}

func (f *failures) Fatal(...any)  { f.FailNow() }
func (f *failures) Skip(...any)   { f.FailNow() } // on this system nobody can tell
func (f *failures) Parallel()     {}
func (f *failures) Log(...any)    {}
func (f *failures) Verbose() bool { return false }
