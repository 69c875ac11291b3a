package docs_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// A service is a board over HTTP.
type service struct {
	board *pawl.Board
	who   func(*http.Request) string // from what the server knows, not from the body
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /do", s.answer(s.do))
	mux.HandleFunc("POST /ask", s.answer(s.ask))
	mux.HandleFunc("GET /news", s.news)
	return mux
}

func (s *service) do(r *http.Request, body []byte) ([]byte, error) {
	request, err := pawl.ParseRequest(body)
	if err != nil {
		return nil, err
	}
	request.By.Name, request.Sessions = s.who(r), nil
	result, err := s.board.Do(r.Context(), request)
	if err != nil {
		return nil, err
	}
	return pawl.Encode(result)
}

func (s *service) ask(r *http.Request, body []byte) ([]byte, error) {
	question, err := query.DecodeQuestion(body)
	if err != nil {
		return nil, err
	}
	answer, err := query.Local(s.board).Ask(r.Context(), query.Asker{By: pawl.Actor{Name: s.who(r)}}, question)
	if err != nil {
		return nil, err
	}
	return query.EncodeAnswer(answer)
}

var statuses = map[pawl.Kind]int{
	pawl.Internal: 500, pawl.Invalid: 400, pawl.NotFound: 404, pawl.Conflict: 409, pawl.Blocked: 409,
	pawl.Unavailable: 503, pawl.Gone: 410, pawl.Idle: 409, pawl.Busy: 409,
}

// answer writes what fn returns: an error is an answer as well.
func (s *service) answer(fn func(*http.Request, []byte) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var text []byte
		status := http.StatusOK
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			err = pawl.Errorf(pawl.Invalid, "the body: %w", err)
		} else {
			text, err = fn(r, body)
		}
		if err != nil {
			status = statuses[pawl.KindOf(err)]
			if text, err = pawl.Encode(err); err != nil {
				log.Print(err)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		w.Write(text)
	}
}

// news streams what happens. A browser that has to connect again says by itself,
// in Last-Event-ID, up to where it came.
func (s *service) news(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64) // at first 0: from the beginning
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	out.Flush() // nothing may happen for hours
	for set, err := range s.board.Watch(r.Context(), pawl.Revision(after)) {
		event := "change"
		if errors.Is(err, pawl.Gone) { // load again what is shown; the next change is after set.Revision
			event, err = "reset", nil
		}
		var text []byte
		if err == nil {
			text, err = pawl.Encode(set)
		}
		if err != nil {
			log.Print(err)
			return
		}
		if _, err := fmt.Fprintf(w, "event: %s\nid: %d\ndata: %s\n\n", event, set.Revision, text); err != nil {
			return // the browser is gone
		}
		if err := out.Flush(); err != nil {
			return
		}
	}
}

// A client of it has the same types.
type client struct{ url, name string }

func (c client) post(path string, body []byte) ([]byte, error) {
	request, err := http.NewRequest("POST", c.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("From", c.name)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		refused := new(pawl.Error)
		if err = json.Unmarshal(text, refused); err == nil {
			err = refused
		}
	}
	return text, err
}

func (c client) do(op pawl.Op) (result pawl.Result, err error) {
	text, err := pawl.Encode(pawl.Request{By: pawl.Actor{Session: "s1"}, Op: op})
	if err != nil {
		return result, err
	}
	if text, err = c.post("/do", text); err != nil {
		return result, err
	}
	return result, json.Unmarshal(text, &result)
}

// A board that programs on other machines use.
func Example_http() {
	board := pawl.NewBoard(memory.New())
	defer board.Close()
	s := &service{board, func(r *http.Request) string { return r.Header.Get("From") }} // a real one asks for a password
	web := httptest.NewServer(s.handler())
	defer web.Close()

	ada, bob := client{web.URL, "ada"}, client{web.URL, "bob"}
	if _, err := ada.do(pawl.Create{Tasks: []pawl.NewTask{{Subject: "Write the parser"}}}); err != nil {
		log.Fatal(err)
	}
	if _, err := ada.do(pawl.ClaimTask{}); err != nil {
		log.Fatal(err)
	}
	_, err := bob.do(pawl.ClaimTask{ID: 1})
	fmt.Println(pawl.KindOf(err), "·", err)
	_, err = bob.post("/do", []byte(`{"op": {"op": "claim", "leese": "15m"}}`))
	fmt.Println(err)

	question, err := query.EncodeQuestion(query.TasksQuery{Query: pawl.Query{Owner: "ada"}})
	if err != nil {
		log.Fatal(err)
	}
	text, err := bob.post("/ask", question)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := query.DecodeAnswer(text)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range answer.(*query.Tasks).Page.Tasks {
		fmt.Println(t.ID, t.Subject, t.Status)
	}

	ctx, enough := context.WithCancel(context.Background())
	defer enough()
	request, err := http.NewRequestWithContext(ctx, "GET", web.URL+"/news", nil)
	if err != nil {
		log.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	for n := 0; n < 2 && lines.Scan(); {
		if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var set pawl.ChangeSet
			if err := json.Unmarshal([]byte(text), &set); err != nil {
				log.Fatal(err)
			}
			fmt.Println(set.Revision, set.By.Name, set.Verb)
			n++
		}
	}
	// Output:
	// conflict · #1 is claimed by ada (session s1)
	// the request cannot be read: op.leese: is not a key here: did you mean lease?
	// #1 Write the parser in_progress
	// 1 ada create
	// 2 ada claim
}
