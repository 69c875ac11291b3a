package plan

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// item is a task as the text has it.
type item struct {
	at          string // where it stands, for faults
	ref         string
	number      string  // of a numbered list: "2" or "1.2"
	id          pawl.ID // that the text writes before it
	subject     string
	whole       string // the subject with words that may be a dependency
	description string
	activeForm  string
	owner       string
	priority    pawl.Priority
	labels      []string
	metadata    map[string]json.RawMessage
	notes       []string
	checks      []pawl.Check
	accept, met []string // criteria, and those of them that are ticked
	lead        string   // what follows a title in bold
	done        bool
	after       []mention
	blocks      []mention
	parentName  *mention // a parent that is named, not nested

	head     bool     // it is a heading
	sort     sort     // what its words are about
	section  int      // the heading that it stands below, whether that is a task or not
	step     bool     // and one that is a task without anything below: "Step 2"
	boxed    bool     // it has a box
	group    bool     // there is nothing to do but its children
	optional bool     // nothing in its row waits for it
	loose    bool     // its children have no order
	list     int      // items of one list have one number
	ordinal  string   // its place in a row, if its text says one
	band     string   // what it may run side by side with, in a row
	aliases  []string // "phase 2", "t012"
	named    bool     // it says itself what of the plan it waits for

	seen int // the last search that has passed it

	up       *item // the item that it is nested in
	under    pawl.ID
	children []*item // those that make tasks
	waits    []blocker
	holds    []pawl.ID // tasks of the board that wait for it
}

// mention is a name that the text gives a task, or several names in one.
type mention struct {
	at    string
	name  string
	plain bool   // a number, as JSON has them: a ref, or else a task of the board
	many  bool   // may hold several names, between commas
	bare  string // the words that it stands in, which have no colon
	soft  bool   // they may be mere words
}

// blocker is a task of the plan or of the board.
type blocker struct {
	item *item
	id   pawl.ID
}

// maxItems bounds a plan, completed items included: [pawl.MaxBatch] bounds the rest.
const maxItems = 10_000

func (b *builder) full() bool { return len(b.items) > maxItems }

func (b *builder) build() (Plan, error) {
	b.at = "the plan"
	if len(b.items) == 0 && len(b.faults) == 0 {
		return Plan{}, pawl.Errorf(pawl.Invalid, "the plan has no tasks: write them as a list, one a line, or as JSON")
	}
	if b.full() {
		return Plan{}, pawl.Errorf(pawl.Invalid, "the plan has more than %d items", maxItems)
	}
	names := b.names()
	for _, it := range b.items {
		it.settle(names)
	}
	for _, it := range b.items {
		if strings.TrimSpace(it.subject) == "" {
			b.fault(it.at, "has no subject")
		}
		if it.parentName != nil {
			b.adopt(it, names)
		}
	}
	if len(b.items) > pawl.MaxBatch {
		if n := len(filter(b.items, func(it *item) bool { return !it.done })); n > pawl.MaxBatch {
			return Plan{}, pawl.Errorf(pawl.Invalid, "the plan has %d tasks; the most at once is %d", n, pawl.MaxBatch)
		}
		b.skip()
	}
	b.nest()
	b.explicit(names)
	b.rows()
	b.cycles()
	if err := b.err(); err != nil {
		return Plan{}, err
	}
	b.through()
	return b.tasks()
}

func (b *builder) explicit(names *names) {
	for _, it := range b.items {
		for _, m := range it.after {
			found := b.find(m, it, names)
			if len(found) == 0 || slices.ContainsFunc(found, func(on blocker) bool { return on.item != nil }) {
				it.named = true
			}
			for _, blocker := range found {
				b.wait(it, blocker, m.at)
			}
		}
		for _, m := range it.blocks {
			for _, waiting := range b.find(m, it, names) {
				if waiting.item == nil {
					it.holds = append(it.holds, waiting.id)
				} else {
					b.wait(waiting.item, blocker{item: it}, m.at)
				}
			}
		}
	}
	for _, id := range b.after {
		for _, it := range b.items {
			if it.up == nil && it.under == b.under {
				b.wait(it, blocker{id: id}, it.at)
			}
		}
	}
}

// settle gives words back to the subject that name nothing, and look like
// nothing that could be named.
func (it *item) settle(names *names) {
	words := func(m mention) bool {
		return m.soft && !slices.ContainsFunc(names.apart(m.name), func(name string) bool { return names.known(name) || names.near(name) != nil })
	}
	if slices.ContainsFunc(it.after, words) || slices.ContainsFunc(it.blocks, words) {
		it.subject = it.whole
		it.after = slices.DeleteFunc(it.after, words)
		it.blocks = slices.DeleteFunc(it.blocks, words)
	}
}

// adopt gives an item the parent that it names.
func (b *builder) adopt(it *item, names *names) {
	m := *it.parentName
	if it.up != nil {
		b.fault(m.at, "names a parent, and the task is nested in %q already", clip(it.up.subject))
		return
	}
	found := b.find(m, it, names)
	if len(found) == 0 {
		return
	}
	if it.under = found[0].id; it.under != 0 {
		return
	}
	for up := found[0].item; up != nil; up = up.up {
		if up == it {
			b.fault(m.at, "makes %q its own parent", clip(it.subject))
			return
		}
	}
	it.up = found[0].item
}

