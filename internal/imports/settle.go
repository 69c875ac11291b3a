package imports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
)

// settle sees to what all formats have in common, so that a board takes the
// tasks: names that are there once, edges that lead somewhere and close no
// cycle, states that go together, and metadata.
func (r *Result) settle(f *Format, lead string) {
	r.unique(f, lead)
	s := &settling{Result: r, format: f, byRef: map[string]int{}}
	for i := range r.Tasks {
		s.byRef[r.Tasks[i].Ref] = i
	}
	s.resolve()
	s.unloop()
	s.states()
	s.inherit()
	for i := range r.Tasks {
		r.Tasks[i].seal(r, f.Name)
		s.fit(&r.Tasks[i])
	}
}

// apart gives the tasks of a project within a project names of their own:
// taskmaster:web/master:5, web/BACK-7.
func (r *Result) apart(f *Format, place string) {
	folder := f.homeOf(place)
	if folder == "" {
		return
	}
	names := map[string]string{}
	name := func(ref string) string { return cmp.Or(names[ref], ref) }
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if _, known := names[t.Ref]; known || f.own(t.Ref) == "" {
			continue
		}
		rest, prefixed := strings.CutPrefix(t.Ref, f.Name+":")
		to := folder + "/" + rest
		if prefixed {
			to = f.Name + ":" + to
		}
		names[t.Ref] = OneLine(to, MaxRef)
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		t.Ref, t.Parent.Name = name(t.Ref), name(t.Parent.Name)
		for _, refs := range [][]pawl.Ref{t.BlockedBy, t.Blocks} {
			for j := range refs {
				refs[j].Name = name(refs[j].Name)
			}
		}
	}
	for _, remarks := range [][]Remark{r.Changed, r.LeftOut} {
		for i := range remarks {
			remarks[i].Ref = name(remarks[i].Ref)
		}
	}
}

// homeOf is the folder, below the board's project, in which a place is at home. It
// is "" for the project's own folder, and for a place that is not usual.
func (f *Format) homeOf(place string) string {
	for _, home := range f.Homes { // the longer ones first
		switch i := strings.LastIndex("/"+place+"/", "/"+home+"/"); {
		case i == 0:
			return ""
		case i > 0:
			return place[:i-1]
		}
	}
	return ""
}

// settling is a result whose tasks are found by their names.
type settling struct {
	*Result
	format *Format
	byRef  map[string]int
	parent []int   // of each task; -1: none
	waits  [][]int // the blockers of each task

	children [][]int // made when parents are settled
	looked   int     // tasks that searches for cycles have looked at
}

// unique leaves out tasks that have no name, since a second import would make
// them again, and those whose name another one has.
func (r *Result) unique(f *Format, lead string) {
	first := map[string]Position{}
	r.Tasks = slices.DeleteFunc(r.Tasks, func(t Task) bool {
		if f.own(t.Ref) == "" {
			r.Leave(t.At, "no id", clip(t.Subject))
			return true
		}
		at, twice := first[t.Ref]
		if twice {
			if at.File == t.At.File {
				at.File = ""
			}
			at.lead(lead)
			r.Leave(t.At, "the same id twice", fmt.Sprintf("%s %q, as %v", f.own(t.Ref), clip(t.Subject), at))
			return true
		}
		first[t.Ref] = t.At
		return false
	})
}

const absent = "references to absent tasks, kept in metadata"

func (s *settling) resolve() {
	s.parent = make([]int, len(s.Tasks))
	s.waits = make([][]int, len(s.Tasks))
	// A task that this one blocks waits for it.
	for i := range s.Tasks {
		t := &s.Tasks[i]
		var lost []string
		for _, ref := range once(t.Blocks) {
			if j, there := s.byRef[ref.Name]; there {
				s.Tasks[j].After(t.Ref)
			} else {
				lost = append(lost, ref.Name)
			}
		}
		s.gone(t, "blocks", lost...)
		t.Blocks = nil
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		s.parent[i] = -1
		if name := t.Parent.Name; name != "" {
			if j, there := s.byRef[name]; !there || j == i {
				s.gone(t, "is part of", name)
				t.Parent = pawl.Ref{}
			} else {
				s.parent[i] = j
				s.Subtasks++
			}
		}
		var lost []string
		t.BlockedBy = slices.DeleteFunc(once(t.BlockedBy), func(ref pawl.Ref) bool {
			j, there := s.byRef[ref.Name]
			switch {
			case !there:
				lost = append(lost, ref.Name)
			case j == i:
				s.Leave(t.At, "dependencies of a task on itself", s.name(t.Ref))
			case len(s.waits[i]) == pawl.MaxEdges:
				s.Leave(t.At, fmt.Sprintf("more than %d dependencies of one task", pawl.MaxEdges), s.name(t.Ref))
			default:
				s.waits[i] = append(s.waits[i], j)
				return false
			}
			return true
		})
		s.gone(t, "waits for", lost...)
		s.Edges += len(t.BlockedBy)
	}
	s.crowded()
}

func once(refs []pawl.Ref) []pawl.Ref {
	seen := make(map[pawl.Ref]bool, len(refs))
	return slices.DeleteFunc(refs, func(ref pawl.Ref) bool {
		twice := seen[ref]
		seen[ref] = true
		return twice
	})
}

