//go:build unix

package git_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "write the screens of docs/git.md again")

const page = "../../../docs/git.md"

// A comment before a block of the page says where its commands run. A second block
// with the same name goes on where the first one ended.
//
//	<!-- played in driver -->
//	```
//	$ pawl            in ada's clone
//	bob$ pawl         in bob's
var block = regexp.MustCompile("(?m)^<!-- played in (\\w+) -->\n```\n((?:.*\n)*?)```$")

// places are where the commands of the page run.
var places = map[string]func(w *world) (ada, bob *clone){
	"setup": func(w *world) (ada, bob *clone) {
		w.driver = false
		return w.shop()
	},
	"driver": func(w *world) (ada, bob *clone) {
		ada, bob = w.shop()
		bob.pawl("add", "Retry hooks")
		bob.pawl("note", "1", "Amounts are cents")
		bob.save("Plan hooks")
		ada.pawl("add", "Price tests", "--blocked-by", "1")
		ada.save("Plan tests")
		return ada, bob
	},
	"stop": func(w *world) (ada, bob *clone) {
		w.driver = false
		ada, bob = w.shop()
		bob.pawl("add", "Retry hooks")
		bob.pawl("note", "3", "The key of the sandbox, too")
		bob.pawl("claim", "2")
		bob.write("src/cart.ts", "export const cents = 2\n")
		bob.save("Plan hooks")
		ada.pawl("add", "Price tests", "--blocked-by", "1")
		ada.pawl("rm", "3")
		ada.pawl("claim", "2")
		ada.write("src/cart.ts", "export const cents = 3\n")
		ada.save("Plan tests")
		return ada, bob
	},
	"shared": func(w *world) (ada, bob *clone) {
		_, ada, bob = w.sharedShop()
		return ada, bob
	},
	"online": func(w *world) (ada, bob *clone) {
		ada, bob, broken := w.offline()
		ada.pawl("claim", "1", "--offline")
		bob.pawl("claim", "1")
		bob.pawl("done", "1")
		ada.pawl("done", "1", "--offline")
		bob.sync()
		broken(fault{})
		return ada, bob
	},
	"changeover": func(w *world) (ada, bob *clone) {
		_, ada, bob = w.sharedShop()
		ada.pawl("init", "--shared")
		ada.save("Plan")
		ada.git("push", "-q")
		return ada, bob
	},
	"check": func(w *world) (ada, bob *clone) {
		ada, bob = w.shop()
		bob.pawl("add", "Retry hooks")
		bob.save("Plan hooks")
		ada.pawl("add", "Price tests")
		ada.save("Plan tests")
		ada.git("pull", "-q", "--no-edit", "--no-rebase", bob.root, "main")
		return ada, bob
	},
}

// sharedShop is that project with a plan that only ada has yet, a bare repository as
// remote, and bob's clone of it.
func (w *world) sharedShop() (t *team, ada, bob *clone) {
	w.Helper()
	t = w.project("ada", "bob")
	ada, bob = t.clones[0], t.clones[1]
	ada.add("Prices", "Cart", "Rotate the key")
	return t, ada, bob
}

// offline is that project with a shared board, and ada cannot reach the remote.
func (w *world) offline() (ada, bob *clone, broken func(fault)) {
	w.Helper()
	t, ada, bob := w.sharedShop()
	ada.pawl("share", "--yes")
	bob.pawl("share", "--yes")
	broken = ada.wire(t.remote)
	broken(fault{Denied: "ssh: Could not resolve hostname example.org: Temporary failure in name resolution"})
	return ada, bob, broken
}

