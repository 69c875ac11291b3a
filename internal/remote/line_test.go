package remote

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/query"
)

var ada = pawl.Actor{Name: "ada", Session: "s1"}

func add(t *testing.T, b query.Board, subject string) pawl.ID {
	t.Helper()
	out := must.Get(b.Do(ctx, pawl.Request{By: ada, Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: subject}}}}, query.WantNames))(t)
	return out.Result.IDs[0]
}

// An answer that was lost after the commit is asked for again, and runs nothing
// twice: a claim without an id gets the same task.
func TestLostAnswers(t *testing.T) {
	f := newFar(t, true)
	b := f.open(t, nil)
	first, second := add(t, b, "one"), add(t, b, "two")
	f.mu.Lock()
	f.cut = []bool{true, true}
	f.mu.Unlock()
	out, err := b.Do(ctx, pawl.Request{By: ada, Op: pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}}, query.WantNames)
	if err != nil || len(out.Result.IDs) != 1 || out.Result.IDs[0] != first || out.Result.Repeated {
		t.Fatalf("got %+v, %v", out.Result, err)
	}
	if n := f.requests(); n != 5 {
		t.Errorf("%d requests arrived, want 5: two that add, one claim three times", n)
	}
	page, err := query.Of(ctx, b, query.Asker{By: ada}, query.TasksQuery{Query: pawl.Query{Ready: true}})
	if err != nil || len(page.Page.Tasks) != 1 || page.Page.Tasks[0].ID != second {
		t.Errorf("ready are %+v, %v", page.Page.Tasks, err)
	}
	named := pawl.Request{By: ada, ID: "mine", Op: pawl.Complete{IDs: []pawl.ID{second}}}
	for _, want := range []bool{false, true} {
		if out, err := b.Do(ctx, named, 0); err != nil || out.Result.Repeated != want {
			t.Errorf("under an op id of its own: repeated is %v, %v", out.Result.Repeated, err)
		}
	}
}

// What a server that is overloaded or on its way down says is waited for.
func TestBusyServer(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	f.before = []func(http.ResponseWriter, *http.Request){says(503, "Retry-After", "0"), says(502, "", ""), says(429, "Retry-After", "0"), hangUp2, nil}
	if id := add(t, b, "one"); id != 1 {
		t.Errorf("made %v", id)
	}
	if n := f.requests(); n != 5 {
		t.Errorf("%d requests", n)
	}
}

// A server that says that it cannot do it now is not away.
func TestRefusedForNow(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	f.before = []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(429)
		w.Write([]byte(`{"error":{"kind":"unavailable","message":"too much at once"}}`))
	}}
	_, err := b.Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: []pawl.NewTask{{Subject: "x"}}}}, 0)
	if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "too much at once") || strings.Contains(err.Error(), "not known") {
		t.Errorf("got %v", err)
	}
	if since := b.Away(); !since.IsZero() {
		t.Errorf("it counts as away since %v", since)
	}
}

// hangUp2 breaks a connection without TLS.
func hangUp2(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		conn.Close()
	}
}

// A redirect is an error, and the token goes nowhere else.
func TestRedirect(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	f := newFar(t, true)
	b := f.open(t, nil)
	for _, code := range []int{301, 302, 303, 307, 308} {
		f.before = append(f.before, says(code, "Location", other.URL+"/boards/shop/v1/do"))
	}
	for range 5 {
		_, err := b.Do(ctx, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}, 0)
		if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "not followed") || strings.Contains(err.Error(), other.URL) {
			t.Errorf("got %v", err)
		}
	}
	if asked != 0 {
		t.Errorf("the other server was asked %d times", asked)
	}
}

// A server with another certificate than the one that was joined gets nothing.
func TestOtherCertificate(t *testing.T) {
	f := newFar(t, true)
	for name, cert := range map[string]string{"another one": strings.Repeat("ab", 32), "not signed": ""} {
		b := f.open(t, func(o *Options) { o.Cert = cert })
		_, err := b.Hello(ctx)
		if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "nothing was sent") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := f.requests(); n != 0 {
		t.Errorf("%d requests arrived", n)
	}
	if _, err := Open(Options{Cert: "abc"}); !errors.Is(err, pawl.Invalid) {
		t.Errorf("a broken fingerprint: %v", err)
	}
	h, err := f.open(t, nil).Hello(ctx)
	if err != nil || h.Name != "ada" {
		t.Errorf("the right one: %+v, %v", h, err)
	}
}

func TestProtocols(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	for header, want := range map[string]string{
		"1 1": "", "2 1": "", "3 2": "update pawl on this machine", "0 0": "ask who runs the server to update it",
		"": "check the address", "x": "check the address",
	} {
		f.protocol = header
		_, err := b.Hello(ctx)
		e, _ := errors.AsType[*pawl.Error](err)
		if want == "" && err != nil || want != "" && (e == nil || !strings.Contains(e.Hint.Text, want)) {
			t.Errorf("%q: got %v", header, err)
		}
	}
}

