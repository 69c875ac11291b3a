package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var joinVerb = verb{
	name:  "join",
	use:   "[ADDRESS] [flags]",
	short: "use a board on a server, or leave it",
	long: "From then on every command, hook and server of this clone works on the board at ADDRESS, which looks like https://host/boards/shop. The server's admin gives you the address and a token. Without ADDRESS, joins the board that the project's settings name.\n\n" +
		"Asks for the token and does not show it; without a terminal, reads it from stdin, which needs ADDRESS. It first tries your token for another board of the same server. Pawl keeps the token in credentials.json in your config folder, for you alone, and sends it only to this address.\n\n" +
		"Tasks, names and the names of sessions are sent to the server; todo lists and tool calls are not. The clone's own tasks stay in .tasks and are not used until pawl join --leave.\n\n" +
		"--leave undoes it, or cancels a join that has not succeeded: the clone uses its own board again, and Pawl forgets the token, unless another clone of yours uses it. The board on the server, your claims there and the token itself stay: an admin revokes the token with pawl serve token revoke.",
	kind: "join",
	examples: []string{
		"pawl join https://tasks.example.org/boards/shop",
		"pawl join https://10.0.0.5:7350/boards/shop --cert sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"pawl join https://tasks.example.org/boards/shop < token.txt",
		"pawl join --leave",
	},
	max:   1,
	build: buildJoin,
}

// joinJSON is the envelope of join.
type joinJSON struct {
	wire.Envelope
	Address string       `json:"address"`          // of the board
	Project string       `json:"project"`          // the folder that uses it
	Changed bool         `json:"changed"`          // the project used another board before
	Joined  bool         `json:"joined"`           // the project uses the board from now on
	Token   *joinedToken `json:"token,omitempty"`  // what the server says of the token; with --leave: the one that was forgotten
	Board   *joinedBoard `json:"board,omitempty"`  // what the server says of the board
	Unused  int          `json:"unused,omitempty"` // how many tasks stay in the project's own board
	Now     string       `json:"now,omitempty"`    // with --leave: the board that the project uses now
}

// joinedToken is what is known of a token, but for its secret.
type joinedToken struct {
	ID      string      `json:"id"`               // names it, and is not secret
	Name    string      `json:"name"`             // in this name its holder works
	Person  bool        `json:"person,omitempty"` // it is a person's, not an agent's
	Role    string      `json:"role"`             // read, work or admin
	Expires wire.Moment `json:"expires,omitzero"` // absent: never
}

// joinedBoard is what a server says of a board.
type joinedBoard struct {
	Exists bool `json:"exists"` // false: the first task makes it
	Tasks  int  `json:"tasks"`  // open ones
}

// joining are the arguments of join.
type joining struct {
	at    address.Address
	cert  string
	trust bool // the project's settings name it, and a person trusts that now
	bind  bool // the user says so for this project
	typed bool // with the address as an argument
	ask   bool // also if a token is known
}

func buildJoin(a *app, cmd *cobra.Command) func(context.Context, []string) error {
	var j joining
	cert := cmd.Flags().String("cert", "", "`sha256:HEX` accept only the certificate with this fingerprint; a server that makes its own certificate prints it")
	cmd.Flags().BoolVar(&j.ask, "new-token", false, "ask for a token even if a known one works")
	leave := cmd.Flags().Bool("leave", false, "stop using the server's board in this clone")
	return func(ctx context.Context, args []string) error {
		if *leave && (len(args) > 0 || beside(cmd, "leave") != "") {
			return usage("join", "--leave stands alone")
		}
		if *leave {
			return a.leave(ctx)
		}
		var err error
		if j.cert, err = fingerprint(*cert); err != nil {
			return err
		}
		if err := j.address(a, args); err != nil {
			return err
		}
		if !a.caller().Person { // an address that a person types is agreed to without a terminal, too
			return a.consents("join "+j.at.String(), j.line(j.at.String()))
		}
		if j.cert != "" && strings.HasPrefix(j.at.Origin, "http://") {
			return usage("join", "--cert is for https://: the board at %s has no certificate", j.at)
		}
		return a.join(ctx, &j)
	}
}

