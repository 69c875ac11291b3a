package team_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/exchanges"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/replay"
	"github.com/pawl-dev/pawl/internal/ui/team"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

var record = flag.Int("record", 0, "record what is said in today's protocol, which must have this number")

// TestOldClients plays what clients of each protocol have sent to today's server.
func TestOldClients(t *testing.T) {
	if *record != 0 {
		recordProtocol(t, *record)
	}
	for protocol := remote.Oldest; protocol <= remote.Protocol; protocol++ {
		t.Run(fmt.Sprint(protocol), func(t *testing.T) {
			url, secret := recordedServer(t)
			id := "" // of a session, as the server calls it
			for _, x := range exchanges.Load(t, protocol) {
				x.Path = strings.Replace(x.Path, "=ID", "="+id, 1)
				now := exchange(t, url, secret, protocol, x)
				if now.Status != x.Status {
					t.Errorf("%s: the status is %d, and was %d: %s", x.Name, now.Status, x.Status, now.Answer)
					continue
				}
				if found := sessionID.FindSubmatch(now.Answer); found != nil {
					id = string(found[1])
				}
				found := missing(t, x.Answer, now.Answer)
				if len(x.Lines) != len(now.Lines) {
					t.Errorf("%s: %d lines, and there were %d", x.Name, len(now.Lines), len(x.Lines))
					continue
				}
				for i := range x.Lines {
					found = append(found, missing(t, x.Lines[i], now.Lines[i])...)
				}
				for _, f := range found {
					t.Errorf("%s: %s", x.Name, f)
				}
			}
		})
	}
}

// sessionID finds what the server calls a session in its answer.
var sessionID = regexp.MustCompile(`"id":"([^"]{8,})"`)

func missing(t *testing.T, was, is []byte) []string {
	t.Helper()
	if len(was) == 0 {
		return nil
	}
	return must.Get(exchanges.Missing(was, is))(t)
}

// TestRecordedAll sees to it that each op and each question is among what was
// recorded.
func TestRecordedAll(t *testing.T) {
	all := map[string]bool{}
	for _, x := range exchanges.Load(t, remote.Protocol) {
		path, _, _ := strings.Cut(x.Path, "?")
		all[path] = true
		for _, key := range []string{"op", "ask"} {
			for _, found := range regexp.MustCompile(`"`+key+`":\s?"(\w+)"`).FindAllSubmatch(x.Body, -1) {
				all[key+" "+string(found[1])] = true
			}
		}
	}
	for _, op := range pawl.Ops() {
		text, err := pawl.Encode(op)
		var named struct{ Op string }
		if err := json.Unmarshal(text, &named); err != nil || named.Op == "" {
			t.Fatal(err)
		}
		if err != nil || !all["op "+named.Op] {
			t.Errorf("no exchange asks for the op %s, %v", named.Op, err)
		}
	}
	for _, kind := range query.KindNames() {
		if !all["ask "+kind] {
			t.Errorf("no exchange asks the question %s", kind)
		}
	}
	for _, path := range []string{remote.PathHello, remote.PathDo, remote.PathAsk, remote.PathWatch, remote.PathExport, remote.PathFilm} {
		if !all[path] {
			t.Errorf("no exchange is at %s", path)
		}
	}
}

// exchange sends a recorded request, and returns it with what came back.
func exchange(t *testing.T, url, secret string, protocol int, x exchanges.Exchange) exchanges.Exchange {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req := must.Get(http.NewRequestWithContext(ctx, x.Method, url+x.Path, bytes.NewReader(x.Body)))(t)
	req.Header.Set("Authorization", "Bearer "+secret)
	req.Header.Set(remote.ProtocolHeader, fmt.Sprint(protocol))
	if x.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp := must.Get(http.DefaultClient.Do(req))(t)
	defer resp.Body.Close()
	x.Status, x.Spoken = resp.StatusCode, resp.Header.Get(remote.ProtocolHeader)
	if resp.StatusCode != http.StatusOK || x.Lines == nil {
		text := must.Get(io.ReadAll(resp.Body))(t)
		x.Lines, x.Answer = nil, bytes.TrimSpace(text)
		return x
	}
	lines, most := json.NewDecoder(resp.Body), len(x.Lines)
	x.Lines = nil
	for len(x.Lines) < most {
		var line json.RawMessage
		if err := lines.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if string(line) == "{}" {
			continue // the server is still there
		}
		x.Lines = append(x.Lines, line)
	}
	return x
}

