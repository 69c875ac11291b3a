package access

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
)

func TestTokens(t *testing.T) {
	dir := t.TempDir()
	tokens, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	secret, made, err := tokens.Create(t.Context(), Token{Name: "ada", Person: true, Role: Work, Boards: []string{"shop"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "pawl_"+made.ID+"_") || len(secret) != len("pawl_")+8+1+43 {
		t.Errorf("the secret is %q", secret)
	}
	server, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := server.Lookup(secret); err != nil || got.Name != "ada" || !got.Opens("shop") || got.Opens("other") {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := server.Lookup(secret[:len(secret)-1] + "_"); !errors.Is(err, Unknown) {
		t.Errorf("another secret: %v", err)
	}
	if _, _, err := tokens.Create(t.Context(), Token{Name: "ada", Person: true, Role: Work, Boards: []string{"shop"}}, false); !errors.Is(err, pawl.Conflict) {
		t.Errorf("a second one of the name: %v", err)
	}
	if ended, err := tokens.Revoke(t.Context(), "ada"); err != nil || len(ended) != 1 {
		t.Errorf("revoked %v, %v", ended, err)
	}
}

// A token is good at once, also for a server that looked at the file a moment ago.
func TestNewToken(t *testing.T) {
	dir := t.TempDir()
	server, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	server.now = func() time.Time { return now } // no second passes
	for _, tokens := range []*Tokens{elsewhere, server} {
		secret, made, err := tokens.Create(t.Context(), Token{Name: "ada", Person: true, Role: Work, Boards: []string{"shop"}}, true)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := server.Lookup(secret); err != nil || got.ID != made.ID {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}
