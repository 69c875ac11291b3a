package cli

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/manual"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// tokensJSON is the envelope of serve token.
type tokensJSON struct {
	wire.Envelope
	Tokens []tokenJSON `json:"tokens"`           // with create and revoke those that changed
	Secret string      `json:"secret,omitempty"` // of the new token: it is shown once
	Join   []string    `json:"join,omitempty"`   // commands with which its holder joins its boards, one each, if it is known where the server is
}

// tokenJSON is a token in an envelope.
type tokenJSON struct {
	ID      string      `json:"id"`                // names it, and is not secret
	Name    string      `json:"name"`              // of its holder, and of all its holder does
	Kind    string      `json:"kind"`              // person or agent
	Role    string      `json:"role"`              // read, work or admin
	Boards  []string    `json:"boards"`            // the boards that it opens, by name; *: all
	Live    bool        `json:"live"`              // it holds: it was not revoked, and has not expired
	Created wire.Moment `json:"created"`           // when it was made
	Expires wire.Moment `json:"expires,omitempty"` // when it expires; absent: never
	Revoked wire.Moment `json:"revoked,omitempty"` // when it was revoked
	Used    wire.Moment `json:"used,omitempty"`    // when it was used last, within a minute; absent: never, as far as is known
}

func tokenActions() actions[*tokenRun] {
	return actions[*tokenRun]{
		{"create", "NAME", "make a token for a person, or with --agent for an agent, and print it, only this once. Its holder's changes are recorded under this name", 1, 1, []string{"board", "all-boards", "role", "agent", "expires", "also"}, (*tokenRun).create},
		{"list", "", "list valid tokens, with --all also tokens that ended in the last 90 days; token alone does the same", 0, 0, []string{"all"}, (*tokenRun).list},
		{"revoke", "ID|NAME", "end a token, or all tokens of a name: a running server closes their connections within seconds", 1, 1, nil, (*tokenRun).revoke},
	}
}

// tokenTopics explain the actions.
func tokenTopics() []manual.Section {
	roles := manual.Section{Title: "Roles of tokens", Terms: []manual.Term{
		{Word: "read", Meaning: "look at the boards of the token"},
		{Word: "work", Meaning: "change their tasks too. An agent's token cannot force: it takes no task from others, lifts and undoes only its own holds and changes, imports nothing, and its claims have leases"},
		{Word: "admin", Meaning: "the same, and make boards of any name that the token opens"},
	}}
	return []manual.Section{tokenActions().section("Tokens of a server: pawl serve token ACTION --boards DIR, or --store ADDRESS"), roles}
}

// tokenRun is one run of serve token.
type tokenRun struct {
	*app
	cmd *cobra.Command

	boards  *string // the folder of the server's boards
	stored  *storeFlags
	opens   boardNames
	every   bool
	agent   bool
	also    bool
	all     bool
	expires string
	role    func() (string, error)

	tokens *access.Tokens
	at     access.Where // of the server; zero: it is not known
}

// boardNames takes the values of --board, which names the board of other commands:
// here each is one that the token opens.
type boardNames struct {
	app   *app
	names []string
}

func (b *boardNames) Set(name string) error {
	b.app.address = name
	b.names = append(b.names, strings.Split(name, ",")...)
	return nil
}

func (b *boardNames) String() string { return strings.Join(b.names, ",") }

func (*boardNames) Type() string { return "boards" }

