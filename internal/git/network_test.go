//go:build unix

package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// remoteAt is a remote by its address.
func (s *shared) remoteAt(url string) Remote {
	s.t.Helper()
	return must.Get(s.repo.Remote(s.t.Context(), url))(s.t)
}

// script makes a program of a shell script.
func (s *shared) script(path, text string) string {
	s.t.Helper()
	s.write(path, "#!/bin/sh\n"+text+"\n")
	must.Do(s.t, os.Chmod(path, 0o755))
	return path
}

// fakeSSH lets a script be ssh, the first one on PATH.
func (s *shared) fakeSSH(text string) {
	dir := s.t.TempDir()
	s.script(filepath.Join(dir, "ssh"), text)
	s.t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// A remote that refuses says why, and that is told from a race.
func TestRefused(t *testing.T) {
	s := newShared(t)
	ctx := t.Context()
	first := s.commitOn("first")
	second := s.commitOn("second", first)
	hook := func(name, text string) { s.script(filepath.Join(s.remote, "hooks", name), text) }
	set := func(args ...string) { s.git(append([]string{"--git-dir=" + s.remote, "config"}, args...)...) }
	for name, c := range map[string]struct {
		prepare  func()
		old, tip string
		kind     error
		says     string
	}{
		"pre-receive": {func() {
			hook("pre-receive", "echo 'no \x1b[31mboards\x07 here, ask https://ada:secret@host/x' >&2; echo more >&2; exit 1")
		}, "", first, ErrRefused, `pre-receive hook declined: no \x1b[31mboards\x07 here, ask https://host/x`},
		"update":  {func() { hook("update", "echo 'protected' >&2; exit 1") }, "", first, ErrRefused, "hook declined: protected"},
		"hidden":  {func() { set("transfer.hideRefs", "refs/pawl") }, "", first, ErrRefused, "deny updating a hidden ref"},
		"locked":  {func() { s.write(filepath.Join(s.remote, board+".lock"), "") }, "", first, ErrRace, "failed to update ref"},
		"no room": {func() { _ = os.Chmod(filepath.Join(s.remote, "objects"), 0o555) }, "", first, nil, ""},
		"another was first": {func() {
			hook("update", "git --git-dir=. update-ref refs/pawl/board "+second)
		}, "", first, ErrRace, ""},
		"there is none": {func() {}, first, second, ErrRace, "stale info"},
		"too large":     {func() { set("receive.maxInputSize", "10") }, "", first, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s.t = t
			must.Do(t, os.RemoveAll(s.remote))
			s.git("init", "-q", "--bare", s.remote)
			if name == "another was first" {
				s.git("--git-dir=.git/pawl/board/repo", "push", "-q", s.remote, second+":refs/pawl/side")
			}
			c.prepare()
			if name == "no room" && os.Getuid() == 0 {
				t.Skip("not here: nothing is read-only for root")
			}
			err := s.repo.Push(ctx, s.origin(), board, c.old, c.tip)
			if err == nil || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || strings.ContainsAny(err.Error(), "\n\x1b\x07") || strings.Contains(err.Error(), "secret") {
				t.Errorf("it says %q, want %v with %q", err, c.kind, c.says)
			}
			_ = os.Chmod(filepath.Join(s.remote, "objects"), 0o755)
			if name == "hidden" {
				if tip, err := s.repo.Fetch(ctx, s.origin(), board); tip != "" || err != nil {
					t.Errorf("fetched %q, %v", tip, err)
				}
			}
		})
	}
}

