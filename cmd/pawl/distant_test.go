package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/boards"
	"github.com/pawl-dev/pawl/internal/dev/leftover"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A laptop is a machine whose board is at an address, with a server as a test wants it.
type laptop struct {
	t       *testing.T
	home    string
	dir     string
	board   query.Board
	server  *httptest.Server
	address string
	asked   atomic.Int64
	courier bool // one may be started
	n       int
	patient string

	mu  sync.Mutex
	lie http.HandlerFunc // nil: it answers
}

var agentOnServer = pawl.Actor{Name: "claude", Session: "s1"}

func newLaptop(t *testing.T) *laptop {
	l := &laptop{t: t, patient: "itself", home: leftover.TempDir(t), dir: t.TempDir(), board: query.Local(pawl.NewBoard(memory.New()))}
	l.server = httptest.NewServer(l)
	l.server.Config.ErrorLog = nil
	l.address = l.server.URL + "/boards/shop"
	t.Cleanup(func() {
		l.server.CloseClientConnections()
		l.server.Close()
	})
	l.do(pawl.Actor{Name: "ann"}, pawl.Create{Tasks: []pawl.NewTask{{Subject: "Cart"}}})
	l.do(agentOnServer, pawl.ClaimTask{ID: 1, Lease: pawl.Duration(15 * time.Minute)})
	return l
}

func (l *laptop) do(by pawl.Actor, op pawl.Op) {
	l.t.Helper()
	must.Get(l.board.Do(l.t.Context(), pawl.Request{By: by, Op: op}, 0))(l.t)
}

func (l *laptop) task(id string) pawl.Task {
	l.t.Helper()
	a, err := query.Of(l.t.Context(), l.board, query.Asker{}, query.TaskQuery{Names: []string{id}})
	if err != nil || a.Tasks[0].Detail == nil {
		l.t.Fatal(err)
	}
	return a.Tasks[0].Detail.Task
}

func (l *laptop) lies(lie http.HandlerFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lie = lie
}

func (l *laptop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.asked.Add(1)
	body, _ := io.ReadAll(r.Body) // else a server does not see that its client is gone
	l.mu.Lock()
	lie := l.lie
	l.mu.Unlock()
	if lie != nil {
		lie(w, r)
		return
	}
	w.Header().Set(remote.ProtocolHeader, "1 1")
	if r.Header.Get("Authorization") != "Bearer secret" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, remote.PathDo):
		var do remote.Do
		_ = json.Unmarshal(body, &do)
		var requests []pawl.Request
		for _, text := range do.Requests {
			req, _ := pawl.ParseRequest(text)
			requests = append(requests, req)
		}
		outcomes, err := l.board.DoAll(r.Context(), do.Want, requests...)
		done := remote.Done{Outcomes: outcomes}
		for i := range requests {
			e, _ := errors.AsType[*pawl.Error](pawl.ErrorAt(err, i))
			done.Errors = append(done.Errors, e)
		}
		json.NewEncoder(w).Encode(done)
	case strings.HasSuffix(r.URL.Path, remote.PathAsk):
		var asked remote.Ask
		_ = json.Unmarshal(body, &asked)
		q, err := query.DecodeQuestion(asked.Question)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		a, err := l.board.Ask(r.Context(), asked.Who, q)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		text, _ := query.EncodeAnswer(a)
		w.Write(text)
	case strings.HasSuffix(r.URL.Path, remote.PathHello):
		json.NewEncoder(w).Encode(remote.Hello{Name: "claude", Role: "work", Now: time.Now()})
	default:
		http.NotFound(w, r)
	}
}

// tell has the real program answer an event, and returns how long that took.
func (l *laptop) tell(event string, fields map[string]any) (answer string, took time.Duration) {
	l.t.Helper()
	l.n++
	payload := map[string]any{"session_id": "s1", "hook_event_name": event, "cwd": l.dir, "prompt_id": fmt.Sprint(l.n)}
	for key, value := range fields {
		payload[key] = value
	}
	text, err := json.Marshal(payload)
	must.Do(l.t, err)
	cmd := exec.Command("pawl", "hook", "--agent", "claude")
	cmd.Env = append(os.Environ(), "HOME="+l.home, "XDG_STATE_HOME="+filepath.Join(l.home, "state"), "XDG_CONFIG_HOME="+filepath.Join(l.home, "config"),
		"PAWL_BOARD="+l.address, "PAWL_TOKEN=secret", "HTTPS_PROXY=", "https_proxy=", patient+"="+l.patient)
	if !l.courier {
		cmd.Env = append(cmd.Env, boards.NoBackground+"=1")
	}
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &out, &errs
	start := time.Now()
	err = cmd.Run() // with pipes it waits for all that hold them
	took = time.Since(start)
	if err != nil || errs.Len() > 0 {
		l.t.Fatalf("%s: %v: %s", event, err, errs.String())
	}
	return out.String(), took
}