// shop is a project with a plan, and two clones of it.
func (w *world) shop() (ada, bob *clone) {
	w.Helper()
	ada = w.at("ada", filepath.Join(w.dir, "ada", "shop"))
	must.Do(w.TB, os.MkdirAll(ada.root, 0o755))
	ada.git("init", "-q")
	ada.write("src/cart.ts", "export const cents = 1\n")
	ada.begin("Prices", "Cart", "Rotate the key")
	bob = ada.at("bob", filepath.Join(w.dir, "bob", "shop"))
	ada.git("clone", "-q", "file://"+ada.root, bob.root)
	bob.setUp()
	ada.git("remote", "add", "-f", "bob", "file://"+bob.root)
	ada.git("branch", "-q", "--set-upstream-to=bob/main")
	ada.git("config", "pull.rebase", "false")
	ada.with("PATH=" + program + ":" + os.Getenv("PATH"))
	return ada, bob
}

// TestPage plays the screens of docs/git.md.
func TestPage(t *testing.T) {
	long.Only(t)
	text, err := os.ReadFile(page)
	must.Do(t, err)
	worlds := map[string][2]*clone{}
	played := 0
	again := block.ReplaceAllStringFunc(string(text), func(whole string) string {
		m := block.FindStringSubmatch(whole)
		name, screen := m[1], m[2]
		if places[name] == nil {
			t.Fatalf("the page plays in %s, which it does not make", name)
		}
		if _, open := worlds[name]; !open {
			ada, bob := places[name](newWorld(t, nets{true, true}))
			worlds[name] = [2]*clone{ada, bob}
		}
		played++
		return strings.Replace(whole, "```\n"+screen, "```\n"+play(worlds[name], screen), 1)
	})
	if played == 0 {
		t.Fatal("the page has no screens")
	}
	if *update {
		must.Do(t, os.WriteFile(page, []byte(again), 0o644))
		return
	}
	if diff := cmp.Diff(string(text), again); diff != "" {
		t.Errorf("the page shows something else (-page +played):\n%s\ngo -C proof test ./e2e/git -run Page -update", diff)
	}
}

// play runs the commands of a screen, and returns it with what they print. An empty
// line before a command stays.
func play(clones [2]*clone, screen string) string {
	var b strings.Builder
	gap := ""
	for line := range strings.Lines(screen) {
		c, command, found := clones[0], "", false
		if command, found = strings.CutPrefix(line, "$ "); !found {
			c = clones[1]
			command, found = strings.CutPrefix(line, "bob$ ")
		}
		if found {
			out, _ := c.run("sh", "-c", strings.TrimSuffix(command, "\n"))
			b.WriteString(gap + line + c.plainPaths(out))
		}
		gap = ""
		if line == "\n" {
			gap = line
		}
	}
	return b.String()
}

var (
	claimNumber = regexp.MustCompile(`\bclaim \d{10,}`)
	sessions    = regexp.MustCompile(`token \d+, session \S+?\b-\d+`)
	times       = regexp.MustCompile(`20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\d(Z| UTC)`)
	waited      = regexp.MustCompile(`\b\d+ s ago\b`)
)

// hash is a name of a commit, which is another one each time.
var hash = regexp.MustCompile(`\b[0-9a-f]{40}\b`)

// plainPaths takes out of a text what is another one each time.
func (c *clone) plainPaths(text string) string {
	text = strings.ReplaceAll(text, filepath.Join(c.dir, "remote.git"), "git.example.org/shop.git")
	if host, err := os.Hostname(); err == nil {
		text = regexp.MustCompile(`\b`+regexp.QuoteMeta(strings.ToLower(strings.SplitN(host, ".", 2)[0]))+`(-[0-9a-f]{8})?\b`).ReplaceAllString(text, "mac-mini")
	}
	text = sessions.ReplaceAllString(text, "token …, session …")
	text = claimNumber.ReplaceAllString(text, "claim …")
	text = times.ReplaceAllString(text, "2026-…")
	text = waited.ReplaceAllString(text, "just now")
	text = hash.ReplaceAllString(strings.ReplaceAll(text, program+"/pawl", "pawl"), "…")
	text = strings.ReplaceAll(text, filepath.Join(c.dir, "ada"), "/home/ada")
	return strings.ReplaceAll(text, filepath.Join(c.dir, "bob"), "/home/bob")
}
