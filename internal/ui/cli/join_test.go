package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/project"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

const (
	shop   = "https://tasks.example.org/boards/shop"
	depot  = "https://tasks.example.org/boards/depot"
	others = "https://else.example.org/boards/shop"
)

var cert = strings.Repeat("ab", 32)

// A team is servers that a test makes up: what tokens open there, and which were
// shown to them.
type team struct {
	tokens map[string]server.Hello
	shown  []string // origin and token
	away   time.Time
	old    time.Time // when answers were given; zero: now
}

func newTeam() *team {
	return &team{tokens: map[string]server.Hello{
		"pawl_ada1_secret": {Now: time.Now(), Name: "ada", Person: true, Role: "work", Token: "ada1", Expires: time.Date(2027, 2, 21, 10, 0, 0, 0, time.UTC), Exists: true, Tasks: 12},
		"pawl_bot1_secret": {Name: "worker-7", Role: "work", Token: "bot1"},
	}}
}

func (m *team) hello(_ context.Context, c credentials.Credential) (server.Hello, error) {
	at, err := address.Parse(c.Address)
	if err != nil {
		return server.Hello{}, err
	}
	m.shown = append(m.shown, at.Origin+" "+string(c.Token))
	hello, ok := m.tokens[string(c.Token)]
	switch {
	case !m.away.IsZero():
		return hello, pawl.Errorf(pawl.Unavailable, "%s does not answer", at.Origin)
	case !ok || at.Origin != "https://tasks.example.org":
		e := pawl.Errorf(pawl.Invalid, "this token is not valid")
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "ask for another one"}
		return hello, e
	}
	return hello, nil
}

// admits refuses a board whose token is not known.
func (m *team) admits(d *fixture, at address.Address) error {
	_, err := credentials.Find(func(name string) string { return d.env[name] }, at)
	return err
}

// at is a board as the server has it.
func (m *team) at(d *fixture, place project.Board, board query.Board) query.Board {
	if !place.Distant() || m == nil {
		return board
	}
	c, _ := credentials.Find(func(name string) string { return d.env[name] }, place.Address)
	return away{board, m.tokens[string(c.Token)].Name, m.away, m.old}
}

// away is a board at an address.
type away struct {
	query.Board
	name  string
	since time.Time
	old   time.Time
}

func (b away) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	answer, err := b.Board.Ask(ctx, who, q)
	if head, ok := answer.(interface{ Age(time.Time) }); ok && !b.old.IsZero() {
		head.Age(b.old)
	}
	return answer, err
}

func (b away) Name() string    { return b.name }
func (b away) Away() time.Time { return b.since }

// newMember is a fixture of somebody with a home, and a server.
func newMember(t *testing.T) *fixture {
	d := newFixture(t)
	d.env["XDG_CONFIG_HOME"] = t.TempDir()
	d.team = newTeam()
	return d
}

// newJoined is a member who has joined the board of the shop as ada.
func newJoined(t *testing.T) *fixture {
	t.Helper()
	d := newMember(t)
	if a := d.gives("pawl_ada1_secret", "join", shop); a.code != 0 {
		t.Fatal(a.err)
	}
	return d
}

// gives is run with a token on stdin.
func (d *fixture) gives(token string, args ...string) answer {
	d.stdin = token + "\n"
	defer func() { d.stdin = "" }()
	a := d.run(args...)
	for _, text := range []string{a.out, a.err} {
		if token != "" && strings.Contains(text, token) {
			d.t.Errorf("pawl %v shows the token: %s", args, text)
		}
	}
	return a
}