// log is what hooks and the courier complained about.
func (l *laptop) log() string {
	text, err := os.ReadFile(filepath.Join(l.home, "state", "pawl", "hook.log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.t.Fatal(err)
	}
	return string(text)
}

func drip(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(remote.ProtocolHeader, "1 1")
	for ; r.Context().Err() == nil; time.Sleep(5 * time.Millisecond) {
		w.Write([]byte(" "))
		http.NewResponseController(w).Flush()
	}
}

func flood(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(remote.ProtocolHeader, "1 1")
	zeros := bytes.Repeat([]byte("0"), 1<<20)
	for range 1 << 10 {
		if _, err := w.Write(zeros); err != nil {
			return
		}
	}
}

func reset(w http.ResponseWriter, r *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// metLaptop is a laptop whose hook has an answer of the server.
func metLaptop(t *testing.T) *laptop {
	l := newLaptop(t)
	l.patient = "for the server, too"
	answer, _ := l.tell("SessionStart", map[string]any{"source": "startup"})
	if !strings.Contains(answer, "#1 Cart") || strings.Contains(answer, "as of") {
		t.Fatalf("a good server: %s%s", answer, l.log())
	}
	l.patient = "itself"
	return l
}

// Whatever a server does, a hook answers within a moment with what was known last, and
// logs it once.
func TestHookAndHostileServers(t *testing.T) {
	says := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.Header().Set(remote.ProtocolHeader, "1 1")
			w.WriteHeader(code)
			io.WriteString(w, body)
		}
	}
	for name, lie := range map[string]http.HandlerFunc{
		"hangs":           func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"drips":           drip,
		"floods":          flood,
		"resets":          reset,
		"redirects":       says(302, ""),
		"garbage":         says(200, "<html>"),
		"another answer":  says(200, `{"kind":"lanes","answer":{}}`),
		"refuses a token": says(401, `{"error":{"kind":"invalid","message":"no board shop for this token"}}`),
		"is overloaded":   says(503, ""),
		"is broken":       says(500, ""),
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 3)
			l := metLaptop(t)
			l.lies(lie)
			answer, took := l.tell("SessionStart", map[string]any{"source": "compact"})
			if !strings.Contains(answer, "#1 Cart") || !strings.Contains(answer, "The tasks are as of") {
				t.Errorf("the answer is %q", answer)
			}
			if *long.Asked && took > 2*time.Second { // benchmarks have the number
				t.Errorf("it took %v", took)
			}
			asked := l.asked.Load()
			l.tell("UserPromptSubmit", map[string]any{"prompt": "Go on."})
			l.tell("Stop", map[string]any{"last_assistant_message": "x"})
			l.tell("SessionEnd", map[string]any{"reason": "other"})
			if l.asked.Load() != asked {
				t.Error("it was asked again at once")
			}
			if lines := strings.Count(l.log(), "\n"); lines != 1 {
				t.Errorf("the log has %d lines: %s", lines, l.log())
			}
			if strings.Contains(l.log()+answer, "secret") {
				t.Error("the token is told")
			}
		})
	}
}

// A server that is not there, or shows a certificate that nobody trusts.
func TestHookWithoutServer(t *testing.T) {
	https := httptest.NewTLSServer(http.NotFoundHandler())
	https.Config.ErrorLog = nil
	defer https.Close()
	for _, address := range []string{"http://127.0.0.1:1/boards/shop", https.URL + "/boards/shop", "https://pawl.invalid/boards/shop", "https://192.0.2.1/boards/shop"} {
		l := newLaptop(t)
		l.address = address
		answer, took := l.tell("SessionStart", map[string]any{"source": "startup"})
		if answer != "" || *long.Asked && took > 2*time.Second {
			t.Errorf("%s: after %v the answer is %s", address, took, answer)
		}
		l.tell("SessionEnd", map[string]any{"reason": "other"})
		if lines := strings.Count(l.log(), "\n"); lines != 1 {
			t.Errorf("%s: the log has %d lines: %s", address, lines, l.log())
		}
	}
}

// The courier is a process of its own: it does what a hook had no time for, when the
// server answers again, and holds nothing of the hook's.
func TestCourier(t *testing.T) {
	l := metLaptop(t)
	l.courier = true
	var hung atomic.Int64 // requests that wait for an answer
	again := make(chan struct{})
	l.lies(func(w http.ResponseWriter, r *http.Request) {
		hung.Add(1)
		defer hung.Add(-1)
		select {
		case <-again:
		case <-r.Context().Done():
		}
		reset(w, r)
	})
	if _, took := l.tell("SessionEnd", map[string]any{"reason": "other"}); *long.Asked && took > 3*time.Second {
		t.Errorf("the hook took %v", took)
	}
	if task := l.task("1"); task.Status != pawl.InProgress {
		t.Fatalf("the task is %s already", task.Status)
	}
	// The hook has gone, and what it asked with it, if it had the time to ask at all.
	wait(t, "the courier to ask", func() bool { return hung.Load() > 0 })
	l.lies(nil)
	close(again)
	wait(t, "the courier to give the task back", func() bool { return l.task("1").Status == pawl.Pending })
	jobs := filepath.Join(l.home, "state", "pawl", "courier")
	wait(t, "the queue to be empty", func() bool {
		files, _ := filepath.Glob(filepath.Join(jobs, "*", "jobs.jsonl"))
		info, err := os.Stat(strings.Join(files, ""))
		return err == nil && info.Size() == 0
	})
	wait(t, "the courier to end", func() bool { return len(leftover.Of(l.home)) == 0 })
}

func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
