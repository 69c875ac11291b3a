//go:build unix

// Package chaos proves that a bad line between clients and a server of boards loses no
// acknowledged change, runs none twice, and keeps clients away only while it is bad.
// Toxiproxy is the line; proof/e2e/server gives the built program, and a ledger of the
// answers that clients got.
//
//	go -C proof test ./chaos                          a commit's share
//	go -C proof test ./chaos -clients=16 -tasks=500   the long run
package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
	"github.com/rs/zerolog"
)

// A Line is a network line between clients and a server.
type Line struct {
	t     testing.TB
	proxy *toxiproxy.Proxy
}

// NewLine returns a good line to an address.
func NewLine(t testing.TB, to string) *Line {
	t.Helper()
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	for range 100 {
		// Systems give clients ports above these. One of those could take the line's port
		// while the line is cut.
		p := toxiproxy.NewProxy(api, "line", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(10000)), to)
		if err := p.Start(); err == nil {
			t.Cleanup(p.Stop)
			return &Line{t, p}
		}
	}
	t.Fatal("no port is free")
	return nil
}

// Origin is the client's end of the line.
func (l *Line) Origin(scheme string) string { return scheme + "://" + l.proxy.Listen }

// A Fault is a fault of a line: a toxic of toxiproxy's API.
type Fault struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream,omitempty"` // upstream, or downstream, which is the usual one
	Toxicity   float32        `json:"toxicity"`         // the share of connections that have it
	Attributes map[string]any `json:"attributes,omitempty"`
}

// Spoil makes the line bad until mend is called, for existing connections, too.
func (l *Line) Spoil(faults ...Fault) (mend func()) {
	l.t.Helper()
	for _, f := range faults {
		text, err := json.Marshal(f)
		if err != nil {
			l.t.Fatal(err)
		}
		if _, err := l.proxy.Toxics.AddToxicJson(strings.NewReader(string(text))); err != nil {
			l.t.Fatalf("%s: %v", text, err)
		}
	}
	return func() { l.proxy.Toxics.ResetToxics(context.Background()) }
}

// Cut breaks all connections of the line, and restores it. A program that another
// goroutine is starting holds the line's port, too, until it runs.
func (l *Line) Cut() {
	l.t.Helper()
	l.proxy.Stop()
	err := l.proxy.Start()
	for end := time.Now().Add(2 * time.Minute); errors.Is(err, syscall.EADDRINUSE) && time.Now().Before(end); err = l.proxy.Start() {
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		l.t.Error(err)
	}
}

// An unanswered toxic ends the connection instead of passing an answer on: the
// server has done the request, but the client does not know. Of some answers half
// comes through.
type unanswered struct {
	Share float32 `json:"share"` // of the answers
}

// dropped counts the answers that were not passed on whole.
var dropped atomic.Int64

func (u *unanswered) Pipe(stub *toxics.ToxicStub) {
	pipe(stub, func(chunk *stream.StreamChunk) (ends bool) {
		if !strings.HasPrefix(string(chunk.Data), "HTTP/1.1 200") || rand.Float32() >= u.Share {
			stub.Output <- chunk
			return false
		}
		dropped.Add(1)
		if rand.IntN(2) == 0 {
			chunk.Data = chunk.Data[:len(chunk.Data)/2]
			stub.Output <- chunk
		}
		return true
	})
}

// pipe gives what comes to pass, until one end or pass ends the connection.
func pipe(stub *toxics.ToxicStub, pass func(*stream.StreamChunk) (ends bool)) {
	for {
		select {
		case <-stub.Interrupt:
			return
		case chunk := <-stub.Input:
			if chunk == nil || pass(chunk) {
				stub.Close()
				return
			}
		}
	}
}

// A frozen toxic silently lets nothing through on existing connections: they are
// half-open, as after a machine has slept. New ones are good.
type frozen struct{}

var freezing atomic.Bool

func (*frozen) Pipe(stub *toxics.ToxicStub) {
	dead := freezing.Load()
	pipe(stub, func(chunk *stream.StreamChunk) bool {
		if !dead {
			stub.Output <- chunk
		}
		return false
	})
}

// Freeze makes all existing connections half-open.
func (l *Line) Freeze() {
	freezing.Store(true)
	defer freezing.Store(false)
	l.Spoil(Fault{Type: "frozen", Toxicity: 1}, Fault{Type: "frozen", Stream: "upstream", Toxicity: 1})
}

func init() {
	toxics.Register("unanswered", new(unanswered))
	toxics.Register("frozen", new(frozen))
	zerolog.SetGlobalLevel(zerolog.Disabled)
}
