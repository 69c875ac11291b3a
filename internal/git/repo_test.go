package git

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// shared is a clone with a remote that is a bare repository beside it, and Pawl's own
// repository in it.
type shared struct {
	*clone
	repo   *Repo
	remote string // its folder
}

func newShared(t testing.TB, options ...string) *shared {
	t.Helper()
	s := &shared{clone: newClone(t, options...)}
	s.remote = filepath.Join(filepath.Dir(s.dir), "remote.git")
	s.once(s.remote, options, func() { s.git(append([]string{"init", "-q", "--bare", s.remote}, options...)...) })
	s.git("remote", "add", "origin", s.remote)
	s.repo = s.open()
	return s
}

func (s *shared) open() *Repo {
	s.t.Helper()
	return must.Get(OpenRepo(s.t.Context(), s.path(".git/pawl/board/repo"), s.dir))(s.t)
}

func (s *shared) origin() Remote {
	s.t.Helper()
	return must.Get(s.repo.Remote(s.t.Context(), "origin"))(s.t)
}

const board = "refs/pawl/board"

// commitOn makes a commit with one file.
func (s *shared) commitOn(text string, parents ...string) string {
	s.t.Helper()
	return must.Get(s.repo.Commit(s.t.Context(), Draft{Parents: parents, Name: "Ada <a>\n", At: time.Unix(1_700_000_000, 0), Message: "Say " + text, Changes: []File{{"tasks/0/task_1.json", []byte(text)}}}))(s.t)
}

// everything is all that a folder has, but for what Pawl keeps there.
func everything(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "pawl" && filepath.Base(filepath.Dir(path)) == ".git" {
			return filepath.SkipDir
		}
		all[path] = ""
		if d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			all[path] = string(text)
			return err
		}
		return nil
	}))
	return all
}

// A reference moves from where it was to where it shall be, and no otherwise: here, and
// on the remote.
func TestRepo(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			if format == "sha256" {
				long.Seldom(t, 8)
			}
			s := newShared(t, "--object-format="+format)
			ctx := t.Context()
			before := everything(t, s.dir)
			origin := s.origin()
			first := s.commitOn("first")
			second := s.commitOn("second", first)
			other := s.commitOn("other", first)
			lone := s.commitOn("lone")
			if format == "sha256" != (len(first) == 64) {
				t.Errorf("an id of %s is %s", format, first)
			}
			for _, c := range []struct {
				old, id string
				want    error
			}{{"", first, nil}, {"", second, ErrMoved}, {first, second, nil}, {first, other, ErrMoved}, {second, second, nil}, {second, "", nil}, {second, first, ErrMoved}, {"", other, nil}} {
				if err := s.repo.SetRef(ctx, "refs/pawl/own", c.old, c.id); !errors.Is(err, c.want) {
					t.Errorf("moved from %.7q to %.7q: %v, want %v", c.old, c.id, err, c.want)
				}
			}
			if got := s.git("--git-dir=.git/pawl/board/repo", "for-each-ref", "--format=%(refname) %(objectname)"); got != "refs/pawl/own "+other {
				t.Errorf("git sees the references %q", got)
			}
			if tip, err := s.repo.Fetch(ctx, origin, board); tip != "" || err != nil {
				t.Errorf("fetched %q, %v from an empty remote", tip, err)
			}
			for _, c := range []struct {
				old, id string
				want    error
			}{
				{first, second, ErrRace}, // there is none
				{"", first, nil},
				{"", lone, ErrRace}, // there is one
				{first, second, nil},
				{first, other, ErrRace}, // it is elsewhere
			} {
				if err := s.repo.Push(ctx, origin, board, c.old, c.id); !errors.Is(err, c.want) {
					t.Errorf("pushed from %.7q to %.7q: %v, want %v", c.old, c.id, err, c.want)
				}
			}
			// It was wound back, so a plain push would be a fast forward.
			s.git("--git-dir="+s.remote, "update-ref", board, first)
			third := s.commitOn("third", second)
			if err := s.repo.Push(ctx, origin, board, second, third); !errors.Is(err, ErrRace) {
				t.Errorf("pushed over what was wound back: %v", err)
			}
			if err := s.repo.Push(ctx, origin, board, first, lone); err == nil || errors.Is(err, ErrRace) {
				t.Errorf("pushed what forgets the history: %v", err)
			}
			if tip, err := s.repo.Fetch(ctx, origin, board); tip != first || err != nil {
				t.Errorf("fetched %q, %v", tip, err)
			}
			refs, err := s.repo.Advertised(ctx, origin, "refs/pawl/", "refs/heads/pawl-board")
			if err != nil || len(refs) != 1 || refs[board] != first {
				t.Errorf("advertised %v, %v", refs, err)
			}
			told, err := s.repo.Line(ctx, "", second, 10)
			if err != nil || len(told) != 2 || told[0].Name != "Ada a" || told[0].Message != "Say first" || !told[0].At.Equal(time.Unix(1_700_000_000, 0)) {
				t.Errorf("line %+v, %v", told, err)
			}
			if after := everything(t, s.dir); !reflect.DeepEqual(before, after) {
				t.Error("the user's clone was changed")
			}
			if s.open().Dir() != s.repo.Dir() {
				t.Error("it is elsewhere")
			}
		})
	}
}