// tokenFlags adds the flags of serve token to serve.
func (a *app) tokenFlags(cmd *cobra.Command, boards *string, stored *storeFlags) *tokenRun {
	t := &tokenRun{app: a, cmd: cmd, boards: boards, stored: stored, opens: boardNames{app: a}}
	flags := cmd.Flags()
	flags.Var(&t.opens, "board", "`BOARD` with token create: a board that the token opens; may be repeated. Otherwise the same as for every command")
	flags.BoolVar(&t.every, "all-boards", false, "with token create: the token opens all boards of the server")
	t.role = choice(cmd, "role", string(access.Work), "`ROLE` with token create: what its holder may do", string(access.Read), string(access.Work), string(access.Admin))
	flags.BoolVar(&t.agent, "agent", false, "with token create: the token is for an agent, not for a person")
	flags.StringVar(&t.expires, "expires", "", "`TIME` with token create: expire the token after this time, such as 90d; default: never")
	flags.BoolVar(&t.also, "also", false, "with token create: make another token for a name that has one, such as for another machine. All tokens of a name are one owner on a board")
	flags.BoolVar(&t.all, "all", false, "with token list: include tokens that have ended")
	return t
}

// run carries out an action: the arguments after token.
func (t *tokenRun) run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{"list"}
	}
	do := tokenActions().find(args[0])
	if do == nil {
		return usage("serve", "unknown token action %q: use create, list or revoke", text.Clip(args[0], 40))
	}
	if err := tokenActions().check("serve token", do, t.cmd, args[1:]); err != nil {
		return err
	}
	if name := anyOf(t.cmd, slices.Concat([]string{"addr", "open", "expose", "host", "local"}, teamOnly)...); name != "" {
		return usage("serve", "--%s is for serving: leave it out with token", name)
	}
	done, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer done() // which only ends connections
	return do.run(t, ctx, args[1:])
}

// open opens the tokens of the server that is meant.
func (t *tokenRun) open(ctx context.Context) (done func() error, err error) {
	if store := t.stored.store(); *t.boards == "" && store.Named() {
		t.tokens, t.at, done, err = t.env.Host.Tokens(ctx, store)
		return done, err
	}
	dir, err := access.Boards(*t.boards, t.env.Dir)
	if err != nil {
		return nil, err
	}
	own := access.Folder(dir)
	t.at = access.Find(own)
	t.tokens, err = access.Open(own)
	return func() error { return nil }, err
}

func (t *tokenRun) create(ctx context.Context, args []string) error {
	token := access.Token{Name: args[0], Person: !t.agent, Boards: t.opens.names}
	role, err := t.role()
	if err != nil {
		return err
	}
	token.Role = access.Role(role)
	switch {
	case t.every && len(token.Boards) > 0:
		return usage("serve", "--board and --all-boards contradict each other: give one of them")
	case t.every:
		token.Boards = []string{access.All}
	case len(token.Boards) == 0:
		return usage("serve", "a token is for boards: name them with --board BOARD, or give --all-boards")
	}
	if token.Person && !t.caller().Person {
		return pawl.Errorf(pawl.Invalid, "only a person may make the token of a person, and this is an agent's command").
			Say("add --agent for the token of an agent, or let a person run the command")
	}
	if t.expires != "" {
		span, err := text.ParseDuration(t.expires)
		if err != nil || span <= 0 {
			return usage("serve", "--expires %q is not a time to come, such as 90d or 12h", text.Clip(t.expires, 40))
		}
		token.Expires = time.Now().Add(span)
	}
	secret, made, err := t.tokens.Create(ctx, token, t.also)
	if errors.Is(err, access.ErrNamed) {
		e := *err.(*pawl.Error)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "choose another name, or for another machine of the same holder: " + t.lineWithout("--json", "--also")}
		return &e
	}
	if err != nil {
		return err
	}
	var join []string
	for _, board := range made.Boards {
		if board == access.All {
			board = "BOARD"
		}
		if t.at.Origin != "" {
			join = append(join, t.at.Join(board))
		}
	}
	if t.json {
		return t.printJSON(tokensJSON{wire.NewEnvelope("tokens"), []tokenJSON{t.about(made, nil)}, secret, join})
	}
	t.print("%s\n", secret)
	if err := t.flush(); err != nil {
		return err
	}
	t.say("token %s of %s, to %s; it is not shown again", made.ID, text.Line(made.Name), boardsOf(made))
	if len(join) == 0 {
		t.say("once the server runs, this command prints the address; its holder runs: pawl join https://HOST/boards/BOARD")
	}
	for _, command := range join {
		t.say("its holder gives it to: %s", command)
	}
	return nil
}

