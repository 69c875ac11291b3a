package setup

import (
	"fmt"
	"slices"
	"strings"
)

// around is how many lines are shown around a change.
const around = 3

// mostLines is how many lines a change may touch to be compared line by line;
// beyond, all of it is shown as replaced.
const mostLines = 2000

// maxLine is how many bytes of a line are shown: where programs write their
// settings on one line, those around the change.
const maxLine = 4096

// Diff shows a change as programs and people know it.
//
//	--- ~/.claude.json
//	+++ ~/.claude.json
//	@@ -1,3 +1,6 @@
func Diff(name string, old, new []byte) string {
	from, to := name, name
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	a, b := slices.Collect(strings.Lines(string(old))), slices.Collect(strings.Lines(string(new)))
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	edits := compare(a, b)
	for i := 0; i < len(edits); {
		if edits[i].kind == ' ' {
			i++
			continue
		}
		start, end := max(0, i-around), i
		for quiet := 0; end < len(edits) && quiet <= 2*around; end++ {
			if quiet++; edits[end].kind != ' ' {
				quiet = 0
			}
		}
		for end > 0 && edits[end-1].kind == ' ' { // back to the last change
			end--
		}
		end = min(len(edits), end+around)
		hunk(&out, edits[start:end])
		i = end
	}
	return out.String()
}

// An edit is a line that stays, goes or comes.
type edit struct {
	kind byte // ' ', '-', '+'
	a, b int  // the numbers of the line, from 0
	text string
}

func hunk(out *strings.Builder, edits []edit) {
	gone, come := 0, 0
	for _, e := range edits {
		if e.kind != '+' {
			gone++
		}
		if e.kind != '-' {
			come++
		}
	}
	first := func(n, count int) int {
		if count == 0 {
			return n
		}
		return n + 1
	}
	fmt.Fprintf(out, "@@ -%d,%d +%d,%d @@\n", first(edits[0].a, gone), gone, first(edits[0].b, come), come)
	for i, e := range edits {
		text, ended := strings.CutSuffix(e.text, "\n")
		text = strings.TrimSuffix(text, "\r")
		if len(text) > maxLine {
			other := "" // the line before or after the change
			switch {
			case e.kind == '-' && i+1 < len(edits) && edits[i+1].kind == '+':
				other = edits[i+1].text
			case e.kind == '+' && i > 0 && edits[i-1].kind == '-':
				other = edits[i-1].text
			}
			text = excerpt(text, strings.TrimRight(other, "\r\n"))
		}
		fmt.Fprintf(out, "%c%s\n", e.kind, text)
		if !ended {
			out.WriteString("\\ No newline at end of file\n")
		}
	}
}

// excerpt is what a long line has that another one has not, with a little of what
// is around it.
func excerpt(line, other string) string {
	const beside = 60
	head, tail := shared([]byte(line), []byte(other))
	from := max(0, head-beside)
	to := min(len(line)-tail+beside, len(line), from+maxLine)
	out := strings.ToValidUTF8(line[from:to], "")
	if from > 0 {
		out = "… " + out
	}
	if to < len(line) {
		out += " …"
	}
	return out
}

// shared is how many elements two lists have in common at their beginning, and at their end.
func shared[T comparable](a, b []T) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

func compare(a, b []string) (edits []edit) {
	head, tail := shared(a, b)
	for n := range head {
		edits = append(edits, edit{' ', n, n, a[n]})
	}
	x, y := a[head:len(a)-tail], b[head:len(b)-tail]
	i, j := 0, 0
	if len(x) <= mostLines && len(y) <= mostLines {
		longest := common(x, y)
		for i < len(x) && j < len(y) {
			switch {
			case x[i] == y[j]:
				edits = append(edits, edit{' ', head + i, head + j, x[i]})
				i++
				j++
			case longest[i+1][j] >= longest[i][j+1]:
				edits = append(edits, edit{'-', head + i, head + j, x[i]})
				i++
			default:
				edits = append(edits, edit{'+', head + i, head + j, y[j]})
				j++
			}
		}
	}
	for ; i < len(x); i++ {
		edits = append(edits, edit{'-', head + i, head + j, x[i]})
	}
	for ; j < len(y); j++ {
		edits = append(edits, edit{'+', head + i, head + j, y[j]})
	}
	for n := range tail {
		edits = append(edits, edit{' ', len(a) - tail + n, len(b) - tail + n, a[len(a)-tail+n]})
	}
	return edits
}

func common(x, y []string) [][]int32 {
	table := make([][]int32, len(x)+1)
	for i := range table {
		table[i] = make([]int32, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