// A repository that was made half is made again, and nothing that could matter is
// thrown away.
// A git that was killed leaves the mark of its pack. The same commit, whose pack has the
// same name, is made nevertheless.
func TestRepoKeepFile(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	draft := Draft{Name: "ada", At: time.Unix(1_790_000_000, 0), Message: "one", Changes: []File{{"board.json", []byte("{}")}}, Whole: true}
	first := must.Get(s.repo.Commit(t.Context(), draft))(t)
	packs, _ := filepath.Glob(filepath.Join(s.repo.Dir(), "objects", "pack", "*.pack"))
	if len(packs) == 0 {
		t.Fatal("git made no pack")
	}
	for _, pack := range packs {
		must.Do(t, os.WriteFile(strings.TrimSuffix(pack, ".pack")+".keep", []byte("fast-import"), 0o444))
	}
	if again, err := s.repo.Commit(t.Context(), draft); err != nil || again != first {
		t.Errorf("the same commit is %s, not %s: %v", again, first, err)
	}
}

func TestRepoMadeAgain(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(dir string) error{
		"no HEAD":      func(dir string) error { return os.Remove(filepath.Join(dir, "HEAD")) },
		"empty HEAD":   func(dir string) error { return os.Truncate(filepath.Join(dir, "HEAD"), 0) },
		"short config": func(dir string) error { return os.Truncate(filepath.Join(dir, "config"), 20) },
		"no objects":   func(dir string) error { return os.RemoveAll(filepath.Join(dir, "objects")) },
		"empty folder": func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755)) },
		"commondir":    func(dir string) error { return os.WriteFile(filepath.Join(dir, "commondir"), []byte("../else"), 0o644) },
		"remotes":      func(dir string) error { return os.Mkdir(filepath.Join(dir, "remotes"), 0o755) },
		"branches":     func(dir string) error { return os.Mkdir(filepath.Join(dir, "branches"), 0o755) },
		"alternates": func(dir string) error {
			return errors.Join(os.MkdirAll(filepath.Join(dir, "objects", "info"), 0o755), os.WriteFile(filepath.Join(dir, "objects", "info", "alternates"), []byte("/else"), 0o644))
		},
		"a linked reference": func(dir string) error {
			return errors.Join(os.Rename(filepath.Join(dir, "refs", "pawl"), dir+".else"), os.Symlink(dir+".else", filepath.Join(dir, "refs", "pawl")))
		},
		"a linked configuration": func(dir string) error {
			return errors.Join(os.Rename(filepath.Join(dir, "config"), dir+".else"), os.Symlink(dir+".else", filepath.Join(dir, "config")))
		},
		"a link": func(dir string) error { return errors.Join(os.Rename(dir, dir+".else"), os.Symlink(dir+".else", dir)) },
		"a file": func(dir string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o644)) },
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			s := newShared(t)
			must.Do(t, s.repo.SetRef(t.Context(), "refs/pawl/own", "", s.commitOn("x")))
			dir := s.repo.Dir()
			must.Do(t, damage(dir))
			left := dir + ".new-1"
			s.write(left+"/HEAD", "ref: ")
			old := time.Now().Add(-time.Hour)
			must.Do(t, os.Chtimes(left, old, old))
			s.repo = s.open()
			if own, err := s.repo.Ref("refs/pawl/own"); own != "" || err != nil {
				t.Errorf("own is %q, %v", own, err)
			}
			s.commitOn("y")
			if _, err := os.Stat(left); err == nil {
				t.Error("what a process that was killed had begun is still there")
			}
			if _, err := os.Lstat(dir + ".broken"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A repository that came with an archive names programs, and other places, in each way
// that git knows. None of them is used: it is set aside. One that any git has made for Pawl
// stays.
func TestPlantedRepo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config string
		stays  bool
	}{
		"a proxy":          {"[core]\n\tgitProxy = x\n", false},
		"a helper":         {"[credential]\n\thelper = !x\n", false},
		"an include":       {"[include]\n\tpath = x\n", false},
		"a condition":      {"[includeIf \"gitdir:/\"]\n\tpath = x\n", false},
		"another address":  {"[url \"file:///x\"]\n\tinsteadOf = git://x\n", false},
		"a work tree's":    {"[extensions]\n\tworktreeConfig = true\n", false},
		"a promise":        {"[extensions]\n\tpartialClone = x\n", false},
		"one line":         {"[core] sshCommand = x\n", false},
		"a continued line": {"\tbare = true\\\n\tgitProxy = x\n", false},
		"Windows":          {"[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n\tsymlinks = false\n\tignorecase = true\n\thideDotFiles = dotGitOnly\n", true},
		"macOS":            {"[core]\n\tbare = true\n\tignorecase = true\n\tprecomposeunicode = true\n", true},
		"a group's":        {"[core]\n\tbare = true\n\tsharedrepository = 0660\n[receive]\n\tdenyNonFastforwards = true\n", true},
		"a later git":      {"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha1\n\trefStorage = files\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			long.Seldom(t, 6)
			s := newShared(t)
			tip := s.commitOn("x")
			must.Do(t, s.repo.SetRef(t.Context(), "refs/pawl/own", "", tip))
			config := ".git/pawl/board/repo/config"
			s.write(config, strings.Replace(s.read(config), "[gc]", c.config+"[gc]", 1))
			own, err := s.open().Ref("refs/pawl/own")
			if c.stays != (own == tip) || err != nil {
				t.Errorf("own is %q, %v", own, err)
			}
			if !c.stays && strings.Contains(s.read(config), c.config) {
				t.Error("the configuration is used")
			}
		})
	}
}

