package team

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/remote"
)

// lists answers what changed of the board's sessions. Each token that may read the board reads
// them all.
func (v *visit) lists(w http.ResponseWriter, r *http.Request) error {
	if v.server.Lists == nil {
		return noLists()
	}
	q := r.URL.Query()
	var wait time.Duration
	if text := q.Get("wait"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return pawl.Errorf(pawl.Invalid, "wait is a number of seconds")
		}
		wait = time.Duration(min(n, int(remote.MaxWait/time.Second))) * time.Second
	}
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	if wait > 0 {
		go func() {
			select {
			case <-v.server.ending: // who waits is told what is known, and asks the next server
				stop()
			case <-ctx.Done():
			}
		}()
	}
	found, err := v.server.Lists.Lists(ctx, v.name, q.Get("since"), wait)
	if err != nil && (found.Stamp == "" || ctx.Err() == nil || r.Context().Err() != nil) {
		return err
	}
	v.server.write(w, http.StatusOK, found)
	return nil
}

// list answers with a session and its list.
func (v *visit) list(w http.ResponseWriter, r *http.Request) error {
	if v.server.Lists == nil {
		return noLists()
	}
	s, err := v.server.Lists.List(r.Context(), v.name, r.URL.Query().Get("id"))
	if err != nil {
		return err
	}
	v.server.write(w, http.StatusOK, s)
	return nil
}

// sendLists keeps what a machine says of its sessions.
func (v *visit) sendLists(w http.ResponseWriter, r *http.Request) error {
	if v.server.Lists == nil {
		return noLists()
	}
	var m remote.Send
	free, err := v.read(w, r, &m)
	if err != nil {
		return err
	}
	defer free()
	sent, err := v.server.Lists.Send(r.Context(), v.name, v.token, m)
	if err != nil {
		return err
	}
	v.server.write(w, http.StatusOK, sent)
	return nil
}

func noLists() error {
	return refused(http.StatusNotFound, "this server keeps no todo lists")
}
