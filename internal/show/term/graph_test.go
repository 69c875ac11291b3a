package term

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/sample"
	"github.com/pawl-dev/pawl/internal/show"
)

// board makes tasks from a line for each: number, state, what it waits for,
// parent.
//
//	3 o 1,2 ^7    #3 is pending, waits for #1 and #2, and is a part of #7
//
// States are x completed, > in progress, o pending, - held. A blocker that has no
// line is not on the board.
func board(t testing.TB, text string) (tasks []pawl.Task, missing []pawl.ID) {
	t.Helper()
	at := map[pawl.ID]int{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		task := pawl.Task{ID: id(t, fields[0]), Subject: "Task " + fields[0], Status: pawl.Pending}
		switch fields[1] {
		case "x":
			task.Status, task.CompletedAt = pawl.Completed, ago(26*time.Hour)
		case ">":
			task.Status, task.Owner, task.StartedAt = pawl.InProgress, "ada", ago(3*time.Minute)
		case "-":
			task.Hold = &pawl.Hold{Reason: "no key"}
		}
		for _, f := range fields[2:] {
			if parent, ok := strings.CutPrefix(f, "^"); ok {
				task.Parent = id(t, parent)
				continue
			}
			for b := range strings.SplitSeq(f, ",") {
				task.Blockers = append(task.Blockers, id(t, b))
			}
		}
		slices.Sort(task.Blockers)
		at[task.ID] = len(tasks)
		tasks = append(tasks, task)
	}
	lost := map[pawl.ID]bool{}
	for i := range tasks {
		task := &tasks[i]
		for _, b := range task.Blockers {
			k, there := at[b]
			lost[b] = lost[b] || !there
			if task.Open() && (!there || tasks[k].Open()) {
				task.BlockedBy = append(task.BlockedBy, b)
			}
		}
		if k, there := at[task.Parent]; there {
			tasks[k].Children = append(tasks[k].Children, task.ID)
			if task.Open() {
				tasks[k].OpenChildren++
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(lost)) {
		if lost[id] {
			missing = append(missing, id)
		}
	}
	return tasks, missing
}

func id(t testing.TB, s string) pawl.ID {
	t.Helper()
	return must.Get(pawl.ParseID(s))(t)
}

// graphs are drawn for the golden files.
var graphs = []struct{ name, tasks string }{
	{"three", "1 o\n2 o 1\n3 o 2"},
	{"together", "1 x\n2 > 1\n3 o 1\n4 o 2,3\n5 - 4"},
	{"parents", "1 o\n2 o ^5\n3 o 1 ^5\n4 x ^5\n5 o\n6 o 5"},
	{"crossing", "1 o\n2 o\n3 o\n4 o 1,3\n5 o 2\n6 o 1,2,3\n7 o 4,6"},
	{"bus", "1 o\n2 o\n3 o\n4 o 1,2,3\n5 o 1,2,3\n6 o 1,2,3\n7 o 4,5,6"},
	{"cycle", "1 o 3\n2 o 1\n3 o 2\n4 o 3\n5 o 5"},
	{"missing", "1 o 9\n2 o 1,9"},
	{"apart", "1 o\n2 o\n3 o 1\n4 o\n5 o 2\n6 >"},
	{"long", "1 o\n2 o 1\n3 o 2\n4 o 3\n5 o 1,4\n6 o 2,4\n7 o 1"},
}

func TestGraphs(t *testing.T) {
	for _, c := range graphs {
		tasks, missing := board(t, c.tasks)
		g := show.NewGraph(tasks, missing, "ada")
		var b strings.Builder
		b.WriteString(c.tasks + "\n")
		for _, sc := range []Screen{{80, true}, {38, true}, {80, false}, {26, true}} {
			lines := sc.Graph(g, facts())
			sound(t, sc, lines)
			fmt.Fprintf(&b, "\n%v\n%s", sc, textOf(lines))
		}
		fmt.Fprintf(&b, "\nchain %v, cycles %v\n", g.Chain, g.Cycles)
		sample.Golden(t, "graph-"+c.name+".txt", b.String())
	}
}

// Tones: glyph and number by state, the lines of the longest chain in the
// ordinary one, other lines and what is known already step back.
func TestGraphTones(t *testing.T) {
	tasks, missing := board(t, graphs[1].tasks)
	g := show.NewGraph(tasks, missing, "ada")
	g.Around = 3
	var b strings.Builder
	for _, l := range modern.Graph(g, facts()) {
		b.WriteString(marked(l) + "\n")
	}
	sample.Golden(t, "graph-tones.txt", b.String())
}

// A task in focus is brought out with all that it waits for and all that wait
// for it; everything else steps back, the longest chain too.
func TestFocus(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"crossing", "together", "parents", "apart"} {
		i := slices.IndexFunc(graphs, func(g struct{ name, tasks string }) bool { return g.name == name })
		tasks, missing := board(t, graphs[i].tasks)
		g := show.NewGraph(tasks, missing, "ada")
		for _, sc := range []Screen{modern, {26, true}} {
			fmt.Fprintf(&b, "%s, %d columns, #4 in focus\n", name, sc.Width)
			rows := sc.GraphRows(g, facts(), 4)
			for _, row := range rows {
				task := ""
				if row.Task != 0 {
					task = row.Task.String()
				}
				fmt.Fprintf(&b, "%-3s%-7s%s\n", task, [...]string{show.Before: "before", show.Behind: "behind", show.Same: "same", show.Apart: ""}[row.Kin], marked(row.Line))
			}
			b.WriteByte('\n')
			for i, line := range sc.Graph(g, facts()) {
				if line.String() != rows[i].Line.String() {
					t.Errorf("%s: what is in focus changes more than tones:\n%s\n%s", name, line, rows[i].Line)
				}
			}
		}
	}
	sample.Golden(t, "graph-focus.txt", b.String())
}

// plan is the text of a plan as people and models make them.
func plan(rng *rand.Rand, n int, edges float64, near int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "%d %s", i, [...]string{"o", "o", "o", ">", "-", "x"}[rng.IntN(6)])
		var by []string
		for range int(edges + rng.Float64()) {
			if from := i - 1 - rng.IntN(near); from > 0 && !slices.Contains(by, fmt.Sprint(from)) {
				by = append(by, fmt.Sprint(from))
			}
		}
		if len(by) > 0 {
			b.WriteString(" " + strings.Join(by, ","))
		} else if i > 3 && rng.IntN(3) == 0 {
			fmt.Fprintf(&b, " ^%d", 1+rng.IntN(i-1))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Sixty tasks stay a drawing at 100 columns.
func TestSixty(t *testing.T) {
	sc := Screen{100, true}
	tasks, missing := board(t, plan(rand.New(rand.NewPCG(6, 0)), 60, 0.7, 12))
	lines := sc.Graph(show.NewGraph(tasks, missing, "ada"), facts())
	sound(t, sc, lines)
	got := textOf(lines)
	if strings.Contains(got, "Layer") {
		t.Error("a list instead of a drawing")
	}
	sample.Golden(t, "graph-sixty.txt", got)
}

// read takes a drawing for what it says: right of a task its line runs into
// others and then down; left of a task, lines from above run into it.
func read(t *testing.T, lines []string) (edges [][2]string) {
	t.Helper()
	grid := make([][]rune, len(lines))
	name := make([]string, len(lines))
	at := make([]int, len(lines))
	for row, line := range lines {
		drawing, rest, ok := strings.Cut(line, "#")
		if !ok {
			t.Fatalf("no task in %q", line)
		}
		name[row], _, _ = strings.Cut(rest, " ")
		grid[row] = []rune(drawing)
		at[row] = slices.IndexFunc(grid[row], func(r rune) bool { return strings.ContainsRune("○◆→✔⊘!", r) })
	}
	is := func(row, x int, set string) bool {
		return row >= 0 && row < len(grid) && x >= 0 && x < len(grid[row]) && strings.ContainsRune(set, grid[row][x])
	}
	const (
		leftward  = "─╌┘┐┤┴┬┼╋"
		rightward = "─╌└┌├┴┬┼╋"
		downward  = "│╎┐┌┤├┬┼╋"
		upward    = "│╎┘└┤├┴┼╋"
	)
	type cell struct{ row, x int }
	targets := map[cell][]string{} // by the top of a wire
	top := func(c cell) cell {
		for is(c.row-1, c.x, downward) && c.x != at[c.row-1] {
			c.row--
		}
		return c
	}
	sources := map[cell][]string{}
	for row := range grid {
		for x := at[row]; x == at[row] || is(row, x, leftward); x++ {
			if x > at[row] && grid[row][x] != '┼' && is(row, x, downward) {
				sources[top(cell{row, x})] = append(sources[top(cell{row, x})], name[row])
			}
		}
		for x := at[row]; x == at[row] || is(row, x, rightward); x-- {
			if x < at[row] && grid[row][x] != '┼' && is(row, x, upward) {
				targets[top(cell{row, x})] = append(targets[top(cell{row, x})], name[row])
			}
		}
	}
	for c, from := range sources {
		for _, a := range from {
			for _, b := range targets[c] {
				if edge := [2]string{a, b}; !slices.Contains(edges, edge) {
					edges = append(edges, edge)
				}
			}
		}
	}
	slices.SortFunc(edges, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return edges
}

// A drawing shows exactly the edges of the graph.
func TestDrawingsSayTheTruth(t *testing.T) {
	drawn, edges := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n := 2 + rng.IntN(40)
		text := plan(rng, n, 0.5+rng.Float64()*2, 1+rng.IntN(n))
		tasks, missing := board(t, text)
		g := show.NewGraph(tasks, missing, "ada")
		sc := Screen{60 + rng.IntN(200), true}
		for _, d := range sc.drawings(g) {
			step := d.fits(sc)
			if step == 0 {
				continue
			}
			var lines []string
			part := map[int]bool{}
			for i, l := range d.draw(sc, facts(), step) {
				lines = append(lines, l.Line.String())
				part[d.rows[i]] = true
			}
			var want [][2]string
			for _, e := range g.Layout.Edges {
				if !e.Back && part[int(e.From)] {
					want = append(want, [2]string{fmt.Sprint(g.Nodes[e.From].Task.ID)[1:], fmt.Sprint(g.Nodes[e.To].Task.ID)[1:]})
				}
			}
			slices.SortFunc(want, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
			if got := read(t, lines); !slices.Equal(got, want) {
				t.Fatalf("seed %d: the drawing says %v, the graph %v\n%s", seed, got, want, strings.Join(lines, "\n"))
			}
			drawn++
			edges += len(want)
		}
	}
	if drawn < 500 || edges < 5_000 {
		t.Errorf("only %d drawings with %d edges were looked at", drawn, edges)
	}
}

// A graph that does not fit is listed, layer by layer, whole.
func TestGraphTooWide(t *testing.T) {
	tasks, missing := board(t, plan(rand.New(rand.NewPCG(1, 1)), 60, 2.5, 20))
	g := show.NewGraph(tasks, missing, "ada")
	sc := Screen{60, true}
	lines := sc.Graph(g, facts())
	sound(t, sc, lines)
	sample.Golden(t, "graph-listed.txt", textOf(lines))

	var many strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&many, "%d o %d\n", i+2, i+1)
	}
	many.WriteString("1 o\n")
	tasks, missing = board(t, many.String())
	lines = Screen{10_000, true}.Graph(show.NewGraph(tasks, missing, "ada"), facts())
	if len(lines) != 2*1_001 {
		t.Errorf("%d lines for a chain of 1,001 tasks", len(lines))
	}
}

func FuzzGraph(f *testing.F) {
	for i, s := range nasty {
		f.Add(s, []byte{1, 2, 3, 1, 3, 7, 9, 2}, i*7, i)
	}
	f.Fuzz(func(t *testing.T, subject string, edges []byte, width, kind int) {
		sc := Screen{20 + abs(width)%150, kind%2 == 0}
		n := 1 + len(edges)/2
		tasks := make([]pawl.Task, n)
		for i := range tasks {
			tasks[i] = pawl.Task{ID: pawl.ID(i + 1), Subject: subject, Owner: subject, Status: []pawl.Status{pawl.Pending, pawl.InProgress, pawl.Completed, "odd"}[abs(kind+i)%4]}
		}
		for i := 0; i+1 < len(edges); i += 2 {
			from, to := pawl.ID(edges[i])+1, &tasks[int(edges[i+1])%n]
			if kind%3 == 0 && int(from) <= n {
				to.Children = append(to.Children, from)
			} else {
				to.Blockers = append(to.Blockers, from)
				to.BlockedBy = append(to.BlockedBy, from)
			}
		}
		var missing []pawl.ID
		if kind%5 == 0 {
			missing = []pawl.ID{pawl.ID(n + 1)}
		}
		g := show.NewGraph(tasks, missing, "ada")
		lines := sc.Graph(g, facts())
		if len(lines) < len(g.Nodes) {
			t.Errorf("%d lines for %d tasks", len(lines), len(g.Nodes))
		}
		for _, l := range lines {
			if s := l.String(); Width(s) > sc.Width || strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("not fit for %d columns: %q", sc.Width, s)
			}
		}
		for _, text := range []string{g.Mermaid(), g.Dot()} {
			if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
				t.Errorf("a control character in %q", text)
			}
		}
	})
}
