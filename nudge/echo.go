package nudge

// An Echo recognises a continuation that returns. Several clients give it to their
// agent as a prompt and tell their hooks of that prompt: with a tag or a date
// around it, with other line breaks, or with entities for some characters. So only
// its letters and digits count.
type Echo struct {
	Size int    `json:"size,omitempty"` // bytes
	Sum  uint64 `json:"sum,omitempty"`
}

const (
	echoBase = 0x9e3779b97f4a7c15 // odd, so that no power of it is zero
	maxWrap  = 4 << 10            // bytes that a client puts before or after a note, at most
)

// echoOf is the trace of a text.
func echoOf(text string) Echo {
	letters := folded(text)
	e := Echo{Size: len(letters)}
	for _, c := range letters {
		e.Sum = e.Sum*echoBase + uint64(c)
	}
	return e
}

// in reports whether the text is part of a prompt, not too far from its
// beginning or its end.
func (e Echo) in(prompt string) bool {
	if e.Size == 0 || e.Size > len(prompt) {
		return false
	}
	most := maxWrap + 4*e.Size // of a note, more than a quarter is letters
	if len(prompt) <= most {
		return e.within(folded(prompt))
	}
	return e.within(folded(prompt[:most])) || e.within(folded(prompt[len(prompt)-most:]))
}

// within compares the sum of each run of so many letters, each made from the one
// before.
func (e Echo) within(letters []byte) bool {
	oldest := uint64(1) // the weight of the letter that leaves
	for range e.Size {
		oldest *= echoBase
	}
	var sum uint64
	for i, c := range letters {
		sum = sum*echoBase + uint64(c)
		if i >= e.Size {
			sum -= oldest * uint64(letters[i-e.Size])
		}
		if i >= e.Size-1 && sum == e.Sum {
			return true
		}
	}
	return false
}

// folded is the letters and digits of a text, without entities such as &quot;.
func folded(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '&' {
			n := entity(s[i:])
			for n == len("amp;") && s[i+1:i+1+n] == "amp;" { // an & that an entity may begin with in its turn
				i += n
				n = entity(s[i:])
			}
			i += n
			continue
		}
		if c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			out = append(out, c)
		}
	}
	return out
}

// entity is how many bytes after the & at the beginning of s belong to it.
func entity(s string) int {
	const longest = len("&quot;")
	for i := 1; i < min(len(s), longest); i++ {
		switch c := s[i]; {
		case c == ';':
			return i
		case c != '#' && (c < '0' || c > '9') && (c < 'a' || c > 'z'):
			return 0
		}
	}
	return 0
}