// recordProtocol writes the file of today's protocol.
func recordProtocol(t *testing.T, protocol int) {
	if protocol != remote.Protocol {
		t.Fatalf("today's protocol is %d", remote.Protocol)
	}
	url, secret := recordedServer(t)
	var all []exchanges.Exchange
	id := ""
	for _, x := range toRecord(t) {
		path := x.Path
		x.Path = strings.Replace(path, "=ID", "="+id, 1)
		x = exchange(t, url, secret, protocol, x)
		if found := sessionID.FindSubmatch(x.Answer); found != nil {
			id = string(found[1])
		}
		x.Path = path
		all = append(all, x)
	}
	text := []byte("[\n") // an exchange on each line
	for i, x := range all {
		line := must.Get(json.Marshal(x))(t)
		if i > 0 {
			text = append(text, ",\n"...)
		}
		text = append(text, line...)
	}
	text = append(text, "\n]\n"...)
	must.Do(t, os.WriteFile(filepath.Join("../../dev/exchanges", exchanges.File(protocol)), text, 0o644))
	t.Fatalf("recorded %d exchanges: run the test again without -record", len(all))
}

// toRecord are requests for all that the protocol has, in an order in which they
// work.
func toRecord(t *testing.T) (all []exchanges.Exchange) {
	add := func(name, method, path string, body any, lines int) {
		x := exchanges.Exchange{Name: name, Method: method, Path: path}
		switch body := body.(type) {
		case nil:
		case string:
			x.Body = json.RawMessage(body)
		default:
			text := must.Get(json.Marshal(body))(t)
			x.Body = text
		}
		if lines > 0 {
			x.Lines = make([]json.RawMessage, lines)
		}
		all = append(all, x)
	}
	ada := pawl.Actor{Name: "ada", Session: "s1", Agent: "main"}
	everything := ^query.Want(0)
	ops := 0
	do := func(name string, list ...pawl.Op) {
		m := remote.Do{Want: everything}
		for _, op := range list {
			ops++
			text := must.Get(json.Marshal(pawl.Request{By: ada, Op: op, ID: pawl.OpID(fmt.Sprintf("op-%d", ops)), Sessions: []string{"s0"}}))(t)
			m.Requests = append(m.Requests, text)
		}
		add(name, http.MethodPost, remote.PathDo, m, 0)
	}
	question := func(name string, who query.Asker, q query.Question) {
		text := must.Get(query.EncodeQuestion(q))(t)
		add(name, http.MethodPost, remote.PathAsk, remote.Ask{Who: who, Question: text}, 0)
	}
	who := query.Asker{By: ada}
	high := pawl.High

	add("a board that does not exist yet", http.MethodGet, remote.PathHello, nil, 0)
	question("a board that does not exist yet, asked", who, query.OverviewQuery{Working: 3})
	do("create", pawl.Create{Tasks: []pawl.NewTask{
		{Ref: "api", Subject: "API", Description: "All of it.", Labels: []string{"core"}, Priority: pawl.High, Metadata: map[string]json.RawMessage{"points": json.RawMessage("3")}, Note: "begin here"},
		{Ref: "ui", Subject: "UI", ActiveForm: "Drawing", BlockedBy: []pawl.Ref{pawl.RefName("api")}},
		{Ref: "part", Subject: "Part", Parent: pawl.RefName("ui"), Owner: "bob"},
		{Subject: "Docs", BlockedBy: []pawl.Ref{pawl.RefName("ui")}},
		{Subject: "Old", Done: true},
		{Subject: "Spare", Priority: pawl.Low},
	}})
	do("import", pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: "From elsewhere", Metadata: map[string]json.RawMessage{pawl.RefKey: json.RawMessage(`"X-1"`)}}, Status: pawl.Pending}}})
	do("update", pawl.Update{ID: 4, Subject: new("Documents"), Priority: &high, AddLabels: []string{"text"}, AddBlockedBy: []pawl.ID{6}})
	do("claim the next", pawl.ClaimTask{Lease: 3_600_000_000_000})
	do("claim one that is blocked", pawl.ClaimTask{ID: 2})
	do("start", pawl.Start{IDs: []pawl.ID{6}, Lease: 3_600_000_000_000})
	do("renew", pawl.Renew{})
	do("note", pawl.AddNote{ID: 6, Text: "half of it"})
	do("hold", pawl.PutHold{IDs: []pawl.ID{7}, Reason: "no key yet"})
	do("claim one on hold", pawl.ClaimTask{ID: 7})
	do("lift", pawl.LiftHold{IDs: []pawl.ID{7}})
	do("assign", pawl.Assign{IDs: []pawl.ID{7}, Owner: "bob"})
	do("complete what is blocked", pawl.Complete{IDs: []pawl.ID{2}})
	do("complete", pawl.Complete{IDs: []pawl.ID{1}})
	do("complete it again", pawl.Complete{IDs: []pawl.ID{1}})
	do("reopen", pawl.Reopen{IDs: []pawl.ID{1}})
	do("release", pawl.Release{IDs: []pawl.ID{6}, Hold: "waits for parts"})
	do("delete", pawl.Delete{IDs: []pawl.ID{5}})
	do("undo", pawl.Undo{})
	do("undo what cannot be", pawl.Undo{Revision: 1})
	do("all", pawl.All{Ops: []pawl.Op{pawl.AddNote{ID: 1, Text: "once more"}, pawl.Start{IDs: []pawl.ID{1}}}})
	do("several, of which one fails", pawl.AddNote{ID: 1, Text: "first"}, pawl.AddNote{ID: 99, Text: "nowhere"}, pawl.AddNote{ID: 1, Text: "third"})
	do("the wrong token", pawl.Complete{IDs: []pawl.ID{1}, Token: 1})
	check, tree := pawl.Check{Name: "unit", Run: []string{"go", "test", "./..."}, Timeout: 90_000_000_000, Env: []string{"CI"}}, strings.Repeat("a", 40)
	do("a task with a check and a criterion", pawl.Update{ID: 6, AddChecks: []pawl.Check{check}, AddAccept: []string{"it is so"}})
	do("complete what is not shown to be done", pawl.Complete{IDs: []pawl.ID{6}, Tree: tree})
	do("tick", pawl.Update{ID: 6, Tick: []string{"it is so"}})
	do("check", pawl.AddEvidence{ID: 6, Evidence: []pawl.Evidence{{Check: "unit", Sum: check.Sum(), Tree: tree, Commit: tree, Dirty: true, Passed: true, Millis: 1200}}})
	do("complete what is shown", pawl.Complete{IDs: []pawl.ID{6}, Tree: tree, Rules: []pawl.CheckRule{{Check: check, Labels: []string{"core"}}}})
	do("nothing is ready", pawl.ClaimTask{Filter: pawl.ClaimFilter{Labels: []string{"nowhere"}}})
	do("what is invalid in several ways", pawl.Create{Tasks: []pawl.NewTask{{Subject: ""}, {Subject: strings.Repeat("long ", 200)}}})
	do("a cycle", pawl.Update{ID: 1, AddBlockedBy: []pawl.ID{4}})
	again := slices.IndexFunc(all, func(x exchanges.Exchange) bool { return x.Name == "note" })
	add("the same op id again", http.MethodPost, remote.PathDo, all[again].Body, 0)
	add("tried", http.MethodPost, remote.PathDo, remote.Do{Try: true, Want: everything, Requests: []json.RawMessage{
		json.RawMessage(`{"by":{"name":"ada"},"op":{"op":"complete","ids":[1]}}`), json.RawMessage(`{"op":{"op":"claim"}}`),
	}}, 0)

	question("glance", who, query.GlanceQuery{GlanceQuery: pawl.GlanceQuery{Session: "s1", IDs: []pawl.ID{1, 2}, Ready: 5, For: "ada"}})
	question("overview", who, query.OverviewQuery{Working: 3, Ready: 4, Held: 3, Last: true, Edges: true, Unblocks: true})
	question("tasks", who, query.TasksQuery{Query: pawl.Query{Limit: 3, Order: pawl.ByUrgency}, Edges: true, Unblocks: true, Totals: true})
	question("tasks, with why none is ready", who, query.TasksQuery{Query: pawl.Query{Ready: true, For: "ada", Labels: []string{"no such label"}}, Why: true})
	question("tasks that changed", who, query.TasksQuery{Since: new(pawl.Revision(3)), Query: pawl.Query{Limit: 50}})
	question("a what-if", query.Asker{By: ada, AsDone: []pawl.ID{1}}, query.TasksQuery{Query: pawl.Query{Ready: true, For: "ada"}})
	question("pages", who, query.PagesQuery{Queries: []pawl.Query{{Ready: true, Order: pawl.ByUrgency, Limit: 2}, {Owned: true, Brief: true}}})
	question("task", who, query.TaskQuery{Names: []string{"1", "6", "X-1", "no such name", "99"}, Around: true, History: 5})
	question("resolve", who, query.ResolveQuery{Names: []string{"1", "#4", "X-1", "no such name"}})
	question("lanes", who, query.LanesQuery{Done: 3})
	question("graph", who, query.GraphQuery{Alone: true, All: true, Waits: true, Detail: 1})
	question("graph around a task", who, query.GraphQuery{Around: 2, Fit: []query.Fit{{Most: 1}, {Depth: 1, Most: 500}}})
	question("find", who, query.FindQuery{Begun: "d", Limit: 3})
	question("find what can be claimed", who, query.FindQuery{Verb: pawl.VerbClaim})
	question("facets", who, query.FacetsQuery{Texts: []string{"API"}, Most: 5})
	question("agents", who, query.AgentsQuery{})
	question("history", who, query.HistoryQuery{Limit: 100, Renewals: true, Undid: true})
	question("history of a task", who, query.HistoryQuery{Task: 6, Limit: 100})
	question("history of one set", who, query.HistoryQuery{At: 2})
	question("history that is not there", who, query.HistoryQuery{At: 9_999})
	question("problems", who, query.ProblemsQuery{})

	add("watch from the beginning", http.MethodPost, remote.PathWatch, remote.Watch{Who: who, From: query.From{Names: true}}, 12)
	add("watch from now", http.MethodPost, remote.PathWatch, remote.Watch{Who: who, From: query.From{Now: true}}, 1)
	add("export", http.MethodPost, remote.PathExport, remote.Export{Who: who, Query: pawl.Query{Status: []pawl.Status{pawl.Pending}}}, 100)
	add("film", http.MethodGet, remote.PathFilm, nil, 0)
	add("hello", http.MethodGet, remote.PathHello, nil, 0)

	add("an unknown question", http.MethodPost, remote.PathAsk, `{"question":{"ask":"weather","data":{}}}`, 0)
	add("an unknown op", http.MethodPost, remote.PathDo, `{"requests":[{"op":{"op":"fly"}}]}`, 0)
	add("no requests", http.MethodPost, remote.PathDo, `{"requests":[]}`, 0)
	add("not JSON's type", http.MethodPost, remote.PathAsk, `{"question":3}`, 0)
	add("an unknown path", http.MethodGet, "/v1/weather", nil, 0)
	add("another method", http.MethodGet, remote.PathDo, nil, 0)
	return all
}