// line is the command that joins the board, with what was said of the server's certificate.
func (j *joining) line(words ...string) string {
	if j.cert != "" {
		words = append(words, "--cert", "sha256:"+j.cert)
	}
	return commandLine("pawl join", words...)
}

// fingerprint reads the SHA-256 of a certificate: sha256:9f86…, or as openssl prints
// it, with colons.
func fingerprint(typed string) (string, error) {
	if typed == "" {
		return "", nil
	}
	word := strings.ToLower(strings.TrimSpace(typed))
	word = strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(word, "sha256:"), "sha256 fingerprint="), ":", "")
	if raw, err := hex.DecodeString(word); err != nil || len(raw) != 32 {
		return "", usage("join", "--cert takes sha256: and 64 hexadecimal digits, as the server printed them")
	}
	return word, nil
}

// address finds out which board is meant, and how the project comes to use it.
func (j *joining) address(a *app, args []string) error {
	if len(args) == 1 {
		if !address.Is(args[0]) {
			e := usage("join", "%q is not the address of a board on a server", text.Clip(args[0], 60))
			if other, ok := errors.AsType[*pawl.Error](e); ok {
				other.Hint = pawl.Hint{Step: pawl.HintSay, Text: "an address looks like https://host/boards/shop; for a board in a folder: --board, PAWL_BOARD, or the setting board"}
			}
			return e
		}
		var err error
		j.bind, j.typed = true, true
		if j.at, err = address.Parse(args[0]); err == nil && j.at.InDatabase() {
			err = project.NeedsServer(j.at)
		}
		return err
	}
	board, err := a.project().Board()
	if err == nil && board.InDatabase() {
		return project.NeedsServer(board.Address)
	}
	if err == nil && board.Served() {
		j.at, j.bind = board.Address, board.Source == project.Flag || board.Source == project.Environment
		return nil
	}
	named, warnings, err := a.project().Named()
	for _, text := range warnings {
		a.once("%s", text)
	}
	switch {
	case err != nil:
		return err
	case address.Is(named):
		if err := a.consents("trust "+named, j.line()); err != nil {
			return err
		}
		j.trust = true
		j.at, err = address.Parse(named)
		return err
	}
	return pawl.Errorf(pawl.Invalid, "the settings of this project name no address to join").
		Say("give it, as the server's admin has told you: pawl join https://HOST/boards/NAME")
}

func (a *app) join(ctx context.Context, j *joining) error {
	store, err := credentials.Of(a.env.Getenv)
	if err != nil {
		return err
	}
	root, err := a.project().Root()
	if err != nil {
		return err
	}
	known, hello, err := a.credential(ctx, store, j)
	if err != nil {
		a.tried(ctx, j)
		return err
	}
	renamed := a.renames(store, j, root, &known)
	if err := store.Put(ctx, known); err != nil {
		return err
	}
	if err := server.Forget(credentials.State(a.env.Getenv, j.at)); err != nil {
		return err
	}
	changed := false
	switch {
	case j.trust:
		if _, changed, err = a.project().Trust(ctx, time.Now()); err == nil {
			err = a.project().Leave(ctx) // what was tried before
		}
	case j.bind:
		changed, err = a.project().Join(ctx, j.at, time.Now())
	}
	if err != nil {
		return err
	}
	if renamed != "" {
		a.say("%s", renamed)
	}
	unused, why := a.unusedTasks(ctx)
	if a.json {
		return a.printJSON(joinJSON{
			Envelope: wire.NewEnvelope("join"), Address: j.at.String(), Project: root, Changed: changed, Joined: true,
			Token: joinedTokenOf(&known), Board: &joinedBoard{hello.Exists, hello.Tasks}, Unused: unused,
		})
	}
	a.tellJoined(j, root, &known, &hello, store.Path())
	if why != "" {
		a.print("%s\n", why)
	}
	next := `pawl add "first task"`
	switch {
	case hello.Tasks > 0:
		next = "pawl ready"
	case known.Reads():
		next = "pawl log --follow"
	}
	a.print("Next: %s. To undo this: pawl join --leave\n", next)
	if named := a.env.Getenv("PAWL_BOARD"); named != "" && !sameAddress(named, j.at) {
		a.say("PAWL_BOARD names another board, which counts before the joined one where it is set")
	}
	return nil
}