// A program that only Pawl's own repository names does not run when a remote is asked.
func TestPlantedProxy(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("not here: the programs of the test are shell scripts")
	}
	for _, from := range []string{"config", "commondir"} {
		t.Run(from, func(t *testing.T) {
			s := newShared(t)
			canary, evil := filepath.Join(t.TempDir(), "ran"), filepath.Join(t.TempDir(), "evil")
			must.Do(t, os.WriteFile(evil, []byte("#!/bin/sh\necho ran >>'"+canary+"'\nexit 1\n"), 0o755))
			at := s.repo.Dir()
			if from == "commondir" {
				at += ".else"
				must.Do(t, errors.Join(os.CopyFS(at, os.DirFS(s.repo.Dir())), os.WriteFile(filepath.Join(s.repo.Dir(), "commondir"), []byte(at), 0o644)))
			}
			text := must.Get(os.ReadFile(filepath.Join(at, "config")))(t)
			must.Do(t, os.WriteFile(filepath.Join(at, "config"), append([]byte("[core]\n\tgitProxy = "+evil+"\n"), text...), 0o644))
			s.git("remote", "set-url", "origin", "git://nowhere.invalid/x")
			asks := func() string {
				origin := s.origin()
				_, fetched := s.repo.Fetch(t.Context(), origin, board)
				if pushed := s.repo.Push(t.Context(), origin, board, "", s.commitOn("x")); fetched == nil || pushed == nil {
					t.Error("nowhere answers")
				}
				return s.ran(canary)
			}
			if asks() == "" { // opened before it was planted
				t.Fatal("the repository of the test is not hostile")
			}
			if s.repo = s.open(); asks() != "" {
				t.Error("a program ran that Pawl's own repository names")
			}
		})
	}
}

