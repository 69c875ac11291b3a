//go:build unix

package meet_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// shop is a project with a plan, and two clones of it.
func (w *world) shop() (ada, bob *clone) {
	w.Helper()
	ada = w.at("ada", filepath.Join(w.dir, "ada", "shop"))
	must(w.TB, os.MkdirAll(ada.root, 0o755))
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
	text, err := os.ReadFile(page)
	must(t, err)
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
		must(t, os.WriteFile(page, []byte(again), 0o644))
		return
	}
	if diff := cmp.Diff(string(text), again); diff != "" {
		t.Errorf("the page shows something else (-page +played):\n%s\ngo test ./internal/dev/meet -run Page -update", diff)
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

// hash is a name of a commit, which is another one each time.
var hash = regexp.MustCompile(`\b[0-9a-f]{40}\b`)

func (c *clone) plainPaths(text string) string {
	text = hash.ReplaceAllString(strings.ReplaceAll(text, program+"/pawl", "pawl"), "…")
	text = strings.ReplaceAll(text, filepath.Join(c.dir, "ada"), "/home/ada")
	return strings.ReplaceAll(text, filepath.Join(c.dir, "bob"), "/home/bob")
}
