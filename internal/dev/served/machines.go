package served

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net"
	"sync"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

// machines are clients of one server, one for each name.
type machines struct {
	tokens *access.Tokens
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	mu     sync.Mutex
	of     map[string]*remote.Board
}

// at returns the client of a name.
func (m *machines) at(ctx context.Context, name string) (*remote.Board, error) {
	name = cmp.Or(name, "ada")
	m.mu.Lock()
	defer m.mu.Unlock()
	if board := m.of[name]; board != nil {
		return board, nil
	}
	token := access.Token{Name: name, Person: true, Role: access.Admin, Boards: []string{access.All}}
	secret, _, err := m.tokens.Create(ctx, token, false)
	if err != nil {
		return nil, err
	}
	board, err := remote.Open(remote.Options{
		Address: address.Address{Origin: "http://127.0.0.1:7350", Board: "shop"}, Token: secret, Name: name, Dial: m.dial,
	})
	if err != nil {
		return nil, err
	}
	m.of[name] = board
	return board, nil
}

func (m *machines) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	board, err := m.at(ctx, request.By.Name)
	if err != nil {
		return query.Outcome{}, err
	}
	return board.Do(ctx, request, want)
}

func (m *machines) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	board, err := m.one(ctx, requests)
	if err != nil {
		return make([]query.Outcome, len(requests)), err
	}
	return board.DoAll(ctx, want, requests...)
}

func (m *machines) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	board, err := m.one(ctx, requests)
	if err != nil {
		return make([]query.Outcome, len(requests)), err
	}
	return board.Try(ctx, want, requests...)
}

// one is the client of the name that all requests are in.
func (m *machines) one(ctx context.Context, requests []pawl.Request) (*remote.Board, error) {
	name := ""
	for i := range requests {
		if i > 0 && requests[i].By.Name != name {
			return nil, errors.New("the requests are in several names: a machine sends those of one")
		}
		name = requests[i].By.Name
	}
	return m.at(ctx, name)
}

func (m *machines) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	board, err := m.at(ctx, who.By.Name)
	if err != nil {
		return nil, err
	}
	return board.Ask(ctx, who, q)
}

func (m *machines) Watch(ctx context.Context, who query.Asker, from query.From) iter.Seq2[query.News, error] {
	return func(yield func(query.News, error) bool) {
		board, err := m.at(ctx, who.By.Name)
		if err != nil {
			yield(query.News{}, err)
			return
		}
		board.Watch(ctx, who, from)(yield)
	}
}

func (m *machines) Export(ctx context.Context, who query.Asker, q pawl.Query) iter.Seq2[pawl.Task, error] {
	return func(yield func(pawl.Task, error) bool) {
		board, err := m.at(ctx, who.By.Name)
		if err != nil {
			yield(pawl.Task{}, err)
			return
		}
		board.Export(ctx, who, q)(yield)
	}
}

// Close ends the clients' connections. The next call connects again.
func (m *machines) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for _, board := range m.of {
		errs = append(errs, board.Close())
	}
	return errors.Join(errs...)
}