// Nothing here asks a person. A remote that wants to know who somebody is, and is
// not told, is told from one that is away.
func TestLogin(t *testing.T) {
	s := newShared(t)
	ctx := t.Context()
	first := s.commitOn("first")
	canary := filepath.Join(t.TempDir(), "asked")
	asks := s.script(filepath.Join(t.TempDir(), "asks"), "echo \"$@\" >>'"+canary+"'; echo secret")
	for _, name := range []string{"GIT_ASKPASS", "SSH_ASKPASS"} {
		t.Setenv(name, asks)
	}
	t.Setenv("DISPLAY", ":0")
	s.git("config", "core.askPass", asks)
	code := http.StatusUnauthorized
	var auth atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		auth.Store(r.Header.Get("Authorization") + r.Header.Get("X-Token"))
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(code)
	}))
	defer server.Close()
	both := func(remote Remote, want error, secret string) {
		t.Helper()
		_, err := s.repo.Fetch(ctx, remote, board)
		for what, err := range map[string]error{"fetch": err, "push": s.repo.Push(ctx, remote, board, "", first)} {
			if !errors.Is(err, want) || strings.ContainsAny(err.Error(), "\n\x1b") || secret != "" && strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v, want %v", what, err, want)
			}
		}
		if text := s.ran(canary); text != "" {
			t.Errorf("it was asked for %q", text)
		}
	}
	both(s.remoteAt(server.URL+"/x"), ErrLogin, "")
	withSecret := s.remoteAt(strings.Replace(server.URL, "://", "://ada:hidden@", 1) + "/x")
	both(withSecret, ErrLogin, "hidden")
	if strings.Contains(withSecret.URL, "hidden") || strings.Contains(withSecret.URL, "ada") {
		t.Errorf("the address is shown as %s", withSecret.URL)
	}
	code = http.StatusForbidden
	both(s.remoteAt(server.URL+"/x"), ErrRefused, "")
	code = http.StatusServiceUnavailable
	both(s.remoteAt(server.URL+"/x"), ErrAway, "")

	// What the user has set for the clone is used: a helper, a header.
	code = http.StatusUnauthorized
	s.git("config", "http.extraHeader", "X-Token: 42")
	s.git("config", "credential.helper", "!f() { echo username=ada; echo password=wrong; }; f")
	both(s.remoteAt(server.URL+"/x"), ErrLogin, "wrong")
	if got := auth.Load(); got != "Basic YWRhOndyb25n42" {
		t.Errorf("the remote was told %q", got)
	}

	s.fakeSSH(`case "$*" in *BatchMode=yes*) ;; *) echo "$@" >>'` + canary + `' ;; esac
if (: </dev/tty) 2>/dev/null; then echo "has a terminal" >>'` + canary + `'; fi
[ -t 0 ] && echo terminal >>'` + canary + `'
[ -z "$SSH_ASKPASS$DISPLAY" ] || echo "could ask" >>'` + canary + `'
echo "ada@host: Permission denied (publickey,password)." >&2; exit 255`)
	both(s.remoteAt("ada@host:x/y"), ErrLogin, "")
	both(s.remoteAt("ssh://ada@host/x"), ErrLogin, "")
	s.fakeSSH(`echo 'ssh: Could not resolve hostname host: Name or service not known' >&2; exit 255`)
	both(s.remoteAt("ada@host:x/y"), ErrAway, "")
	s.fakeSSH(`echo 'ERROR: Repository not found.' >&2; exit 1`)
	both(s.remoteAt("ada@host:x/y"), ErrRefused, "")
	both(s.remoteAt(filepath.Join(t.TempDir(), "nothing")), ErrAway, "")
}

