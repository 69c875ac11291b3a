package main

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/caller"
	"github.com/pawl-dev/pawl/internal/courier"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/face/cli"
	"github.com/pawl-dev/pawl/internal/face/hook"
	"github.com/pawl-dev/pawl/internal/project/settings"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/sessions"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/mcpserver"
	"github.com/pawl-dev/pawl/todo"
	"github.com/pawl-dev/pawl/todo/todofile"
	"github.com/pawl-dev/pawl/tool"
)

// listsAt are the todo lists in a folder, and those of all machines on the board at an
// address. What is changed here is sent there: by the courier, or with lasting by this
// process, which runs on.
func listsAt(dir string, at address.Address, folder string, lasting bool) (*todo.Service, error) {
	local, err := todofile.Open(dir)
	if err != nil {
		return nil, err
	}
	state, err := userdir.State(os.Getenv)
	if err != nil {
		return todo.New(local, time.Now), nil
	}
	board, known, err := dial(at, remote.Usual)
	if err != nil {
		return todo.New(local, time.Now), nil // the board itself says what is wrong
	}
	changed := func() { wakeCourier(at) }
	if lasting {
		changed = outboxes.at(at).Wake
	}
	if sessions.Unsent(context.Background(), sessions.Dir(state, at), local) {
		changed()
	}
	return todo.New(sessions.New(sessions.Options{
		Local: local, Server: board, Dir: sessions.Dir(state, at), Name: known.Name, Machine: machine(), Folder: folder, Changed: changed, Now: time.Now,
	}), time.Now), nil
}

// dial is openAddress for what is asked besides the board.
func dial(at address.Address, patience time.Duration) (*remote.Board, credentials.Credential, error) {
	known, o, err := lineTo(at, patience)
	if err != nil {
		return nil, known, err
	}
	o.State = credentials.State(os.Getenv, at)
	board, err := remote.Open(o)
	return board, known, err
}

// listSender sends the todo lists of this machine that have changed.
func listSender(at address.Address) func(context.Context) error {
	return func(ctx context.Context) error {
		state, err := userdir.State(os.Getenv)
		if err != nil {
			return nil
		}
		board, known, err := dial(at, remote.Usual)
		if err != nil {
			return err
		}
		defer board.Close()
		if known.Reads() {
			return nil // the server would refuse them each time
		}
		local, err := todofile.Open(filepath.Join(state, "todos"))
		if err != nil {
			return err
		}
		home, _ := os.UserHomeDir() // without one no path begins with it
		s := sessions.Sender{
			Dir: sessions.Dir(state, at), Token: string(known.Token), Lists: local, Machine: machine(), Home: home,
			Arguments: sendsArguments, Now: time.Now, Send: board.SendLists,
		}
		return s.Sync(ctx)
	}
}

// sendsArguments is whether the user wants the arguments of a session's tool calls to
// leave the machine.
func sendsArguments(session string) bool {
	var files []*settings.File
	if path, err := settings.UserFile(os.Getenv); err == nil {
		files = append(files, settings.Read(settings.User, path))
	}
	if path, err := settings.SessionFile(os.Getenv, session); err == nil {
		files = append(files, settings.Read(settings.Session, path))
	}
	return settings.Of[string](settings.Merge(files...), "toolCalls.arguments") == "always"
}

// forget erases what hooks remember of a session, and has each server that it was at
// forget it, too.
func forget(state, session string) (files int, err error) {
	files, err = hook.Forget(state, session)
	folders, _ := os.ReadDir(filepath.Join(state, "addresses"))
	for _, folder := range folders {
		name, bad := url.PathUnescape(folder.Name()) // as userdir.Escape writes it
		at, worse := address.Parse(name)
		if bad != nil || worse != nil {
			continue
		}
		marked, failed := sessions.End(sessions.Dir(state, at), session)
		if marked && failed == nil {
			ctx, cancel := context.WithTimeout(context.Background(), forgetWithin)
			failed = listSender(at)(ctx)
			cancel()
			if failed != nil {
				wakeCourier(at)
				failed = pawl.Errorf(pawl.Unavailable, "%s still has its copy, which goes as soon as that server answers", at)
			}
		}
		err = errors.Join(err, failed)
	}
	return files, err
}