func TestJoin(t *testing.T) {
	d := newMember(t)
	d.must("add", "Mine")
	a := d.gives("pawl_ada1_secret", "join", shop)
	if a.code != 0 {
		t.Fatal(a.err)
	}
	for _, part := range []string{
		"Joined " + shop + " as ada, with a token for reading and working, until 2027-02-21",
		"Board   12 open tasks\n", "In .tasks 1 task stays unused", "Next: pawl ready. To undo this: pawl join --leave\n",
	} {
		if !strings.Contains(a.out, part) {
			t.Errorf("it does not say %q:\n%s", part, a.out)
		}
	}
	if n := strings.Count(a.out, "\n"); n > 8 {
		t.Errorf("it says %d lines", n)
	}
	store := filepath.Join(d.env["XDG_CONFIG_HOME"], "pawl", "credentials.json")
	if info, err := os.Stat(store); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the tokens: %v, %v", info, err)
	}
	d.must("add", "Theirs")
	if out := d.must("list"); !strings.Contains(out, "Theirs") || strings.Contains(out, "Mine") {
		t.Errorf("the joined board has: %s", out)
	}
	if out := d.must("list", "--board", ".tasks"); !strings.Contains(out, "Mine") || strings.Contains(out, "Theirs") {
		t.Errorf("the own board has: %s", out)
	}

	// In a folder further down it is the same board.
	below := filepath.Join(d.dir, "a", "b")
	must.Do(t, os.MkdirAll(below, 0o755))
	top := d.dir
	d.dir = below
	if out := d.must("list"); !strings.Contains(out, "Theirs") {
		t.Errorf("further down: %s", out)
	}
	d.dir = top

	if a := d.run("join", "--leave"); a.code != 2 || !strings.Contains(a.err, "only a person at a terminal may leave a board") {
		t.Errorf("leave without a terminal: %+v", a)
	}
	d.tty = true
	if a := d.run("join", "--leave"); a.code != 0 || !strings.Contains(a.out, "Left "+shop) || !strings.Contains(a.out, "pawl serve token revoke ada1") {
		t.Errorf("leave: %+v", a)
	}
	if text, err := os.ReadFile(store); err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("the token is still there: %v", err)
	}
	if out := d.must("list"); !strings.Contains(out, "Mine") {
		t.Errorf("after it: %s", out)
	}
	if a := d.run("join", "--leave"); a.code != 3 || !strings.Contains(a.err, "this project has joined no board") {
		t.Errorf("leave again: %+v", a)
	}
}

// Where the clone that joined was before, or in the place of which this one came, no first task
// makes a board of its own, unsaid to those who work on the joined one.
func TestJoinedElsewhere(t *testing.T) {
	d := newJoined(t)
	must.Do(t, os.RemoveAll(d.dir))
	must.Do(t, os.MkdirAll(d.dir, 0o755))
	if a := d.run("add", "Own"); a.code != 4 || !strings.Contains(a.err, "another clone has joined "+shop) || !strings.Contains(a.err, "pawl join "+shop) {
		t.Errorf("a first task: %+v", a)
	}
	d.must("init")
	d.must("add", "Own")
}

// The clones of a user have one token for a board: that another one gets another name
// with it is said.
func TestJoinRenames(t *testing.T) {
	d := newMember(t)
	const bot = "pawl_bot1_secret"
	if a := d.gives("pawl_ada1_secret", "join", shop); a.code != 0 || a.err != "" {
		t.Fatal(a.err)
	}
	first := d.dir
	if a := d.gives(bot, "join", shop); a.code != 0 || a.err != "" { // no other one has it
		t.Fatal(a.err)
	}
	d.dir = t.TempDir()
	if a := d.gives(bot, "join", shop); a.code != 0 || a.err != "" { // it has that name
		t.Fatal(a.err)
	}
	a := d.gives("pawl_ada1_secret", "join", shop)
	if want := filepath.Base(first) + ", until now as worker-7, too"; a.code != 0 || !strings.Contains(a.err, want) {
		t.Errorf("it does not say %q: %s", want, a.err)
	}
}

// A token goes only to the server that it was given for; there it is tried for
// another board before anybody is asked.
func TestKnownTokens(t *testing.T) {
	d := newJoined(t)
	first := d.dir
	d.dir, d.team.shown = t.TempDir(), nil
	if a := d.run("join", others); a.code != 2 || !strings.Contains(a.err, "join needs a token for "+others) {
		t.Errorf("another server: %+v", a)
	}
	if len(d.team.shown) > 0 {
		t.Errorf("tokens were shown to another server: %v", d.team.shown)
	}
	if a := d.run("join", depot, "--json"); a.code != 0 || !strings.Contains(a.out, `"name":"ada"`) || strings.Contains(a.out, "secret") {
		t.Errorf("another board: %+v", a)
	}
	if a := d.run("join", depot, "--new-token"); a.code != 2 {
		t.Errorf("--new-token: %+v", a)
	}
	// Another clone joins the same board, and leaves it: the first one goes on.
	d.dir = t.TempDir()
	if a := d.run("join", shop); a.code != 0 {
		t.Fatal(a.err)
	}
	d.tty = true
	if a := d.run("join", "--leave"); a.code != 0 || !strings.Contains(a.out, "The token stays, for ") {
		t.Errorf("leave: %+v", a)
	}
	d.dir = first
	if a := d.run("add", "Still here"); a.code != 0 {
		t.Errorf("the first clone: %+v", a)
	}
}