// Whatever hangs is ended when the time is over, with all that it started.
func TestNeverAnswers(t *testing.T) {
	s := newShared(t)
	first := s.commitOn("first")
	pids := filepath.Join(t.TempDir(), "pids")
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close() // it never accepts
	// A program that notes who it is, and its child, and does not end when it is asked to.
	s.fakeSSH(`trap '' TERM HUP INT; sleep 1000 & echo $$ $! >>'` + pids + `'; while :; do sleep 1000; done`)
	for name, url := range map[string]string{"ssh": "host:x", "git": "git://" + listener.Addr().String() + "/x", "http": "http://" + listener.Addr().String() + "/x"} {
		for what, do := range map[string]func(ctx context.Context, remote Remote) error{
			"fetch": func(ctx context.Context, remote Remote) error { _, err := s.repo.Fetch(ctx, remote, board); return err },
			"push":  func(ctx context.Context, remote Remote) error { return s.repo.Push(ctx, remote, board, "", first) },
			"advertised": func(ctx context.Context, remote Remote) error {
				_, err := s.repo.Advertised(ctx, remote, "refs/")
				return err
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				long.Seldom(t, 6)
				remote := s.remoteAt(url)
				ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
				defer cancel()
				began := time.Now()
				err := do(ctx, remote)
				if !errors.Is(err, ErrAway) || !strings.Contains(err.Error(), "did not answer within") {
					t.Errorf("it says %v", err)
				}
				if took := time.Since(began); took > time.Minute {
					t.Errorf("it took %v", took)
				}
				for pid := range strings.FieldsSeq(s.ran(pids)) {
					if n, _ := strconv.Atoi(pid); n > 0 && stays(n) {
						t.Errorf("process %d is left", n)
						_ = syscall.Kill(n, syscall.SIGKILL)
					}
				}
			})
		}
	}
	// Who gives up is told so, and not that the remote is away.
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		// Until it waits for the remote. Who reads and removes the file may come before what is written.
		for info, err := os.Stat(pids); err != nil || info.Size() == 0; info, err = os.Stat(pids) {
			runtime.Gosched()
		}
		cancel()
	}()
	if _, err := s.repo.Fetch(ctx, s.remoteAt("host:x"), board); !errors.Is(err, context.Canceled) || errors.Is(err, ErrAway) {
		t.Errorf("given up: %v", err)
	}
}

