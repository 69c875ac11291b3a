package remote

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// A browser is started with what the server answers: that is a code, or nothing.
func TestPage(t *testing.T) {
	answer := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.URL.Path != "/boards/shop/api/v1/codes" || r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set(ProtocolHeader, "1 1")
		w.Write([]byte(answer))
	}))
	defer server.Close()
	at := must.Get(address.Parse(server.URL + "/boards/shop"))(t)
	b := must.Get(Open(Options{Address: at, Token: "secret"}))(t)
	defer b.Close()
	answer = `{"pawl":1,"kind":"code","code":"K3RZ7TQ5XJ2M4NWYB6CVDHGFLA"}`
	if link, _, err := b.Page(t.Context()); err != nil || link != server.URL+"/boards/shop/#K3RZ7TQ5XJ2M4NWYB6CVDHGFLA" {
		t.Error(link, err)
	}
	for _, code := range []string{"", "SHORT", "K3RZ7TQ5XJ2M4NWY --new-window", "../../../etc/passwd", strings.Repeat("A", 65), `K3RZ7TQ5\u001b[31m`} {
		answer = `{"code":"` + code + `"}`
		if link, _, err := b.Page(t.Context()); err == nil || link != "" {
			t.Errorf("%q became %q", code, link)
		}
	}
}