// Nothing that a repository names is started, but for what leads to a remote, once a
// person has said that the clone is shared.
func TestHostileRepo(t *testing.T) {
	t.Parallel()
	c, ran, _, _ := hostile(t)
	s := &shared{clone: c, remote: filepath.Join(filepath.Dir(c.dir), "remote.git")}
	s.git("init", "-q", "--bare", s.remote)
	s.write(".git/config", strings.ReplaceAll(s.read(".git/config"), "ssh://nowhere.invalid/x", s.remote))
	ran()
	ctx := t.Context()
	s.repo = s.open()
	if got := ran(); got != "" {
		t.Errorf("OpenRepo started %s", got)
	}
	origin := s.origin()
	first := s.commitOn("first")
	second := s.commitOn("second", first)
	var reader *Reader
	calls := map[string]func() error{
		"Advertised": func() error { _, err := s.repo.Advertised(ctx, origin, "refs/"); return err },
		"Bases":      func() error { _, err := s.repo.Bases(ctx, first, second); return err },
		"Commit":     func() error { s.commitOn("more", second); return nil },
		"Dir":        func() error { s.repo.Dir(); return nil },
		"Fetch":      func() error { _, err := s.repo.Fetch(ctx, origin, board); return err },
		"Had": func() error {
			text := s.git("--git-dir=.git/pawl/board/repo", "cat-file", "blob", first+":tasks/0/task_1.json")
			had, err := s.repo.Had(ctx, second, [][]byte{[]byte(text), []byte(text + "\n")})
			if err == nil && !slices.Contains(had, true) {
				err = errors.New("the history has lost a text")
			}
			return err
		},
		"Has":        func() error { _, err := s.repo.Has(ctx, first); return err },
		"IsAncestor": func() error { _, err := s.repo.IsAncestor(ctx, second, first); return err },
		"Line":       func() error { _, err := s.repo.Line(ctx, "", second, 9); return err },
		"Push":       func() error { return s.repo.Push(ctx, origin, board, "", first) },
		"Reader": func() (err error) {
			if reader, err = s.repo.Reader(ctx); err != nil {
				return err
			}
			defer reader.Close()
			folder, err := reader.Folder(first)
			if err != nil {
				return err
			}
			entries, err := reader.Entries(folder, 1000)
			if err != nil || len(entries) != 1 {
				return errors.Join(err, errors.New("the folder is odd"))
			}
			_, err = reader.Texts([]string{s.git("--git-dir=.git/pawl/board/repo", "rev-parse", first+":tasks/0/task_1.json")}, 100, 100)
			return err
		},
		"Forget":  func() error { s.repo.Forget(); return nil },
		"Ref":     func() error { _, err := s.repo.Ref("refs/pawl/own"); return err },
		"Remote":  func() error { s.repo.Forget(); _, err := s.repo.Remote(ctx, "origin"); return err },
		"Remotes": func() error { _, err := s.repo.Remotes(ctx); return err },
		"SetRef":  func() error { return s.repo.SetRef(ctx, "refs/pawl/own", "", first) },
		"Tidy":    func() error { return s.repo.tidy(ctx, true) },
	}
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		if err := calls[name](); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := ran(); got != "" {
			t.Errorf("%s started %s", name, got)
		}
	}
	for i := range reflect.TypeFor[*Repo]().NumMethod() {
		if name := reflect.TypeFor[*Repo]().Method(i).Name; calls[name] == nil {
			t.Errorf("%s is not tried on a hostile clone", name)
		}
	}
	if tip, err := s.repo.Fetch(ctx, origin, board); tip != first || err != nil {
		t.Errorf("the remote has %q, want %q, %v", tip, first, err)
	}

	// A remote's programs are started by ssh, at its other end: where there is none
	// they are not. The clone's core.sshCommand is honoured, as git does.
	s.git("remote", "add", "far", "ssh://nowhere.invalid/x")
	far := must.Get(s.repo.Remote(ctx, "far"))(t)
	if _, err := s.repo.Fetch(ctx, far, board); err == nil {
		t.Error("fetched from nowhere")
	}
	if got := ran(); !strings.Contains(got, "nowhere.invalid git-upload-pack '/x'\n") || strings.Count(got, "\n") > 2 { // it may ask first which ssh it is
		t.Errorf("ssh was not started as git does it: %q", got)
	}
}