// leaveLists takes the todo lists of this machine back from an address that nobody here
// uses any longer, and erases what is remembered of it, which others have written.
func leaveLists(ctx context.Context, at address.Address) error {
	dir := credentials.State(os.Getenv, at)
	if dir == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, forgetWithin)
	defer cancel()
	err := func() error {
		board, known, err := dial(at, forgetWithin)
		if err != nil {
			return err
		}
		defer board.Close()
		if known.Reads() {
			return nil // nothing was sent
		}
		return sessions.Leave(ctx, sessions.Sender{
			Dir: filepath.Join(dir, "lists"), Token: string(known.Token), Machine: machine(), Now: time.Now, Send: board.SendLists,
		})
	}()
	if state, bad := userdir.State(os.Getenv); bad == nil {
		err = errors.Join(err, courier.Leave(state, at))
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// forgetWithin is how long a server is waited for that is to forget something.
const forgetWithin = 5 * time.Second

// noteSessions notes which agents' sessions change something on a board at an address,
// so that others see where they are. It is called before a change and after it.
func noteSessions(state string, at address.Address, requests []pawl.Request) {
	for i := range requests {
		by := requests[i].By
		if by.Session == "" || pawl.Personal(by.Session) {
			continue
		}
		s := sessions.Seen{Key: todo.Key{Session: by.Session, Agent: by.Agent}}
		if due, err := sessions.Again(sessions.Dir(state, at), s); due && err == nil {
			wakeCourier(at)
		}
	}
}

// machine is what people call this machine.
func machine() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

// outboxes are those of this process, which sends what its agents and its user change.
var outboxes boxes

type boxes struct {
	mu sync.Mutex
	by map[address.Address]*sessions.Outbox
}

func (b *boxes) at(at address.Address) *sessions.Outbox {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.by[at] == nil {
		if b.by == nil {
			b.by = map[address.Address]*sessions.Outbox{}
		}
		b.by[at] = sessions.NewOutbox(listSender(at))
	}
	return b.by[at]
}

// close leaves what is not sent to the courier.
func (b *boxes) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for at, box := range b.by {
		if box.Close() {
			wakeCourier(at)
		}
	}
	b.by = nil
}

// A desk is where a server for agents has their lists, and notes which of them work on
// a board at an address.
type desk struct {
	cli.Serving
	state string

	mu    sync.Mutex
	noted map[todo.Key]time.Time
}

// noteAgain is how much later a session that works on is noted again.
const noteAgain = 20 * time.Second

func (d *desk) close() { outboxes.close() }

// at is where the board is, if it is at an address.
func (d *desk) at() (at address.Address, distant bool) {
	if d.At == nil {
		return at, false
	}
	return d.At()
}

// todoLists are the lists where the settings want them.
func (d *desk) todoLists() (*todo.Service, error) {
	if d.Store == "memory" || d.state == "" {
		return lists("")
	}
	local, err := todofile.Open(filepath.Join(d.state, "todos"))
	if err != nil {
		return nil, err
	}
	return todo.New(sessions.Noting(local, func(key todo.Key) {
		if at, distant := d.at(); distant {
			_ = sessions.Note(sessions.Dir(d.state, at), sessions.Seen{Key: key, Folder: filepath.Base(d.Project)})
			outboxes.at(at).Wake()
		}
	}), time.Now), nil
}

// noting notes who calls.
func (d *desk) noting(who func(context.Context, mcpserver.Call) (tool.Caller, error)) func(context.Context, mcpserver.Call) (tool.Caller, error) {
	return func(ctx context.Context, call mcpserver.Call) (tool.Caller, error) {
		by, err := who(ctx, call)
		if err == nil && d.state != "" {
			d.note(by.Key(), caller.Client(call.Client.Name))
		}
		return by, err
	}
}

func (d *desk) note(key todo.Key, program string) {
	at, distant := d.at()
	if !distant {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if time.Since(d.noted[key]) < noteAgain {
		return
	}
	if d.noted == nil || len(d.noted) > 1000 {
		d.noted = map[todo.Key]time.Time{}
	}
	d.noted[key] = time.Now()
	_ = sessions.Mark(sessions.Dir(d.state, at), sessions.Seen{Key: key, Program: program, Folder: filepath.Base(d.Project)}) // the next call does it again
	outboxes.at(at).Wake()
}
