package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/ui/cli"
	"github.com/pawl-dev/pawl/internal/ui/hook"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/query"
)

// In a story they are longer, since the machine is busy, and a hook's clock may be ahead.
var (
	glance    = courier.Patience       // how long a hook waits for a server
	answerIn  = hook.Deadline          // how long it takes in all
	forChat   = 800 * time.Millisecond // how long a command in a chat waits, whose hook ends soon after
	forHello  = 4 * time.Second        // how long somebody waits who asks whether a server is there
	hookClock = time.Now
)

// openAny opens a board, wherever it is.
func openAny(b project.Board) (query.Board, error) {
	if b.Distant() {
		return openAddress(b.Address, remote.Usual)
	}
	board, err := boards.Open(b.Dir)
	return boards.UnlessJoining(b, board, err)
}

// openAnyWatched is openAny for a command that runs on.
func openAnyWatched(b project.Board, warn func(string)) (query.Board, error) {
	if b.Distant() {
		return openAny(b)
	}
	board, err := boards.Watched(b.Dir, warn)
	return boards.UnlessJoining(b, board, err)
}

// openQuick is openAny for a hook, which waits for nothing.
func openQuick(b project.Board) (query.Board, error) {
	if b.Distant() {
		return openAddress(b.Address, glance)
	}
	return boards.Plain(b)
}

// hello asks the server at the address of a credential.
func hello(ctx context.Context, c credentials.Credential) (remote.Hello, error) {
	at, err := address.Parse(c.Address)
	if err != nil {
		return remote.Hello{}, err
	}
	board, err := remote.Open(remote.Options{Address: at, Token: string(c.Token), Cert: c.Cert, Patience: forHello, State: credentials.State(os.Getenv, at), Version: version})
	if err != nil {
		return remote.Hello{}, err
	}
	defer board.Close()
	return board.Hello(ctx)
}

// openForChat is openAny for a command in an agent's chat, which ends with the hook
// that carries it out.
func openForChat(b project.Board) (query.Board, error) {
	if b.Distant() {
		return openAddress(b.Address, forChat)
	}
	return boards.Plain(b)
}

// openBriefly is openAny for one who waits for no network. On a line that takes longer
// than a moment an earlier answer stands in, which a process of its own renews.
func openBriefly(b project.Board) (query.Board, error) {
	if !b.Distant() {
		return boards.Plain(b)
	}
	known, o, err := lineTo(b.Address, glance)
	if err != nil {
		return nil, err
	}
	o.State, o.Glances = credentials.State(os.Getenv, b.Address), true
	if o.Name == "" {
		o.Name = known.Name
	}
	board, err := remote.Open(o)
	if err != nil {
		return nil, err
	}
	return brief{board}, nil
}

// openAddress opens the board at an address with the token that is known for it.
func openAddress(at address.Address, patience time.Duration) (query.Board, error) {
	known, o, err := lineTo(at, patience)
	if err != nil {
		return nil, err
	}
	o.State = credentials.State(os.Getenv, at)
	board, err := remote.Open(o)
	if err != nil || o.Name != "" {
		return board, err
	}
	// Only the server knows the name of the token's holder; it is asked once.
	hello, err := board.Hello(context.Background())
	if err != nil {
		return nil, errors.Join(err, board.Close())
	}
	credentials.Named(os.Getenv, known, hello.Name)
	o.Name = hello.Name
	return remote.Open(o)
}

// openForHook is openAddress for a hook and its courier, which remember what they need
// themselves: that a server had no answer within a moment does not mean that it is away.
func openForHook(at address.Address, patience time.Duration) (query.Board, error) {
	_, o, err := lineTo(at, patience)
	if err != nil {
		return nil, err
	}
	if state, err := userdir.State(os.Getenv); err == nil {
		o.Changed = courier.Carried(state, at)
	}
	return remote.Open(o)
}

// lineTo is how an address is asked, with the token that is known for it.
func lineTo(at address.Address, patience time.Duration) (credentials.Credential, remote.Options, error) {
	if at.InDatabase() {
		return credentials.Credential{}, remote.Options{}, project.NeedsServer(at)
	}
	known, err := credentials.Find(os.Getenv, at)
	o := remote.Options{Address: at, Token: string(known.Token), Name: known.Name, Cert: known.Cert, Patience: patience, Version: version}
	if state, err := userdir.State(os.Getenv); err == nil {
		o.Changed = courier.Changed(state, at)
	}
	return known, o, err
}

// pageAt makes a link to the page of a board at an address.
func pageAt(ctx context.Context, b project.Board) (cli.PageLink, error) {
	_, o, err := lineTo(b.Address, remote.Usual)
	if err != nil {
		return cli.PageLink{}, err
	}
	board, err := remote.Open(o)
	if err != nil {
		return cli.PageLink{}, err
	}
	defer board.Close()
	link, cert, err := board.Page(ctx)
	return cli.PageLink{Link: link, Cert: cert}, err
}
