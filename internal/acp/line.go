package acp

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// MaxLine is how long a line may be that is read as one: images are in it. A longer one
// is read in parts, which nobody looks into.
const MaxLine = 4 << 20

// A Line is what is read or passed on at a time. Its text is as it came, with its end.
type Line struct {
	Text  []byte // until the next one is read
	Whole bool   // all of a line
	Ends  bool   // a line ends here
}

// A Reader reads lines in constant memory. It is for one goroutine.
type Reader struct {
	in         io.Reader
	buf        []byte
	begin, end int // what is read and not returned
	seen       int // bytes of buf that were searched for the end of a line
	long       bool
	err        error
}

// NewReader returns a reader of a stream.
func NewReader(in io.Reader) *Reader { return &Reader{in: in, buf: make([]byte, 64<<10)} }

// Next reads a line, or a part of one that is too long. The text behind the last end of a
// line is the last line.
func (r *Reader) Next() (Line, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.seen:r.end], '\n'); i >= 0 {
			return r.take(r.seen+i+1, true), nil
		}
		r.seen = r.end
		switch got := r.end - r.begin; {
		case got >= MaxLine, got > 0 && r.long && r.err == nil:
			return r.take(r.end, false), nil
		case r.err != nil && got > 0:
			return r.take(r.end, true), nil
		case r.err != nil:
			return Line{}, r.err
		}
		r.room()
		n, err := r.in.Read(r.buf[r.end:])
		r.end += n
		r.err = err
	}
}

func (r *Reader) take(to int, ends bool) Line {
	l := Line{Text: r.buf[r.begin:to], Whole: ends && !r.long, Ends: ends}
	r.begin, r.seen, r.long = to, to, !ends
	return l
}

// room makes place for what is read next.
func (r *Reader) room() {
	if r.begin > 0 {
		copy(r.buf, r.buf[r.begin:r.end])
		r.begin, r.end, r.seen = 0, r.end-r.begin, r.seen-r.begin
	}
	if r.end == len(r.buf) {
		r.buf = append(r.buf, make([]byte, min(len(r.buf), MaxLine-len(r.buf)))...)
	}
}

// A Writer writes lines of several goroutines, each whole. It waits for its reader as a
// pipe does.
type Writer struct {
	out  io.Writer
	mu   sync.Mutex
	open bool // the one who passes lines on is within one, and has mu
	torn bool // the stream ended within a line
}

// NewWriter returns a writer to a stream.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Pass writes what was read, as it is. It is for one goroutine, which has the stream to
// itself until the line ends.
func (w *Writer) Pass(l Line) error {
	if !w.open {
		w.mu.Lock()
		w.open = true
	}
	_, err := w.out.Write(l.Text)
	if l.Ends || err != nil {
		w.open, w.torn = false, err != nil || !bytes.HasSuffix(l.Text, []byte("\n"))
		w.mu.Unlock()
	}
	return err
}

// Send writes one or several lines.
func (w *Writer) Send(lines []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.torn {
		return errors.New("the stream ended within a line")
	}
	_, err := w.out.Write(lines)
	return err
}
