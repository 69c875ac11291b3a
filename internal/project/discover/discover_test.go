package discover

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// layout makes folders (names that end in a slash) and files under a new
// folder, whose path replaces ROOT in the texts.
func layout(t *testing.T, files map[string]string) string {
	t.Helper()
	root := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	for name, text := range files {
		path := filepath.Join(root, name)
		if name[len(name)-1] == '/' {
			must.Do(t, os.MkdirAll(path, 0o755))
			continue
		}
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		text = strings.ReplaceAll(text, "ROOT", root)
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return root
}

func TestBoard(t *testing.T) {
	linked := map[string]string{
		"main/.git/HEAD":                         "ref: refs/heads/main\n",
		"main/.git/worktrees/side/commondir":     "../..\n",
		"main/.git/worktrees/side/gitdir":        "ROOT/side/.git\n",
		"side/.git":                              "gitdir: ROOT/main/.git/worktrees/side\n",
		"side/sub/":                              "",
		"side/.tasks/":                           "",
		"main/sub/":                              "",
		"elsewhere/.git":                         "gitdir: ROOT/elsewhere/fake/worktrees/x\n",
		"elsewhere/fake/worktrees/x/commondir":   "ROOT/main/.git\n",
		"elsewhere/fake/worktrees/x/gitdir":      "ROOT/elsewhere/.git\n",
		"copycat/.git":                           "gitdir: ROOT/main/.git/worktrees/side\n",
		"submodule/.git":                         "gitdir: ../main/.git/modules/submodule\n",
		"main/.git/modules/submodule/HEAD":       "ref: refs/heads/main\n",
		"bare.git/HEAD":                          "ref: refs/heads/main\n",
		"bare.git/worktrees/b/commondir":         "../..\n",
		"bare.git/worktrees/b/gitdir":            "../../../b/.git\n",
		"b/.git":                                 "gitdir: ../bare.git/worktrees/b\n",
		"relative/.git":                          "gitdir: ../main/.git/worktrees/relative\n",
		"main/.git/worktrees/relative/gitdir":    "../../../../relative/.git\n",
		"main/.git/worktrees/relative/commondir": "../..\n",
	}
	const isBare = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	bare := map[string]string{
		"p/.git":                           "gitdir: ./.bare\n",
		"p/.bare/HEAD":                     "ref: refs/heads/main\n",
		"p/.bare/config":                   isBare,
		"p/.bare/worktrees/a/HEAD":         "ref: refs/heads/a\n",
		"p/.bare/worktrees/a/commondir":    "../..\n",
		"p/.bare/worktrees/a/gitdir":       "ROOT/p/a/.git\n",
		"p/a/.git":                         "gitdir: ROOT/p/.bare/worktrees/a\n",
		"p/.bare/worktrees/m/HEAD":         "ref: refs/heads/main\n",
		"p/.bare/worktrees/m/commondir":    "../..\n",
		"p/.bare/worktrees/m/gitdir":       "../../../m/.git\n",
		"p/m/.git":                         "gitdir: ../.bare/worktrees/m\n",
		"p/.bare/worktrees/z/HEAD":         "ref: refs/heads/z\n",
		"p/.bare/worktrees/z/commondir":    "../..\n",
		"p/.bare/worktrees/z/gitdir":       "ROOT/elsewhere/z/.git\n",
		"elsewhere/z/.git":                 "gitdir: ROOT/p/.bare/worktrees/z\n",
		"elsewhere/z/sub/":                 "",
		"p/.bare/worktrees/0/commondir":    "../..\n",
		"p/.bare/worktrees/0/HEAD":         "ref: refs/heads/main\n",
		"p/.bare/worktrees/0/gitdir":       "ROOT/other/.git\n", // which names another clone
		"other/.git/HEAD":                  "ref: refs/heads/main\n",
		"other/.tasks/":                    "",
		"p/.bare/worktrees/gone/commondir": "../..\n",
		"p/.bare/worktrees/gone/gitdir":    "ROOT/gone/.git\n",
		"archive/.git":                     "gitdir: ../p/.bare\n",
	}
	inBare := func(more ...string) map[string]string {
		all := maps.Clone(bare)
		for _, name := range more {
			all[name] = ""
		}
		return all
	}
	with := func(more ...string) map[string]string {
		all := maps.Clone(linked)
		for _, name := range more {
			all[name] = ""
		}
		return all
	}
	for _, test := range []struct {
		name    string
		files   map[string]string
		dir     string
		address string
		want    Place
	}{
		{"nothing", map[string]string{"a/": ""}, "a", "", Place{Dir: "a/.tasks"}},
		{"here", map[string]string{"a/.tasks/": ""}, "a", "", Place{Dir: "a/.tasks", Exists: true}},
		{"further up without git", map[string]string{"a/.tasks/": "", "a/b/c/": ""}, "a/b/c", "", Place{Dir: "a/.tasks", Exists: true}},
		{"git root, none yet", map[string]string{"a/.git/HEAD": "", "a/b/c/": ""}, "a/b/c", "", Place{Dir: "a/.tasks", Git: true}},
		{"git root", map[string]string{"a/.git/HEAD": "", "a/.tasks/": "", "a/b/c/": ""}, "a/b/c", "", Place{Dir: "a/.tasks", Exists: true, Git: true}},
		{"nearest below the git root", map[string]string{"a/.git/HEAD": "", "a/.tasks/": "", "a/b/.tasks/": "", "a/b/c/": ""}, "a/b/c", "", Place{Dir: "a/b/.tasks", Exists: true, Git: true}},
		{"never beyond the git root", map[string]string{".tasks/": "", "a/.git/HEAD": "", "a/b/": ""}, "a/b", "", Place{Dir: "a/.tasks", Git: true}},
		{"a .git folder that is none", map[string]string{"a/.tasks/": "", "a/b/.git/": ""}, "a/b", "", Place{Dir: "a/.tasks", Exists: true}},
		{"linked, board only there", with(), "side/sub", "", Place{Dir: "side/.tasks", Exists: true, Git: true}},
		{"linked, main has one", with("main/.tasks/"), "side/sub", "", Place{Dir: "main/.tasks", Work: "side", Exists: true, Git: true}},
		{"linked, main has one in that subfolder", with("main/sub/.tasks/"), "side/sub", "", Place{Dir: "main/sub/.tasks", Work: "side/sub", Exists: true, Git: true}},
		{"linked by relative paths", with("main/.tasks/", "relative/"), "relative", "", Place{Dir: "main/.tasks", Work: "relative", Exists: true, Git: true}},
		{"linked to a bare clone", with("bare.git/.tasks/", ".tasks/"), "b", "", Place{Dir: "b/.tasks", Git: true}},
		{"bare, no board yet", inBare(), "elsewhere/z/sub", "", Place{Dir: "elsewhere/z/.tasks", Git: true}},
		{"bare, on the branch of HEAD", inBare("p/a/.tasks/", "p/m/.tasks/", "elsewhere/z/.tasks/"), "elsewhere/z/sub", "", Place{Dir: "p/m/.tasks", Work: "elsewhere/z", Exists: true, Git: true}},
		{"bare, in the tree of another branch", inBare("p/a/.tasks/", "elsewhere/z/.tasks/"), "elsewhere/z", "", Place{Dir: "p/a/.tasks", Work: "elsewhere/z", Exists: true, Git: true}},
		{"bare, on the branch of HEAD itself", inBare("elsewhere/z/.tasks/"), "p/m", "", Place{Dir: "elsewhere/z/.tasks", Work: "p/m", Exists: true, Git: true}},
		{"bare, beside it", inBare("p/.tasks/", "p/m/.tasks/"), "p/a", "", Place{Dir: "p/.tasks", Work: "p/a", Exists: true, Git: true}},
		{"bare, from beside it", inBare("p/m/.tasks/"), "p", "", Place{Dir: "p/m/.tasks", Work: "p", Exists: true, Git: true}},
		{"bare, in a subfolder", inBare("p/m/.tasks/", "p/m/sub/.tasks/"), "elsewhere/z/sub", "", Place{Dir: "p/m/sub/.tasks", Work: "elsewhere/z/sub", Exists: true, Git: true}},
		{"a .git file that names a bare repository elsewhere", inBare("p/m/.tasks/"), "archive", "", Place{Dir: "archive/.tasks", Git: true}},
		{"a .git file that is not pointed back at", with("main/.tasks/"), "elsewhere", "", Place{Dir: "elsewhere/.tasks", Git: true}},
		{"a .git file copied from another work tree", with("main/.tasks/"), "copycat", "", Place{Dir: "copycat/.tasks", Git: true}},
		{"submodule", with("main/.tasks/"), "submodule", "", Place{Dir: "submodule/.tasks", Git: true}},
		{"address", map[string]string{"a/": "", "boards/x/": ""}, "a", "../boards/x", Place{Dir: "boards/x", Exists: true}},
		{"address of a project", map[string]string{"a/": "", "p/.tasks/": ""}, "a", "../p", Place{Dir: "p/.tasks", Exists: true}},
		{"address of a project without a board", map[string]string{"a/": "", "p/go.mod": ""}, "a", "../p", Place{Dir: "p/.tasks"}},
		{"address of an empty folder", map[string]string{"a/": "", "p/": ""}, "a", "../p", Place{Dir: "p", Exists: true}},
		{"address of a board beside other files", map[string]string{"a/": "", "p/notes": "", "p/task_1.json": ""}, "a", "../p", Place{Dir: "p", Exists: true}},
		{"address of nothing", map[string]string{"a/": ""}, "a", "../p", Place{Dir: "p"}},
		{"board that is a file", map[string]string{"a/.tasks": "x"}, "a", "", Place{Dir: "a/.tasks", Exists: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := layout(t, test.files)
			got := must.Get(Board(filepath.Join(root, test.dir), test.address))(t)
			if test.address == "" && test.want.Work == "" {
				test.want.Work = filepath.Dir(test.want.Dir)
			}
			if test.want.Work != "" {
				test.want.Work = filepath.Join(root, test.want.Work)
			}
			test.want.Dir = filepath.Join(root, test.want.Dir)
			if got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestForeignAddress(t *testing.T) {
	if _, err := Board(t.TempDir(), "postgres://host/db"); err == nil {
		t.Error("an address that is no folder was taken for one")
	}
}

func TestForInit(t *testing.T) {
	root := layout(t, map[string]string{"a/.git/HEAD": "", "a/b/": "", "c/.tasks/": ""})
	for _, test := range []struct {
		dir, named string
		want       Place
	}{
		{"a/b", "", Place{Dir: "a/.tasks", Work: filepath.Join(root, "a"), Git: true}},
		{"a/b", ".", Place{Dir: "a/b/.tasks", Git: true}},
		{"a/b", "../../c", Place{Dir: "c/.tasks", Exists: true}},
		{"a/b", "../../c/.tasks", Place{Dir: "c/.tasks", Exists: true}},
	} {
		got, err := ForInit(filepath.Join(root, test.dir), test.named)
		test.want.Dir = filepath.Join(root, test.want.Dir)
		if err != nil || got != test.want {
			t.Errorf("init %q in %s: got %+v, %v, want %+v", test.named, test.dir, got, err, test.want)
		}
	}
}
