package run

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/todo"
)

// MaxTail is how many bytes of the output are kept: what a person or a model reads of a
// failed test.
const MaxTail = 4 << 10

const (
	window   = 16 << 10               // bytes that are masked before the tail is cut: a secret may begin before it
	maxShown = 200                    // characters of a line that progress gets
	pause    = 100 * time.Millisecond // between two lines that progress gets
	minMask  = 6                      // bytes of a value that is masked: a shorter one stands everywhere
	masked   = "[masked]"
)

type output struct {
	mask     masker
	progress func(string)

	mu    sync.Mutex
	sum   hash.Hash
	bytes int64
	last  []byte // at most 2*window
	over  bool   // nobody listens
	told  time.Time
}

func newOutput(m masker, progress func(string)) *output {
	return &output{mask: m, progress: progress, sum: sha256.New()}
}

func (o *output) readAll(r io.Reader) {
	chunk := make([]byte, 32<<10)
	for {
		n, err := r.Read(chunk)
		if line := o.take(chunk[:n]); line != "" {
			o.progress(line)
		}
		if err != nil {
			return
		}
	}
}

// take adds a chunk, and returns the line that progress gets now; empty: none.
func (o *output) take(chunk []byte) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over {
		return ""
	}
	o.sum.Write(chunk)
	o.bytes += int64(len(chunk))
	if len(o.last)+len(chunk) > 2*window {
		o.last = append(o.last[:0], o.last[max(0, len(o.last)-window):]...)
	}
	o.last = append(o.last, chunk...)
	if o.progress == nil || time.Since(o.told) < pause {
		return ""
	}
	end := strings.LastIndexAny(string(chunk), "\r\n")
	if end < 0 {
		return ""
	}
	end += len(o.last) - len(chunk)
	from := max(0, end-MaxTail)
	lines := strings.Split(o.mask.clean(plain(o.last[from:end])), "\n")
	line := strings.TrimSpace(lines[len(lines)-1])
	if line != "" {
		o.told = time.Now()
	}
	return text.Clip(line, maxShown)
}

// end returns what is kept of the output. Later output is ignored.
func (o *output) end() (sum string, bytes int64, tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	last := o.last[max(0, len(o.last)-window):]
	if o.bytes > int64(len(last)) { // the first line is not whole
		if i := slices.Index(last, '\n'); i >= 0 {
			last = last[i+1:]
		}
	}
	return "sha256:" + hex.EncodeToString(o.sum.Sum(nil)), o.bytes, cut(strings.TrimRight(o.mask.clean(plain(last)), "\n"))
}

// cut keeps the last lines, and of one that is too long its end.
func cut(s string) string {
	if len(s) <= MaxTail {
		return s
	}
	from := len(s) - MaxTail
	if s[from-1] != '\n' {
		if i := strings.IndexByte(s[from:], '\n'); i >= 0 && from+i+1 < len(s) {
			return s[from+i+1:]
		}
	}
	for !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// plain takes the codes that only a terminal understands out of printed text. No
// readable text is lost: text printed over a line stands below it.
func plain(raw []byte) string {
	s := strings.ToValidUTF8(string(raw), "\ufffd")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == 0x1b:
			n += sequence(s[i+n:])
		case r == 0x9b:
			n += control(s[i+n:])
		case r == '\r':
			b.WriteByte('\n')
		case r == '\n', r == '\t', r >= ' ' && r != 0x7f && !(r >= 0x80 && r <= 0x9f):
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return text.Lines(b.String())
}

// sequence is how long an escape sequence is, without the ESC that it begins with.
func sequence(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '[':
		return 1 + control(s[1:])
	case ']', 'P', 'X', '^', '_': // a text for the terminal, until BEL or ESC \
		for i := 1; i < len(s); i++ {
			switch {
			case s[i] == '\a':
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			case s[i] == '\n' || s[i] == '\r' || s[i] == 0x1b:
				return i // it does not end: nothing below it is hidden
			}
		}
		return 1
	}
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '/' {
		i++
	}
	if i < len(s) && s[i] >= '0' && s[i] <= '~' {
		i++
	}
	return i
}

// control is how long the rest of a control sequence is: 31m
func control(s string) int {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '?' {
		i++
	}
	if i < len(s) && s[i] >= '@' && s[i] <= '~' {
		i++
	}
	return i
}

// A masker takes secrets and the caller's home out of a text.
type masker struct {
	values []string // the longest first
	homes  []string
}

func (c *Command) masker() masker {
	var m masker
	for _, name := range c.Check.Env {
		if !May(name) {
			continue
		}
		value := strings.ReplaceAll(c.Getenv(name), "\r\n", "\n")
		for _, part := range append(strings.Split(value, "\n"), value) {
			if part = strings.TrimSpace(part); len(part) >= minMask {
				m.values = append(m.values, part)
			}
		}
	}
	slices.SortFunc(m.values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	names := []string{"HOME"}
	if runtime.GOOS == "windows" {
		names = []string{"USERPROFILE", "HOME"}
	}
	for _, name := range names {
		if home := strings.TrimRight(c.Getenv(name), `/\`); len(home) > 1 {
			m.homes = append(m.homes, home)
		}
	}
	return m
}

func (m masker) clean(s string) string {
	for _, value := range m.values {
		s = strings.ReplaceAll(s, value, masked)
	}
	s = todo.MaskText(s)
	for _, home := range m.homes {
		s = tilde(s, home)
	}
	return s
}

// tilde writes ~ for a folder, where its name ends there.
func tilde(s, home string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, home)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if next, _ := utf8.DecodeRuneInString(after); after != "" && (next == '_' || next == '-' || next == '.' || next >= '0' && next <= '9' || next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z' || next >= 0x80) {
			b.WriteString(home)
		} else {
			b.WriteByte('~')
		}
		s = after
	}
}
