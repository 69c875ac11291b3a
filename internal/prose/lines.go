package prose

import "strings"

// itemLine is the kind of an item that nothing marks: a line among such lines.
const itemLine = ' '

// marksOf are the marks of all lines. Some lists have none that a line by itself
// shows: they are numbered without a sign, 1 or R1, or each item is a line below
// the words that announce them.
func marksOf(own string, lines []span) []listMark {
	marks := make([]listMark, len(lines))
	for i, l := range lines {
		if line := own[l.from:l.to]; strings.TrimSpace(line) != "" {
			marks[i] = markerOf(line)
		}
	}
	for i := 0; i < len(lines); i++ {
		if n := numbered(own, lines[i:]); n > 2 {
			for k := range n {
				marks[i+k] = listMark{itemNumber, plainNumberLen(own[lines[i+k].from:lines[i+k].to], k+1)}
			}
			i += n - 1
		} else if n := announcedLines(own, lines[i:], marks[i:]); n > 2 {
			for k := 1; k <= n; k++ {
				marks[i+k] = listMark{itemLine, 0}
			}
			i += n
		}
	}
	return marks
}

// numbered is how many of the first lines are numbered from one on.
func numbered(own string, lines []span) int {
	n := 0
	for n < len(lines) && n < 99 && plainNumberLen(own[lines[n].from:lines[n].to], n+1) > 0 {
		n++
	}
	return n
}

// plainNumberLen is how long the number n is that a line begins with, perhaps
// behind a letter, with nothing but blanks after it.
func plainNumberLen(line string, n int) int {
	at := 0
	for at < len(line) && at < 3 && line[at] == ' ' {
		at++
	}
	if at < len(line) && line[at] >= 'A' && line[at] <= 'Z' {
		at++
	}
	d := digits(line[at:])
	if d == 0 || d > 2 || at+d+1 >= len(line) || line[at+d] != ' ' || atoi(line[at:at+d]) != n {
		return 0
	}
	return at + d + 1
}

// announcedLines is how many lines the first one announces: short ones without
// a mark or the end of a sentence, up to an empty line.
func announcedLines(own string, lines []span, marks []listMark) int {
	head := strings.TrimSpace(own[lines[0].from:lines[0].to])
	if head == "" || len(head) > 200 || marks[0].kind != 0 || len(lines) < 4 {
		return 0
	}
	n := 0
	for n+1 < len(lines) {
		line := strings.TrimSpace(own[lines[n+1].from:lines[n+1].to])
		if line == "" {
			if n == 0 {
				n++ // the lines stand below an empty one
				continue
			}
			break
		}
		if marks[n+1].kind != 0 || len(line) > 70 || strings.HasPrefix(line, "#") || strings.IndexByte(".:?!", line[len(line)-1]) >= 0 {
			return 0
		}
		if n++; n > 2*MaxSteps {
			return 0 // data, whatever is before it
		}
	}
	if n < 3 {
		return 0
	}
	if strings.TrimSpace(own[lines[1].from:lines[1].to]) == "" && (n < 4 || !strings.HasSuffix(head, ":") && !hands(head)) {
		return 0
	}
	switch leadOf(head) {
	case leadFacts:
		return n
	case leadWork:
		if strings.HasSuffix(head, ":") || hands(head) {
			return n
		}
	}
	return 0
}

// hands says that a line asks for all that follows.
func hands(line string) bool {
	for _, s := range phrases(line) {
		if closes(s) {
			return true
		}
	}
	return false
}
