package todo

import (
	"strings"
	"unicode/utf8"
)

// fromPython rewrites a Python literal as JSON, without evaluating anything:
//
//	[{'content': 'Don\'t stop', 'status': None,}]
//
// It translates quotes, escapes, True, False, None, parentheses and commas
// before a bracket. The caller finds out whether the result is JSON.
func fromPython(text string) (json []byte, ok bool) {
	out := make([]byte, 0, len(text)+16)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			var n int
			if out, n = pythonString(out, text[i:]); n == 0 {
				return nil, false
			}
			i += n
		case c == '(':
			out = append(out, '[')
			i++
		case c == ')':
			out = append(out, ']')
			i++
		case c == ',':
			i++
			if rest := strings.TrimLeft(text[i:], " \t\r\n"); rest == "" || strings.IndexByte(")]}", rest[0]) < 0 {
				out = append(out, ',')
			}
		case c == 'T' && strings.HasPrefix(text[i:], "True"):
			out = append(out, "true"...)
			i += len("True")
		case c == 'F' && strings.HasPrefix(text[i:], "False"):
			out = append(out, "false"...)
			i += len("False")
		case c == 'N' && strings.HasPrefix(text[i:], "None"):
			out = append(out, "null"...)
			i += len("None")
		default:
			out = append(out, c)
			i++
		}
	}
	return out, true
}

// pythonString appends the string that text begins with, as JSON, and returns
// how long it was; 0 when it does not end.
func pythonString(out []byte, text string) ([]byte, int) {
	const hex = "0123456789abcdef"
	plain := func(c byte) {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	quote := text[0]
	out = append(out, '"')
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return append(out, '"'), i + 1
		case c != '\\' || i+1 == len(text):
			plain(c)
		default:
			i++
			switch e := text[i]; e {
			case '\n': // a line that goes on
			case '\'', '"', '\\':
				plain(e)
			case 'n', 't', 'r', 'b', 'f', 'u':
				out = append(out, '\\', e)
			case 'x':
				out = append(out, `\u00`...)
			case 'U':
				r, n := rune(0), 0
				for n < 8 && i+1+n < len(text) && strings.IndexByte(hex, text[i+1+n]|0x20) >= 0 {
					r = r<<4 | rune(strings.IndexByte(hex, text[i+1+n]|0x20))
					n++
				}
				out = utf8.AppendRune(out, r)
				i += n
			default:
				plain('\\')
				plain(e)
			}
		}
	}
	return out, 0
}