func (t *tokenRun) list(ctx context.Context, _ []string) error {
	all, err := t.tokens.All(ctx)
	if err != nil {
		return err
	}
	if !t.all {
		all = slices.DeleteFunc(all, func(token access.Token) bool { return !token.Live(time.Now()) })
	}
	used := t.tokens.Used(ctx)
	if t.json {
		answer := tokensJSON{Envelope: wire.NewEnvelope("tokens"), Tokens: []tokenJSON{}}
		for _, token := range all {
			answer.Tokens = append(answer.Tokens, t.about(token, used))
		}
		return t.printJSON(answer)
	}
	if len(all) == 0 {
		t.say("this server has no tokens: pawl serve token create NAME --board BOARD%s", t.place())
		return nil
	}
	rows := [][]string{{"ID", "NAME", "KIND", "ROLE", "BOARDS", "CREATED", "ENDS", "USED"}}
	for _, token := range all {
		rows = append(rows, tokenRow(token, used[token.ID], time.Now()))
	}
	for i, line := range (screen{}).columns(rows, gap, math.MaxInt) {
		if i == 0 {
			line = t.paint.as(faint, line)
		}
		t.print("%s\n", line)
	}
	return nil
}

func (t *tokenRun) revoke(ctx context.Context, args []string) error {
	ended, err := t.tokens.Revoke(ctx, args[0])
	if e, ok := err.(*pawl.Error); ok && e.Kind == pawl.NotFound {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "pawl serve token list" + t.place()}
	}
	if err != nil {
		return err
	}
	if t.json {
		answer := tokensJSON{Envelope: wire.NewEnvelope("tokens"), Tokens: []tokenJSON{}}
		for _, token := range ended {
			answer.Tokens = append(answer.Tokens, t.about(token, nil))
		}
		return t.printJSON(answer)
	}
	for _, token := range ended {
		t.print("Revoked %s of %s\n", token.ID, text.Line(token.Name))
	}
	if len(ended) == 0 {
		t.print("Unchanged: no token of %s holds\n", text.Line(args[0]))
	}
	return nil
}

// place is the flag that says which server is meant, if it was given.
func (t *tokenRun) place() string {
	if *t.boards == "" {
		return t.stored.store().flag()
	}
	return " --boards " + quote(*t.boards)
}

// about is a token in an envelope.
func (t *tokenRun) about(token access.Token, used map[string]time.Time) tokenJSON {
	return tokenJSON{
		token.ID, token.Name, kindOf(token), string(token.Role), token.Boards, token.Live(time.Now()),
		wire.Time(token.Created), wire.Time(token.Expires), wire.Time(token.Revoked), wire.Time(used[token.ID]),
	}
}

func kindOf(token access.Token) string {
	if token.Person {
		return "person"
	}
	return "agent"
}

// boardsOf says which boards a token opens.
func boardsOf(token access.Token) string {
	if token.Opens(access.All) {
		return "all boards"
	}
	return strings.Join(token.Boards, ", ")
}

// tokenRow is a line of the list:
//
//	k3v7q2mx  ada   person  work  shop, blog  2026-11-23  never  5 min ago
func tokenRow(token access.Token, used, now time.Time) []string {
	day := func(at time.Time) string { return at.Local().Format(time.DateOnly) }
	ends, last := "never", "never"
	switch {
	case !token.Revoked.IsZero():
		ends = "revoked " + day(token.Revoked)
	case !token.Live(now):
		ends = "expired " + day(token.Expires)
	case !token.Expires.IsZero():
		ends = day(token.Expires)
	}
	if !used.IsZero() {
		last = text.Ago(now, used)
	}
	return []string{token.ID, text.Line(token.Name), kindOf(token), string(token.Role), boardsOf(token), day(token.Created), ends, last}
}
