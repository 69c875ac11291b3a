//go:build unix

// Package corpus proves that this Pawl reads what earlier ones wrote: it has tests only.
// Each release leaves a folder in testdata, which never changes:
//
//	files.tar.gz    boards in a folder, behind a server and shared by two clones, with their
//	                remote; todo lists, settings and the journal of a run
//	database.sql.gz a database of boards, as pg_dump has it
//	answers.jsonl   what the release's own program said of them
//
// An archive, because git keeps neither modes nor empty folders nor other repositories. The
// folder of a release is made with the release's program:
//
//	go -C proof test ./corpus -make 0.1
package corpus_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/dev/leftover"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/pgtest"
	"github.com/pawl-dev/pawl/internal/dev/pty"
	"github.com/pawl-dev/pawl/internal/runs/journal"
	"github.com/pawl-dev/pawl/proof/e2e/server"
	"github.com/pawl-dev/pawl/server/pg"
)

var making = flag.String("make", "", "make the folder of a release, with the program as it is now")

const most = 300_000 // bytes of a release's folder

// questions are what a release is asked, in this order: after the name of a place, what.
var questions = strings.Split(strings.TrimSpace(`
board: list --all; list --archived; list --blocked; ready; show 1; show 2; show 3; show 4; show 5; show 9; show 10; log --after 0 --all; log 3; agents; graph; export -; doctor
board: config get lease; config get archive.after; config get checks; config get reminders; config get run.agents; config get todo-continuation --session s1
board: todo show --session s1; todo show --session s2; todo sessions --all
large: status; list --all --limit 9; log --after 0 --limit 3; show 80; doctor
work: list --all; run status; run log 1; run log 2; doctor
ada: list --all; log --after 0 --all; agents; share; doctor
bob: list --all; show 3; agents; share
ada: sync
bob: sync; export -
ada: sync; export -
server: list --all; log --after 0 --all; agents; export -; doctor; serve token list --boards DIR/boards
database: list --all; log --after 0 --all; agents; export -; doctor; serve token list --store DSN
`), "\n")

// An answer is what a program said to a question.
type answer struct {
	At     string `json:"at"`
	Args   string `json:"args"`
	Code   int    `json:"code"`
	Values []any  `json:"values"`
}

func TestMain(m *testing.M) { server.Main(m) }

// TestCorpus: this program reads all that releases have left, as they read it, and writes on.
func TestCorpus(t *testing.T) {
	pgtest.Need(t)
	if *making != "" {
		record(t, filepath.Join("testdata", *making))
	}
	all, err := filepath.Glob("testdata/*/answers.jsonl")
	if err != nil || len(all) == 0 {
		t.Fatalf("no release found: %v", err)
	}
	for _, path := range all {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			file, err := os.Open(path)
			must.Do(t, err)
			defer file.Close()
			s := restore(t, filepath.Dir(path))
			lines := bufio.NewScanner(file)
			lines.Buffer(nil, most)
			for lines.Scan() {
				var want answer
				must.Do(t, json.Unmarshal(lines.Bytes(), &want))
				got := s.ask(want.At, want.Args)
				if got.Code != want.Code {
					t.Errorf("%s: pawl %s: exit %d, want %d", want.At, want.Args, got.Code, want.Code)
				} else if at := differs("answer", want.Values, got.Values); at != "" {
					t.Errorf("%s: pawl %s: %s", want.At, want.Args, at)
				}
			}
			must.Do(t, lines.Err())
			s.write()
		})
	}
}

// A scene is the files of a release in a folder, and servers of its boards.
type scene struct {
	testing.TB
	dir      string
	servers  map[string]*server.Server
	hide     *strings.Replacer // what differs each time
	show     *strings.Replacer
	database string // its address
}

// open starts the servers of a folder and of a database.
func open(t testing.TB, dir, dsn string) *scene {
	t.Helper()
	s := &scene{TB: t, dir: dir, database: dsn, servers: map[string]*server.Server{"database": server.Start(t, server.Options{Store: dsn}), "server": server.Start(t, server.Options{})}}
	folder := s.servers["server"]
	folder.Stop()
	folder.Dir = filepath.Join(dir, "boards")
	folder.Again()
	names := []string{"DIR", dir, "SERVER", folder.Origin, "DATABASE", s.servers["database"].Origin, "DSN", dsn, "NAME", pgtest.NameOf(dsn)}
	s.show = strings.NewReplacer(names...)
	slices.Reverse(names)
	s.hide = strings.NewReplacer(names...)
	return s
}

