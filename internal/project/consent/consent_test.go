package consent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// layout makes folders, with a slash at the end of their names, and files.
func layout(t *testing.T, names ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	for _, name := range names {
		path := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			must.Do(t, os.MkdirAll(path, 0o755))
			continue
		}
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte("ref: refs/heads/main\n"), 0o644))
	}
	return root
}

func newList(t *testing.T) *List {
	t.Helper()
	state := t.TempDir()
	list, err := Of(func(key string) string {
		return map[string]string{"XDG_STATE_HOME": state, "LOGNAME": "ada"}[key]
	})
	must.Do(t, err)
	return list
}

func (l *List) has(t *testing.T, p Place, g Given) bool {
	t.Helper()
	yes, err := l.Has(p, g.Kind, g.Thing)
	must.Do(t, err)
	return yes
}

func (l *List) add(t *testing.T, p Place, all ...Given) {
	t.Helper()
	_, err := l.Add(t.Context(), p, noon, all...)
	must.Do(t, err)
}

var test = Given{Check, "9c41", "go test ./..."}

// Consent is to one thing, of one kind, on one board, in one folder of one clone.
func TestHolds(t *testing.T) {
	root := layout(t, "work/.git/HEAD", "work/.tasks/", "work/node_modules/pkg/.tasks/", "work/sub/.git/HEAD", "work/sub/.tasks/", "other/.git/HEAD", "other/.tasks/", "plain/.tasks/", "plain/in/.tasks/", "both/.git/HEAD")
	at := func(project, board string) Place {
		return At(filepath.Join(root, project), filepath.Join(root, board))
	}
	list, here := newList(t), at("work", "work/.tasks")
	if list.has(t, here, test) {
		t.Error("agreed to before anybody was asked")
	}
	if entries, _ := os.ReadDir(list.Dir); len(entries) > 0 || here.ID() != "" {
		t.Error("a question has written something")
	}
	list.add(t, here, test)
	if !list.has(t, at("work", "work/.tasks"), test) {
		t.Error("not agreed to afterwards")
	}
	for name, is := range map[string]struct {
		Place
		Given
	}{
		"another thing":                     {here, Given{Check, "9c42", ""}},
		"another kind":                      {here, Given{Setup, "9c41", ""}},
		"a package's board":                 {at("work/node_modules/pkg", "work/node_modules/pkg/.tasks"), test},
		"a package's board, named from top": {at("work", "work/node_modules/pkg/.tasks"), test},
		"another folder":                    {at("work/node_modules", "work/.tasks"), test},
		"a repository inside":               {at("work/sub", "work/sub/.tasks"), test},
		"another clone":                     {at("other", "other/.tasks"), test},
		"this board, from another clone":    {at("other", "work/.tasks"), test},
		"that of another clone, named here": {at("work", "other/.tasks"), test},
		"a board at an address":             {At(filepath.Join(root, "work"), "https://host/boards/shop"), test},
		"outside of git":                    {at("plain", "plain/.tasks"), test},
		"outside of git, this clone's":      {at("plain", "work/.tasks"), test},
	} {
		if _, err := is.Mark(); err != nil {
			t.Fatal(err)
		}
		if list.has(t, is.Place, is.Given) {
			t.Errorf("%s is agreed to", name)
		}
	}
	list.add(t, at("plain", "plain/.tasks"), test)
	if list.has(t, at("plain/in", "plain/in/.tasks"), test) || list.has(t, at("plain", "plain/in/.tasks"), test) {
		t.Error("without git, a folder inside is agreed to")
	}
	if mustrun.UnderWine() { // which numbers folders without a count of their uses
		must.Do(t, os.Rename(filepath.Join(root, "plain", ".tasks"), filepath.Join(root, "plain", "before")))
	}
	must.Do(t, os.RemoveAll(filepath.Join(root, "plain", ".tasks")))
	must.Do(t, os.Mkdir(filepath.Join(root, "plain", ".tasks"), 0o755))
	if list.has(t, at("plain", "plain/.tasks"), test) {
		t.Error("without git, another board at its path is agreed to")
	}
	mustrun.Link(t, filepath.Join(root, "work", ".tasks"), filepath.Join(root, "both", ".tasks"))
	if list.has(t, at("both", "both/.tasks"), test) {
		t.Error("a link to a board brings what is agreed to there")
	}
}

