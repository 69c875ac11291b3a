//go:build unix

package server

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/query"
)

const (
	// peakMemory is what a server may take, whatever is asked of it.
	peakMemory = 256 << 20
	bigTasks   = 30 // of nearly the size that a task may have
	workTasks  = 500
)

// bigID is one of the big tasks, which come first.
func bigID(i int) pawl.ID { return pawl.ID(1 + i%bigTasks) }

// callsOf are, for each op, the ops of one call that is as large as it may be.
func callsOf() map[string][]pawl.Op {
	small, big := make([]pawl.ID, workTasks), make([]pawl.ID, bigTasks)
	for i := range small {
		small[i] = pawl.ID(bigTasks + 1 + i)
	}
	for i := range big {
		big[i] = bigID(i)
	}
	both := slices.Concat(big, small[:workTasks-bigTasks])
	each := func(op func(i int) pawl.Op) []pawl.Op {
		all := make([]pawl.Op, pawl.MaxRequests)
		for i := range all {
			all[i] = op(i)
		}
		return all
	}
	text := strings.Repeat("x", 8<<10)
	var made []pawl.NewTask
	var brought []pawl.ImportTask
	for i := range workTasks {
		made = append(made, pawl.NewTask{Subject: fmt.Sprint("made ", i), Description: text[:1000], Ref: fmt.Sprint("m", i)})
		ref, _ := json.Marshal(fmt.Sprint("brought ", i))
		brought = append(brought, pawl.ImportTask{NewTask: pawl.NewTask{Subject: "brought", Description: text, Metadata: map[string]json.RawMessage{pawl.RefKey: ref}}})
	}
	note := func(i int) pawl.Op { return pawl.AddNote{ID: bigID(i / 400), Text: text[:200]} }
	return map[string][]pawl.Op{
		pawl.VerbCreate:   {pawl.Create{Tasks: made}},
		pawl.VerbImport:   {pawl.Import{Tasks: brought}},
		pawl.VerbUpdate:   each(func(i int) pawl.Op { return pawl.Update{ID: bigID(i), Description: &text} }),
		pawl.VerbClaim:    each(func(i int) pawl.Op { return pawl.ClaimTask{ID: bigID(i)} }),
		pawl.VerbStart:    {pawl.Start{IDs: both}, pawl.Start{IDs: small}},
		pawl.VerbComplete: {pawl.Complete{IDs: both}, pawl.Complete{IDs: small}},
		pawl.VerbReopen:   {pawl.Reopen{IDs: both}, pawl.Reopen{IDs: small}},
		pawl.VerbRelease:  {pawl.Release{IDs: both}, pawl.Release{IDs: small}},
		pawl.VerbAssign:   {pawl.Assign{IDs: both, Owner: "bob"}, pawl.Assign{IDs: small, Owner: "bob"}},
		pawl.VerbHold:     {pawl.PutHold{IDs: both, Reason: "wait"}, pawl.PutHold{IDs: small, Reason: "wait"}},
		pawl.VerbLift:     {pawl.LiftHold{IDs: both}, pawl.LiftHold{IDs: small}},
		pawl.VerbNote:     each(note),
		pawl.VerbCheck:    each(func(i int) pawl.Op { return pawl.AddEvidence{ID: bigID(i)} }),
		pawl.VerbDelete:   {pawl.Delete{IDs: both[:bigTasks+1]}, pawl.Delete{IDs: small[:5]}},
		pawl.VerbRenew:    {pawl.Renew{IDs: both}},
		pawl.VerbUndo:     each(func(int) pawl.Op { return pawl.Undo{} }),
		pawl.VerbAll:      {pawl.All{Ops: each(note)}},
	}
}

// questionsOf are, for each kind, one that asks for as much as it may.
func questionsOf() map[string]query.Question {
	var names []string
	for i := range query.MostNames {
		names = append(names, fmt.Sprint(i+1))
	}
	whole := pawl.Query{Limit: pawl.MaxPage}
	return map[string]query.Question{
		"glance":   query.GlanceQuery{GlanceQuery: pawl.GlanceQuery{Session: "s", IDs: []pawl.ID{1, 2, 3}, Ready: pawl.MaxGlance}},
		"overview": query.OverviewQuery{Working: 100, Ready: 100, Edges: true, Unblocks: true},
		"tasks":    query.TasksQuery{Query: whole, Edges: true, Unblocks: true, Totals: true},
		"pages":    query.PagesQuery{Queries: []pawl.Query{whole, whole}},
		"task":     query.TaskQuery{Names: names, Around: true, History: 100},
		"resolve":  query.ResolveQuery{Names: names},
		"lanes":    query.LanesQuery{Done: query.MostReach},
		"graph":    query.GraphQuery{Alone: true, All: true, Waits: true},
		"find":     query.FindQuery{Limit: 1000, Done: true},
		"facets":   query.FacetsQuery{Texts: []string{"x"}, Most: 1000},
		"agents":   query.AgentsQuery{},
		"history":  query.HistoryQuery{Limit: 1000, Renewals: true, Undid: true},
		"problems": query.ProblemsQuery{},
	}
}

