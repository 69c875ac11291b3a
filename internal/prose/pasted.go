package prose

import "strings"

// pastedLines are the lines that were pasted: each by itself, or because the
// lines around it were.
func pastedLines(text string, lines []span) []span {
	pasted := make([]bool, len(lines))
	fence := ""     // what closes the fence that is open
	diff := false   // within a diff
	mail := false   // after a mail's head: what follows is the mail
	marker := false // between the markers of a conflict
	for i, l := range lines {
		line := text[l.from:l.to]
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue // blank already
		}
		pasted[i] = true
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
		case hasAnyPrefix(trimmed, "```", "~~~"):
			fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:1]))]
			if strings.Contains(trimmed[len(fence):], fence) {
				fence = "" // opened and closed in one line
			}
		case marker:
			marker = !strings.HasPrefix(line, ">>>>>>>")
		case strings.HasPrefix(line, "<<<<<<< "):
			marker = true
		case mail:
		case mailHead(line) && i+1 < len(lines) && mailHead(text[lines[i+1].from:lines[i+1].to]):
			mail = true
		default:
			diff = (diff || hasAnyPrefix(line, "diff --git ", "@@ -", "--- a/", "Index: ")) && diffLine(line)
			pasted[i] = diff || looksPasted(line, trimmed)
		}
	}
	spread(text, lines, pasted)
	var found []span
	for i, p := range pasted {
		if p {
			found = append(found, lines[i])
		}
	}
	return found
}

// spread makes a block of lines pasted whose greater part is: logs and code
// have lines that look like prose. The first and the last one of a block may
// be what its writer says about it, without an empty line between.
func spread(text string, lines []span, pasted []bool) {
	for from := 0; from < len(lines); {
		to, n := from, 0
		for to < len(lines) && strings.TrimSpace(text[lines[to].from:lines[to].to]) != "" {
			if pasted[to] {
				n++
			}
			to++
		}
		if n > 1 && 2*n >= to-from {
			for i := from + 1; i < to-1; i++ {
				pasted[i] = true
			}
		}
		from = to + 1
	}
}

func mailHead(line string) bool {
	return hasAnyPrefix(line, "From: ", "To: ", "Cc: ", "Sent: ", "Date: ", "Subject: ", "Von: ", "An: ", "Betreff: ")
}

// diffLine says that a line can stand in a diff that has begun.
func diffLine(line string) bool {
	switch line[0] {
	case ' ', '+', '@', '\\', '\t':
		return true
	case '-':
		// A list that follows a diff is none of it. A removed line begins
		// with a blank only where all of the file is indented by one.
		return !strings.HasPrefix(line, "- ")
	}
	return hasAnyPrefix(line, "diff ", "index ", "Index: ", "new file mode ", "deleted file mode ", "similarity index ", "rename from ", "rename to ", "Binary files ", "=====")
}

// looksPasted says that a line by itself is not a sentence of a person: a line of
// a log, a trace, a terminal, a table or code.
func looksPasted(line, trimmed string) bool {
	if m := markerOf(line); m.kind != 0 {
		// A line that begins like a list item is one, unless it is code anyway.
		return m.kind == itemBullet && codeLine(line[m.body:]) || m.kind == itemLabel && traceLine(trimmed)
	}
	return trimmed[0] == '>' || trimmed[0] == '|' || hasAnyPrefix(line, "\t", "    ") ||
		logLine(trimmed) || traceLine(trimmed) || terminalLine(trimmed) || codeLine(trimmed) || dataLine(trimmed)
}

// logLine says that a line begins like one of a log: with a time or a level.
func logLine(s string) bool {
	s = strings.TrimLeft(s, "[(")
	for _, level := range []string{"INFO", "WARN", "WARNING", "ERROR", "ERR!", "DEBUG", "TRACE", "FATAL", "SEVERE", "CRITICAL", "FAILED", "CONFLICT", "npm ERR!", "npm WARN", "ERESOLVE"} {
		if rest, ok := strings.CutPrefix(s, level); ok && (rest == "" || strings.IndexByte(" ]):\t-|", rest[0]) >= 0) {
			return true
		}
	}
	return hasAnyPrefix(s, "error: ", "error[", "warning: ", "hint: ", "fatal: ", "remote: ", "panic: ", "fatal error: ", "Caused by: ", "Traceback (", "goroutine ", "Exit code: ",
		"make: ", "make[", "Exception in ", "Uncaught ", "Unhandled ", "Error: ", "TypeError: ", "info ", "ERR! ") || timeLen(s) > 0 || counter(s)
}

