package gitshare

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// TestMain gives all tests one home: they run at once, because each waits for git.
func TestMain(m *testing.M) { os.Exit(atHome(m.Run)) }

func atHome(run func() int) int {
	home, err := os.MkdirTemp("", "home")
	if err == nil {
		home, err = filepath.EvalSymlinks(home)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\nname = Ada\nemail = ada@example.com\n[init]\ndefaultBranch = main\n[receive]\nautogc = false\n"), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(home)
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") || name == "XDG_STATE_HOME" {
			os.Unsetenv(name)
		}
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	patience, impatience = time.Minute, time.Minute
	flag.Parse()
	_ = flag.Set("test.parallel", "8")
	return run()
}

// A field is a folder with a bare repository, which is the remote, and clones of it.
type field struct {
	t       testing.TB
	dir     string
	options []string // of git init
}

// always plays without -long, too: how a clone joins, who gets a task, and what never comes
// back or is lost.
var always = []string{"TestClaims", "TestRefused", "TestCopyHasNoClaims", "TestUndoOutside", "TestRoundTrip", "TestOffline", "TestAsked"}

func newField(t testing.TB, options ...string) *field {
	t.Helper()
	long.Seldom(t, 25, always...)
	if _, err := exec.LookPath("git"); err != nil {
		mustrun.Skip(t, "git is not installed")
	}
	dir := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	f := &field{t, dir, options}
	f.git(dir, append([]string{"init", "-q", "--bare", "remote.git"}, options...)...)
	return f
}

func (f *field) git(dir string, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *field) remote() string { return filepath.Join(f.dir, "remote.git") }

// clone makes a clone, and its repository for boards.
func (f *field) clone(name string) *Repository {
	f.t.Helper()
	dir := filepath.Join(f.dir, name)
	f.git(f.dir, append([]string{"init", "-q", name}, f.options...)...)
	f.git(dir, "remote", "add", "origin", f.remote())
	repo := must.Get(git.OpenRepo(f.t.Context(), filepath.Join(dir, ".git", "pawl", "board", "repo"), dir))(f.t)
	return f.on(repo, "origin", "refs/pawl/board")
}

func (f *field) on(repo *git.Repo, name, ref string) *Repository {
	f.t.Helper()
	remote := must.Get(repo.Remote(f.t.Context(), name))(f.t)
	return NewRepository(repo, remote, ref)
}

func task(n int, subject string) []byte {
	return fmt.Appendf(nil, "{\n  \"id\": \"%d\",\n  \"subject\": %q,\n  \"status\": \"pending\"\n}\n", n, subject)
}

func board(n int) merge.Board {
	b := merge.Board{Tasks: map[pawl.ID][]byte{}, Mark: pawl.ID(n), Beside: map[pawl.ID]merge.Beside{}}
	for i := 1; i <= n; i++ {
		b.Tasks[pawl.ID(i)] = task(i, strings.Repeat("Task ", 1+i%7))
		if i%3 == 0 {
			b.Beside[pawl.ID(i)] = merge.Beside{Turn: i}
		}
	}
	return b
}

func write(t testing.TB, r *Repository, b merge.Board, parents ...string) string {
	t.Helper()
	return must.Get(r.Write(t.Context(), share.Commit{Board: b, Parents: parents, Name: "ada", Message: "ada: a change", At: time.Unix(1_700_000_000, 0)}, merge.Board{}))(t)
}

func read(t testing.TB, r *Repository, id string) merge.Board {
	t.Helper()
	boards := must.Get(r.Read(t.Context(), id))(t)
	return boards[0]
}

func forms(t *testing.T, f func(t *testing.T, f *field)) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			if format == "sha256" {
				long.Seldom(t, 8)
			}
			f(t, newField(t, "--object-format="+format))
		})
	}
}

