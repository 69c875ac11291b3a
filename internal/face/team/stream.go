package team

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
)

// patience limits a write to a client, which then counts as gone.
const patience = 10 * time.Second

// A stream is a response that goes on: a line of JSON for each item.
type stream struct {
	server  *Server
	w       http.ResponseWriter
	control *http.ResponseController
}

func (v *visit) begin(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "application/x-ndjson")
	return &stream{v.server, w, http.NewResponseController(w)}
}

// item sends an item at once if it is to be flushed.
func (s *stream) item(item remote.Item, flush bool) error {
	text, err := json.Marshal(item)
	if err != nil {
		return err
	}
	return s.send(append(text, '\n'), flush)
}

func (s *stream) send(text []byte, flush bool) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := s.w.Write(text); err != nil || !flush {
		return err
	}
	return s.control.Flush()
}

// fail ends a stream with an error.
func (s *stream) fail(err error) { s.item(remote.Item{Error: s.server.told(err)}, true) }

func (v *visit) export(w http.ResponseWriter, r *http.Request) error {
	var m remote.Export
	if err := read(w, r, &m); err != nil {
		return err
	}
	b, done, err := v.reading(r.Context())
	if err != nil {
		return err
	}
	defer done()
	out := v.begin(w)
	for task, err := range b.Export(r.Context(), m.Who, m.Query) {
		if err != nil {
			out.fail(err)
			return nil
		}
		if out.item(remote.Item{Task: &task}, false) != nil {
			return nil
		}
	}
	out.item(remote.Item{End: true}, true)
	return nil
}

func (v *visit) watch(w http.ResponseWriter, r *http.Request) error {
	var m remote.Watch
	if err := read(w, r, &m); err != nil {
		return err
	}
	b, done, err := v.reading(r.Context())
	if err != nil {
		return err
	}
	defer done()
	out := v.begin(w)
	for news, err := range b.Watch(r.Context(), m.Who, m.From) {
		if err != nil {
			if pawl.KindOf(err) != pawl.Internal || r.Context().Err() == nil {
				out.fail(err)
			}
			return nil
		}
		if out.item(remote.Item{News: &news}, true) != nil {
			return nil
		}
	}
	return nil
}