// timeLen is how long the date or the time is that a line begins with, or 0.
func timeLen(s string) int {
	n, marks := 0, 0
	for n < len(s) && n < 40 && (isDigit(s[n]) || strings.IndexByte("-/:.,TZ+", s[n]) >= 0) {
		if s[n] == '-' || s[n] == '/' || s[n] == ':' {
			marks++
		}
		n++
	}
	if n >= 8 && marks >= 2 && isDigit(s[0]) {
		return n
	}
	return 0
}

// counter says that a line begins with the count of a build: 3/7], #5 [1/7], 1 DONE.
func counter(s string) bool {
	if strings.HasPrefix(s, "#") && len(s) > 1 && isDigit(s[1]) {
		return true
	}
	n := digits(s)
	if n == 0 || n >= len(s) || s[n] != '/' {
		return false
	}
	m := digits(s[n+1:])
	return m > 0 && n+1+m < len(s) && s[n+1+m] == ']'
}

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// traceLine says that a line is a frame of a stack, or a compiler's message.
func traceLine(s string) bool {
	if hasAnyPrefix(s, `File "`, "created by ", "... ", "E   ", "E  ", "exit status ", "FAIL\t", "FAIL:", "ok  \t", "--- FAIL", "=== RUN", "at async ") {
		return true
	}
	if strings.HasPrefix(s, "at ") && (strings.Contains(s, "(") || strings.Contains(s, ":")) {
		return true
	}
	// path/to/file.go:12, src/a.ts(3,1): error
	word, _, _ := strings.Cut(s, " ")
	dot := strings.LastIndexByte(word, '.')
	if dot <= 0 || dot == len(word)-1 {
		return false
	}
	rest := strings.TrimLeft(word[dot+1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(rest) > 1 && (rest[0] == ':' || rest[0] == '(') && isDigit(rest[1]) ||
		strings.Contains(word, "(0x") || strings.HasSuffix(word, "(...)")
}

// terminalLine says that a line is a command behind a prompt, or a rule.
func terminalLine(s string) bool {
	return hasAnyPrefix(s, "$ ", "% ", ">>> ", "PS C:", "C:\\", "***", "===", "---", "___")
}

// codeLine says that a line is code, by how it begins or ends or by how many
// signs it has.
func codeLine(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "**") {
		s = strings.Trim(s, "* :") // bold
	}
	if s == "" {
		return false
	}
	for _, head := range []string{"//", "/*", "*/", "#include", "#!/", "import {", "import (", "import \"", "import * as", "const ", "func ", "func(", "fn ", "def ", "class ", "public ", "private ", "export ", "package ", "return ", "type ", "@"} {
		if strings.HasPrefix(s, head) && (head[0] == '/' || head[0] == '*' || signs(s) > 0) {
			return true
		}
	}
	if hasAnyPrefix(s, "SELECT ", "FROM ", "WHERE ", "JOIN ", "LEFT JOIN ", "INNER JOIN ", "ORDER BY ", "GROUP BY ", "LIMIT ", "AND ", "INSERT INTO ", "UPDATE ", "CREATE TABLE ", "ALTER TABLE ", "VALUES ") {
		return true
	}
	switch s[len(s)-1] {
	case '{', '}', ';', '[', '\\':
		return len(s) < 3 || signs(s) > 1
	case ')', ']', ',':
		return len(s) < 4 || signs(s) > 3 && signs(s)*8 > len(s)
	case '>':
		// A tag alone is how people mark the parts of what they say.
		return s[0] == '<' && strings.Trim(s, "</>_-abcdefghijklmnopqrstuvwxyz") != ""
	}
	return signs(s)*5 > len(s)
}

// signs counts what code has more of than sentences.
func signs(s string) int {
	n := 0
	for i := range len(s) {
		switch s[i] {
		case '{', '}', '(', ')', '[', ']', ';', '=', '<', '>', '|', '&', '$', '"', '\\', '*', '/', '+', '%', '#', '^', '~', '_':
			n++
		}
	}
	return n
}

// dataLine says that a line is data: key=value, "key": value, a,b,c,d.
func dataLine(s string) bool {
	if s[0] == '[' && s[len(s)-1] == ']' && !strings.Contains(s, " ") {
		return true
	}
	if s[0] == '"' && strings.Contains(s, `":`) {
		return true
	}
	word, _, more := strings.Cut(s, " ")
	if !more && strings.Count(word, ",") >= 2 && !wide(word) {
		return true
	}
	name, _, is := strings.Cut(word, "=")
	return is && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == ""
}
