package checklist

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/imports"
	"github.com/pawl-dev/pawl/internal/plan"
	"github.com/pawl-dev/pawl/internal/text"
)

const kiroKey = "kiro"

// Kiro reads the tasks.md of a spec of Kiro:
//
//   - [ ] 1. Set up the project
//   - [ ] 1.1 Configure the build
//   - Use the compiler that is there
//   - _Requirements: 1.1, 2.3_
//   - [ ]* 1.2 Write unit tests
//
// 1.1 is part of 1, indented or not; a heading such as "## 1. Setup" is a parent,
// too. Tasks run in order; those with (P) run side by side. A star is for what is
// optional: a low priority, and nothing waits for it. Newer files have a
// dependency graph of waves, which then counts instead of the order.
var Kiro = imports.Format{
	Name: kiroKey, Title: "Kiro", Shape: ".kiro/specs/NAME/tasks.md; pawl sync ticks its boxes", Boxes: true,
	Find: func(root string) []string {
		return imports.Within(root, ".kiro/specs", "tasks.md", func(string) bool { return true })
	},
	Recognises: func(name string, head []byte) bool {
		return strings.Contains("/"+name, "/.kiro/specs/") && path.Base(name) == "tasks.md" ||
			kiroTask.Get().Match(head) && kiroNeed.Get().Match(head)
	},
	Read: readKiro, Count: imports.CountBoxes,
}

var (
	kiroTask  = &text.Regexp{Expr: `(?m)^[ \t]*[-*] \[[ xX~/-]\]\*? \d+(?:\.\d+)*\.? `}
	kiroNeed  = &text.Regexp{Expr: `(?m)^[ \t]*[-*] _Requirements?: .*_`}
	beside    = &text.Regexp{Expr: `^\(P\)\s+`}
	kiroNeeds = &text.Regexp{Expr: `^_Requirements?: (.*)_$`}
)

type kiroReader struct {
	Doc
	group  int            // the heading that we are below
	ids    map[string]int // tasks by their numbers
	nest   []nested
	code   strings.Builder
	waves  [][]string
	before map[int][]int // waves that one says it waits for
}

func readKiro(in *imports.Input) (*imports.Result, error) {
	text, err := in.Text()
	if err != nil {
		return nil, err
	}
	r := &kiroReader{group: -1, ids: map[string]int{}}
	r.In = in
	r.Base = kiroKey + ":" + Key(in, ".kiro/specs")
	lines := Lines(text)
	if in.In != nil {
		r.Base = kiroKey + ":stdin"
	}
	for _, l := range lines {
		r.line(l)
	}
	r.Drop(r.group, r.ids)
	r.readWaves()
	if r.Steps() == 0 {
		return &imports.Result{}, nil
	}
	for i := range r.Steps() {
		if s := r.Step(i); len(r.Parts(i)) > 0 {
			s.Group = true
		}
	}
	waved := !in.Chain && !in.Parallel && r.byWaves()
	result, err := r.End()
	if err != nil {
		return nil, err
	}
	result.Told = r.Told()
	switch {
	case waved:
		result.Told += fmt.Sprintf(", in %d waves", len(r.waves))
	case in.Parallel:
		result.Told += ", no order"
	default:
		result.Told += ", in order"
	}
	return result, nil
}

func (r *kiroReader) line(l Line) {
	switch {
	case l.Code:
		if strings.HasPrefix(l.Text, "```") {
			r.readWaves()
		} else {
			r.code.WriteString(l.Text + "\n")
		}
	case l.Level > 0:
		r.Drop(r.group, r.ids)
		r.group, r.nest = -1, nil
		if no, words := Number(l.Text); no != "" && l.Level > 1 {
			r.group = r.Add(no, l.Text, words, l, plan.Step{Parent: -1, Group: true, Row: true})
			if r.group >= 0 {
				r.ids[no] = r.group
			}
		}
	case l.Box != 0:
		r.task(l)
	case l.Text == "":
	default:
		r.detail(l)
	}
}

