package todo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// How the arguments of a tool call are cut, beside [MaxArguments].
const (
	maskWindow = 4 << 10 // bytes of one text that are searched: nothing behind them is kept
	keptKey    = 64      // bytes of a key, when something must go
	keptNested = 200     // bytes of a list or object inside, when something must go
	maxNesting = 16      // lists in lists that are looked into
	maxNumber  = 40      // bytes of a number: a longer one is none
	maskRounds = 8       // cutting can uncover a shape, and masking lengthen a text; two rounds end it nearly always
)

// cutLengths are how many bytes of each text are kept: the first that is short
// enough counts.
var cutLengths = []int{1024, 512, 256, 192, 128, 96, 64, 32}

// Mask makes the arguments of a tool call fit to be kept: an object on one line,
// its keys in their order, of at most [MaxArguments] bytes, with "[masked]" where
// something has the shape of a secret. Arguments that are not an object come under
// the key "input"; what is not JSON is left out.
func Mask(raw json.RawMessage) json.RawMessage {
	if len(raw) > MaxInput {
		return json.RawMessage(fmt.Sprintf(`{"…":"%d bytes"}`, len(raw)))
	}
	for range maskRounds {
		next := mask(raw)
		if bytes.Equal(next, raw) {
			return next
		}
		raw = next
	}
	return json.RawMessage(`{}`)
}

// MaskText takes out of a text what [Mask] takes out of arguments.
func MaskText(s string) string { return maskText(s) }

func mask(raw json.RawMessage) json.RawMessage {
	if !json.Valid(raw) {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	v := readArgument(dec, 0)
	switch v.(type) {
	case nil:
		return nil
	case object:
	default:
		v = object{{"input", v}}
	}
	args := maskArgument(v).(object)
	text := appendArgument(nil, args)
	for i := 0; len(text) > MaxArguments && i < len(cutLengths); i++ {
		text = appendArgument(nil, cutTexts(args, cutLengths[i]))
	}
	if len(text) > MaxArguments {
		text = squeeze(args)
	}
	return text
}

// An argument is a string, a json.Number, a bool, nil, a []any of arguments, or
// an object, which unlike a map keeps its order.
type object []member

type member struct {
	key   string
	value any
}

// readArgument reads the next value of valid JSON.
func readArgument(dec *json.Decoder, depth int) any {
	token, err := dec.Token()
	if err != nil {
		return nil
	}
	if _, nested := token.(json.Delim); nested && depth == maxNesting {
		for open := 1; open > 0; { // over what is in it
			switch t, err := dec.Token(); {
			case err != nil:
				return nil
			case t == json.Delim('[') || t == json.Delim('{'):
				open++
			case t == json.Delim(']') || t == json.Delim('}'):
				open--
			}
		}
		return "…"
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, readArgument(dec, depth+1))
		}
		_, _ = dec.Token()
		return list
	case json.Delim('{'):
		obj := object{}
		for dec.More() {
			key, _ := dec.Token()
			name, _ := key.(string)
			obj = append(obj, member{name, readArgument(dec, depth+1)})
		}
		_, _ = dec.Token()
		return obj
	}
	if n, ok := token.(json.Number); ok && len(n) > maxNumber {
		return string(n)
	}
	return token
}

// maskArgument returns v without secrets.
func maskArgument(v any) any {
	switch v := v.(type) {
	case string:
		return maskText(window(v))
	case []any:
		maskWords(v)
		for i := range v {
			v[i] = maskArgument(v[i])
		}
	case object:
		maskEntry(v)
		for i, m := range v {
			key := maskText(window(m.key))
			v[i].key = key
			if secretName(key) && worthMasking(key, m.value) {
				v[i].value = masked
			} else {
				v[i].value = maskArgument(m.value)
			}
		}
	}
	return v
}

