package plan

import (
	"slices"
	"strconv"
	"strings"
)

// end takes out headings that hold nothing, and counts numbers.
func (r *reader) end() {
	for it, text := range r.texts {
		it.description = strings.TrimSpace(it.lead + "\n" + dedent(text))
	}
	for _, it := range r.items {
		if it.lead != "" && it.description == "" {
			it.description = it.lead
		}
	}
	r.steps()
	holds := map[*item]bool{}
	for _, it := range slices.Backward(r.items) {
		if it.up != nil && (!it.head || holds[it] || it.step || r.heads || len(it.checks)+len(it.accept) > 0) {
			holds[it.up] = true
		}
	}
	var kept []*item
	instead := map[*item]*item{} // of a heading that is taken out: the item before
	for _, it := range r.items {
		if it.head && !holds[it] {
			it.group = false
			if !it.step && !r.heads && len(it.checks)+len(it.accept) == 0 {
				if n := len(kept); n > 0 {
					instead[it] = kept[n-1]
				}
				if it.description != "" {
					r.leave(clip(it.subject))
				}
				continue
			}
		}
		kept = append(kept, it)
	}
	r.items = kept
	for _, n := range r.notes {
		if it := n.item; slices.Contains(kept, it) {
			it.notes = append(it.notes, n.line)
		} else if it = instead[it]; it != nil {
			for it.up != nil {
				it = it.up
			}
			it.notes = append(it.notes, n.line)
		}
	}
	if !r.heads && !r.any() { // nothing but steps without a list: the headings are the plan
		if slices.ContainsFunc(r.items, func(it *item) bool { return !it.step || it.up != nil }) {
			r.items = nil
		}
	}
	r.numbers()
}

// steps finds headings with bare numbers that are tasks although nothing stands
// below them: where no heading beside them is one that cannot be a task.
func (r *reader) steps() {
	beside := map[int][]*item{}
	for _, it := range r.items {
		if it.head {
			beside[it.section] = append(beside[it.section], it)
		}
	}
	for _, heads := range beside {
		odd := func(it *item) bool { return it.ordinal == "" || it.sort != work }
		if len(heads) > 1 && !slices.ContainsFunc(heads, odd) {
			for _, it := range heads {
				it.step = true
			}
		}
	}
}

// numbers gives the items of numbered lists the numbers that they have for a
// reader: as written, but counted where a list says "1." all along.
func (r *reader) numbers() {
	lists := map[int][]*item{}
	for _, it := range r.items {
		if it.number != "" && it.list != 0 {
			lists[it.list] = append(lists[it.list], it)
		}
	}
	for _, list := range lists {
		first := list[0].number
		if len(list) > 1 && !slices.ContainsFunc(list, func(it *item) bool { return it.number != first }) {
			for i, it := range list {
				it.number = strconv.Itoa(i + 1)
			}
		}
	}
	for _, it := range r.items {
		if up := it.up; up != nil && up.number != "" && it.number != "" && !strings.HasPrefix(it.number, up.number+".") {
			it.number = up.number + "." + it.number
		}
	}
}