// link makes side a linked work tree of a repository, in the order in which git does. For
// Wine a folder was made when a file came into it last, so none does after the .git file.
func link(t *testing.T, root, repository string) {
	t.Helper()
	at := repository + "/worktrees/side"
	for _, file := range [][2]string{{at + "/gitdir", root + "/side/.git"}, {at + "/commondir", ""}, {"side/.git", "gitdir: " + root + "/" + at}, {at + "/commondir", "../.."}} {
		must.Do(t, os.WriteFile(filepath.Join(root, file[0]), []byte(file[1]+"\n"), 0o644))
	}
}

// A linked work tree has the clone's consents, by each way to it.
func TestWorkTrees(t *testing.T) {
	root := layout(t, "work/.git/HEAD", "work/.tasks/", "side/.tasks/", "work/.git/worktrees/side/")
	link(t, root, "work/.git")
	list := newList(t)
	list.add(t, At(filepath.Join(root, "work"), filepath.Join(root, "work", ".tasks")), test)
	if !list.has(t, At(filepath.Join(root, "side"), filepath.Join(root, "side", ".tasks")), test) {
		t.Error("a linked work tree asks again")
	}
	mustrun.Link(t, filepath.Join(root, "work"), filepath.Join(root, "link"))
	if !list.has(t, At(filepath.Join(root, "link"), filepath.Join(root, "link", ".tasks")), test) {
		t.Error("another way to the clone asks again")
	}
}

// A linked work tree of a bare repository shows that its consents hold, and each linked one
// is a way to take them back.
func TestWorkTreesForPeople(t *testing.T) {
	root := layout(t, "repo.git/HEAD", "side/.tasks/", "repo.git/worktrees/side/")
	must.Do(t, os.WriteFile(filepath.Join(root, "repo.git", "config"), []byte("[core]\n\tbare = true\n"), 0o644))
	link(t, root, "repo.git")
	list, side := newList(t), filepath.Join(root, "side")
	list.add(t, At(side, filepath.Join(side, ".tasks")), test)
	all, err := list.All()
	must.Do(t, err)
	if len(all) != 1 || !all[0].Holds() || !Below(side, &all[0]) {
		t.Errorf("%+v: holds %v, found in its folder %v", all, all[0].Holds(), Below(side, &all[0]))
	}
	must.Do(t, os.RemoveAll(filepath.Join(root, "repo.git")))
	if all[0].Holds() {
		t.Error("its clone is gone, and it holds")
	}
}

// Where the secret cannot be written, nothing is agreed to, and the error says so.
func TestNoSecret(t *testing.T) {
	root := layout(t, "work/.git/HEAD", "work/.git/pawl", "work/.tasks/")
	list, p := newList(t), At(filepath.Join(root, "work"), filepath.Join(root, "work", ".tasks"))
	if _, err := list.Add(t.Context(), p, noon, test); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "nothing can be trusted") {
		t.Errorf("agreed to: %v", err)
	}
	// Not even what the file says of clones without one.
	must.Do(t, os.MkdirAll(list.Dir, 0o700))
	must.Do(t, os.WriteFile(list.Path(), []byte(`{"consents": [{"kind": "check", "clone": "", "board": ".tasks", "folder": ".", "thing": "9c41"}]}`), 0o600))
	if list.has(t, p, test) {
		t.Error("an entry without a clone counts")
	}
}

// Of boards that lead elsewhere, joins and shares a board has one.
func TestOne(t *testing.T) {
	root := layout(t, "work/.git/HEAD", "work/.tasks/")
	list, p := newList(t), At(filepath.Join(root, "work"), "")
	one, two := Given{Join, "https://host/boards/one", "one"}, Given{Join, "https://host/boards/two", "two"}
	for _, g := range []Given{one, two, two} {
		changed, err := list.Add(t.Context(), p, noon, g)
		must.Do(t, err)
		if was, err := list.In(p, Join); len(was) != 1 || err != nil || was[0].Thing != g.Thing || was[0].By != "ada" || !was[0].At.Equal(noon) || was[0].Where() != filepath.Join(root, "work") {
			t.Errorf("%v after %s, %v", was, g.Thing, err)
		}
		if all, err := list.All(); err != nil || len(all) != 1 {
			t.Errorf("%v, changed %v, %v", all, changed, err)
		}
	}
	list.add(t, p, test)
	gone, err := list.Here(t.Context(), p, Join)
	if err != nil || len(gone) != 1 || list.has(t, p, two) || !list.has(t, p, test) {
		t.Errorf("gone %v, %v", gone, err)
	}
	if gone, err := list.Forget(t.Context(), p.Of); err != nil || len(gone) != 1 || list.has(t, p, test) {
		t.Errorf("gone %v, %v", gone, err)
	}
}