// What comes from a server that is none is an error, not a fault of ours.
func TestStrangeAnswers(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	for _, text := range []string{"", "null", "{", "[]", `{"outcomes":[]}`, `{"outcomes":[{},{}]}`, `{"outcomes":[{}],"errors":[]}`, "<html>"} {
		f.before = []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }}
		_, err := b.Do(ctx, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}, 0)
		if !errors.Is(err, pawl.Unavailable) || strings.Contains(err.Error(), "not known") {
			t.Errorf("%q: got %v", text, err)
		}
	}
	for _, text := range []string{"", "{}", `{"ask":"lanes","data":{}}`, `{"ask":"tasks","data":7}`} {
		f.before = []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(text)) }}
		if _, err := query.Of(ctx, b, query.Asker{}, query.TasksQuery{}); !errors.Is(err, pawl.Unavailable) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	if _, err := b.once(ctx, call{method: "GET", path: PathHello, limit: 3}, time.Second); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "more than 3 bytes") {
		t.Errorf("an answer that is too long: %v", err)
	}
}

// While the server does not answer, reads show the last answer with its time, and
// changes say that their outcome is not known if they may have arrived.
func TestServerAway(t *testing.T) {
	f := newFar(t, false)
	state := t.TempDir()
	quick := func(o *Options) { o.State, o.Patience = state, 300*time.Millisecond }
	b := f.open(t, quick)
	patient := f.open(t, func(o *Options) { o.State = state })
	add(t, patient, "one")
	ready := query.TasksQuery{Query: pawl.Query{Ready: true}}
	fresh, err := query.Of(ctx, patient, query.Asker{By: ada}, ready)
	if err != nil || !fresh.Head.Old.IsZero() || !patient.Away().IsZero() {
		t.Fatalf("got %+v, %v, away since %v", fresh.Head, err, patient.Away())
	}
	begin := time.Now().Add(-time.Minute)
	f.before = []func(http.ResponseWriter, *http.Request){hangs, hangs, hangs}
	_, err = b.Do(ctx, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}, 0)
	if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "not known") {
		t.Errorf("a server that hangs: %v", err)
	}
	f.before = nil
	f.CloseClientConnections()
	f.Server.Listener.Close()
	_, err = b.Do(ctx, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}, 0)
	if !errors.Is(err, pawl.Unavailable) || strings.Contains(err.Error(), "not known") || !strings.Contains(err.Error(), "does not answer since") || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("a server that is gone: %v", err)
	}
	again := f.open(t, func(o *Options) { o.State = state }) // another process, which has an answer and does not wait
	elsewhere := query.Asker{By: pawl.Actor{Name: ada.Name, Session: "another terminal"}}
	old, err := query.Of(ctx, again, elsewhere, ready)
	if err != nil || old.Head.Old.Before(begin) || len(old.Page.Tasks) != 1 || again.Away().Before(begin) {
		t.Errorf("got %+v, %v, away since %v", old, err, again.Away())
	}
	if _, err := query.Of(ctx, f.open(t, quick), query.Asker{By: ada}, query.TasksQuery{}); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("another question: %v", err)
	}
	other := f.open(t, func(o *Options) { quick(o); o.Token = "another" })
	if _, err := query.Of(ctx, other, query.Asker{By: ada}, ready); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("the answer to another token: %v", err)
	}
}

// Who does not wait any longer gets no answer, at once.
func TestCancel(t *testing.T) {
	f := newFar(t, false)
	b := f.open(t, nil)
	ctx, cancel := context.WithCancel(ctx)
	f.before = []func(http.ResponseWriter, *http.Request){func(w http.ResponseWriter, r *http.Request) { cancel(); hangs(w, r) }}
	if _, err := b.Hello(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// What was sent and not answered is not sent again by a person who follows a hint: it
// would be another change. A read of a server that is known to be away does not wait.
func TestWhatToDoNext(t *testing.T) {
	f := newFar(t, false)
	state := t.TempDir()
	quick := func(o *Options) { o.State, o.Patience = state, 300*time.Millisecond }
	f.before = []func(http.ResponseWriter, *http.Request){hangs, hangs, hangs}
	_, err := f.open(t, quick).Do(ctx, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}, 0)
	if e, _ := errors.AsType[*pawl.Error](err); e == nil || e.Hint.Step != pawl.HintHistory {
		t.Errorf("an unknown outcome: %+v", e)
	}
	f.before = nil
	f.CloseClientConnections()
	f.Server.Listener.Close()
	for what, dial := range map[string]func(context.Context, string, string) (net.Conn, error){
		"nobody listens": nil,
		"on a busy machine its time may end before it knows": func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	} {
		_, err = f.open(t, func(o *Options) { quick(o); o.Dial = dial }).Do(ctx, pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}}, 0)
		if e, _ := errors.AsType[*pawl.Error](err); e == nil || e.Hint.Step != pawl.HintRetry {
			t.Errorf("what never arrived: %s: %+v", what, e)
		}
	}
	begin := time.Now()
	patient := f.open(t, func(o *Options) { o.State, o.Patience = state, 10*time.Minute })
	if _, err := query.Of(ctx, patient, query.Asker{}, query.AgentsQuery{}); !errors.Is(err, pawl.Unavailable) || time.Since(begin) > time.Minute {
		t.Errorf("a read waited %v: %v", time.Since(begin), err)
	}
	tls := newFar(t, true)
	plain := tls.open(t, func(o *Options) { o.Address.Origin = strings.Replace(tls.URL, "https", "http", 1) })
	if _, err := plain.Hello(ctx); err == nil || !strings.Contains(err.Error(), "speaks https") {
		t.Errorf("http to a server with TLS: %v", err)
	}
	nowhere := f.open(t, func(o *Options) { o.Address.Origin, o.Patience = "https://pawl.invalid", 300*time.Millisecond })
	if _, err := nowhere.Hello(ctx); err == nil {
		t.Error("a host that does not exist answers")
	}
}
