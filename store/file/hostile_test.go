//go:build unix

package file_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/store/file"
)

var ada = pawl.Actor{Name: "ada", Session: "s1"}

func do(t testing.TB, s pawl.Store, op pawl.Op) pawl.Result {
	t.Helper()
	r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: ada, Op: op})
	if err != nil {
		t.Fatalf("%T: %v", op, err)
	}
	return r
}

func one(subject string) pawl.Op { return pawl.Create{Tasks: []pawl.NewTask{{Subject: subject}}} }

// tasks returns the board as a new process sees it.
func tasks(t testing.TB, dir string) map[pawl.ID]pawl.Task {
	t.Helper()
	all := map[pawl.ID]pawl.Task{}
	must.Do(t, open(t, dir).View(context.Background(), func(r pawl.Reader) error {
		page, err := r.Select(pawl.Query{})
		for _, task := range page.Tasks {
			all[task.ID] = task
		}
		return err
	}))
	return all
}

func write(t testing.TB, name, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must.Do(t, os.WriteFile(name, []byte(text), 0o644))
}

// listing is every name below a folder, with its size.
func listing(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			fmt.Fprintln(&b, path, info.Mode(), info.Size())
		}
		return err
	}))
	return b.String()
}

func TestBoardIsNoFolder(t *testing.T) {
	root := t.TempDir()
	elsewhere := t.TempDir()
	write(t, filepath.Join(root, "file"), "hello")
	for name, target := range map[string]string{
		"out": elsewhere, "up": "..", "tofile": "file", "nowhere": "gone",
	} {
		must.Do(t, os.Symlink(target, filepath.Join(root, name)))
	}
	for _, name := range []string{"file", "out", "up", "tofile", "nowhere"} {
		if _, err := file.Open(filepath.Join(root, name)); !errors.Is(err, pawl.Invalid) {
			t.Errorf("opening %s: %v", name, err)
		}
		if _, err := file.Init(filepath.Join(root, name), file.Unchanged); !errors.Is(err, pawl.Invalid) {
			t.Errorf("making %s: %v", name, err)
		}
	}
	must.Do(t, os.Symlink("inside", filepath.Join(root, "link")))
	must.Do(t, os.Mkdir(filepath.Join(root, "inside"), 0o755))
	do(t, open(t, filepath.Join(root, "link")), one("a"))
	if _, err := os.Stat(filepath.Join(root, "inside", "task_1.json")); err != nil {
		t.Error(err)
	}
}

// What has a task's name but is not a file of a sensible size is damaged; it
// is neither opened nor followed, and the rest goes on.
func TestHostileFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, `{"id": 2, "subject": "secret"}`)
	do(t, open(t, dir), one("a"))
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.Symlink(secret, at("task_2.json")),
		syscall.Mkfifo(at("task_3.json"), 0o644),
		os.Mkdir(at("task_4.json"), 0o755),
	} {
		must.Do(t, err)
	}
	write(t, at("task_5.json"), `{"id": 5, "subject": "`+strings.Repeat("x", pawl.MaxTask)+`"}`)
	write(t, at("task_6.json"), `{"id": 6, "subject": "s", "metadata": `+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)+`}`)
	write(t, at("task_7.json"), "{\"id\": 7, \"subject\": \"\xff\xfe\"}")
	write(t, at("task_8.json"), `{"id": 9, "subject": "another"}`)
	write(t, at("task_10.json"), `{"id": 10, "subject": "many", "blockedBy": [`+strings.TrimSuffix(strings.Repeat("1,", 20_000), ",")+`]}`)
	for _, name := range []string{"task_007.json", "task_abc.json", "task_-1.json", "task_99999999999999999999.json", "task_1.json.bak", "task_ 11.json"} {
		write(t, at(name), `{"id": 7, "subject": "no task"}`)
	}
	before := listing(t, dir+"/../")
	all := tasks(t, dir)
	if after := listing(t, dir+"/../"); after != before {
		t.Errorf("reading changed\n%sto\n%s", before, after)
	}
	if len(all) != 9 {
		t.Errorf("there are %d tasks", len(all))
	}
	for _, id := range []pawl.ID{2, 3, 4, 5, 6, 7, 8, 10} {
		if task := all[id]; !strings.HasPrefix(task.Damage, fmt.Sprintf("task_%d.json:", id)) {
			t.Errorf("%v: damage %q, subject %.20q", id, task.Damage, task.Subject)
		}
	}
	if got := do(t, open(t, dir), one("b")).IDs[0]; got != 11 {
		t.Errorf("the next id is %v", got)
	}
	problems, err := open(t, dir).Check(context.Background())
	must.Do(t, err)
	kinds := map[string]int{}
	for _, p := range problems {
		kinds[p.Kind]++
	}
	if kinds["damaged"] != 8 || kinds["misnamed"] != 5 { // a backup is its owner's business
		t.Errorf("the check says %v", kinds)
	}
	if text, _ := os.ReadFile(secret); string(text) != `{"id": 2, "subject": "secret"}` {
		t.Error("the link was followed")
	}
}