// TestWorkIsTried: TestWork has each op and each question, and a server that is asked to
// make far too many tasks takes little memory and says what to send instead.
func TestWorkIsTried(t *testing.T) {
	calls, questions := callsOf(), questionsOf()
	for _, op := range pawl.Ops() {
		if verb := verbOf(op); len(calls[verb]) == 0 {
			t.Errorf("the op %q has no call here", verb)
		}
	}
	if got := slices.Sorted(maps.Keys(questions)); !slices.Equal(got, query.KindNames()) {
		t.Errorf("the questions are %v, and here %v", query.KindNames(), got)
	}
	s := Start(t, Options{})
	tooMany := `{"op":{"op":"create","tasks":[` + strings.TrimSuffix(strings.Repeat(`{"subject":"z"},`, pawl.MaxBatch), ",") + `]}}`
	reply, _ := s.Do(s.Token("ada", "--board", "shop", "--role", "work"), "shop", slices.Repeat([]string{tooMany}, 300)...)
	if reply.Status != http.StatusRequestEntityTooLarge || !strings.Contains(reply.Body, "send them in several calls") {
		t.Errorf("150,000 tasks in a call: %d %.300s", reply.Status, reply.Body)
	}
	s.AsMuch(t, "too many tasks", peakMemory)
}

// TestWork: whatever op or question comes as large as it may be, with -long twenty times at
// once, the server takes little memory, and says of too much what to send instead.
func TestWork(t *testing.T) {
	atOnce := 2
	if *long.Asked {
		atOnce = 20
	}
	s := Start(t, Options{})
	boss := s.Token("boss", "--board", "shop", "--role", "admin")
	var tokens []Token
	for i := range 4 {
		tokens = append(tokens, s.Token(fmt.Sprint("p", i), "--board", "shop", "--role", "work"))
	}
	board := s.Client(boss, "shop")
	full := make([]pawl.Note, 50)
	for i := range full {
		full[i] = pawl.Note{At: time.UnixMilli(1_790_000_000_000).UTC(), By: "ada", Text: strings.Repeat("n", pawl.MaxNote-100)}
	}
	for i := range bigTasks {
		_, err := board.Do(t.Context(), pawl.Request{Op: pawl.Import{Tasks: []pawl.ImportTask{{NewTask: pawl.NewTask{Subject: fmt.Sprint("big ", i)}, Notes: full}}}}, 0)
		must(t, err)
	}
	var small []pawl.NewTask
	for i := range workTasks {
		small = append(small, pawl.NewTask{Subject: fmt.Sprint("small ", i), BlockedBy: []pawl.Ref{pawl.RefID(bigID(i % 5))}})
	}
	_, err := board.Do(t.Context(), pawl.Request{Op: pawl.Create{Tasks: small}}, 0)
	must(t, err)

	calls, questions := callsOf(), questionsOf()
	// What others wait for meanwhile.
	var slowest time.Duration
	together := func(what, path, body string) {
		statuses := map[int]int{}
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range atOnce {
			all.Go(func() {
				status := s.drain(tokens[i%len(tokens)], path, body)
				mu.Lock()
				defer mu.Unlock()
				statuses[status]++
			})
		}
		done := make(chan struct{})
		go func() { all.Wait(); close(done) }()
		for over, served := false, false; !over || !served; {
			began := time.Now()
			reply, _ := s.Do(boss, "shop", `{"op":{"op":"create","tasks":[{"subject":"other"}]}}`)
			served = reply.Status == http.StatusOK
			if !served && (*long.Asked || reply.Status != http.StatusServiceUnavailable) { // who waits too long on a busy machine comes again
				t.Fatalf("%s: another change meanwhile: %d %.200s", what, reply.Status, reply.Body)
			}
			slowest = max(slowest, time.Since(began))
			select {
			case <-done:
				over = true
			default:
			}
		}
		if statuses[http.StatusInternalServerError] > 0 || statuses[http.StatusOK]+statuses[http.StatusRequestEntityTooLarge]+statuses[http.StatusConflict]+statuses[http.StatusBadRequest]+statuses[http.StatusNotFound] == 0 {
			t.Errorf("%s is answered with %v", what, statuses)
		}
		t.Logf("%s: %v, peak %d MiB", what, statuses, s.Memory("VmHWM")>>20)
		s.AsMuch(t, what, peakMemory)
	}
	for _, kind := range query.KindNames() {
		text, err := query.EncodeQuestion(questions[kind])
		must(t, err)
		together("the question "+kind, remote.PathAsk, `{"question":`+string(text)+`}`)
	}
	together("export", remote.PathExport, `{}`)
	for _, op := range pawl.Ops() {
		verb := verbOf(op)
		var requests []string
		for _, op := range calls[verb] {
			text, err := pawl.Encode(pawl.Request{Op: op})
			must(t, err)
			requests = append(requests, string(text))
		}
		together("the op "+verb, remote.PathDo, `{"requests":[`+strings.Join(requests, ",")+`]}`)
	}
	t.Logf("the slowest other change took %v", slowest)

	if *long.Asked && slowest > 2*time.Second {
		t.Errorf("a change of the board took %v meanwhile", slowest)
	}
}

// verbOf is how JSON names an op.
func verbOf(op pawl.Op) string {
	text, _ := pawl.Encode(op)
	var named struct{ Op string }
	json.Unmarshal(text, &named)
	return named.Op
}

// drain sends a request and reads all of the answer.
func (s *Server) drain(token Token, path, body string) int {
	req, err := http.NewRequestWithContext(s.TB.Context(), http.MethodPost, s.Origin+"/boards/shop"+path, strings.NewReader(body))
	if err == nil {
		req.Header.Set("Authorization", "Bearer "+token.Secret)
		req.Header.Set("Content-Type", "application/json")
		var resp *http.Response
		if resp, err = s.client.Do(req); err == nil {
			defer resp.Body.Close()
			if _, err = io.Copy(io.Discard, resp.Body); err == nil {
				return resp.StatusCode
			}
		}
	}
	s.Errorf("%s: %v", path, err)
	return 0
}