// Git runs in a session of its own, so the key that ends Pawl does not reach it.
func TestInterrupted(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		s := newShared(t)
		pids := filepath.Join(t.TempDir(), "pids")
		s.fakeSSH(`trap '' TERM HUP INT; echo $$ >>'` + pids + `'; kill -` + strconv.Itoa(int(sig)) + " " + strconv.Itoa(os.Getpid()) + `; while :; do sleep 1000; done`)
		survive := make(chan os.Signal, 1) // the signal is for this process, too
		signal.Notify(survive, sig)
		_, err := s.repo.Fetch(t.Context(), s.remoteAt("host:x"), board)
		if !errors.Is(err, context.Canceled) || errors.Is(err, ErrAway) || err.Error() != "interrupted" {
			t.Errorf("%v: %v", sig, err)
		}
		<-survive
		signal.Stop(survive)
		pid, _ := strconv.Atoi(strings.TrimSpace(s.ran(pids)))
		if pid == 0 || stays(pid) {
			t.Errorf("%v: process %d is left", sig, pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// stays reports whether a process goes on to run: one that was killed takes a moment
// to end.
func stays(pid int) bool {
	for range 100 {
		if !running(pid) {
			return false
		}
	}
	return true
}

// running reports whether a process is there and has not ended: one that nobody has
// waited for yet has.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	out, _ := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	stat := strings.TrimSpace(string(out))
	return stat != "" && !strings.HasPrefix(stat, "Z")
}

// A connection that is cut loses nothing: the next try brings the same, and the
// remote is as it was or as it shall be.
func TestCut(t *testing.T) {
	s := newShared(t)
	ctx := t.Context()
	text := strings.Repeat("a long text that is not sent in one go ", 1000)
	first := s.commitOn(text)
	must.Do(t, s.repo.Push(ctx, s.origin(), board, "", first))
	before := everything(t, s.dir)
	// What ssh would start is here; limit counts the bytes that come through.
	s.fakeSSH(`for last; do :; done
case "$DIRECTION" in
in) sh -c "$last" | { dd bs=1 count="$LIMIT" 2>/dev/null; kill -9 $$; } ;;
out) dd bs=1 count="$LIMIT" 2>/dev/null | sh -c "$last" ;;
*) sh -c "$last" ;;
esac`)
	remote := s.remoteAt("host:" + s.remote)
	s.repo = openIn(t, s, "other")
	cuts := 0
	inLimits, outLimits := []int{3, 300, 700}, []int{0, 150, 400}
	if *long.Asked {
		inLimits, outLimits = []int{0, 3, 100, 300, 500, 700}, []int{0, 3, 100, 150, 200, 250, 300, 400}
	}
	for _, limit := range inLimits {
		t.Setenv("DIRECTION", "in")
		t.Setenv("LIMIT", strconv.Itoa(limit))
		if _, err := s.repo.Fetch(ctx, remote, board); err != nil {
			cuts++
			if !errors.Is(err, ErrAway) {
				t.Errorf("a fetch that was cut after %d bytes says %v", limit, err)
			}
		}
	}
	if cuts < len(inLimits)*2/3 {
		t.Errorf("%d fetches were cut", cuts)
	}
	t.Setenv("DIRECTION", "")
	if tip, err := s.repo.Fetch(ctx, remote, board); tip != first || err != nil {
		t.Fatalf("fetched %q, %v", tip, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.repo.Dir(), "objects", "pack", "tmp_*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	tip := first
	for i, limit := range outLimits {
		next := s.commitOn(fmt.Sprint(i, text), tip)
		for _, direction := range []string{"out", "in"} {
			t.Setenv("DIRECTION", direction)
			t.Setenv("LIMIT", strconv.Itoa(limit))
			err := s.repo.Push(ctx, remote, board, tip, next)
			t.Setenv("DIRECTION", "")
			at, err2 := s.repo.Fetch(ctx, remote, board)
			if err2 != nil || at != tip && at != next {
				t.Fatalf("after a push that was cut the remote has %q, %v", at, err2)
			}
			if err == nil && at != next {
				t.Errorf("a push that was accepted is not there")
			}
			if err != nil && !errors.Is(err, ErrAway) {
				t.Errorf("a push that was cut after %d bytes %s says %v", limit, direction, err)
			}
			if at == next {
				break
			}
		}
		tip, _ = s.repo.Fetch(ctx, remote, board)
	}
	s.git("--git-dir="+s.remote, "fsck", "--strict")
	s.git("--git-dir="+s.repo.Dir(), "fsck", "--strict")
	if !reflect.DeepEqual(before, everything(t, s.dir)) {
		t.Error("the user's clone was changed")
	}
}

// openIn opens another repository of Pawl's own, which is empty.
func openIn(t *testing.T, s *shared, name string) *Repo {
	t.Helper()
	return must.Get(OpenRepo(t.Context(), s.path(".git/pawl/"+name+"/repo"), s.dir))(t)
}

// A remote over HTTP: as it is, slow, and cut.
func TestHTTP(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	ctx := t.Context()
	s.git("--git-dir="+s.remote, "config", "http.receivepack", "true")
	exe := strings.TrimSpace(s.git("--exec-path")) + "/git-http-backend"
	if _, err := os.Stat(exe); err != nil {
		t.Skip("not here: git has no server for HTTP")
	}
	backend := &cgi.Handler{Path: exe, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(s.remote), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ada", "HOME=" + os.Getenv("HOME")}}
	limit := -1
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if limit >= 0 {
			backend.ServeHTTP(&cutting{w, limit}, r)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	defer server.Close()
	remote := s.remoteAt(server.URL + "/remote.git")
	first := s.commitOn("first")
	second := s.commitOn("second", first)
	must.Do(t, s.repo.Push(ctx, remote, board, "", first))
	other := openIn(t, s, "other")
	if tip, err := other.Fetch(ctx, remote, board); err != nil || tip != first {
		t.Fatalf("fetched %q, %v", tip, err)
	}
	if err := s.repo.Push(ctx, remote, board, second, second); !errors.Is(err, ErrRace) {
		t.Errorf("pushed over another one: %v", err)
	}
	must.Do(t, s.repo.Push(ctx, remote, board, first, second))
	for _, limit = range []int{0, 10, 200, 400} {
		if tip, err := other.Fetch(ctx, remote, board); err != nil && !errors.Is(err, ErrAway) || err == nil && tip != second {
			t.Errorf("cut after %d bytes: %q, %v", limit, tip, err)
		}
	}
	limit = -1
	if tip, err := other.Fetch(ctx, remote, board); err != nil || tip != second {
		t.Errorf("fetched %q, %v", tip, err)
	}
	if refs, err := other.Advertised(ctx, remote, "refs/pawl/"); err != nil || refs[board] != second {
		t.Errorf("advertised %v, %v", refs, err)
	}
}

// cutting ends a connection after so many bytes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	if len(p) >= c.left {
		_, _ = c.ResponseWriter.Write(p[:c.left])
		if conn, _, err := http.NewResponseController(c.ResponseWriter).Hijack(); err == nil {
			conn.Close()
		}
		return 0, io.ErrClosedPipe
	}
	c.left -= len(p)
	return c.ResponseWriter.Write(p)
}

// A remote that sends without end is stopped, and what came is removed.
func TestFlood(t *testing.T) {
	s := newShared(t)
	ctx := t.Context()
	noise := make([]byte, 4<<20)
	state := uint32(1)
	for i := range noise {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	must.Do(t, s.repo.Push(ctx, s.origin(), board, "", s.commitOn(string(noise))))
	s.fakeSSH(`for last; do :; done
sh -c "$last" | { dd bs=65536 count=40 2>/dev/null; sleep 5; cat; }`)
	s.repo = openIn(t, s, "other")
	s.repo.most = 1 << 20
	_, err := s.repo.Fetch(ctx, s.remoteAt("host:"+s.remote), board)
	if !errors.Is(err, errFlood) {
		t.Errorf("it says %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.repo.Dir(), "objects", "pack", "*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// The way to a remote is the user's own: addresses that are rewritten, ssh, what the
// environment says.
func TestOwnSettings(t *testing.T) {
	s := newShared(t)
	ctx := t.Context()
	first := s.commitOn("first")
	log := filepath.Join(t.TempDir(), "log")
	ssh := s.script(filepath.Join(t.TempDir(), "own-ssh"), `echo "$0 $*" >>'`+log+`'; for last; do :; done; exec sh -c "$last"`)
	s.write(filepath.Join(s.dir, ".git", "more"), "[url \""+s.remote+"\"]\n\tinsteadOf = shop:\n")
	s.git("config", "include.path", "more") // beside the file that names it
	s.git("remote", "add", "short", "shop:")
	remote := s.remoteAt("short")
	must.Do(t, s.repo.Push(ctx, remote, board, "", first))
	if tip, err := s.repo.Fetch(ctx, remote, board); tip != first || err != nil {
		t.Errorf("fetched %q, %v", tip, err)
	}

	far := "host:" + s.remote
	s.git("remote", "add", "far", far)
	s.git("config", "core.sshCommand", ssh+" -F none")
	for name, c := range map[string]struct{ env, value, says string }{
		"core.sshCommand": {"PAWL_NOTHING", "", "own-ssh -F none"},
		"GIT_SSH_COMMAND": {"GIT_SSH_COMMAND", ssh + " -4", "own-ssh -4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(c.env, c.value)
			tip, err := s.repo.Fetch(ctx, s.remoteAt("far"), board)
			if said := s.ran(log); tip != first || err != nil || !strings.Contains(said, c.says) || strings.Contains(said, "BatchMode") {
				t.Errorf("fetched %q, %v by %q", tip, err, said)
			}
		})
	}
	s.git("config", "--unset", "core.sshCommand")
	t.Run("GIT_SSH", func(t *testing.T) {
		t.Setenv("GIT_SSH", ssh)
		tip, err := s.repo.Fetch(ctx, s.remoteAt("far"), board)
		if said := s.ran(log); tip != first || err != nil || !strings.Contains(said, "own-ssh host") && !strings.Contains(said, "own-ssh") {
			t.Errorf("fetched %q, %v by %q", tip, err, said)
		}
	})
	t.Run("GIT_CONFIG", func(t *testing.T) {
		t.Setenv("GIT_CONFIG_COUNT", "1")
		t.Setenv("GIT_CONFIG_KEY_0", "url."+s.remote+".insteadOf")
		t.Setenv("GIT_CONFIG_VALUE_0", "there:")
		if tip, err := s.repo.Fetch(ctx, s.remoteAt("there:"), board); tip != first || err != nil {
			t.Errorf("fetched %q, %v", tip, err)
		}
	})
	t.Run("GIT_ALLOW_PROTOCOL", func(t *testing.T) {
		t.Setenv("GIT_ALLOW_PROTOCOL", "https:ext")
		if _, err := s.repo.Fetch(ctx, s.remoteAt("short"), board); !errors.Is(err, ErrRefused) {
			t.Errorf("a person allows https alone: %v", err)
		}
	})
	// A setting that was changed holds from the next call on.
	s.git("remote", "set-url", "short", filepath.Join(t.TempDir(), "nothing"))
	if _, err := s.repo.Fetch(ctx, s.remoteAt("short"), board); !errors.Is(err, ErrAway) {
		t.Errorf("fetched from where the remote was before: %v", err)
	}
	remotes, err := s.repo.Remotes(ctx)
	if err != nil || len(remotes) != 3 || remotes[0].Name != "origin" || remotes[1].Name != "far" || remotes[1].URL != far {
		t.Errorf("remotes %+v, %v", remotes, err)
	}
	if _, err := s.repo.Remote(ctx, "nobody"); err == nil || !strings.Contains(err.Error(), "far, origin, short") {
		t.Errorf("a remote that is not there: %v", err)
	}
}

// Whatever else a clone has set does not change what is kept, fetched and sent.
func TestOddSettings(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	ctx := t.Context()
	s.script(filepath.Join(s.dir, "hook"), "exit 1")
	s.write(".git/config", s.read(".git/config")+`
[core]
	bare = false
	worktree = ..
	hooksPath = `+s.dir+`
	logAllRefUpdates = always
	sparseCheckout = true
[extensions]
	partialClone = origin
	worktreeConfig = true
	preciousObjects = true
[remote "origin"]
	promisor = true
	partialclonefilter = tree:0
	mirror = true
	prune = true
	tagOpt = --tags
	fetch = +refs/*:refs/*
	push = refs/heads/*:refs/heads/*
	proxy =
[remote]
	pushDefault = nowhere
[push]
	default = nothing
	gpgSign = true
	followTags = true
	pushOption = evil
	recurseSubmodules = only
	useForceIfIncludes = true
[fetch]
	fsckObjects = false
	prune = true
	pruneTags = true
	recurseSubmodules = true
	writeCommitGraph = true
	unpackLimit = 100
	bundleURI = http://127.0.0.1:1/x
	parallel = 4
[submodule]
	recurse = true
[transfer]
	hideRefs = refs/pawl
	unpackLimit = 100
[receive]
	denyCurrentBranch = refuse
[pack]
	packSizeLimit = 1m
	writeReverseIndex = true
[gc]
	auto = 1
[maintenance]
	auto = true
[protocol]
	version = 0
`)
	s.repo = s.open()
	first := s.commitOn("first")
	must.Do(t, s.repo.Push(ctx, s.origin(), board, "", first))
	other := openIn(t, s, "other")
	if tip, err := other.Fetch(ctx, s.origin(), board); tip != first || err != nil {
		t.Fatalf("fetched %q, %v", tip, err)
	}
	if refs := s.git("--git-dir="+s.remote, "for-each-ref", "--format=%(refname)"); refs != board {
		t.Errorf("the remote got %q", refs)
	}
	s.repo = other
	second := s.commitOn("second", first)
	must.Do(t, errors.Join(other.SetRef(ctx, "refs/pawl/own", "", second), other.Push(ctx, s.origin(), board, first, second), other.tidy(ctx, true)))
	if has, err := other.Has(ctx, first); !has || err != nil {
		t.Errorf("the history is gone: %v", err)
	}
	if refs := s.git("--git-dir="+other.Dir(), "for-each-ref", "--format=%(refname)"); refs != "refs/pawl/own" {
		t.Errorf("the repository got %q", refs)
	}
	if loose, _ := filepath.Glob(filepath.Join(other.Dir(), "objects", "??", "*")); len(loose) > 0 {
		t.Errorf("loose objects: %v", loose)
	}
}

// Tidying joins packs, clears away what killed processes left, and keeps what
// nothing leads to as long as somebody may be at work on it.
func TestTidy(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	ctx := t.Context()
	tip := s.commitOn("first")
	for i := range 20 {
		tip = s.commitOn(fmt.Sprint(i), tip)
	}
	must.Do(t, s.repo.SetRef(ctx, "refs/pawl/own", "", tip))
	young, old := s.commitOn("young", tip), s.commitOn("old", tip)
	pack := func(pattern string) []string {
		return must.Get(filepath.Glob(filepath.Join(s.repo.Dir(), "objects", "pack", pattern)))(t)
	}
	past := time.Now().Add(-time.Hour)
	age := func(path string) {
		must.Do(t, os.Chtimes(path, past, past))
	}
	for _, path := range pack("*.idx") {
		in := must.Get(os.Open(path))(t)
		cmd := exec.Command("git", "show-index")
		cmd.Stdin = in
		text, err := cmd.Output()
		in.Close()
		must.Do(t, err)
		if strings.Contains(string(text), old) {
			age(strings.TrimSuffix(path, ".idx") + ".pack")
		}
	}
	left := []string{filepath.Join(s.repo.Dir(), "objects", "pack", "tmp_pack_x"), strings.TrimSuffix(pack("*.pack")[0], ".pack") + ".keep", filepath.Join(s.repo.Dir(), "fast_import_crash_1"), filepath.Join(s.repo.Dir(), "shallow.lock")}
	for _, path := range left {
		s.write(path, "x")
		age(path)
	}
	busy := filepath.Join(s.repo.Dir(), "objects", "pack", "tmp_pack_y")
	s.write(busy, "x")
	if err := s.repo.Tidy(ctx); err != nil || len(pack("*.pack")) != 23 {
		t.Errorf("%d packs: %v", len(pack("*.pack")), err)
	}
	must.Do(t, s.repo.tidy(ctx, true))
	if n := len(pack("*.pack")); n != 1 {
		t.Errorf("%d packs are left", n)
	}
	for _, path := range left {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is left", filepath.Base(path))
		}
	}
	if _, err := os.Stat(busy); err != nil {
		t.Errorf("what is being written was removed: %v", err)
	}
	for id, want := range map[string]bool{tip: true, young: true, old: false} {
		if has, err := s.repo.Has(ctx, id); has != want || err != nil {
			t.Errorf("%.7s is there: %v, %v", id, has, err)
		}
	}
	s.git("--git-dir="+s.repo.Dir(), "fsck", "--strict")
}

// Git takes no ssh of the project, also where PATH leads to it.
func TestNoSSHOfTheProject(t *testing.T) {
	s := newShared(t)
	ran := filepath.Join(t.TempDir(), "ran")
	s.fakeSSH(`echo 'ada@host: Permission denied (publickey,password).' >&2; exit 255`)
	bin := filepath.Join(s.repo.root, "bin")
	must.Do(t, os.Mkdir(bin, 0o755))
	s.script(filepath.Join(bin, "ssh"), `echo "$@" >>'`+ran+`'; exit 255`)
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if _, err := s.repo.Advertised(t.Context(), s.remoteAt("ada@host:x/y"), "refs/"); !errors.Is(err, ErrLogin) {
		t.Errorf("got %v", err)
	}
	if text := s.ran(ran); text != "" {
		t.Errorf("the project's ssh ran: %s", text)
	}
}
