package git

import (
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

func TestStanding(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	c.write(".gitignore", "*.log\n")
	c.commit("Ignore")
	ctx, tree := t.Context(), c.tree()
	last := ""
	step := func(what string, other bool, dirty ...string) Standing {
		t.Helper()
		before := c.inside()
		s, err := tree.Standing(ctx, []string{c.board()})
		if err != nil {
			t.Fatal(what, err)
		}
		if again, err := tree.Standing(ctx, []string{".tasks"}); err != nil || again.Sum != s.Sum {
			t.Error(what, "again:", err)
		}
		if (s.Sum != last) != other || !slices.Equal(s.Dirty, dirty) {
			t.Errorf("%s: %+v", what, s)
		}
		if c.inside() != before {
			t.Errorf("%s: git's folder changed", what)
		}
		last = s.Sum
		return s
	}
	if s := step("clean", true); s.Branch != "refs/heads/main" || s.Head != c.git("rev-parse", "HEAD") || s.Under != "" {
		t.Errorf("%+v", s)
	}
	c.task(1, "Changed")
	c.task(2, "New")
	c.write("x.log", "x")
	step("the board, and what is ignored", false)
	c.write("readme", "edit\n")
	step("an edit", true, "readme")
	c.write("readme", "edi2\n")
	step("another one", true, "readme")
	c.git("add", "readme")
	step("staged", true, "readme")
	c.write("a b", "x")
	step("a new file", true, "readme", "a b")
	c.git("add", "-A")
	c.git("commit", "-qm", "All")
	step("all committed", true)
	c.git("checkout", "-q", "--detach")
	if s := step("detached", false); s.Branch != "" {
		t.Errorf("%+v", s)
	}
	c.git("checkout", "-q", "main")
	c.git("checkout", "-q", "-f", "-B", "main", "HEAD~1")
	_, theirs := c.part()
	c.fails("rebase", theirs)
	if s := step("a rebase", false); s.Under != "rebase" {
		t.Errorf("%+v", s)
	}
}

func TestShared(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	ctx, tree := t.Context(), c.tree()
	c.git("config", "include.path", "../more")
	c.write("more", "[alias]\n\tx = y\n")
	before := must.Get(tree.Shared(ctx))(t)
	_, linked := c.add("w", "refs/heads/w")
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { c.git("branch", "-q", "--set-upstream-to=main", "w"); c.write("readme", "x"); c.commit("x") }, ""},
		{func() { c.git("config", "core.fsmonitor", "x") }, "config core.fsmonitor"},
		{func() { c.git("config", "core.fsmonitor", "y") }, "config core.fsmonitor"},
		{func() { c.write("more", "[alias]\n\tx = z\n") }, "config alias.x"},
		{func() { c.write(".git/hooks/pre-commit", "#!/bin/sh\n") }, "hooks/pre-commit"},
		{func() { c.mode(".git/hooks/pre-commit", 0o755) }, "hooks/pre-commit"},
		{func() { c.write(".git/hooks/pre-commit", "#!/bin/sh\nx\n") }, "hooks/pre-commit"},
		{func() { c.write(".git/info/attributes", "* merge=x\n") }, "info/attributes"},
		{func() { c.git("config", "extensions.worktreeConfig", "true") }, "config extensions.worktreeconfig"},
		{func() { c.git("config", "--worktree", "core.editor", "x") }, "config core.editor"},
		{func() { c.remove(".git/hooks") }, "hooks/pre-commit"},
	} {
		step.do()
		after := must.Get(tree.Shared(ctx))(t)
		if got := strings.Join(differ(before, after), " "); got != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
		before = after
	}
	if _, err := linked.Shared(ctx); err != nil {
		t.Error(err)
	}
}

func TestDiffs(t *testing.T) {
	t.Parallel()
	c := newClone(t)
	ctx, tree := t.Context(), c.tree()
	a := c.git("rev-parse", "HEAD")
	c.write("a\nb", "1\n2\n")
	c.write("bin", "\x00\x01")
	c.write("readme", "")
	c.commit("One")
	c.write("c", strings.Repeat("line\n", 1000))
	b := c.commit("Two é")
	if names, err := tree.Changed(ctx, a, b); err != nil || !slices.Equal(names, []string{"a\nb", "bin", "c", "readme"}) {
		t.Errorf("%q %v", names, err)
	}
	if f, plus, minus, err := tree.DiffStat(ctx, a, b); f != 4 || plus != 1002 || minus != 1 || err != nil {
		t.Error(f, plus, minus, err)
	}
	all, err := tree.Diff(ctx, a, b, 1<<20)
	if err != nil || !strings.Contains(all, "+line\n") || strings.Contains(all, "[the diff") {
		t.Error(all, err)
	}
	cut, err := tree.Diff(ctx, a, b, 1000)
	text, last, _ := strings.Cut(cut, "[the diff is longer")
	if err != nil || !strings.HasPrefix(all, text) || len(text) > 1000 || len(text) < 900 || !strings.Contains(last, "git diff "+a[:12]) {
		t.Error(cut, err)
	}
	if same, err := tree.Diff(ctx, a, a, 0); same != "" || err != nil {
		t.Error(same, err)
	}
	log, err := tree.Log(ctx, a, b, 10)
	if err != nil || len(log) != 2 || log[0].Subject != "One" || log[1] != (Logged{b, "Two é"}) {
		t.Errorf("%+v %v", log, err)
	}
	if log, err = tree.Log(ctx, a, b, 1); err != nil || len(log) != 1 || log[0].ID != b {
		t.Errorf("%+v %v", log, err)
	}
}

// differ returns the names of what two answers of Shared do not have in common, sorted.
func differ(a, b map[string]string) []string {
	var names []string
	for name, sum := range a {
		if b[name] != sum {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