// crowded takes out edges to tasks for which more wait than a task may block.
func (s *settling) crowded() {
	blocks := make([]int, len(s.Tasks))
	for i := range s.Tasks {
		t := &s.Tasks[i]
		for _, j := range slices.Clone(s.waits[i]) {
			if blocks[j]++; blocks[j] > pawl.MaxEdges {
				s.cut(i, j)
				s.Leave(t.At, fmt.Sprintf("more than %d dependencies on one task", pawl.MaxEdges), s.name(t.Ref)+" on "+s.name(s.Tasks[j].Ref))
			}
		}
	}
}

// gone tells of references to tasks that the source does not have, and keeps
// them.
func (s *settling) gone(t *Task, verb string, names ...string) {
	if len(names) == 0 {
		return
	}
	t.Keep("absent "+verb, slices.Clone(names))
	list := t.Ref[:strings.LastIndexByte(t.Ref, ':')+1] // whose name need not be said again
	told := slices.Clone(names[:min(len(names), mostTold)])
	for i, name := range told {
		told[i] = s.name(strings.TrimPrefix(name, list))
	}
	if more := len(names) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	s.Leave(t.At, absent, s.name(t.Ref)+" "+verb+" "+strings.Join(told, ", "))
	s.LeftOut[len(s.LeftOut)-1].N = len(names)
}

// mostTold is how many absent tasks the remark about one task names.
const mostTold = 100

// own is a ref as the source has it.
func (f *Format) own(ref string) string { return clip(strings.TrimPrefix(ref, f.Name+":")) }

func (s *settling) name(ref string) string { return s.format.own(ref) }

func (s *settling) cut(i, j int) {
	name := pawl.RefName(s.Tasks[j].Ref)
	s.Tasks[i].BlockedBy = slices.DeleteFunc(s.Tasks[i].BlockedBy, func(ref pawl.Ref) bool { return ref == name })
	s.waits[i] = slices.DeleteFunc(s.waits[i], func(k int) bool { return k == j })
}

func (s *settling) states() {
	children := s.childrenOf()
	for _, i := range s.leavesFirst() {
		t := &s.Tasks[i]
		if t.Status == "" {
			t.Status = pawl.Pending
		}
		was := t.Status
		open := slices.ContainsFunc(children[i], func(c int) bool { return s.Tasks[c].Status != pawl.Completed })
		switch {
		case t.Status == pawl.Completed && open:
			t.Status = pawl.Pending
			if !t.CompletedAt.IsZero() {
				t.Keep("completed", t.CompletedAt)
			}
			s.Change(t, "reopened: done there, with open subtasks")
		case t.Status == pawl.InProgress && t.Owner == "":
			t.Status = pawl.Pending
			s.Change(t, "pending: nobody is at it")
		}
		if t.Status != was && t.State != "" {
			t.Keep("status", t.State)
		}
		switch t.Status {
		case pawl.Completed:
			t.Hold = nil
			if t.CompletedAt.IsZero() {
				t.CompletedAt = t.UpdatedAt
			}
		case pawl.Pending:
			t.StartedAt, t.CompletedAt = time.Time{}, time.Time{}
		default:
			t.CompletedAt = time.Time{}
		}
	}
}

// leavesFirst is an order in which each task comes before its parent.
func (s *settling) leavesFirst() []int {
	left := make([]int, len(s.Tasks))
	for _, p := range s.parent {
		if p >= 0 {
			left[p]++
		}
	}
	var order []int
	for i := range left {
		if left[i] == 0 {
			order = append(order, i)
		}
	}
	for at := 0; at < len(order); at++ {
		if p := s.parent[order[at]]; p >= 0 {
			if left[p]--; left[p] == 0 {
				order = append(order, p)
			}
		}
	}
	return order
}

// inherit lets the first open subtasks wait for what their parent waits for:
// no tracker begins the parts of a task before the task, and a board knows
// nothing of the kind.
func (s *settling) inherit() {
	order := s.leavesFirst()
	for _, i := range slices.Backward(order) { // parents first
		p := s.parent[i]
		if p < 0 || s.Tasks[i].Status == pawl.Completed {
			continue
		}
		sibling := slices.ContainsFunc(s.waits[i], func(j int) bool { return s.parent[j] == p && s.Tasks[j].Status != pawl.Completed })
		if sibling {
			continue
		}
		for _, j := range s.waits[p] {
			if s.Tasks[j].Status == pawl.Completed || j == i || slices.Contains(s.waits[i], j) || len(s.waits[i]) >= pawl.MaxEdges || s.reaches(j, i) {
				continue
			}
			s.waits[i] = append(s.waits[i], j)
			s.Tasks[i].After(s.Tasks[j].Ref)
		}
	}
}

// fit drops notes of a task that is larger than a board takes; they are told.
func (s *settling) fit(t *Task) {
	size := len(t.Description)*2 + 8<<10
	for _, raw := range t.Metadata {
		size += len(raw)
	}
	for i, n := range t.Notes {
		size += len(n.Text)*2 + len(n.By) + 100
		if size > pawl.MaxTask-pawl.MaxState {
			s.Leave(t.At, fmt.Sprintf("notes beyond the %d KiB of a task", pawl.MaxTask>>10), fmt.Sprintf("%d of %s", len(t.Notes)-i, s.name(t.Ref)))
			t.Notes = t.Notes[:i]
			return
		}
	}
}
