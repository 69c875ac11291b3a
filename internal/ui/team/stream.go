package team

import (
	"net/http"
	"time"

	"github.com/pawl-dev/pawl/internal/remote"
)

// patience limits a write to a client that does not read, which then counts as gone; a
// long text has longer, at slowest bytes a second.
const (
	patience = 10 * time.Second
	slowest  = 64 << 10
)

// A stream is a response that goes on: a line of JSON for each item.
type stream struct {
	server  *Server
	w       http.ResponseWriter
	control *http.ResponseController
	beat    *time.Ticker
}

func (v *visit) begin(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy passes each line on
	return &stream{server: v.server, w: w, control: http.NewResponseController(w)}
}

// end lets the connection serve another request.
func (s *stream) end() { s.control.SetWriteDeadline(time.Time{}) }

// item sends an item, at once if it is to be flushed.
func (s *stream) item(item remote.Item, flush bool) error {
	text, err := encode(item)
	if err != nil {
		return err
	}
	return s.send([][]byte{text}, flush)
}

// send sends lines, at once if they are to be flushed.
func (s *stream) send(lines [][]byte, flush bool) error {
	n := 0
	for _, line := range lines {
		n += len(line)
	}
	s.control.SetWriteDeadline(time.Now().Add(patience + time.Duration(n)*time.Second/slowest))
	for _, line := range lines {
		if _, err := s.w.Write(line); err != nil {
			return err
		}
	}
	if !flush {
		return nil
	}
	return s.control.Flush()
}

// fail ends a stream with an error.
func (s *stream) fail(err error) { s.item(remote.Item{Error: s.server.told(err)}, true) }

func (v *visit) export(w http.ResponseWriter, r *http.Request) error {
	var m remote.Export
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	free()
	b, done, err := v.reading(r.Context())
	if err != nil {
		return err
	}
	defer done()
	sent, err := v.server.export(r.Context(), v.token.ID)
	if err != nil {
		return err
	}
	defer sent()
	out := v.begin(w)
	defer out.end()
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
