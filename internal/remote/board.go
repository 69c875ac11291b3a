package remote

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/epoch"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// Options are what a client needs.
type Options struct {
	Address address.Address
	Token   string // the secret
	Name    string // of the token, as the server told it when it was joined
	// Cert is the SHA-256 of the server's certificate in hex, which then counts
	// instead of its signature; empty: the system's authorities decide.
	Cert string
	// Patience is for how long a request is repeated that the server does not answer;
	// 0: [Usual]. A hook has far less.
	Patience time.Duration
	// State is a folder for the latest answers of the server, and since when it is
	// away. Empty: nothing is kept.
	State string
	// Glances says that Patience is so short that a missing answer does not mean that
	// the server is away.
	Glances bool
	Version string // of this program
	// Dial connects with the server; nil: over the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Changed is called before changes are sent, and after; nil: nobody wants to know.
	Changed func([]pawl.Request)
}

// Usual is the patience of commands and servers.
const Usual = 10 * time.Second

// The most bytes of an answer: a longer one is not a board's.
const (
	maxHello  = 64 << 10
	maxAnswer = 64 << 20 // a page of 1,000 tasks with the longest descriptions
	maxItem   = 64 << 20 // an import's change set
)

// A Board is a board at an address. It is safe for concurrent use.
type Board struct {
	o      Options
	client *http.Client
	away   away
	lost   atomic.Bool // the server has said so
}

// Open returns the board at an address. It asks the server nothing yet.
func Open(o Options) (*Board, error) {
	if o.Patience == 0 {
		o.Patience = Usual
	}
	client, err := newClient(&o)
	if err != nil {
		return nil, err
	}
	return &Board{o: o, client: client, away: away{dir: o.State, hasty: o.Glances}}, nil
}

// Close ends the connections to the server.
func (b *Board) Close() error {
	b.client.CloseIdleConnections()
	return nil
}

// Name is what the server calls the caller.
func (b *Board) Name() string { return b.o.Name }

// Away says since when the server does not answer; zero: it does, as far as is known.
func (b *Board) Away() time.Time { return b.away.since() }

// Address is where the board is.
func (b *Board) Address() address.Address { return b.o.Address }

// Hello asks the server who it is, and what the token is good for.
func (b *Board) Hello(ctx context.Context) (Hello, error) {
	var h Hello
	return h, b.get(ctx, PathHello, maxHello, &h)
}

// Film returns the history as a film. The server knows who looks: the name does not
// count.
func (b *Board) Film(ctx context.Context, _ string) (*replay.Film, error) {
	film := &replay.Film{}
	if err := b.get(ctx, PathFilm, maxAnswer, film); err != nil {
		return nil, err
	}
	film.Envelope = wire.NewEnvelope("replay")
	return film, nil
}

// get reads JSON. It ignores unknown keys: a later version may read them.
func (b *Board) get(ctx context.Context, path string, limit int64, into any) error {
	text, err := b.send(ctx, call{method: http.MethodGet, path: path, limit: limit})
	if err != nil {
		return err
	}
	return b.decode(text, into)
}

func (b *Board) decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return b.strange("its answer cannot be read: %v", err)
	}
	return nil
}

// Do carries out a request.
func (b *Board) Do(ctx context.Context, request pawl.Request, want query.Want) (query.Outcome, error) {
	outcomes, err := b.DoAll(ctx, want, request)
	return outcomes[0], pawl.ErrorAt(err, 0)
}

// repeatable reports whether an op may run twice. A request with an op id is recorded,
// even if it changes nothing: renewals of nothing would fill the history.
func repeatable(op pawl.Op) bool {
	_, renews := op.(pawl.Renew)
	return renews
}

// DoAll carries out several in one commit. Each gets an op id, so that what is sent
// again runs once.
func (b *Board) DoAll(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	named := make([]pawl.Request, len(requests))
	for i, req := range requests {
		if named[i] = req; req.ID == "" && !repeatable(req.Op) {
			named[i].ID = pawl.OpID(rand.Text())
		}
	}
	outcomes, err := b.carry(ctx, false, want, named)
	for i := range outcomes {
		if requests[i].ID == "" {
			unseen(&outcomes[i].Result)
		}
	}
	return outcomes, err
}

// unseen takes back what a result has only because of an op id that the caller did not
// give: that it was sent again, and that it was recorded though it changed nothing.
func unseen(r *pawl.Result) {
	if r.Repeated = false; !r.Changed && len(r.Changes) == 0 {
		r.Revision = 0
	}
}