// tried remembers that the project is to be joined, so that no change goes to its own board
// as if nobody had tried.
func (a *app) tried(ctx context.Context, j *joining) {
	if !j.trust && !j.typed {
		return
	}
	if err := a.project().Tried(ctx, j.at, strings.TrimPrefix(j.line(j.at.String()), "pawl join "), time.Now()); err != nil {
		return // the error of the join says enough
	}
	if board, err := a.project().Board(); err == nil && board.Pending != "" {
		a.say("until the join succeeds, nothing is changed on the project's own board; to give it up: pawl join --leave")
	}
}

func sameAddress(text string, at address.Address) bool {
	other, err := address.Parse(text)
	return err == nil && other == at
}

func joinedTokenOf(c *credentials.Credential) *joinedToken {
	return &joinedToken{c.ID, c.Name, c.Person, c.Role, wire.Time(c.Expires)}
}

// tellJoined says in a few lines what is joined and what that means.
func (a *app) tellJoined(j *joining, root string, c *credentials.Credential, hello *server.Hello, path string) {
	until := "which does not expire"
	if !c.Expires.IsZero() {
		until = "until " + c.Expires.Local().Format("2006-01-02 15:04")
	}
	a.print("Joined %s as %s, with a token for %s, %s\n", j.at, text.Line(c.Name), roleWords(c.Role), until)
	tasks := text.Count(hello.Tasks, "open task", "open tasks")
	if !hello.Exists {
		tasks = "it does not exist yet, and the first task makes it"
	}
	a.print("Board   %s\nProject %s\n", tasks, text.Line(root))
	a.print("Sent there: %s\n", sentThere(c))
	a.print("The token is in %s, which only you can read\n", text.Line(path))
}

// sentThere says what leaves the machine.
func sentThere(c *credentials.Credential) string {
	if c.Reads() {
		return "questions only"
	}
	return "tasks, names and sessions; no todo lists, and no code"
}

// roleWords says what the holder of a role may do.
func roleWords(role string) string {
	switch role {
	case "read":
		return "reading"
	case "work":
		return "reading and working"
	case "admin":
		return "everything"
	}
	return "the role " + text.Line(text.Clip(role, 20))
}

// unusedTasks counts the tasks of the project's own board, which is not in use while
// the project is joined, and says what happens to them.
func (a *app) unusedTasks(ctx context.Context) (int, string) {
	own, err := a.project().Own()
	if err != nil || !own.Exists || own.Distant() {
		return 0, ""
	}
	board, err := a.env.Boards.Open(project.InFolder(own.Dir))
	if err != nil {
		return 0, ""
	}
	defer board.Close()
	found, err := query.Of(ctx, board, query.Asker{}, query.OverviewQuery{})
	n := found.Counts.Open + found.Counts.Completed
	if err != nil || n == 0 {
		return 0, ""
	}
	dir := own.Dir
	if near, err := filepath.Rel(a.env.Dir, dir); err == nil && filepath.IsLocal(near) {
		dir = near
	}
	return n, fmt.Sprintf("In %[2]s %[1]s unused. To copy them: %[3]s | pawl import -", text.Count(n, "task stays", "tasks stay"), text.Line(dir), commandLine("pawl export", "--board", dir))
}