// maskWords takes the secrets out of a command that is a list of its words:
// ["mysql", "-uroot", "-phunter2"].
func maskWords(list []any) {
	for i, v := range list {
		program, ok := v.(string)
		if !ok {
			return
		}
		if strings.HasPrefix(program, "--") && i+1 < len(list) && secretName(program) {
			if value, ok := list[i+1].(string); ok && !reference(value) && !strings.HasPrefix(value, "-") {
				list[i+1] = masked
			}
		}
		rules := carriers(program[strings.LastIndexByte(program, '/')+1:])
		if rules == nil {
			continue
		}
		var words []word
		for _, v := range list[i+1:] {
			text, _ := v.(string)
			words = append(words, word{text, 0, len(text), i + 1 + len(words)})
		}
		for _, w := range carried(rules, words) {
			if text, ok := list[w.in].(string); ok && !reference(w.text) {
				list[w.in] = text[:w.from] + masked + text[w.to:]
			}
		}
		return
	}
}

// maskEntry takes the secret out of a variable or header that is an object:
// {"name": "API_KEY", "value": "abc"}.
func maskEntry(entry object) {
	secret := false
	for _, m := range entry {
		name, ok := m.value.(string)
		secret = secret || ok && (m.key == "name" || m.key == "key") && secretName(name)
	}
	for i, m := range entry {
		if value, ok := m.value.(string); ok && secret && m.key == "value" && !reference(value) {
			entry[i].value = masked
		}
	}
}

// worthMasking reports whether a value can be the secret that its key speaks of.
func worthMasking(key string, v any) bool {
	switch v := v.(type) {
	case string:
		return !reference(v) && !(weakName(key) && pathLike(v))
	case json.Number: // tokens are counted, too
		return !strings.HasSuffix(squash(key), "token") && !weakName(key)
	case []any:
		return len(v) > 0
	case object:
		return len(v) > 0
	}
	return false
}

// window is as much of a text as is looked at, without a word that its end
// would tear in two.
func window(s string) string {
	if len(s) <= maskWindow {
		return s
	}
	s = cutText(s, maskWindow)
	if at := strings.LastIndexAny(s, " \t\n"); at > 0 {
		return s[:at] + "…"
	}
	return s
}

// cutTexts returns v with no text longer than n bytes.
func cutTexts(v any, n int) any {
	switch v := v.(type) {
	case string:
		return cutText(v, n)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = cutTexts(v[i], n)
		}
		return list
	case object:
		obj := make(object, len(v))
		for i, m := range v {
			obj[i] = member{cutText(m.key, keptKey), cutTexts(m.value, n)}
		}
		return obj
	}
	return v
}

// cutText keeps the beginning of s, at most n bytes with the mark of the cut.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// squeeze brings an object under the limit that stays too long with short texts:
// what is nested becomes the beginning of its text, and of very many keys the
// last ones go.
func squeeze(args object) []byte {
	const most = MaxArguments - len(`,"…":"1048576 more"}`)
	text := []byte{'{'}
	for i, m := range cutTexts(args, cutLengths[len(cutLengths)-1]).(object) {
		switch m.value.(type) {
		case []any, object:
			if nested := appendArgument(nil, m.value); len(nested) > keptNested {
				m.value = cutText(string(nested), keptNested)
			}
		}
		next := appendArgument(nil, object{m}) // {"key":value}
		if len(text)+len(next) > most {
			rest := object{{"…", fmt.Sprintf("%d more", len(args)-i)}}
			next = appendArgument(nil, rest)
			return append(append(text, next[1:len(next)-1]...), '}')
		}
		next[len(next)-1] = ','
		text = append(text, next[1:]...)
	}
	return append(text[:len(text)-1], '}')
}

// appendArgument adds the JSON of v.
func appendArgument(b []byte, v any) []byte {
	switch v := v.(type) {
	case []any:
		b = append(b, '[')
		for i := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendArgument(b, v[i])
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendArgument(b, m.key), ':')
			b = appendArgument(b, m.value)
		}
		return append(b, '}')
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil { // a string, number, bool or nothing is always JSON
		return append(b, "null"...)
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
}
