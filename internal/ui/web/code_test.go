package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// exchanged is what a page gets for a code: 200 and the token, or else.
func (s *site) exchanged(code string) (int, string) {
	s.t.Helper()
	text := must.Get(json.Marshal(codeJSON{code}))(s.t)
	w := s.send("POST", "token", string(text))
	var answer tokenJSON
	must.Do(s.t, json.Unmarshal(w.Body.Bytes(), &answer))
	return w.Code, answer.Token
}

// A code works once, for a minute, and for the token only.
func TestCodeWorksOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		code, err := s.Code()
		if err != nil || len(code) < 26 {
			t.Fatal(code, err)
		}
		if status, got := s.exchanged(code); status != http.StatusOK || got != "secret" {
			t.Errorf("the first time: %d %q", status, got)
		}
		if status, got := s.exchanged(code); status != http.StatusUnauthorized || got != "" {
			t.Errorf("the second time: %d %q", status, got)
		}
		late := must.Get(s.Code())(t)
		time.Sleep(access.CodeLife)
		if status, got := s.exchanged(late); status != http.StatusUnauthorized || got != "" {
			t.Errorf("after a minute: %d %q", status, got)
		}
		if other := get[aboutJSON](s, "about"); other.Me != "ada" {
			t.Errorf("the token does not work: %+v", other)
		}
		for range access.MaxCodes {
			must.Get(s.Code())(t)
		}
		if _, err := s.Code(); !errors.Is(err, pawl.Unavailable) {
			t.Errorf("codes have no end: %v", err)
		}
		time.Sleep(access.CodeLife)
		if _, err := s.Code(); err != nil {
			t.Errorf("a minute later: %v", err)
		}
	})
}

// A client that guesses is slowed down, and keeps nobody out.
func TestGuessing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		code := must.Get(s.Code())(t)
		for i := range maxWrong {
			if status, _ := s.exchanged(fmt.Sprint("guess", i)); status != http.StatusUnauthorized {
				t.Fatalf("guess %d: %d", i, status)
			}
		}
		if w := s.send("POST", "token", `{"code":"guess"}`); w.Code != http.StatusTooManyRequests || !strings.Contains(w.Body.String(), `"kind":"unavailable"`) {
			t.Errorf("one guess too many: %d %s", w.Code, w.Body) // docs/api.md: ask again later
		}
		if status, got := s.exchanged(code); status != http.StatusOK || got != "secret" {
			t.Errorf("the right code is kept out: %d %q", status, got)
		}
		if w := s.send("GET", "about", ""); w.Code != http.StatusOK {
			t.Errorf("the right token is kept out: %d", w.Code)
		}
		time.Sleep(time.Minute)
		if status, _ := s.exchanged("guess"); status != http.StatusUnauthorized {
			t.Errorf("a minute later: %d", status)
		}
	})
}

// What comes as a code is a code or is refused; nothing else comes of it.
func FuzzCode(f *testing.F) {
	f.Add(`{"code":"K3RZ7TQ5XJ2M4NWYB6CVDHGFLA"}`)
	f.Add(`{"code":""}`)
	f.Add(`{"code":["x"],"code":1}`)
	f.Add("[[[[[[[[[[[[")
	f.Fuzz(func(t *testing.T, body string) {
		s := newSite(t, nil)
		if body == "" || strings.Contains(body, "secret") {
			return
		}
		if w := s.send("POST", "token", body); w.Code < 400 || w.Code >= 500 || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%q: %d %s", body, w.Code, w.Body)
		}
	})
}
