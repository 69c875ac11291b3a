package caller

import "strings"

// parseGit reads a configuration file of git's and gives each of its values to set,
// with section and key in lower case. Text that git would refuse to read ends it.
//
//	[includeIf "gitdir:~/work/"]   section includeif, sub gitdir:~/work/
//		path = "a b" ; comment     key path, value a b
func parseGit(text string, set func(section, sub, key, value string)) {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	section, sub := "", ""
	for text != "" {
		text = strings.TrimLeft(text, " \t\n")
		switch {
		case text == "":
			return
		case text[0] == '#' || text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		case text[0] == '[':
			var ok bool
			if section, sub, text, ok = gitHeader(text[1:]); !ok {
				return
			}
		default:
			end := strings.IndexAny(text, "=\n#;")
			key := text
			if end >= 0 {
				key = text[:end]
			}
			text = text[len(key):]
			value := ""
			if strings.HasPrefix(text, "=") {
				var ok bool
				if value, text, ok = gitValue(text[1:]); !ok {
					return
				}
			}
			set(section, sub, strings.ToLower(strings.TrimSpace(key)), value)
		}
	}
}

// gitHeader reads [section], [section "sub"] or [section.sub], behind its bracket.
func gitHeader(text string) (section, sub, rest string, ok bool) {
	end := strings.IndexAny(text, "]\"\n")
	if end < 0 || text[end] == '\n' {
		return "", "", "", false
	}
	section = strings.ToLower(strings.TrimSpace(text[:end]))
	if text[end] == ']' {
		section, sub, _ = strings.Cut(section, ".")
		return section, sub, text[end+1:], true
	}
	var b strings.Builder
	for i := end + 1; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return "", "", "", false
		case '"':
			rest, ok := strings.CutPrefix(strings.TrimLeft(text[i+1:], " \t"), "]")
			return section, b.String(), rest, ok
		case '\\':
			if i++; i == len(text) {
				return "", "", "", false
			}
		}
		b.WriteByte(text[i])
	}
	return "", "", "", false
}

// gitValue reads a value to the end of its line, which a backslash continues.
func gitValue(text string) (value, rest string, ok bool) {
	var b strings.Builder
	quoted := false
	kept := 0 // bytes before white space that the end of the line would cut
	text = strings.TrimLeft(text, " \t")
	i := 0
loop:
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\n':
			break loop
		case (c == '#' || c == ';') && !quoted:
			for i < len(text) && text[i] != '\n' {
				i++
			}
			break loop
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case c == '\\':
			if i++; i == len(text) {
				return "", "", false
			}
			switch text[i] {
			case '\n':
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'b':
				b.WriteByte('\b')
			case '"', '\\':
				b.WriteByte(text[i])
			default:
				return "", "", false
			}
			kept = b.Len()
		default:
			b.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				kept = b.Len()
			}
		}
	}
	if quoted {
		return "", "", false
	}
	return b.String()[:kept], text[i:], true
}