func TestJoinRefuses(t *testing.T) {
	for _, test := range []struct {
		token string
		args  []string
		code  int
		says  string
	}{
		{"pawl_none_secret", []string{shop}, 2, "this token is not valid"},
		{"two words", []string{shop}, 2, "that is not a token"},
		{"", []string{shop}, 2, "pawl: hint: pawl join " + shop + " < FILE"},
		{"", []string{shop, "--cert", "sha256:" + cert}, 2, "pawl: hint: pawl join " + shop + " --cert sha256:" + cert + " < FILE"},
		{"", []string{"http://tasks.example.org/boards/shop"}, 2, "http:// sends tokens in the clear"},
		{"", []string{"https://ada:pass@tasks.example.org/boards/shop"}, 2, "no name or password"},
		{"", []string{"../plan"}, 2, "is not the address of a board"},
		{"", nil, 2, "name no address to join"},
		{"", []string{shop, "--cert", "sha256:12"}, 2, "64 hexadecimal digits"},
		{"", []string{"http://127.0.0.1:1/boards/shop", "--cert", "sha256:" + cert}, 2, "has no certificate"},
	} {
		d := newMember(t)
		a := d.gives(test.token, append([]string{"join"}, test.args...)...)
		if a.code != test.code || !strings.Contains(a.err, test.says) || a.out != "" || strings.Contains(a.err, "pass@") {
			t.Errorf("join %v: %+v", test.args, a)
		}
		if entries, _ := os.ReadDir(d.env["XDG_CONFIG_HOME"]); len(entries) > 0 {
			t.Errorf("join %v left %v", test.args, entries)
		}
		if len(test.args) > 0 && test.args[0] == shop && !strings.Contains(test.says, "64") { // it was begun, and is given up
			finish := "hint: ask a person to finish it with pawl join " + strings.Join(test.args, " ") + ", or to give it up"
			if a := d.run("list"); strings.Contains(a.err, "pawl add") || !strings.Contains(a.err, finish) {
				t.Errorf("join %v, then list: %+v", test.args, a)
			}
			if a := d.run("add", "Own"); a.code != 4 || !strings.Contains(a.err, "read-only until "+shop+" is joined") || !strings.Contains(a.err, finish) {
				t.Errorf("join %v, then add: %+v", test.args, a)
			}
			d.tty = true
			d.must("join", "--leave")
			d.tty = false
		}
		if out := d.must("add", "Own"); !strings.Contains(out, "Own") || d.boards[shop] != nil {
			t.Errorf("join %v: the project uses %v", test.args, d.boards)
		}
	}
}

// The project's settings may name an address. It is followed only after a person has
// joined it, and an agent is not that person.
func TestJoinSettings(t *testing.T) {
	d := newMember(t)
	d.must("init")
	d.must("config", "set", "board", shop)
	a := d.run("list")
	if a.code != 0 || !strings.Contains(a.err, "which this clone has not joined") || !strings.Contains(a.err, "hint: pawl join") {
		t.Errorf("before: %+v", a)
	}
	d.env["CLAUDECODE"] = "1"
	if a := d.gives("pawl_ada1_secret", "join"); a.code != 2 || !strings.Contains(a.err, "hint: ask a person at a terminal to run: pawl join") || len(d.team.shown) > 0 {
		t.Errorf("an agent: %+v, %v", a, d.team.shown)
	}
	if a := d.gives("pawl_ada1_secret", "join", shop, "--cert", "sha256:"+cert); a.code != 2 || !strings.Contains(a.err, "hint: ask a person at a terminal to run: pawl join "+shop+" --cert sha256:"+cert) || len(d.team.shown) > 0 {
		t.Errorf("an agent that names it: %+v, %v", a, d.team.shown)
	}
	delete(d.env, "CLAUDECODE")
	if a := d.gives("pawl_ada1_secret", "join"); a.code != 2 || !strings.Contains(a.err, "and this command has no terminal") || strings.Contains(a.err, "FILE") {
		t.Errorf("without a terminal: %+v", a)
	}
	dir := d.dir
	d.dir = t.TempDir() // where a token for the server comes to be known
	if a := d.gives("pawl_ada1_secret", "join", shop); a.code != 0 {
		t.Fatal(a.err)
	}
	d.dir, d.tty = dir, true
	if a := d.run("join"); a.code != 0 {
		t.Fatal(a.err)
	}
	d.tty = false
	if d.must("add", "There"); d.boards[shop] == nil {
		t.Error("the task is not at the address")
	}
	if out := d.must("trust", "--list"); !strings.Contains(out, "leads to "+shop) {
		t.Errorf("trusted: %s", out)
	}
	// Another address in the same file is another question.
	must.Do(t, os.WriteFile(filepath.Join(d.dir, ".tasks", "pawl.jsonc"), []byte(`{"board": "`+others+`"}`), 0o644))
	if a := d.run("list"); !strings.Contains(a.err, others+", which this clone has not joined") {
		t.Errorf("another address: %+v", a)
	}
	must.Do(t, os.WriteFile(filepath.Join(d.dir, ".tasks", "pawl.jsonc"), []byte(`{"board": "`+shop+`"}`), 0o644))
	d.tty = true
	if a := d.run("join", "--leave"); a.code != 0 {
		t.Fatal(a.err)
	}
	if out := d.must("trust", "--list"); strings.Contains(out, "leads to "+shop) {
		t.Errorf("still trusted: %s", out)
	}
}

