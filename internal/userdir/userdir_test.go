package userdir

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

func env(pairs ...string) func(string) string {
	return func(key string) string {
		for _, pair := range pairs {
			if name, value, _ := strings.Cut(pair, "="); name == key {
				return value
			}
		}
		return ""
	}
}

func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "the paths of this table are those of Unix")
	}
	for _, test := range []struct {
		system        string
		env           []string
		config, state string
	}{
		{"linux", []string{"HOME=/h"}, "/h/.config/pawl", "/h/.local/state/pawl"},
		{"linux", []string{"HOME=/h", "XDG_CONFIG_HOME=/c", "XDG_STATE_HOME=/s"}, "/c/pawl", "/s/pawl"},
		{"linux", []string{"XDG_STATE_HOME=/s"}, "not_found", "/s/pawl"},
		{"linux", []string{"HOME=/h", "XDG_CONFIG_HOME=c", "XDG_STATE_HOME=../s"}, "invalid", "invalid"},
		{"linux", []string{"HOME=h"}, "invalid", "invalid"},
		{"linux", nil, "not_found", "not_found"},
		{"freebsd", []string{"HOME=/h"}, "/h/.config/pawl", "/h/.local/state/pawl"},
		{"darwin", []string{"HOME=/h"}, "/h/Library/Application Support/pawl", "/h/Library/Application Support/pawl/state"},
		{"darwin", []string{"HOME=/h", "XDG_CONFIG_HOME=/c"}, "/c/pawl", "/h/Library/Application Support/pawl/state"},
		{"windows", []string{"HOME=/h", "AppData=/a", "LocalAppData=/l"}, "/a/pawl", "/l/pawl"},
		{"windows", []string{"HOME=/h"}, "not_found", "not_found"},
	} {
		for _, folder := range []struct {
			place place
			want  string
		}{{config, test.config}, {state, test.state}} {
			got, err := folder.place.find(env(test.env...), test.system)
			if err != nil {
				got = pawl.KindOf(err).Error()
				if e := err.(*pawl.Error); e.Hint.Text == "" {
					t.Errorf("%s %v: %v has no hint", test.system, test.env, err)
				}
			}
			if got != folder.want {
				t.Errorf("%s %v: got %s, want %s", test.system, test.env, got, folder.want)
			}
		}
	}
}

func TestMake(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	must.Do(t, Make(dir))
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is there for others too: %v, %v", info.Mode(), err)
	}
	file := filepath.Join(dir, "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	if err := Make(filepath.Join(file, "c")); !errors.Is(err, pawl.Unavailable) {
		t.Errorf("a folder in a file: %v", err)
	}
}

func TestEscape(t *testing.T) {
	for id, want := range map[string]string{
		"0f0d7052-ab_1":    "0f0d7052-ab_1",
		"0f0d7052-AB":      "0f0d7052-%41%42",
		"terminal-1.2.0a4": "terminal-1.2.0a4",
		"":                 "%",
		".":                "%2e",
		"..":               "%2e%2e",
		"../../etc":        "%2e.%2f..%2fetc",
		"a/b\\c":           "a%2fb%5cc",
		"a.":               "a%2e",
		"nul":              "%6eul",
		"com1.txt":         "%63om1.txt",
		"console":          "console",
		"a b%c:d":          "a%20b%25c%3ad",
		"é":                "%c3%a9",
		"x\x00y":           "x%00y",
	} {
		if got := Escape(id); got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
	long := strings.Repeat("a", 200)
	if a, b := Escape(long), Escape(long+"b"); a == b || len(a) > longest {
		t.Errorf("long ids: %q and %q", a, b)
	}
}

// An id of any kind becomes one element of a path that every system takes, and
// no two ids the same, however a file system folds case.
func FuzzEscape(f *testing.F) {
	f.Add("abc", "ABC")
	f.Add("..", "../..")
	f.Add(strings.Repeat("é", 100), "CON")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := Escape(a), Escape(b)
		if x == "" || len(x) > longest || strings.ContainsAny(x, "/\\:\x00 ") || !filepath.IsLocal(x) || !utf8.ValidString(x) {
			t.Errorf("%q becomes %q", a, x)
		}
		if a != b && strings.EqualFold(x, y) {
			t.Errorf("%q and %q become %q and %q", a, b, x, y)
		}
	})
}