// The state folder of a board from elsewhere leads out of it.
func TestHostileState(t *testing.T) {
	for _, name := range []string{".pawl", ".pawl/journal", ".pawl/tmp", ".pawl/index.log", ".pawl/gate", ".lock"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), ".tasks")
			elsewhere := t.TempDir()
			write(t, filepath.Join(elsewhere, "file"), "")
			s := open(t, dir)
			do(t, s, one("a"))
			at := filepath.Join(dir, name)
			info, err := os.Lstat(at)
			must.Do(t, err)
			target := elsewhere
			if !info.IsDir() {
				target = filepath.Join(elsewhere, "file")
			}
			must.Do(t, errors.Join(os.RemoveAll(at), os.Symlink(target, at)))
			_, err = pawl.NewBoard(open(t, dir)).Do(context.Background(), pawl.Request{By: ada, Op: one("b")})
			if err == nil && name != ".pawl/index.log" {
				t.Error("it was written all the same")
			}
			if err != nil && !errors.Is(err, pawl.Invalid) && !errors.Is(err, pawl.Unavailable) {
				t.Errorf("the error is %v: %v", pawl.KindOf(err), err)
			}
			if text, err := os.ReadFile(filepath.Join(elsewhere, "file")); err != nil || len(text) > 0 {
				t.Errorf("outside was written: %q", text)
			}
			if names, _ := filepath.Glob(elsewhere + "/*"); len(names) != 1 {
				t.Errorf("outside are %v", names)
			}
		})
	}
}

// A .gitignore that Pawl wrote changes with Init; any other stays, and is
// told of as it is.
func TestInit(t *testing.T) {
	const sharedText, privateText = ".pawl/\n.lock\n", "*\n"
	for _, test := range []struct {
		name    string
		there   string // "": none
		want    file.Sharing
		after   string
		is      file.Sharing
		refused bool
	}{
		{"made", "", file.Unchanged, sharedText, file.Shared, false},
		{"made shared", "", file.Shared, sharedText, file.Shared, false},
		{"made private", "", file.Private, privateText, file.Private, false},
		{"nobody said", privateText, file.Unchanged, privateText, file.Private, false},
		{"hidden", sharedText, file.Private, privateText, file.Private, false},
		{"shown", privateText, file.Shared, sharedText, file.Shared, false},
		{"the same", privateText, file.Private, privateText, file.Private, false},
		{"checked out by git", ".pawl/\r\n.lock\r\n", file.Private, privateText, file.Private, false},
		{"a person's", ".pawl/\nnotes.md\n", file.Private, ".pawl/\nnotes.md\n", file.Shared, true},
		{"a person's that hides", "# mine\n*\n", file.Private, "# mine\n*\n", file.Private, false},
		{"a person's that hides, to be shown", "# mine\n*\n", file.Shared, "# mine\n*\n", file.Private, true},
		{"a person's with exceptions", "*\n!task_1.json\n", file.Unchanged, "*\n!task_1.json\n", file.Shared, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", ".tasks")
			name := filepath.Join(dir, ".gitignore")
			if test.there != "" {
				must.Do(t, os.MkdirAll(dir, 0o755))
				must.Do(t, os.WriteFile(name, []byte(test.there), 0o644))
			}
			is, err := file.Init(dir, test.want)
			if is != test.is || (err != nil) != test.refused || err != nil && !errors.Is(err, pawl.Conflict) {
				t.Errorf("it is %v, want %v: %v", is, test.is, err)
			}
			if got, _ := os.ReadFile(name); string(got) != test.after {
				t.Errorf(".gitignore is %q, want %q", got, test.after)
			}
			if names, _ := filepath.Glob(filepath.Join(dir, ".pawl", "tmp", "*")); len(names) > 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

// A board that git sees keeps git from merging its tasks line by line. What somebody
// else says there stays.
func TestInitAttributes(t *testing.T) {
	const ours = "# Pawl merges these files, and git does not merge them line by line: pawl merge\ntask_*.json -merge\n.highwatermark -merge\n"
	for _, test := range []struct {
		name, there, after string
		want               file.Sharing
	}{
		{"made", "", ours, file.Unchanged},
		{"private", "", "", file.Private},
		{"the same", ours, ours, file.Unchanged},
		{"a person's", "*.json text", "*.json text\n" + ours, file.Shared},
		{"of Windows", "*.json text\r\n", "*.json text\r\n" + strings.ReplaceAll(ours, "\n", "\r\n"), file.Shared},
		{"another merge", "task_*.json merge=union\n.highwatermark -merge\n", "task_*.json merge=union\n.highwatermark -merge\n", file.Shared},
		{"one of two", "/task_*.json eol=lf binary\n", "/task_*.json eol=lf binary\n" + strings.Replace(ours, "task_*.json -merge\n", "", 1), file.Unchanged},
		{"another thing", "task_*.json eol=lf\n", "task_*.json eol=lf\n" + ours, file.Unchanged},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), ".tasks")
			name := filepath.Join(dir, ".gitattributes")
			if test.there != "" {
				must.Do(t, os.MkdirAll(dir, 0o755))
				must.Do(t, os.WriteFile(name, []byte(test.there), 0o644))
			}
			for range 2 {
				must.Do(t, errOf(file.Init(dir, test.want)))
				if got, _ := os.ReadFile(name); string(got) != test.after {
					t.Errorf(".gitattributes is %q, want %q", got, test.after)
				}
			}
		})
	}
	t.Run("a link", func(t *testing.T) {
		dir := t.TempDir()
		elsewhere, name := filepath.Join(dir, "elsewhere"), filepath.Join(dir, ".tasks", ".gitattributes")
		must.Do(t, errors.Join(os.Mkdir(filepath.Dir(name), 0o755), os.WriteFile(elsewhere, []byte("mine\n"), 0o644)))
		if err := os.Symlink(elsewhere, name); err != nil {
			t.Skipf("not here: links: %v", err)
		}
		must.Do(t, errOf(file.Init(filepath.Dir(name), file.Shared)))
		if got, _ := os.ReadFile(elsewhere); string(got) != "mine\n" {
			t.Errorf("the file behind the link is %q", got)
		}
	})
}

