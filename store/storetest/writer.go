package storetest

import (
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A writer makes up the next lines of a script.
type writer struct {
	last pawl.ID
	rev  pawl.Revision
	sent []string // requests with an op id
	back []string // undos with an op id
	made int      // refs given so far
}

// write returns a line, or a batch.
func (g *writer) write(c chooser) []string {
	switch n := c.pick("kind", 20); {
	case g.last == 0 || g.last < 3 && n < 10:
		return []string{g.actor(c) + ": " + g.create(c)}
	case n < 3:
		return []string{"wait " + g.of(c, "1m", "5m", "9m", "10m", "10m", "30m", "-3m")}
	case n < 4:
		return []string{g.undo(c)}
	case n < 5 && g.of(c, "on", "restart") == "restart":
		return []string{"restart"}
	case n < 8:
		lines := []string{g.request(c)}
		for range 1 + c.pick("more", 3) {
			lines = append(lines, g.request(c))
		}
		return lines
	case n < 10:
		shown, done := g.shownAndDone(c)
		return []string{g.actor(c) + ": " + shown, g.actor(c) + ": " + done}
	}
	return []string{g.request(c)}
}

// shownAndDone are evidence of a task, and its completion on perhaps other files.
func (g *writer) shownAndDone(c chooser) (shown, done string) {
	id, tree := g.id(c), g.tree(c)
	on := g.of(c, tree, tree, g.tree(c))
	return "check " + g.ran(c) + " tree:" + tree + " " + id, "complete " + id + " force tree:" + on
}

func (g *writer) of(c chooser, words ...string) string { return words[c.pick("word", len(words))] }

func (g *writer) actor(c chooser) string {
	return g.of(c, "ada/s1", "ada/s2", "bob/s3", "bob/s1", "eve/s4/explore")
}

// id is mostly one that was given, sometimes one that was not.
func (g *writer) id(c chooser) string {
	return fmt.Sprint(1 + c.pick("id", int(g.last)+1))
}

func (g *writer) ids(c chooser) string {
	ids := []string{g.id(c)}
	for c.pick("more ids", 4) == 0 && len(ids) < 3 {
		ids = append(ids, g.id(c))
	}
	return strings.Join(ids, " ")
}

// maybe returns a part in one of n cases.
func (g *writer) maybe(c chooser, n int, part func() string) string {
	if c.pick("maybe", n) == 0 {
		return " " + part()
	}
	return ""
}

func (g *writer) request(c chooser) string {
	if c.pick("op id", 8) > 0 {
		return g.actor(c) + ": " + g.op(c)
	}
	// A request with an op id: a new one, one sent before, or another one under
	// an id that was given.
	kind := c.pick("new or again", 5)
	if kind < 2 && len(g.sent) > 0 {
		return g.sent[c.pick("which", len(g.sent))]
	}
	n := len(g.sent) + 1
	if kind == 2 {
		n = 1 + c.pick("which", n)
	}
	line := fmt.Sprintf("%s [op%d]: %s", g.actor(c), n, g.op(c))
	g.sent = append(g.sent, line)
	return line
}

func (g *writer) undo(c chooser) string {
	undo := ": undo " + fmt.Sprint(max(1, g.rev+1-pawl.Revision(c.pick("back", 5))))
	if c.pick("op id", 3) > 0 {
		return g.actor(c) + undo
	}
	n := len(g.back)
	if n == 0 || c.pick("new or again", 3) == 0 {
		g.back = append(g.back, fmt.Sprintf("%s [back%d]%s", g.actor(c), n, undo))
		return g.back[n]
	}
	if c.pick("new or again", 2) == 0 {
		return fmt.Sprintf("%s [back%d]%s", g.actor(c), c.pick("which", n), undo)
	}
	return g.back[c.pick("which", n)]
}

func (g *writer) op(c chooser) string {
	force := func() string { return g.maybe(c, 5, func() string { return "force" }) }
	token := func() string {
		return g.maybe(c, 5, func() string { return fmt.Sprint("token:", 1+c.pick("token", int(g.rev)+1)) })
	}
	lease := func() string { return g.maybe(c, 1, func() string { return "lease:" + g.of(c, "0s", "10m", "20m") }) }
	switch c.pick("op", 18) {
	case 0:
		if g.last < 12 {
			return g.create(c)
		}
		return "renew"
	case 1, 2:
		return "update " + g.id(c) + g.edits(c) + token()
	case 3, 4:
		return "claim " + g.id(c) + lease() + token() + force()
	case 5, 6:
		return "claim" + lease() + g.maybe(c, 4, func() string { return g.of(c, "pri:high", "label:x", "owner:ada", "parent:"+g.id(c)) })
	case 7:
		return "start " + g.ids(c) + lease() + force()
	case 8, 9, 10:
		return "complete " + g.ids(c) + token() + force() + g.maybe(c, 2, func() string { return "tree:" + g.tree(c) }) +
			g.maybe(c, 6, func() string { return g.of(c, "rule:", "labelled:") + g.check(c) }) + g.maybe(c, 8, func() string { return "unchecked:hurry" })
	case 11:
		return "reopen " + g.ids(c)
	case 12:
		return "release " + g.ids(c) + token() + force() + g.maybe(c, 4, func() string { return "hold:why" })
	case 13:
		return g.of(c, "hold "+g.ids(c)+" why:because", "lift "+g.ids(c), "note "+g.id(c)+" text:noted")
	case 14:
		return g.of(c, "renew"+lease(), "renew "+g.ids(c)+token(), "assign "+g.ids(c)+" to:"+g.of(c, "ada", "bob", `""`))
	case 15:
		return "check " + g.ran(c) + " tree:" + g.tree(c) + " " + g.id(c)
	case 16:
		shown, done := g.shownAndDone(c)
		return "all " + shown + " | " + done
	default:
		if c.pick("spare it", 3) > 0 {
			return "lift " + g.ids(c)
		}
		return "delete " + g.ids(c) + force()
	}
}

// check is one of a few checks: two of a name, and two that run the same.
func (g *writer) check(c chooser) string {
	return g.of(c, "unit=go,test", "unit=make", "vet=make", "lint=lint?")
}

// tree is what a check ran on.
func (g *writer) tree(c chooser) string { return g.of(c, "a", "b", "none") }

// ran is a run of a check.
func (g *writer) ran(c chooser) string {
	return g.of(c, "passed:", "passed:", "failed:") + g.check(c)
}

// edits returns edits of one task. It never adds back what the same op removes,
// because then only the order of edges would tell.
func (g *writer) edits(c chooser) string {
	var edits string
	switch c.pick("edit", 10) {
	case 0:
		edits = " subject:" + g.of(c, "renamed", "again")
	case 1, 2:
		edits = " pri:" + g.of(c, "high", "medium", "low")
	case 3:
		edits = " parent:" + g.of(c, "0", g.id(c), g.id(c))
	case 4:
		edits = " -after:" + g.id(c)
	case 5:
		edits = " -blocks:" + g.id(c)
	case 6:
		edits = " after:" + g.id(c)
	case 7:
		edits = " blocks:" + g.id(c) + g.maybe(c, 2, func() string { return "after:" + g.id(c) })
	case 8:
		edits = " +check:" + g.check(c) + g.maybe(c, 4, func() string { return "-check:" + g.of(c, "unit", "vet") })
	case 9:
		edits = " " + g.of(c, "+accept:safe", "+accept:fast", "tick:safe", "tick:fast", "untick:safe", "-accept:safe")
	}
	return edits + g.maybe(c, 5, func() string { return "+label:" + g.of(c, "x", "y") })
}

func (g *writer) create(c chooser) string {
	tasks := make([]string, 1+c.pick("tasks", 4))
	first := g.made
	g.made += len(tasks)
	for i := range tasks {
		one := func() string { // mostly one made here before it, or one that was there
			if n := c.pick("old or new", 6); n > 3 || i == 0 && n > 0 {
				return g.id(c)
			} else if n > 0 {
				return fmt.Sprint("r", first+c.pick("ref", i))
			}
			return fmt.Sprint("r", first+c.pick("ref", len(tasks)))
		}
		tasks[i] = fmt.Sprintf("task%d ref:r%d", first+i, first+i) +
			g.maybe(c, 3, func() string { return "pri:" + g.of(c, "high", "low") }) +
			g.maybe(c, 3, func() string { return "after:" + one() }) +
			g.maybe(c, 8, func() string { return "blocks:" + one() }) +
			g.maybe(c, 5, func() string { return "parent:" + one() }) +
			g.maybe(c, 8, func() string { return "owner:" + g.of(c, "ada", "bob") }) +
			g.maybe(c, 5, func() string { return "label:x" }) +
			g.maybe(c, 2, func() string { return "check:" + g.check(c) }) +
			g.maybe(c, 12, func() string { return "accept:safe" })
	}
	return "create " + strings.Join(tasks, " | ")
}