// What a clone writes, another one reads.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	forms(t, func(t *testing.T, f *field) {
		ada, bob := f.clone("ada"), f.clone("bob")
		ctx := t.Context()
		if tip, err := ada.Fetch(ctx); tip != "" || err != nil {
			t.Fatalf("an empty remote has %q, %v", tip, err)
		}
		b := board(250)
		b.Tasks[pawl.MaxID] = []byte{}
		held := merge.Held{Clone: "mini-3f2a9c1d", Token: 17, Session: "s", Agent: "é", Lease: pawl.Duration(time.Hour), Renewal: 3}
		b.Beside[12] = merge.Beside{Turn: 3, Expired: 1, Held: &held, Ended: "mini-3f2a9c1d/16"}
		b.Gone = []merge.Gone{
			{ID: 7, Text: task(7, "b"), Beside: merge.Beside{Turn: 1}}, {ID: 7, Text: task(7, "a")}, {ID: 7, Text: []byte("x"), Beside: merge.Beside{Turn: 2}}, {ID: 300, Text: task(300, "c")},
		}
		first := write(t, ada, b)
		must.Do(t, errors.Join(ada.SetOwn(ctx, "", first), ada.Push(ctx, "", first)))
		if own, err := ada.Own(ctx); own != first || err != nil {
			t.Errorf("own is %q, %v", own, err)
		}
		if err := ada.SetOwn(ctx, "", first); !errors.Is(err, share.ErrRace) {
			t.Errorf("own was set over another one: %v", err)
		}
		tip, err := bob.Fetch(ctx)
		if err != nil || tip != first {
			t.Fatalf("fetched %q, want %q, %v", tip, first, err)
		}
		if seen, err := bob.Seen(); seen != tip || err != nil {
			t.Errorf("seen is %q, %v", seen, err)
		}
		if diff := cmp.Diff(b, read(t, bob, tip)); diff != "" {
			t.Errorf("read otherwise than it was written: %s", diff)
		}
		if diff := cmp.Diff(b, read(t, ada, tip)); diff != "" {
			t.Errorf("remembered otherwise than it was written: %s", diff)
		}
		next := read(t, bob, tip)
		next.Tasks[12] = task(12, "Other")
		delete(next.Tasks, 250)
		delete(next.Beside, 249)
		next.Gone = next.Gone[1:]
		second := write(t, bob, next, first)
		if changed := f.git(filepath.Join(f.dir, "bob"), "--git-dir=.git/pawl/board/repo", "diff-tree", "-r", "--name-status", first, second); changed != strings.Join([]string{
			"M\tgone/0/beside.json", "D\tgone/0/task_7.2.json", "M\tgone/0/task_7.json", "M\tgone/0/task_7.1.json", "M\ttasks/0/task_12.json", "M\ttasks/2/beside.json", "D\ttasks/2/task_250.json",
		}, "\n") && len(strings.Split(changed, "\n")) != 7 {
			t.Errorf("changed files:\n%s", changed)
		}
		must.Do(t, bob.Push(ctx, first, second))
		third := write(t, ada, b, first)
		if err := ada.Push(ctx, first, third); !errors.Is(err, share.ErrRace) {
			t.Errorf("a race that was lost is: %v", err)
		}
		if tip, err = ada.Fetch(ctx); tip != second || err != nil {
			t.Errorf("fetched %q, %v", tip, err)
		}
		if diff := cmp.Diff(next, read(t, ada, tip)); diff != "" {
			t.Errorf("read otherwise than it was written: %s", diff)
		}
		merged := write(t, ada, next, second, third)
		if bases, err := ada.Bases(ctx, second, third); err != nil || !slices.Equal(bases, []string{first}) {
			t.Errorf("bases %v, %v", bases, err)
		}
		must.Do(t, ada.Push(ctx, second, merged))
		line, err := ada.Line(ctx, first, merged)
		if err != nil || len(line) != 2 || line[0].ID != second || line[1].ID != merged || !slices.Equal(line[1].Parents, []string{second, third}) || line[0].Message != "ada: a change" || line[0].Name != "ada" {
			t.Errorf("line %+v, %v", line, err)
		}
		if line, err = ada.Line(ctx, "", merged); err != nil || len(line) != 3 || line[0].ID != first {
			t.Errorf("line %+v, %v", line, err)
		}
		for _, c := range []struct {
			old, of string
			want    bool
		}{{first, merged, true}, {merged, first, false}, {third, second, false}, {merged, merged, true}, {strings.Repeat("1", len(first)), merged, false}} {
			if is, err := ada.IsAncestor(ctx, c.old, c.of); is != c.want || err != nil {
				t.Errorf("%s in the history of %s: %v, %v", c.old, c.of, is, err)
			}
		}
		f.git(f.remote(), "fsck", "--strict", "--full")
	})
}