// Try is DoAll that writes nothing.
func (b *Board) Try(ctx context.Context, want query.Want, requests ...pawl.Request) ([]query.Outcome, error) {
	return b.carry(ctx, true, want, requests)
}

// carry sends requests, and once more those that were refused for sessions that
// this machine knows as the caller's: each time one of them is known more, so that
// ends.
func (b *Board) carry(ctx context.Context, try bool, want query.Want, requests []pawl.Request) ([]query.Outcome, error) {
	outcomes, errs, err := b.do(ctx, try, want, requests)
	if err != nil {
		return make([]query.Outcome, len(requests)), err
	}
	var again []pawl.Request
	var at []int
	for i := range requests {
		if next, more := requests[i].Related(errs[i]); more {
			again, at = append(again, next), append(at, i)
		}
	}
	if len(again) > 0 {
		some, err := b.carry(ctx, try, want, again)
		for n, i := range at {
			outcomes[i], errs[i] = some[n], pawl.ErrorAt(err, n)
		}
	}
	for _, err := range errs {
		if err != nil {
			return outcomes, &pawl.BatchError{Errs: errs}
		}
	}
	return outcomes, nil
}

// do is one exchange. The last error is that of all requests together.
func (b *Board) do(ctx context.Context, try bool, want query.Want, requests []pawl.Request) ([]query.Outcome, []error, error) {
	if len(requests) > pawl.MaxRequests {
		return nil, nil, pawl.Errorf(pawl.Invalid, "%d requests at once are too many: send at most %d", len(requests), pawl.MaxRequests)
	}
	body := Do{Want: want, Try: try, Requests: make([]json.RawMessage, len(requests))}
	for i := range requests {
		text, err := json.Marshal(requests[i])
		if err != nil {
			return nil, nil, plain(err)
		}
		body.Requests[i] = text
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, nil, err
	}
	if b.o.Changed != nil && !try {
		b.o.Changed(requests)
		defer b.o.Changed(requests) // also if the outcome is unknown
	}
	var reply http.Header
	if text, err = b.send(ctx, call{method: http.MethodPost, path: PathDo, body: text, changes: !try, limit: maxAnswer + 4*int64(len(text)), reply: &reply}); err != nil {
		return nil, nil, err
	}
	var done Done
	if err := b.decode(text, &done); err != nil {
		return nil, nil, err
	}
	if len(done.Outcomes) != len(requests) || done.Errors != nil && len(done.Errors) != len(requests) {
		return nil, nil, b.strange("it answered %d requests with %d outcomes", len(requests), len(done.Outcomes))
	}
	errs := make([]error, len(requests))
	for i := range requests {
		var e *pawl.Error
		if done.Errors != nil {
			e = done.Errors[i]
		}
		sound := false
		if errs[i], sound = told(&requests[i], &done.Outcomes[i], e); !sound {
			return nil, nil, b.strange("its outcome of %s lacks what was done", requests[i].Op.Verb())
		}
		if !try { // a dry run gives numbers that nobody is given
			b.note(reply, &done.Outcomes[i].Head)
		}
	}
	return done.Outcomes, errs, nil
}

// Ask asks a question. While the server does not answer, the last answer to the same
// question stands in for it, marked as old.
func (b *Board) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	question, err := query.EncodeQuestion(q)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(Ask{who, question})
	if err != nil {
		return nil, err
	}
	who.By = pawl.Actor{Name: who.By.Name} // another terminal may have asked the same
	same, err := json.Marshal(Ask{who, question})
	if err != nil {
		return nil, err
	}
	var reply http.Header
	text, err := b.send(ctx, call{method: http.MethodPost, path: PathAsk, body: body, limit: maxAnswer, spare: b.remembers(same), reply: &reply})
	if err != nil {
		if old, given, known := b.recall(same, err); known {
			if answer, bad := query.DecodeAnswer(old); bad == nil {
				if head, marked := answer.(interface{ Age(time.Time) }); marked {
					head.Age(given)
					return answer, nil
				}
			}
		}
		return nil, err
	}
	answer, err := query.DecodeAnswer(text)
	if err != nil || !answers(q, answer) {
		return nil, b.strange("its answer is not one to the question")
	}
	b.remember(same, text)
	if head, has := answer.(interface{ High() epoch.High }); has {
		b.note(reply, head)
	}
	return answer, nil
}