// A user's settings may name a board for projects without one.
func TestUsersBoard(t *testing.T) {
	d := newJoined(t)
	d.tty = true
	d.must("config", "set", "board", shop, "--user")
	d.dir = t.TempDir()
	d.must("add", "Anywhere")
	if out := d.must("list"); !strings.Contains(out, "Anywhere") || d.boards[shop] == nil {
		t.Errorf("without a board: %s", out)
	}
	if a := d.run("join", "--leave"); a.code != 2 || !strings.Contains(a.err, "hint: pawl config unset board --user") {
		t.Errorf("leave: %+v", a)
	}
	d.must("init")
	if out := d.must("list"); strings.Contains(out, "Anywhere") {
		t.Errorf("with a board of its own: %s", out)
	}
}

// A token in the environment counts for the address in it, and no other.
func TestTokenInEnvironment(t *testing.T) {
	d := newMember(t)
	d.env["PAWL_BOARD"], d.env["PAWL_TOKEN"] = shop, "pawl_bot1_secret"
	d.must("add", "From CI")
	d.must("claim")
	if out := d.must("show", "1", "--json"); !strings.Contains(out, `"owner":"worker-7"`) {
		t.Errorf("it is not in the token's name: %s", out)
	}
	for _, address := range []string{others, depot} {
		if a := d.run("list", "--board", address); a.code != 3 || !strings.Contains(a.err, "no token for "+address+" is known here") || !strings.Contains(a.err, "hint: pawl join "+address) {
			t.Errorf("%s: %+v", address, a)
		}
	}
	delete(d.env, "PAWL_BOARD")
	if a := d.run("list", "--board", shop); a.code != 3 {
		t.Errorf("without PAWL_BOARD: %+v", a)
	}
}

// At an address one has the name of one's token.
func TestNameAtAddress(t *testing.T) {
	d := newJoined(t)
	d.must("add", "one")
	const note = "has no effect on a board at an address: by your token you are ada there"
	if a := d.run("claim", "1", "--as", "bob"); a.code != 0 || strings.Count(a.err, "--as "+note) != 1 {
		t.Errorf("--as: %+v", a)
	}
	d.env["PAWL_AGENT"] = "carl"
	if a := d.run("list", "--owner", "@me"); strings.Count(a.err, "PAWL_AGENT "+note) != 1 || !strings.Contains(a.out, "one") {
		t.Errorf("PAWL_AGENT: %+v", a)
	}
	if a := d.run("list", "--as", "ada"); strings.Contains(a.err, "--as") {
		t.Errorf("the same name: %+v", a)
	}
	d.env["PAWL_TOKEN"] = "pawl_bot1_secret"
	if a := d.run("add", "two"); a.code != 0 || strings.Count(a.err, "PAWL_TOKEN has no effect: it counts for the address in PAWL_BOARD") != 1 {
		t.Errorf("PAWL_TOKEN alone: %+v", a)
	}
}

// joinExample is a join as testdata/kinds.md shows it.
func joinExample(t *testing.T) string {
	t.Helper()
	d := newMember(t)
	root := must.Get(filepath.EvalSymlinks(d.dir))(t)
	a := d.gives("pawl_ada1_secret", "join", shop, "--json")
	out := strings.ReplaceAll(a.out, strings.Trim(quoteJSON(t, root), `"`), "/home/ada/shop")
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(out), "", "  "); err != nil {
		t.Fatal(err, a.err)
	}
	return fmt.Sprintf("```\n$ pawl join %s --json < token.txt\n%s```\n\n", shop, pretty.String())
}
