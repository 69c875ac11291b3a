package plan

// A Step is a part of a plan that was read elsewhere, with what its text says of
// its place.
type Step struct {
	Parent   int    // index of the step that it is part of; negative: none
	Group    bool   // there is nothing to do but its parts
	Done     bool   // it is done already
	Row      bool   // it has its place in a row, among the parts of its parent
	Band     string // it may run side by side with its neighbours of the same band
	Optional bool   // nothing in its row waits for it
	After    []int  // indexes of steps that it names
}

// Arrange returns what each step waits for: the steps that it names, and what
// goes before it in its row, in the way that a text's own rows have (order.go).
// An edge that would close a cycle is left out.
func Arrange(steps []Step) [][]int {
	var b builder
	index := map[*item]int{}
	for i, s := range steps {
		it := &item{done: s.Done, group: s.Group, band: s.Band, optional: s.Optional, list: 1}
		index[it] = i
		b.items = append(b.items, it)
	}
	for i, s := range steps {
		if it := b.items[i]; s.Parent >= 0 && s.Parent < i {
			it.up = b.items[s.Parent]
			it.up.children = append(it.up.children, it)
		}
	}
	for i, s := range steps {
		it := b.items[i]
		waits := b.searchFor(it)
		for _, j := range s.After {
			if on := b.items[j]; on != it && !on.within(it) && !it.within(on) && !waits(on) {
				b.wait(it, blocker{item: on}, "")
			}
		}
	}
	b.inRow = map[*item]bool{}
	row := func(items []*item) {
		b.row(filter(items, func(it *item) bool { return steps[index[it]].Row }))
	}
	for _, it := range b.deepestFirst() {
		row(it.children)
	}
	row(b.roots())
	b.through()
	waits := make([][]int, len(steps))
	for i, it := range b.items {
		for _, w := range it.waits {
			waits[i] = append(waits[i], index[w.item])
		}
	}
	return waits
}
