package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/text"
)

// A Remote is where a board is shared.
type Remote struct {
	Name string // what git calls it; empty: it was given as an address
	URL  string // for people: without credentials
	// Real is where the address leads after url.….insteadOf, for people, with where it sends
	// to if that is another place.
	Real string
	// Programs are what the clone's own configuration, with what it includes and that of its
	// work tree, says about programs on the way to a remote, as key=value. It comes with the
	// folder, which may be somebody else's archive: nothing may ask the remote there before a
	// person has agreed to them. The user's own configuration is not in it.
	Programs []string

	fetch, push  string // addresses, which git may rewrite by url.….insteadOf
	upload, pack string // programs at the other end of ssh
	proxy        string
	ssh          string // core.sshCommand
}

// A settings is what a clone's configuration says about remotes, as git reads it from
// all its files. It is kept beside the repository, so that a sync without news does
// not run git for it, unless files decide that can change without the clone's.
type settings struct {
	Of      string              `json:"of"` // the configuration of the clone that it was read from
	At      time.Time           `json:"at"`
	SSH     string              `json:"ssh,omitempty"`
	Remotes map[string]*address `json:"remotes"`
	Rules   []rule              `json:"rules,omitempty"`
	Own     []string            `json:"own,omitempty"` // [Remote.Programs]
}

// A rule has addresses that begin with one text begin with another one: url.….insteadOf.
type rule struct {
	From, To string
	Push     bool
}

type address struct {
	URL, Push    []string `json:",omitempty"`
	Proxy        string   `json:",omitempty"`
	Upload, Pack string   `json:",omitempty"`
}

// lasting is how long settings from files outside of the clone are cached: they seldom
// change. After a failure they are read again in any case.
const lasting = time.Hour

// remoteName is what a remote may be called here: never an option, nor a path.
var remoteName = &text.Regexp{Expr: `^[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}$`}

