package caller

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// place is a home and a clone in it.
type gitPlace struct {
	t          *testing.T
	home, repo string
	env        map[string]string
}

func newGitPlace(t *testing.T) *gitPlace {
	home := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	p := &gitPlace{t, home, filepath.Join(home, "work", "shop"), map[string]string{"HOME": home}}
	p.write("work/shop/.git/HEAD", "ref: refs/heads/main\n")
	p.write("work/shop/.git/config", "[core]\n\trepositoryformatversion = 0\n")
	for _, dir := range []string{"objects", "refs"} {
		must.Do(t, os.MkdirAll(filepath.Join(p.repo, ".git", dir), 0o755))
	}
	return p
}

func (p *gitPlace) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *gitPlace) find() string {
	return GitName(func(key string) string { return p.env[key] }, p.repo)
}

// gits is what git itself says.
func (p *gitPlace) gits() string {
	cmd := exec.Command("git", "config", "user.name")
	cmd.Dir = p.repo
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	for key, value := range p.env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	out, _ := cmd.Output() // an error: none is set
	return strings.TrimSpace(string(out))
}

// TestFind compares what is found with what git says.
func TestGitName(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		env   map[string]string
		want  string
	}{
		{name: "none"},
		{"global", map[string]string{".gitconfig": "[user]\n\tname = Ada Lovelace\n"}, nil, "Ada Lovelace"},
		{"XDG", map[string]string{".config/git/config": "[user] name=Ada"}, nil, "Ada"},
		{"home over XDG", map[string]string{".config/git/config": "[user]\nname=X\n", ".gitconfig": "[user]\nname=Ada\n"}, nil, "Ada"},
		{"another XDG", map[string]string{"x/git/config": "[user]\nname=Ada\n"}, map[string]string{"XDG_CONFIG_HOME": "HOME/x"}, "Ada"},
		{"named", map[string]string{".gitconfig": "[user]\nname=X\n", "other": "[user]\nname=Ada\n"}, map[string]string{"GIT_CONFIG_GLOBAL": "HOME/other"}, "Ada"},
		{"the clone's", map[string]string{".gitconfig": "[user]\nname=X\n", "work/shop/.git/config": "[USER]\n\tName = \"Ada  L\" # here\n"}, nil, "Ada  L"},
		{"another section", map[string]string{".gitconfig": "[user \"x\"]\nname=X\n[users]\nname=Y\n[author]\nname=Z\n"}, nil, ""},
		{"the last one", map[string]string{".gitconfig": "[user]\nname=X\nname = Ada\n"}, nil, "Ada"},
		{"escapes", map[string]string{".gitconfig": "[user]\nname = Ada \\\"L\\\" \\\\ \\\nlong  ; x\n"}, nil, "Ada \"L\" \\ long"},
		{"an include", map[string]string{".gitconfig": "[user]\nname=X\n[include]\npath = more/me\n", "more/me": "[user]\nname=Ada\n"}, nil, "Ada"},
		{"an include in the home", map[string]string{"work/shop/.git/config": "[include]\npath = ~/me\n", "me": "[user]\nname=Ada\n"}, nil, "Ada"},
		{"what follows an include", map[string]string{".gitconfig": "[include]\npath = me\n[user]\nname=Ada\n", "me": "[user]\nname=X\n"}, nil, "Ada"},
		{"a missing include", map[string]string{".gitconfig": "[user]\nname=Ada\n[include]\npath = none\n"}, nil, "Ada"},
		{"a condition", map[string]string{".gitconfig": "[user]\nname=X\n[includeIf \"gitdir:~/work/\"]\npath = me\n", "me": "[user]\nname=Ada\n"}, nil, "Ada"},
		{"a condition for others", map[string]string{".gitconfig": "[user]\nname=Ada\n[includeIf \"gitdir:~/home/\"]\npath = me\n", "me": "[user]\nname=X\n"}, nil, "Ada"},
		{"a condition on a name", map[string]string{".gitconfig": "[user]\nname=X\n[includeIf \"gitdir:work/\"]\npath = me\n", "me": "[user]\nname=Ada\n"}, nil, "Ada"},
		{"the environment", map[string]string{".gitconfig": "[user]\nname=X\n"}, map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Ada"}, "Ada"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newGitPlace(t)
			for name, text := range c.files {
				p.write(name, text)
			}
			for key, value := range c.env {
				p.env[key] = strings.ReplaceAll(value, "HOME", p.home)
			}
			if got := p.find(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if _, err := exec.LookPath("git"); err != nil {
				mustrun.NotHere(t, "git is not installed, and is only a second opinion")
			}
			if got := p.gits(); got != c.want {
				t.Errorf("git says %q, and this test %q", got, c.want)
			}
		})
	}
}

// TestOdd gives it what nobody should have written. It ends, and finds nothing.
func TestOddGitName(t *testing.T) {
	for name, text := range map[string]string{
		"an open quote":    "[user]\nname = \"Ada\n",
		"an open section":  "[user\nname = Ada\n",
		"an odd escape":    "[user]\nname = A\\da\n",
		"control":          "[user]\nname = A\x1b[31mda\n",
		"not UTF-8":        "[user]\nname = A\xffda\n",
		"too long a name":  "[user]\nname = " + strings.Repeat("a", 201) + "\n",
		"too long a file":  "[user]\nname = Ada\n" + strings.Repeat("# more\n", 50_000),
		"blank":            "[user]\nname = \"  \"\n",
		"itself, for ever": "[include]\npath = .gitconfig\n",
		"no key":           "[user]\n= x\n",
		"a backslash":      "[user]\nname = \\",
	} {
		p := newGitPlace(t)
		p.write(".gitconfig", text)
		if got := p.find(); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	p := newGitPlace(t)
	for _, odd := range []string{os.DevNull, p.home, filepath.Join(p.home, "none")} {
		p.env["GIT_CONFIG_GLOBAL"] = odd
		if got := p.find(); got != "" {
			t.Errorf("%s: %q", odd, got)
		}
	}
	if got := GitName(func(string) string { return "" }, ""); got != "" {
		t.Errorf("nowhere: %q", got)
	}
}

func FuzzParseGit(f *testing.F) {
	f.Add("[user \"x\"]\n\tname = \"a b\" # c\n[include]path=~/x\\\n y")
	f.Fuzz(func(t *testing.T, text string) {
		parseGit(text, func(section, sub, key, value string) {
			if len(value) > len(text) {
				t.Errorf("%q became longer", value)
			}
		})
	})
}
