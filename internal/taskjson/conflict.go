package taskjson

import "bytes"

// Sides returns the two texts that git has left in one with its conflict lines. It
// is ok only if both are files of tasks, or both hold the number of .highwatermark.
//
//	<<<<<<< HEAD
//	  "subject": "Retry hooks",
//	||||||| 5a3c1f0              only in the styles diff3 and zdiff3
//	  "subject": "Hooks",
//	=======
//	  "subject": "Retry the hooks",
//	>>>>>>> bob
//
// No line of JSON can begin so, and thus such a line is never a part of a task. The base is
// the text that both sides come from, if git has left it and it can be read.
func Sides(text []byte) (base, ours, theirs []byte, ok bool) {
	const everywhere = 0
	var part byte // between which lines: '<' ours, '|' base, '=' theirs
	size, based := 0, true
	for line := range bytes.Lines(text) {
		c, n, _ := ConflictLine(line)
		if c == '<' && size == 0 {
			size = n
		}
		if n == 0 || n != size { // git makes those longer that stand in a base
			if part == everywhere || part == '<' {
				ours = append(ours, line...)
			}
			if part == everywhere || part == '|' {
				base = append(base, line...)
			}
			if part == everywhere || part == '=' {
				theirs = append(theirs, line...)
			}
			continue
		}
		switch {
		case c == '<' && part == everywhere, c == '|' && part == '<', c == '=' && part == '|':
		case c == '=' && part == '<':
			based = false
		case c == '>' && part == '=':
			c = everywhere
		default: // conflict lines within conflict lines, or a part of them: nobody knows what belongs to whom
			return nil, nil, nil, false
		}
		part = c
	}
	if size == 0 || part != everywhere || !(isTask(ours) && isTask(theirs)) && !(isMark(ours) && isMark(theirs)) {
		return nil, nil, nil, false
	}
	if !based || !isTask(base) {
		base = nil
	}
	return base, ours, theirs, true
}

// ConflictLine reads a line that git writes between versions: its character, of < | = > one; how
// many there are, which is seven unless conflict-marker-size is set; and what stands behind
// them. Zero: it is not such a line.
func ConflictLine(line []byte) (c byte, size int, label string) {
	if len(line) < 7 || bytes.IndexByte([]byte("<|=>"), line[0]) < 0 {
		return 0, 0, ""
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	size = len(line) - len(rest)
	if size < 7 || len(rest) > 0 && bytes.IndexByte([]byte(" \r\n"), rest[0]) < 0 {
		return 0, 0, ""
	}
	return line[0], size, string(bytes.TrimSpace(rest))
}

func isTask(text []byte) bool {
	_, err := Decode(text)
	return err == nil
}