// A list that is too long loses what clones had that are gone, then the oldest.
func TestBounded(t *testing.T) {
	root := layout(t, "work/.git/HEAD", "gone/.git/HEAD")
	list, here, there := newList(t), At(filepath.Join(root, "work"), ""), At(filepath.Join(root, "gone"), "")
	add := func(p Place, n int) {
		var all []Given
		for i := range n {
			all = append(all, Given{Check, fmt.Sprint(i), strings.Repeat("x", 1000)})
		}
		list.add(t, p, all...)
	}
	add(here, 100)
	add(there, 100)
	must.Do(t, os.RemoveAll(filepath.Join(root, "gone")))
	add(here, 150)
	all, err := list.All()
	must.Do(t, err)
	if len(all) != 250 {
		t.Errorf("%d after a clone is gone: it is kept as long as there is room", len(all))
	}
	add(here, 340)
	here340, err := list.In(here, Check)
	all, errAll := list.All()
	if err != nil || errAll != nil || len(here340) != 340 || len(all) == 440 {
		t.Fatalf("%d of %d, %v, %v: what is gone goes first", len(here340), len(all), err, errAll)
	}
	add(here, 2000)
	if all, err = list.All(); err != nil || all[len(all)-1].Thing != "1999" || all[0].Thing == "0" {
		t.Errorf("%d, %v", len(all), err)
	}
	if info, err := os.Stat(list.Path()); err != nil || info.Size() > maxList+100 || info.Size() < maxList/2 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestTogether(t *testing.T) {
	root := layout(t, "work/.git/HEAD")
	list, p := newList(t), At(filepath.Join(root, "work"), "")
	var all sync.WaitGroup
	for _, name := range strings.Split("abcdefgh", "") {
		all.Go(func() {
			if _, err := list.Add(t.Context(), p, noon, Given{Check, name, name}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if entries, err := list.In(p, Check); len(entries) != 8 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
}

// A list that others could have written, or that cannot be read, counts for nothing.
func TestNotBelieved(t *testing.T) {
	root := layout(t, "work/.git/HEAD")
	list, p := newList(t), At(filepath.Join(root, "work"), "")
	list.add(t, p, test)
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(list.Path()); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		for _, mode := range []os.FileMode{0o620, 0o602} {
			must.Do(t, os.Chmod(list.Path(), mode))
			if yes, err := list.Has(p, Check, test.Thing); yes || !errors.Is(err, pawl.Invalid) {
				t.Errorf("mode %o: %v, %v", mode, yes, err)
			}
			if _, err := list.Add(t.Context(), p, noon, Given{Check, "b", "b"}); !errors.Is(err, pawl.Invalid) {
				t.Errorf("mode %o: added to, %v", mode, err)
			}
		}
		must.Do(t, os.Chmod(list.Path(), 0o600))
	}
	must.Do(t, os.WriteFile(list.Path(), []byte(`{"consents": [{"kind": "check", "thing"`), 0o600))
	for _, kind := range []Kind{Check, Join} {
		if yes, err := list.Has(p, kind, test.Thing); yes || !errors.Is(err, pawl.Internal) {
			t.Errorf("a damaged list: %v, %v", yes, err)
		}
	}
	if _, err := list.Add(t.Context(), p, noon, test); !errors.Is(err, pawl.Internal) {
		t.Errorf("a damaged list was written: %v", err)
	}
}

func TestNoHome(t *testing.T) {
	if _, err := Of(func(string) string { return "" }); !errors.Is(err, pawl.NotFound) {
		t.Errorf("without a home: %v", err)
	}
}
