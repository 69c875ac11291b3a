//go:build unix

package git_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// claimed is what `pawl claim` says to a program.
type claimed struct {
	Tasks []struct {
		ID    pawl.ID
		Claim struct{ Token pawl.Revision }
	}
}

// TestClaimFollows: a task that an agent works on moves. The agent's claim, its token
// and its lease are those of the new number, and a hook that runs in between neither
// merges nor loses it.
func TestClaimFollows(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		var claim claimed
		must.Do(t, json.Unmarshal([]byte(ada.pawl("claim", "2", "--json", "--lease", "1h")), &claim))
		token := fmt.Sprint(int64(claim.Tasks[0].Claim.Token))
		ada.save("Claimed")
		ada.pull2(bob)
		files := ada.files()
		ada.hook()
		for name, text := range ada.files() {
			if files[name] != text {
				t.Errorf("the hook has changed %s:\n%s\nwas\n%s", name, text, files[name])
			}
		}
		ada.pawl("merge")
		moved := ada.called("Ada's")
		if moved.ID != 3 || moved.Owner != "ada" || moved.Status != pawl.InProgress {
			t.Fatalf("the claimed task is %v, %v by %q", moved.ID, moved.Status, moved.Owner)
		}
		ada.hook()
		ada.pawl("done", "3", "--token", token)
		if got := ada.called("Ada's").Status; got != pawl.Completed {
			t.Errorf("it is %v", got)
		}
		if got := ada.called("Bob's").Status; got != pawl.Pending {
			t.Errorf("bob's is %v", got)
		}
	})
}

// hook runs the hook of an agent's program in the session of the clone's person.
func (c *clone) hook() {
	c.Helper()
	cmd := c.command("pawl", "hook", "--agent", "claude")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(
		`{"hook_event_name":"UserPromptSubmit","session_id":"%s-1","cwd":%q,"transcript_path":"","prompt":"go on"}`, c.who, c.root))
	if out, err := cmd.CombinedOutput(); err != nil {
		c.Errorf("pawl hook: %v\n%s", err, out)
	}
}

// TestAgentsAtWork: agents go on while their person pulls, and the first of them to
// write merges. What they were told is there afterwards.
func TestAgentsAtWork(t *testing.T) {
	each(t, []nets{{true, true}, {false, true}}, func(t *testing.T, w *world) {
		const agents, each = 4, 5
		ada, bob := w.apart(plain)
		stopped := false
		var group sync.WaitGroup
		var lock sync.Mutex
		want := []string{"Base", "Ada's", "Bob's"}
		begin := make(chan struct{})
		for i := range agents {
			group.Go(func() {
				<-begin
				for n := range each {
					name := fmt.Sprint("agent ", i, ", task ", n)
					// A new task may take the number of one that git is just about to write: git
					// then leaves its hands off, and the person pulls again.
					out, code := ada.run("pawl", "add", name, "--as", fmt.Sprint("agent", i), "--session", fmt.Sprint("agent", i))
					if code != 0 {
						t.Errorf("pawl add: exit %d\n%s", code, out)
					}
					lock.Lock()
					want = append(want, name)
					lock.Unlock()
				}
			})
		}
		close(begin)
		stopped = ada.stop(bob)
		group.Wait()
		if stopped && ada.next() == nil {
			ada.save("Agents")
			ada.stop(bob)
		}
		ada.pawl("merge")
		if ada.next() != nil {
			ada.git("commit", "-q", "--no-edit")
		}
		ada.settle()
		ada.has(want...)
		bob.pull(ada, "--no-rebase")
		same(ada, bob)
	})
}

// TestManyMergeAtOnce: several processes find the same merge, and one of them does it.
func TestManyMergeAtOnce(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada, bob := w.apart(plain)
		stopped := ada.stop(bob)
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				args := []string{"merge"}
				if i%2 == 0 {
					args = []string{"add", fmt.Sprint("new ", i)}
				}
				out, code := ada.run("pawl", args...)
				for i%2 == 1 && code == 6 { // another one is just at it
					out, code = ada.run("pawl", args...)
				}
				if code != 0 {
					t.Errorf("pawl %v: exit %d\n%s", args, code, out)
				}
			})
		}
		group.Wait()
		if stopped {
			ada.git("commit", "-q", "--no-edit")
		}
		ada.save("Merge tasks")
		ada.has("Base", "Ada's", "Bob's", "new 0", "new 2", "new 4")
		if was := ada.called("Ada's").Was; !slices.Equal(was, []pawl.ID{2}) {
			t.Errorf("the moved task was %v", was)
		}
	})
}

// TestTodosFollow: the todo of an agent that is linked to a task follows its number.
func TestTodosFollow(t *testing.T) {
	each(t, allNets, func(t *testing.T, w *world) {
		ada := w.first("ada", "Base")
		bob := ada.clone("bob")
		bob.add("Bob's")
		bob.save("Bob's")
		ada.pawl("todo", "add", "Read the manual")
		ada.pawl("todo", "promote", "1")
		ada.save("Promoted")
		if id := ada.called("Read the manual").ID; id != 2 {
			t.Fatalf("the promoted todo is %v", id)
		}
		ada.pull(bob, "--no-rebase")
		if list := ada.pawl("todo", "--json"); !strings.Contains(list, `"task":3`) || strings.Contains(list, `"task":2`) {
			t.Errorf("the list is\n%s", list)
		}
	})
}