// at is where commands of a place run.
func (s *scene) at(place string) *server.Machine {
	m := &server.Machine{TB: s, Home: filepath.Join(s.dir, "home"), Dir: filepath.Join(s.dir, place)}
	m.Vars = []string{"USER=ada", "PAWL_SESSION=s-ada", "PAWL_NO_BACKGROUND=1", "PAWL_SYNC=allow", "GIT_CONFIG_GLOBAL=" + filepath.Join(s.dir, "home", ".gitconfig")}
	if behind := s.servers[place]; behind != nil {
		m.Vars = append(m.Vars, "XDG_STATE_HOME="+s.TempDir()) // the address is another one each time
		secret, err := os.ReadFile(filepath.Join(s.dir, place, "token"))
		must.Do(s, err)
		m = m.At(behind.Origin+"/boards/shop", server.Token{Secret: string(secret)})
	}
	return m
}

// ask asks the program.
func (s *scene) ask(place, args string) answer {
	s.Helper()
	m := s.at(place)
	said := m.Pawl("", append(strings.Fields(s.show.Replace(args)), "--json")...)
	values := []any{}
	for d := json.NewDecoder(strings.NewReader(s.hide.Replace(said.Out))); ; {
		var v any
		err := d.Decode(&v)
		if err == io.EOF {
			return answer{At: place, Args: args, Code: said.Code, Values: values}
		}
		if err != nil {
			s.Fatalf("%s: pawl %s: %v\n%s%s", place, args, err, said.Out, said.Err)
		}
		values = append(values, lasting("", v))
	}
}

// restore unpacks a release, and does what somebody does who moves to another machine.
func restore(t testing.TB, release string) *scene {
	t.Helper()
	dir := leftover.TempDir(t)
	run(t, exec.Command("tar", "-xzf", filepath.Join(release, "files.tar.gz"), "-C", dir))
	file, err := os.Open(filepath.Join(release, "database.sql.gz"))
	must.Do(t, err)
	defer file.Close()
	sql, err := gzip.NewReader(file)
	must.Do(t, err)
	dsn := pgtest.Server(t).Database(t)
	pgtest.Server(t).Load(t, dsn, sql)
	// In another cluster, numbers jump ahead, and the history before that is not told.
	pgtest.Server(t).SQL(t, dsn, "delete from pawl.server where key = 'system'")
	migrate(t, dsn)
	fresh := pgtest.Server(t).Database(t)
	migrate(t, fresh)
	if is, want := pgtest.Server(t).Script(t, dsn, "-s"), pgtest.Server(t).Script(t, fresh, "-s"); is != want {
		t.Errorf("its tables are\n%s\nand those of a new database\n%s", is, want)
	}
	s := open(t, dir, dsn)
	for _, name := range []string{"ada", "bob"} {
		run(t, exec.Command("git", "-C", filepath.Join(dir, name), "remote", "set-url", "origin", filepath.Join(dir, "remote.git")))
	}
	// A run belongs to a clone, which is another one in another place.
	work := filepath.Join(dir, "work")
	home := filepath.Join(dir, "home")
	is, err := journal.Of(func(name string) string {
		return map[string]string{"HOME": home, "XDG_STATE_HOME": home + "/state"}[name]
	}, clone.Of(work), filepath.Join(work, ".tasks"))
	must.Do(t, err)
	all, err := filepath.Glob(home + "/state/pawl/run/*")
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	must.Do(t, os.Rename(all[0], is.Path))
	return s
}

// write changes each board: another task, from its beginning to its end.
func (s *scene) write() {
	for _, place := range []string{"board", "large", "work", "ada", "bob", "server", "database"} {
		id := s.change(place, "add On_top")
		id = s.change(place, "claim "+id) // of a shared board it may be another one then
		s.change(place, "note -m halfway "+id)
		s.change(place, "done "+id)
		want := []any{map[string]any{"task": map[string]any{"subject": "On_top", "status": "completed"}}}
		if d := differs("show", want, s.ask(place, "show "+id).Values); d != "" {
			s.Errorf("%s: %s", place, d)
		}
	}
}

// change changes a board, and returns the number of its first task.
func (s *scene) change(place, args string) string {
	a := s.ask(place, args)
	if a.Code != 0 {
		s.Fatalf("%s: %v", place, a)
	}
	return fmt.Sprint(a.Values[0].(map[string]any)["tasks"].([]any)[0].(map[string]any)["id"])
}

