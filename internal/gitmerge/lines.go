package gitmerge

import (
	"bytes"
	"slices"
)

// mostLines bounds the files whose lines are compared: a task has some dozens.
const mostLines = 1000

// mergeLines merges two texts by lines, as git does. It is not ok where they
// conflict.
func mergeLines(base, a, b []byte) ([]byte, bool) {
	o, x, y := bytes.SplitAfter(base, []byte("\n")), bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n"))
	if max(len(o), len(x), len(y)) > mostLines {
		return nil, false
	}
	inX, inY := matches(o, x), matches(o, y)
	var out []byte
	i, j, k := 0, 0, 0 // in o, x and y
	for {
		// The next line of o that both have kept; the end counts as one.
		n := i
		for n < len(o) && (inX[n] < 0 || inY[n] < 0) {
			n++
		}
		toX, toY := len(x), len(y)
		if n < len(o) {
			toX, toY = inX[n], inY[n]
		}
		was, one, two := o[i:n], x[j:toX], y[k:toY]
		switch {
		case slices.EqualFunc(one, was, bytes.Equal), slices.EqualFunc(one, two, bytes.Equal):
			out = append(out, bytes.Join(two, nil)...)
		case slices.EqualFunc(two, was, bytes.Equal):
			out = append(out, bytes.Join(one, nil)...)
		default:
			return nil, false
		}
		if n == len(o) {
			return out, true
		}
		out = append(out, o[n]...)
		i, j, k = n+1, toX+1, toY+1
	}
}

// matches returns for each line of a where the longest common sequence has it in b;
// -1: not at all.
func matches(a, b [][]byte) []int {
	at := make([]int, len(a))
	lens := make([][]int, len(a)+1)
	lens[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		lens[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			if bytes.Equal(a[i], b[j]) {
				lens[i][j] = lens[i+1][j+1] + 1
			} else {
				lens[i][j] = max(lens[i+1][j], lens[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a); i++ {
		at[i] = -1
		for j < len(b) && !bytes.Equal(a[i], b[j]) && lens[i][j+1] == lens[i][j] {
			j++
		}
		if j < len(b) && bytes.Equal(a[i], b[j]) {
			at[i] = j
			j++
		}
	}
	return at
}