// skip takes the items that are done out of a plan that would be too large with
// them: items nested in one move up, and none waits for one.
func (b *builder) skip() {
	for _, it := range b.items {
		for it.up != nil && it.up.done {
			it.under = it.up.under
			it.up = it.up.up
		}
	}
	b.items = slices.DeleteFunc(b.items, func(it *item) bool {
		if it.done {
			b.skipped = append(b.skipped, it.subject)
		}
		return it.done
	})
}

// nest tells each item its children. A parent is not done while a child is open,
// and a heading is done when all below it is. A tick alone completes no item that has
// checks or criteria.
func (b *builder) nest() {
	for _, it := range b.items {
		if it.up != nil {
			it.up.children = append(it.up.children, it)
		} else if it.under == 0 {
			it.under = b.under
		}
	}
	for _, it := range b.deepestFirst() {
		if len(it.children) > 0 {
			open := slices.ContainsFunc(it.children, func(c *item) bool { return !c.done })
			if it.done && open {
				b.reopened = append(b.reopened, it)
			}
			it.done = !open && (it.done || it.group)
		}
		if it.done && it.asks() { // its tick is a claim
			it.done = false
			b.unshown = append(b.unshown, it)
		}
	}
}

// deepestFirst lists the items, children before their parents.
func (b *builder) deepestFirst() []*item {
	var list []*item
	var visit func(it *item)
	visit = func(it *item) {
		for _, c := range it.children {
			visit(c)
		}
		list = append(list, it)
	}
	for _, it := range b.roots() {
		visit(it)
	}
	return list
}

// wait records that it waits for a blocker; if it has children, its leaves do.
func (b *builder) wait(it *item, on blocker, at string) {
	if x := on.item; x != nil {
		switch {
		case x == it:
			b.fault(at, "makes %q wait for itself", clip(it.subject))
			return
		case x.within(it):
			b.fault(at, "names %q, which is part of %q: a task waits for its parts anyway", clip(x.subject), clip(it.subject))
			return
		case it.within(x):
			b.fault(at, "makes %q wait for %q, which it is part of", clip(it.subject), clip(x.subject))
			return
		}
	}
	for _, leaf := range it.tips() {
		if !slices.Contains(leaf.waits, on) {
			leaf.waits = append(leaf.waits, on)
		}
	}
}

func (it *item) within(other *item) bool {
	for up := it.up; up != nil; up = up.up {
		if up == other {
			return true
		}
	}
	return false
}

// cycles finds items that wait for themselves in a roundabout way. The board
// would refuse them, too, but under ids that nobody has seen yet.
func (b *builder) cycles() {
	next := map[*item][]*item{} // what each one waits for
	for _, it := range b.items {
		next[it] = append(next[it], it.children...)
		for _, w := range it.waits {
			if w.item != nil {
				next[it] = append(next[it], w.item)
			}
		}
	}
	const (
		open = iota + 1
		done
	)
	state := map[*item]int{}
	var path []*item
	var visit func(it *item)
	visit = func(it *item) {
		state[it] = open
		path = append(path, it)
		for _, n := range next[it] {
			if state[n] == open {
				b.cycle(append(path[slices.Index(path, n):], n))
			} else if state[n] != done {
				visit(n)
			}
		}
		path = path[:len(path)-1]
		state[it] = done
	}
	for _, it := range b.items {
		if state[it] == 0 {
			visit(it)
		}
	}
}

func (b *builder) cycle(path []*item) {
	var said []string
	for _, it := range path {
		said = append(said, `"`+clip(it.subject)+`"`)
	}
	b.fault(path[0].at, "waits for itself: %s", strings.Join(said, " → "))
}

func (b *builder) tasks() (Plan, error) {
	p := Plan{Skipped: b.skipped}
	refs := b.refs()
	ref := func(on blocker) pawl.Ref {
		if on.item == nil {
			return pawl.RefID(on.id)
		}
		return pawl.RefName(refs[on.item])
	}
	for _, it := range b.items {
		task := pawl.NewTask{
			Ref: refs[it], Subject: it.subject, Description: it.description, ActiveForm: it.activeForm,
			Priority: it.priority, Labels: it.labels, Owner: it.owner, Metadata: it.metadata,
			Note: strings.Join(it.notes, "\n"), Done: it.done, Checks: it.checks, Accept: it.accept, Met: it.met,
		}
		if it.up != nil {
			task.Parent = pawl.RefName(refs[it.up])
		} else if it.under != 0 {
			task.Parent = pawl.RefID(it.under)
		}
		for _, w := range it.waits {
			task.BlockedBy = append(task.BlockedBy, ref(w))
		}
		for _, h := range it.holds {
			task.Blocks = append(task.Blocks, pawl.RefID(h))
		}
		p.Tasks = append(p.Tasks, task)
		p.Where = append(p.Where, it.at)
		p.Numbers = append(p.Numbers, it.id)
	}
	p.Understood = b.understood()
	return p, nil
}

// refs names the items that others speak of: by their own refs, else by their
// place in the plan.
func (b *builder) refs() map[*item]string {
	refs := map[*item]string{}
	taken := map[string]bool{}
	for _, it := range b.items {
		if it.ref != "" {
			refs[it] = it.ref
			taken[it.ref] = true
		}
	}
	name := func(it *item, place string) {
		if it == nil || refs[it] != "" {
			return
		}
		for taken[place] {
			place += "'"
		}
		refs[it] = place
		taken[place] = true
	}
	places := b.places()
	for _, it := range b.items {
		name(it.up, places[it.up])
		for _, on := range it.waits {
			name(on.item, places[on.item])
		}
	}
	return refs
}
