//go:build unix

package git_test

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// host serves the team's remote over HTTP to those who give a password, as git's own
// server program does it.
func (t *team) host() *httptest.Server {
	t.Helper()
	program, err := exec.LookPath("git")
	must.Do(t.TB, err)
	t.bare("config", "http.receivepack", "true")
	backend := &cgi.Handler{
		Path: program, Args: []string{"http-backend"}, Root: "/",
		Env: append([]string{"GIT_PROJECT_ROOT=" + t.dir, "GIT_HTTP_EXPORT_ALL=1"}, t.env...),
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "ada" || password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="shop"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
}

// TestHTTP: over HTTP the password is git's business: what git knows, Pawl uses, and
// what git does not know, nobody is asked for.
func TestHTTP(t *testing.T) {
	for name, config := range map[string][]string{
		"helper": {"credential.helper", `!f() { echo username=ada; echo password=secret; }; f`},
		"header": {"http.extraHeader", "Authorization: Basic YWRhOnNlY3JldA=="},
	} {
		if name == "header" && !*long.Asked {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			team := newWorld(t, nets{}).team([]string{"ada", "bob"}, "Base")
			server := team.host()
			defer server.Close()
			ada, bob := team.clones[0], team.clones[1]
			ada.git("remote", "set-url", "origin", server.URL+"/remote.git")
			away(t, team, "127.0.0.1", func() { ada.git("config", config[0], config[1]) })
			bob.add("Bob's")
			bob.sync()
			ada.sync()
			ada.called("Bob's")
			if out := ada.pawl("claim", "Bob's"); strings.Contains(out, "here only") {
				t.Errorf("pawl claim:\n%s", out)
			}
			for _, out := range []string{ada.pawl(), ada.pawl("sync"), team.bare("log", "-p", boardRef)} {
				if strings.Contains(out, "secret") || strings.Contains(out, "YWRh") {
					t.Errorf("the password is shown:\n%s", out)
				}
			}
			team.settle()
		})
	}
}
