package acp

import (
	"bytes"
	"encoding/json"
)

// A Message is a line that was looked into. Its fields are the text that stands there,
// empty where there is none.
type Message struct {
	ID     json.RawMessage // of a request and a response; of any type
	Method string          // of a request and a notification
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// Request reports whether somebody waits for an answer to the message.
func (m *Message) Request() bool { return m.Method != "" && m.ID != nil }

// Response reports whether the message is an answer.
func (m *Message) Response() bool { return m.Method == "" && m.ID != nil }

// Look looks into a line, as little as it takes: most messages are only passed on, and some
// are megabytes. That it reports true does not mean that the line is JSON.
func Look(line []byte) (Message, bool) {
	var m Message
	ok := Fields(line, func(key, value []byte) {
		switch string(key) {
		case "id":
			m.ID = value
		case "method":
			m.Method = Text(value)
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			m.Error = value
		}
	})
	return m, ok && (m.Method != "" || m.ID != nil)
}

// Field returns the text of a field of an object; nil: it has none.
func Field(object []byte, name string) (found json.RawMessage) {
	if !Fields(object, func(key, value []byte) {
		if string(key) == name {
			found = value
		}
	}) {
		return nil
	}
	return found
}

// Text is a string of JSON; empty: it is none.
func Text(value []byte) string {
	if n := len(value); n >= 2 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : n-1])
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// Replace returns a copy of a text with something else in the place of a part of it, which
// [Fields] or [Elements] found in it. An empty part is a place to insert something.
func Replace(text, part []byte, with string) []byte {
	at := cap(text) - cap(part)
	return append(append(append(make([]byte, 0, len(text)+len(with)), text[:at]...), with...), text[at+len(part):]...)
}

// Elements calls element with the text of each element of an array, which is part of it. It
// reports false if the text is not an array.
func Elements(array []byte, element func(value []byte)) bool {
	at := space(array, 0)
	if at == len(array) || array[at] != '[' {
		return false
	}
	if at = space(array, at+1); at < len(array) && array[at] == ']' {
		return space(array, at+1) == len(array)
	}
	for at < len(array) {
		end := value(array, at)
		if end <= at {
			return false
		}
		element(array[at:end])
		at = space(array, end)
		switch {
		case at == len(array):
			return false
		case array[at] == ']':
			return space(array, at+1) == len(array)
		case array[at] != ',':
			return false
		}
		at = space(array, at+1)
	}
	return false
}

// Fields calls field for each key of an object, with the text of its value, which is part
// of object: nothing may be appended to it. A key with escapes is not decoded. It reports false if the text is not an
// object: what was told before means nothing then.
func Fields(object []byte, field func(key, value []byte)) bool {
	at := space(object, 0)
	if at == len(object) || object[at] != '{' {
		return false
	}
	if at = space(object, at+1); at < len(object) && object[at] == '}' {
		return space(object, at+1) == len(object)
	}
	for at < len(object) && object[at] == '"' {
		end := quoted(object, at)
		if end < 0 {
			return false
		}
		key := object[at+1 : end-1]
		if at = space(object, end); at == len(object) || object[at] != ':' {
			return false
		}
		at = space(object, at+1)
		if end = value(object, at); end <= at {
			return false
		}
		field(key, object[at:end])
		at = space(object, end)
		switch {
		case at == len(object):
			return false
		case object[at] == '}':
			return space(object, at+1) == len(object)
		case object[at] != ',':
			return false
		}
		at = space(object, at+1)
	}
	return false
}

func space(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// quoted returns where a string ends that begins at a quote; -1: nowhere.
func quoted(text []byte, at int) int {
	begin := at + 1
	for at = begin; ; at++ {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 {
			return -1
		}
		at += i
		back := at
		for back > begin && text[back-1] == '\\' {
			back--
		}
		if (at-back)%2 == 0 {
			return at + 1
		}
	}
}

// value returns where a value ends; -1: nowhere. It calls nothing for each level, so that
// no depth is too much.
func value(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			if at = quoted(text, at); at < 0 || depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth == 0 {
					at++
				}
				return at
			}
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return -1
}