// recordedServer is the address of a board that does not exist yet, and the secret of
// the one token for it.
func recordedServer(t *testing.T) (url, secret string) {
	t.Helper()
	clock := func() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) }
	dir := t.TempDir()
	tokens, err := access.Open(access.Folder(dir))
	must.Do(t, err)
	secret, _, err = tokens.Create(t.Context(), access.Token{Name: "ada", Person: true, Role: access.Work, Boards: []string{"shop"}}, false)
	must.Do(t, err)
	handler := team.New(team.Options{
		Boards: &team.Folder{
			Dir: dir,
			OpenBoard: func(string, func(string)) (query.Board, error) {
				board := pawl.NewBoard(memory.New(memory.WithClock(clock)))
				return filmed{query.Local(board), board}, nil
			},
			MakeBoard: func(_ context.Context, dir string) error { return os.Mkdir(dir, 0o700) },
		},
		Version: "1.0.0", Tokens: tokens,
		Empty: func() query.Board { return query.Local(pawl.NewBoard(memory.New())) },
		Now:   clock, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		handler.Close()
	})
	return server.URL + "/boards/shop", secret
}

// A filmed board has its history at hand.
type filmed struct {
	query.Board
	board *pawl.Board
}

func (f filmed) Film(ctx context.Context, name string) (*replay.Film, error) {
	return replay.Load(ctx, f.board, name, replay.MaxSteps)
}

// A client whose protocol the server does not speak is told who has to install what;
// a newer one than the server is answered, for it may speak the server's.
func TestProtocols(t *testing.T) {
	url, secret := recordedServer(t)
	hello := exchanges.Exchange{Method: http.MethodGet, Path: remote.PathHello}
	old := exchange(t, url, secret, remote.Oldest-1, hello)
	if old.Status != http.StatusBadRequest || !strings.Contains(string(old.Answer), "install a newer pawl") {
		t.Errorf("an old client gets %d %s", old.Status, old.Answer)
	}
	newer := exchange(t, url, secret, remote.Protocol+1, hello)
	if want := fmt.Sprint(remote.Protocol, " ", remote.Oldest); newer.Status != http.StatusOK || newer.Spoken != want || old.Spoken != want {
		t.Errorf("a newer client gets %d %s, and %q", newer.Status, newer.Answer, newer.Spoken)
	}
}