// No name or address of a remote is an option, or a program of this machine.
func TestHostileRemotes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("not here: the programs of the test are shell scripts")
	}
	s := newShared(t)
	ctx := t.Context()
	canary := filepath.Join(t.TempDir(), "ran")
	bin := t.TempDir()
	evil := filepath.Join(bin, "git-remote-evil")
	s.write(evil, "#!/bin/sh\necho \"$0 $*\" >>'"+canary+"'\nexit 1\n")
	must.Do(t, os.Chmod(evil, 0o755))
	for _, name := range []string{"git-remote-ssh", "git-remote-x"} {
		must.Do(t, os.Symlink(evil, filepath.Join(bin, name)))
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	set := func(key, value string) {
		s.write(".git/config", s.read(".git/config")+"["+key+"]\n"+value+"\n")
	}
	set(`remote "ext"`, "url = ext::"+evil+" %S x")
	set(`remote "evil"`, "url = evil::x")
	set(`remote "scheme"`, "url = evil://x")
	set(`remote "vcs"`, "url = "+s.remote+"\nvcs = evil")
	set(`remote "upload"`, "url = "+s.remote+"\nuploadpack = "+evil+"\nreceivepack = "+evil)
	set(`remote "mixed"`, "url = host:x\npushurl = "+s.remote+"\nreceivepack = "+evil)
	set(`remote "dash"`, "url = --upload-pack="+evil)
	set(`remote "--upload-pack=`+evil+`"`, "url = "+s.remote)
	set(`remote "../x"`, "url = "+s.remote)
	set(`remote "rewritten"`, "url = https://nowhere.invalid/x")
	set(`remote "pushed"`, "url = "+s.remote+"\npushurl = ext::"+evil)
	set(`url "ext::`+evil+` "`, "insteadOf = https://nowhere.invalid/")
	set(`remote "ssh://h/x"`, "vcs = evil\nuploadpack = "+evil)
	set(`protocol`, "allow = always")
	set(`protocol "evil"`, "allow = always")
	set(`protocol "ext"`, "allow = always")
	if _, _ = s.try("fetch", "evil"); s.ran(canary) == "" {
		t.Fatal("the remotes of the test are not hostile")
	}
	if _, _ = s.try("fetch", "upload"); s.ran(canary) == "" {
		t.Fatal("the remotes of the test are not hostile")
	}
	t.Setenv("GIT_SSH_COMMAND", "false")
	first := s.commitOn("first")
	for _, name := range []string{"ext", "evil", "scheme", "vcs", "upload", "mixed", "dash", "--upload-pack=" + evil, "../x", "rewritten", "pushed", "ext::" + evil + " x", "ssh://h/x", "::" + s.remote, "fd::3", "-x:/y", "", "a\nb:c", "nobody"} {
		remote, err := s.repo.Remote(ctx, name)
		if err == nil {
			_, err = s.repo.Fetch(ctx, remote, board)
			_, _ = s.repo.Advertised(ctx, remote, "refs/")
			_ = s.repo.Push(ctx, remote, board, "", first)
			s.git("--git-dir="+s.remote, "update-ref", "-d", board)
		}
		if got := s.ran(canary); got != "" {
			t.Errorf("%q started %s", name, got)
		}
		if fine := name == "vcs" || name == "upload" || name == "../x"; fine != (err == nil) {
			t.Errorf("%q: %v", name, err)
		} else if err != nil && (err.Error() == "" || strings.ContainsAny(err.Error(), "\n\x1b")) {
			t.Errorf("%q: %q", name, err)
		}
	}
	for _, ref := range []string{"", "HEAD", "--all", "refs/pawl/../x", "refs/pawl/a b", "refs/pawl/*", "refs/pawl/x:refs/heads/main", "+refs/pawl/x", "refs/pawl/x.lock", "refs/", "refs/x", "refs//x", "refs/pawl/.x", "refs/pawl/x/", "refs/pawl/x\n", "refs/pawl/x@{1}", "refs/pawl/-x", "refs/pawl/a~1"} {
		if _, err := s.repo.Fetch(ctx, s.origin(), ref); err == nil {
			t.Errorf("fetched %q", ref)
		}
		if err := s.repo.Push(ctx, s.origin(), ref, "", first); err == nil {
			t.Errorf("pushed to %q", ref)
		}
		if err := s.repo.SetRef(ctx, ref, "", first); err == nil {
			t.Errorf("made %q", ref)
		}
		if _, err := s.repo.Ref(ref); err == nil {
			t.Errorf("read %q", ref)
		}
	}
	for _, ref := range []string{"refs/pawl/board.services%2fapi", "refs/heads/pawl-board", "refs/heads/ada/Bretter/über"} {
		must.Do(t, errors.Join(s.repo.Push(ctx, s.origin(), ref, "", first), s.repo.SetRef(ctx, ref, "", first)))
		if tip, err := s.repo.Fetch(ctx, s.origin(), ref); tip != first || err != nil {
			t.Errorf("%s is %q, %v", ref, tip, err)
		}
		if refs, err := s.repo.Advertised(ctx, s.origin(), ref); refs[ref] != first || err != nil {
			t.Errorf("%s is not advertised: %v, %v", ref, refs, err)
		}
	}
	for _, path := range []string{"", "/x", "../x", "a/../b", ".git/x", "a//b", "-x", "a b", "a\nb", "\"a\"", "A"} {
		if _, err := s.repo.Commit(ctx, Draft{Changes: []File{{path, []byte("x")}}}); err == nil {
			t.Errorf("stored %q", path)
		}
	}
}

// ran is what was started.
func (s *shared) ran(canary string) string {
	text, _ := os.ReadFile(canary)
	_ = os.Remove(canary)
	return string(text)
}
