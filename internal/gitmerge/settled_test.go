package gitmerge_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"

	"github.com/pawl-dev/pawl/internal/dev/long"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// threeClones are two that have met and a third one that has only seen the beginning.
func threeClones(t *testing.T) (ann, bob, cleo *clone) {
	ann, bob = twoClones(t)
	cleo = ann.clone("cleo")
	cleo.git("reset", "-q", "--hard", "HEAD~1")
	cleo.merger().Before(ctx(), cleo.by())
	ann.merger().Before(ctx(), ann.by())
	bob.merger().Before(ctx(), bob.by())
	return ann, bob, cleo
}

// forwards pulls by a fast-forward and writes: the clone must have what it pulled.
func (c *clone) forwards(from *clone) {
	c.Helper()
	c.git("pull", "-q", "--ff-only", from.dir, "main")
	want := c.files()
	for range 2 {
		if out := c.merger().Before(ctx(), c.by()); out != nil {
			c.Errorf("%s merged again: %+v", c.name, out)
		}
		c.merge()
	}
	if !maps.Equal(c.files(), want) {
		c.Errorf("%s has other files than it pulled:\n%s", c.name, c.tasks())
	}
	if status := c.git("status", "--porcelain"); status != "" {
		c.Errorf("git status of %s:\n%s", c.name, status)
	}
	os.Remove(filepath.Join(c.board(), ".pawl", "git")) // as in a fresh clone
	if out := c.merger().Before(ctx(), c.by()); out != nil {
		c.Errorf("%s merged without a memory: %+v", c.name, out)
	}
}

// unsettled lets ann commit a merge as git's driver leaves it, or as who resolves the
// conflicts with ours and nothing else.
func (c *clone) unsettled(how string) {
	c.Helper()
	if how == "driver" {
		c.drive()
		c.git("merge", "-q", "--no-edit", "bob")
		return
	}
	c.stops("merge", "bob")
	c.git("checkout", "-q", "--"+how, ".")
	c.commit("Merge bob")
}

// renumber gives a task another number in all files, as a merge that was undone and made
// again may do.
func (c *clone) renumber(from, to pawl.ID) {
	c.Helper()
	for name, text := range c.files() {
		c.write(".tasks/"+name, regexp.MustCompile(fmt.Sprintf(`((?:"id":|\[|,)\s*)%d\b`, from)).ReplaceAllString(text, fmt.Sprintf("${1}%d", to)))
	}
	name := func(id pawl.ID) string { return filepath.Join(c.board(), fmt.Sprintf("task_%d.json", id)) }
	must.Do(c, os.Rename(name(from), name(to)))
}

func TestForwardOverAMergeWithOtherNumbers(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"under way", "driver", "ours", "theirs"} {
		t.Run(how, func(t *testing.T) {
			long.Seldom(t, 6)
			ann, _, cleo := threeClones(t)
			if how == "under way" {
				ann.stops("merge", "bob")
				ann.merge()
			} else {
				ann.unsettled(how)
				ann.merger().Before(ctx(), ann.by())
			}
			if how != "theirs" {
				ann.renumber(5, 17)
				ann.renumber(6, 18)
			}
			if got := ann.tasks(); strings.Count(got, "\n") != 6 {
				t.Fatalf("ann has\n%s", got)
			}
			ann.commit("Merge bob")
			ann.do(pawl.AddNote{ID: 1, Text: "more"})
			ann.commit("More")
			cleo.forwards(ann)
		})
	}
}

// Who settles a merge and goes on working commits both at once.
func TestForwardOverAFixThatWentOn(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"driver", "ours", "theirs"} {
		for _, apart := range []bool{true, false} {
			t.Run(how, func(t *testing.T) {
				long.Seldom(t, 6)
				ann, _, cleo := threeClones(t)
				ann.unsettled(how)
				ann.add("Other")
				if out := ann.merger().Before(ctx(), ann.by()); out == nil {
					t.Fatal("a write did not settle it")
				}
				id := func(subject string) pawl.ID {
					for line := range strings.Lines(ann.tasks()) {
						if number, rest, _ := strings.Cut(line, " "); strings.HasPrefix(rest, subject) {
							id, _ := pawl.ParseID(number)
							return id
						}
					}
					t.Fatalf("no %s in\n%s", subject, ann.tasks())
					return 0
				}
				key, hooks := id("Rotate the key"), id("Retry hooks")
				if apart {
					ann.commit("Settle")
				}
				ann.do(pawl.Update{ID: key, Subject: new("Rotate all keys")})
				ann.do(pawl.Update{ID: hooks, Subject: new("Try hooks again")})
				ann.do(pawl.Update{ID: key, Description: new("By hand.")})
				ann.do(pawl.Complete{IDs: []pawl.ID{hooks}})
				if apart {
					ann.do(pawl.Delete{IDs: []pawl.ID{id("Tell about the key")}})
					ann.do(pawl.Delete{IDs: []pawl.ID{id("Wait for hooks")}})
				}
				ann.commit("Go on")
				cleo.forwards(ann)
			})
		}
	}
}

// What a person does to a merge that Pawl has settled, before it is committed.
func TestForwardOverAnEditedMerge(t *testing.T) {
	t.Parallel()
	ann, _, cleo := threeClones(t)
	ann.stops("merge", "bob")
	ann.merge()
	ann.do(pawl.Update{ID: 5, Subject: new("Rotate all keys")})
	ann.do(pawl.Complete{IDs: []pawl.ID{3}})
	ann.commit("Merge bob")
	cleo.forwards(ann)
}

// Two settle the same merge, each with numbers of their own.
func TestSettledTwice(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"driver", "ours"} {
		t.Run(how, func(t *testing.T) {
			long.Seldom(t, 6)
			ann, bob, cleo := threeClones(t)
			dora := cleo.clone("dora")
			ann.unsettled(how)
			bob.git("pull", "-q", "--ff-only", ann.dir, "main")
			for _, c := range []*clone{ann, bob} {
				c.add("Of " + c.name)
				c.add("More of " + c.name)
				c.merger().Before(ctx(), c.by())
				c.commit("Settle")
			}
			bob.do(pawl.Delete{IDs: []pawl.ID{2}})
			bob.commit("No cart")
			ann.git("fetch", "-q", bob.dir, "+main:bob")
			ann.try("merge", "-q", "--no-edit", "bob")
			ann.merge()
			ann.commit("Merge bob again")
			if got := ann.tasks(); strings.Count(got, "\n") != 9 {
				t.Errorf("ann has\n%s", got)
			}
			bob.forwards(ann)
			cleo.forwards(ann)
			dora.forwards(ann)
		})
	}
}