// passing are keys of an answer that may change: what depends on the hour, on the machine
// and on the copy, and sentences for people.
var passing = strings.Fields(`.now .files sync.shared sync.synced settings.default settings.meaning settings.wants settings.readBy sessions.running
	status.now attempts.ms attempts.word done.ms done.word held.ms held.why held.word outputs.path nodes.why
	problems.text problems.mend shared.text tokens.used server.ms server.clock`)

// lasting is an answer without them; in is the key that has it.
func lasting(in string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v["kind"] == "sync" {
			in = "sync"
		}
		for key := range v {
			if slices.Contains(passing, in+"."+key) {
				delete(v, key)
			} else {
				v[key] = lasting(key, v[key])
			}
		}
	case []any:
		for i := range v {
			v[i] = lasting(in, v[i])
		}
	}
	return v
}

// differs says where an answer lacks something that it must have, as docs/cli.md promises:
// keys may be added, none goes or has another value.
func differs(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		got, _ := got.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if d := differs(at+"."+key, want[key], got[key]); d != "" {
				return d
			}
		}
		return ""
	case []any:
		got, _ := got.([]any)
		if len(got) != len(want) {
			return fmt.Sprintf("%s has %d elements, want %d", at, len(got), len(want))
		}
		for i := range want {
			if d := differs(fmt.Sprintf("%s[%d]", at, i), want[i], got[i]); d != "" {
				return d
			}
		}
		return ""
	}
	if want != got {
		return fmt.Sprintf("%s is %#v, want %#v", at, got, want)
	}
	return ""
}

// record makes the folder of a release.
func record(t *testing.T, release string) {
	const dir = "/tmp/pawl-corpus" // always the same, since texts name it
	must.Do(t, os.Mkdir(dir, 0o755))
	t.Cleanup(func() { leftover.Kill(dir); os.RemoveAll(dir) })
	for _, name := range []string{"home", "board", "large", "work", "boards", "server", "database"} {
		must.Do(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	must.Do(t, os.WriteFile(dir+"/home/.gitconfig", []byte("[user]\nname = ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\ntemplateDir = \n"), 0o644))
	dsn := pgtest.Server(t).Database(t)
	migrate(t, dsn)
	s := open(t, dir, dsn)
	for place, behind := range s.servers {
		must.Do(t, os.WriteFile(filepath.Join(dir, place, "token"), []byte(behind.Token("ada", "--board", "shop", "--role", "admin").Secret), 0o600))
	}
	script, err := filepath.Abs("testdata/make.sh")
	must.Do(t, err)
	for _, part := range [][2]string{{"board", "board"}, {"board", "todos"}, {"large", "large"}, {".", "shared"}, {"work", "run"}, {"server", "address"}, {"database", "address"}} {
		pawl := s.at(part[0]).Command(t.Context())
		// The name of this machine is nobody's business.
		cmd := exec.Command("unshare", "--map-root-user", "--uts", "sh", "-c", `hostname corpus && exec "$@"`, "sh", script, part[1])
		cmd.Dir, cmd.Env, cmd.Stdin = pawl.Dir, append(pawl.Env, "PATH="+filepath.Dir(pawl.Path)+":"+os.Getenv("PATH")), pty.Open(t)
		run(t, cmd)
	}
	for _, behind := range s.servers {
		behind.Stop()
	}
	must.Do(t, os.MkdirAll(release, 0o755))
	run(t, exec.Command("tar", "-czf", filepath.Join(release, "files.tar.gz"), "--owner=0", "--group=0", "--sort=name", "-C", dir, "."))
	var text bytes.Buffer
	packed, _ := gzip.NewWriterLevel(&text, gzip.BestCompression)
	io.WriteString(packed, pgtest.Server(t).Script(t, dsn))
	packed.Close()
	must.Do(t, os.WriteFile(filepath.Join(release, "database.sql.gz"), text.Bytes(), 0o644))

	s = restore(t, release)
	text.Reset()
	for _, line := range questions {
		place, all, _ := strings.Cut(line, ": ")
		for args := range strings.SplitSeq(all, "; ") {
			must.Do(t, json.NewEncoder(&text).Encode(s.ask(place, args)))
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(release, "answers.jsonl"), text.Bytes(), 0o644))
}

func migrate(t testing.TB, dsn string) {
	t.Helper()
	_, _, err := pg.Migrate(t.Context(), dsn)
	must.Do(t, err)
}

func run(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}