func (r *kiroReader) task(l Line) {
	no, words := Number(l.Text)
	s := plan.Step{Parent: r.group, Done: l.Done(), Row: true}
	if up := above(&r.nest, l.Indent); up >= 0 {
		s.Parent = up
	}
	if dot := strings.LastIndexByte(no, '.'); dot >= 0 {
		if up, ok := r.ids[no[:dot]]; ok {
			s.Parent = up
		}
	}
	if m := beside.Get().FindString(words); m != "" {
		s.Band, words = "p", words[len(m):]
	}
	s.Optional = l.Star || strings.HasPrefix(words, "* ")
	words = strings.TrimPrefix(words, "* ")
	i := r.Add(no, strings.TrimSpace(no+" "+words), words, l, s)
	if i < 0 {
		return
	}
	if s.Optional {
		r.Task(i).Priority = pawl.Low
		r.Task(i).AddLabels("optional")
	}
	if _, twice := r.ids[no]; no != "" && !twice {
		r.ids[no] = i
	}
	r.nest = append(r.nest, nested{l.Indent, i})
}

// detail is a line below a task: a part of its description. The requirements that
// it names are kept by themselves, too.
func (r *kiroReader) detail(l Line) {
	i := above(&r.nest, l.Indent)
	if i < 0 {
		return
	}
	if m := kiroNeeds.Get().FindStringSubmatch(l.Text); m != nil {
		var list []string
		for req := range strings.SplitSeq(m[1], ",") {
			if req = strings.TrimSpace(req); req != "" {
				list = append(list, req)
			}
		}
		r.Task(i).Keep("requirements", list)
	}
	if l.Bullet {
		l.Text = "- " + l.Text
	}
	r.Describe(i, l.Text)
}

// readWaves reads the graph of dependencies, if the code block that ended is one:
//
//	{"waves": [{"id": 0, "tasks": ["1.1"]}, {"id": 1, "tasks": ["1.2", 2]}]}
func (r *kiroReader) readWaves() {
	text := r.code.String()
	r.code.Reset()
	if !strings.Contains(text, `"waves"`) || r.waves != nil {
		return
	}
	var doc struct {
		Waves []json.RawMessage `json:"waves"`
	}
	if json.Unmarshal([]byte(text), &doc) != nil {
		return
	}
	at := map[string]int{}
	var needs [][]json.RawMessage
	for n, raw := range doc.Waves {
		var wave struct {
			ID    json.RawMessage   `json:"id"`
			Wave  json.RawMessage   `json:"wave"`
			Tasks []json.RawMessage `json:"tasks"`
			Needs []json.RawMessage `json:"depends_on"`
		}
		if json.Unmarshal(raw, &wave) != nil && json.Unmarshal(raw, &wave.Tasks) != nil {
			continue
		}
		var tasks []string
		for _, t := range wave.Tasks {
			tasks = append(tasks, strings.Trim(string(t), `"`))
		}
		if wave.ID == nil {
			wave.ID = wave.Wave
		}
		at[strings.Trim(string(wave.ID), `"`)] = n
		r.waves, needs = append(r.waves, tasks), append(needs, wave.Needs)
	}
	r.before = map[int][]int{}
	for n, list := range needs {
		for _, raw := range list {
			if on, ok := at[strings.Trim(string(raw), `"`)]; ok && on < n {
				r.before[n] = append(r.before[n], on)
			}
		}
	}
}

// byWaves gives the tasks the order of the waves: those of one wait for those of
// the wave before. A task that no wave has, such as a checkpoint, waits for what
// stands before it, and nothing for it. It reports whether there are waves.
func (r *kiroReader) byWaves() bool {
	var waves [][]int
	in := map[int]bool{}
	for _, names := range r.waves {
		var wave []int
		for _, name := range names {
			if i, ok := r.ids[name]; ok && !in[i] {
				wave = append(wave, i)
				in[i] = true
			}
		}
		waves = append(waves, wave)
	}
	if len(in) == 0 {
		return false
	}
	for i := range r.Steps() {
		s := r.Step(i)
		s.Row, s.Band = false, ""
		up := false
		for j := i; j >= 0; j = r.Step(j).Parent {
			up = up || in[j]
		}
		if parts := r.Parts(i); !up && len(parts) == 0 {
			for j := range i {
				if len(r.Parts(j)) == 0 && in[j] && (s.Parent < 0 || r.Step(j).Parent == s.Parent) {
					s.After = append(s.After, j)
				}
			}
		}
	}
	for n, wave := range waves {
		from := r.before[n]
		for k := n - 1; len(from) == 0 && k >= 0; k-- {
			if len(waves[k]) > 0 {
				from = []int{k}
			}
		}
		for _, i := range wave {
			for _, k := range from {
				for _, j := range waves[k] {
					if !slices.Contains(r.Step(i).After, j) {
						r.Step(i).After = append(r.Step(i).After, j)
					}
				}
			}
		}
	}
	return true
}