// Nothing comes into being by looking, nor by an update that changes nothing.
func TestNothingIsMade(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, ".tasks")
	s := open(t, dir)
	if len(tasks(t, dir)) != 0 {
		t.Error("there are tasks")
	}
	pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}})
	for range s.Changes(context.Background(), pawl.Span{}) {
		t.Error("there is history")
	}
	if _, err := s.Check(context.Background()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if names, _ := filepath.Glob(root + "/*"); len(names) > 0 {
		t.Errorf("it made %v", names)
	}
	write(t, filepath.Join(dir, "task_3.json"), `{"id": 3, "subject": "theirs"}`)
	before := listing(t, dir)
	tasks(t, dir)
	pawl.NewBoard(open(t, dir)).Do(context.Background(), pawl.Request{By: ada, Op: pawl.Complete{IDs: []pawl.ID{1}}})
	if after := listing(t, dir); after != before {
		t.Errorf("it made of\n%snow\n%s", before, after)
	}
}

// A lock that somebody else holds is waited for only as long as the caller has.
func TestLockIsHeld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	do(t, open(t, dir), one("a"))
	held, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_RDWR, 0)
	must.Do(t, err)
	defer held.Close()
	must.Do(t, syscall.Flock(int(held.Fd()), syscall.LOCK_EX))
	s := open(t, dir)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second/2)
	defer cancel()
	if _, err := pawl.NewBoard(s).Do(ctx, pawl.Request{By: ada, Op: one("b")}); !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), ".lock") {
		t.Errorf("the answer is %v", err)
	}
	// The lock file is replaced: who holds the old one holds nothing.
	must.Do(t, os.Remove(filepath.Join(dir, ".lock")))
	done := make(chan error)
	go func() {
		_, err := pawl.NewBoard(open(t, dir)).Do(context.Background(), pawl.Request{By: ada, Op: one("c")})
		done <- err
	}()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// One store is used by many goroutines, and there is a second one beside it.
func TestGoroutines(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".tasks")
	stores := []*file.Store{open(t, dir), open(t, dir)}
	const workers, each = 8, 10
	var wg sync.WaitGroup
	for w := range workers {
		s := stores[w%len(stores)]
		wg.Go(func() {
			for range each {
				r, err := pawl.NewBoard(s).Do(context.Background(), pawl.Request{By: ada, Op: one("x")})
				if err != nil {
					t.Error(err)
				}
				err = s.View(context.Background(), func(rd pawl.Reader) error {
					_, err := rd.Get(r.IDs...)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := len(tasks(t, dir)); got != workers*each {
		t.Errorf("there are %d tasks", got)
	}
}

// errOf is the error of a call of which nothing else matters.
func errOf[T any](_ T, err error) error { return err }