// Remote returns the remote that a person names: as git knows it, or by its address.
func (r *Repo) Remote(ctx context.Context, name string) (Remote, error) {
	s, err := r.settings(ctx)
	if err != nil {
		return Remote{}, err
	}
	if a := s.Remotes[name]; a != nil && remoteName.Get().MatchString(name) && len(a.URL) > 0 {
		remote := Remote{Name: name, fetch: a.URL[0], push: a.URL[0], proxy: a.Proxy}
		if len(a.Push) > 0 {
			remote.push = a.Push[0]
		}
		if isSSH(remote.fetch) && isSSH(remote.push) { // else they would be programs of this machine
			remote.upload, remote.pack = a.Upload, a.Pack
		}
		if err := reachable(remote.fetch); err != nil {
			return Remote{}, err
		}
		return s.told(remote), reachable(remote.push)
	}
	if !strings.ContainsAny(name, `:/\`) {
		return Remote{}, s.unknown(name)
	}
	if err := reachable(name); err != nil {
		return Remote{}, err
	}
	return s.told(Remote{fetch: name, push: name}), nil
}

// told is a remote with what a person has to know of it.
func (s *settings) told(r Remote) Remote {
	r.URL, r.Real, r.Programs, r.ssh = Display(r.fetch), Display(s.instead(r.fetch, false)), s.Own, s.SSH
	if to := Display(s.instead(r.push, true)); to != r.Real {
		r.Real += ", and sends to " + to
	}
	return r
}

// instead is an address as git uses it: the rule with the longest beginning holds, and for
// a push one that is for pushes alone.
func (s *settings) instead(address string, push bool) string {
	var best *rule
	for i := range s.Rules {
		if r := &s.Rules[i]; r.Push == push && strings.HasPrefix(address, r.From) && (best == nil || len(best.From) < len(r.From)) {
			best = r
		}
	}
	switch {
	case best != nil:
		return best.To + strings.TrimPrefix(address, best.From)
	case push:
		return s.instead(address, false)
	}
	return address
}

// Remotes returns the remotes of the clone, by name; origin comes first.
func (r *Repo) Remotes(ctx context.Context) ([]Remote, error) {
	s, err := r.settings(ctx)
	if err != nil {
		return nil, err
	}
	var all []Remote
	for name := range s.Remotes {
		if remote, err := r.Remote(ctx, name); err == nil && remote.Name != "" {
			all = append(all, remote)
		}
	}
	place := func(r Remote) string {
		if r.Name == "origin" {
			return ""
		}
		return r.Name
	}
	slices.SortFunc(all, func(a, b Remote) int { return strings.Compare(place(a), place(b)) })
	return all, nil
}

// UnknownRemote is the error for a name of no remote.
type UnknownRemote struct {
	Name string
	Has  []string // the names that it has
}

func (e *UnknownRemote) Error() string {
	if len(e.Has) == 0 {
		return fmt.Sprintf("git has no remotes here, so none is called %.80q", e.Name)
	}
	return fmt.Sprintf("git has no remote %.80q here; it has %.500s", e.Name, strings.Join(e.Has, ", "))
}

func (s *settings) unknown(name string) error {
	var names []string
	for known := range s.Remotes {
		if remoteName.Get().MatchString(known) {
			names = append(names, known)
		}
	}
	slices.Sort(names)
	return &UnknownRemote{name, names}
}

// schemes are the protocols that run no program which an address names.
var schemes = []string{"file", "git", "http", "https", "ssh", "git+ssh", "ssh+git"}

// reachable refuses an address that is none, or that names a program: ext::, and
// whatever else has a helper.
func reachable(url string) error {
	scheme, _, ok := strings.Cut(url, "://")
	switch helper := regexp.MustCompile(`^[A-Za-z0-9+.-]*::`); {
	case url == "" || strings.HasPrefix(url, "-") || strings.ContainsFunc(url, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return fmt.Errorf("%.80q is not the address of a remote", Display(url))
	case helper.MatchString(url), ok && !slices.Contains(schemes, strings.ToLower(scheme)):
		return fmt.Errorf("a board is shared over %s, and not over %.80q", strings.Join(schemes[:5], ", "), Display(url))
	}
	return nil
}

var sshAddress = &text.Regexp{Expr: `^(ssh|git\+ssh|ssh\+git)://|^[^/\\:]{2,}:[^/\\:]`}

// isSSH reports whether an address leads over ssh: ssh://host/path or host:path.
func isSSH(url string) bool {
	return sshAddress.Get().MatchString(url) || !strings.Contains(url, "://") && regexp.MustCompile(`^[^/\\:]{2,}:/`).MatchString(url)
}

var credentials = &text.Regexp{Expr: `([A-Za-z][A-Za-z0-9+.-]*://)[^/\s'"@]*(@[^/\s'"@]*)*@`}

// Display is an address, or a text with some, for people: without credentials.
func Display(text string) string { return credentials.Get().ReplaceAllString(text, "$1") }

// PathFrom makes an address that a person gave in a folder valid elsewhere: a relative
// path becomes an absolute one. One that url.….insteadOf could rewrite is a path only
// if there is such a file.
func PathFrom(dir, address string) string {
	slash, colon := strings.IndexAny(address, `/\`), strings.IndexByte(address, ':')
	if dir == "" || filepath.IsAbs(address) || colon >= 0 && (slash < 0 || colon < slash) {
		return address
	}
	path := filepath.Join(dir, address)
	if _, err := os.Stat(path); err != nil && !strings.HasPrefix(address, ".") {
		return address
	}
	return path
}

// settings asks git for them, unless that was done lately.
func (r *Repo) settings(ctx context.Context) (*settings, error) {
	text := gitdir.File(r.config, 1<<20)
	sum := sha256.Sum256(append([]byte("2\x00"+r.root+"\x00"), text...))
	of := hex.EncodeToString(sum[:])
	var s settings
	if err := json.Unmarshal(gitdir.File(r.remembered(), 1<<20), &s); err == nil && s.Of == of && time.Since(s.At).Abs() < lasting {
		return &s, nil
	}
	s = settings{Of: of, At: time.Now(), Remotes: map[string]*address{}}
	out, err := r.outward(ctx, patience, maxAnswer, nil, r.at(), "config", "-z", "--show-scope", "--includes", "--get-regexp", `^(remote\..*\.(url|pushurl|proxy)|`+programKeys+`)$`)
	switch {
	case err != nil:
		return nil, err
	case out.code == 1: // there are none
	case out.code != 0:
		return nil, &refusal{out.code, out.said}
	}
	parts := strings.Split(strings.TrimSuffix(out.text, "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 { // a scope, a key with its value
		key, value, _ := strings.Cut(parts[i+1], "\n")
		s.add(key, value)
		if parts[i] == "local" || parts[i] == "worktree" {
			s.own(key, value)
		}
	}
	if elsewhere.Get().Match(text) {
		return &s, nil
	}
	if text, err := json.Marshal(&s); err == nil {
		// If it is lost, git is asked again. It may have a password, as the configuration
		// has.
		_ = filelock.Write(r.remembered(), text)
	}
	return &s, nil
}

func (s *settings) add(key, value string) {
	if key == "core.sshcommand" {
		s.SSH = value
		return
	}
	kind, rest, _ := strings.Cut(key, ".")
	dot := strings.LastIndexByte(rest, '.')
	if kind == "url" && dot >= 0 {
		s.Rules = append(s.Rules, rule{From: value, To: rest[:dot], Push: rest[dot+1:] == "pushinsteadof"})
	}
	if kind != "remote" || dot < 1 {
		return
	}
	a := s.Remotes[rest[:dot]]
	if a == nil {
		a = &address{}
		s.Remotes[rest[:dot]] = a
	}
	switch rest[dot+1:] {
	case "url":
		a.URL = append(a.URL, value)
	case "pushurl":
		a.Push = append(a.Push, value)
	case "proxy":
		a.Proxy = value
	case "uploadpack":
		a.Upload = value
	case "receivepack":
		a.Pack = value
	}
}

func (r *Repo) remembered() string { return filepath.Join(r.dir, "remotes.json") }

// Forget lets the settings be read again: they may be why something failed, or have come
// with the folder.
func (r *Repo) Forget() {
	if err := os.Remove(r.remembered()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		_ = os.Truncate(r.remembered(), 0)
	}
}
