package file

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/pawl-dev/pawl"
)

// Changes returns the sets of a span as far as they were committed when the
// iteration began.
func (s *Store) Changes(ctx context.Context, span pawl.Span) iter.Seq2[pawl.ChangeSet, error] {
	return func(yield func(pawl.ChangeSet, error) bool) {
		h, err := s.history(ctx)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		if len(h.segments) == 0 {
			return
		}
		h.span = span
		if span.Backward {
			h.backward(yield)
			return
		}
		h.begin = s.places.find(s.fs, span.After)
		h.forward(yield)
		s.places.keep(h.last)
	}
}

// A history goes through the journal up to an end that is known to be committed.
type history struct {
	fs       FS
	segments []int
	end      position
	span     pawl.Span
	begin    position // where the span begins; zero: that has to be found
	last     line     // the last one of the span, once all before it were handed out
}

func (s *Store) history(ctx context.Context) (*history, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	if !s.held.exists {
		return &history{}, nil
	}
	all, err := segments(s.fs)
	if err != nil {
		return nil, s.unreadable(err)
	}
	end := s.held.tail.end
	all = slices.DeleteFunc(all, func(n int) bool { return n > end.segment })
	return &history{fs: s.fs, segments: all, end: end}, nil
}

// start returns the revision that a segment continues from.
func (h *history) start(i int) (pawl.Revision, bool) {
	r, err := readRecord(h.fs, position{segment: h.segments[i]})
	if err != nil || r.Kind != checkpointRecord {
		return 0, false
	}
	return r.Rev, true
}

// trimmed returns the error for a span that reaches back before what is kept,
// or nil. A board's first segment goes back to its beginning.
func (h *history) trimmed() error {
	first, ok := h.start(0)
	if !ok || h.span.After >= first || h.segments[0] == 1 && h.span.After == 0 {
		return nil
	}
	return goneError(first)
}

func goneError(trimmed pawl.Revision) error {
	err := pawl.Errorf(pawl.Gone, "the history up to revision %d is not kept any more", trimmed)
	err.Revision = trimmed
	return err
}

// A line is a committed record that was not read yet: of most of them history
// needs no more than the revision.
type line struct {
	body    []byte
	rev     pawl.Revision // of the board after it
	segment int
	start   int64
	end     int64
}

// lines finds the committed records of a segment. broken says that the history
// stops in it, although later segments follow.
func (h *history) lines(i int) (lines []line, broken bool, err error) {
	segment := h.segments[i]
	from := position{segment: segment}
	if segment == h.begin.segment {
		from = h.begin
	}
	text, _, err := readFrom(h.fs, from)
	if err != nil {
		if absent(err) {
			return nil, true, nil // trimmed meanwhile
		}
		return nil, false, unreadable("", err)
	}
	for at := from.offset; len(text) > 0; {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			break
		}
		l, ok := parseLater(text[:n])
		if !ok {
			broken = n < len(text) // at the end it was never committed
			break
		}
		l.segment, l.start, l.end = segment, at, at+int64(n)
		at, text = l.end, text[n:]
		lines = append(lines, l)
	}
	if i == len(h.segments)-1 {
		lines = slices.DeleteFunc(lines, func(l line) bool { return l.end > h.end.offset })
	} else if next, ok := h.start(i + 1); ok {
		lines = slices.DeleteFunc(lines, func(l line) bool { return l.rev > next })
	}
	return lines, broken, nil
}

// names reports whether the record may be about a task.
func (l *line) names(id pawl.ID) bool {
	key := fmt.Appendf(nil, `{"id":%d`, id)
	return bytes.Contains(l.body, append(key, ',')) || bytes.Contains(l.body, append(key, '}'))
}

// parseLater checks a line of the journal, and leaves the reading of it for
// when it is needed.
func parseLater(text []byte) (line, bool) {
	body, ok := bodyOf(text)
	if !ok {
		return line{}, false
	}
	if rev, ok := revOf(body); ok {
		return line{body: body, rev: rev}, true
	}
	r, ok := parseLine(text)
	if !ok {
		return line{}, false
	}
	return line{body: body, rev: r.Rev}, true
}

func (h *history) forward(yield func(pawl.ChangeSet, error) bool) {
	from := slices.Index(h.segments, h.begin.segment)
	if from < 0 {
		if err := h.trimmed(); err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		for from = len(h.segments) - 1; from > 0; from-- {
			if rev, ok := h.start(from); ok && rev <= h.span.After {
				break
			}
		}
	}
	for i := from; i < len(h.segments); i++ {
		lines, broken, err := h.lines(i)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		for j := range lines {
			if !h.yield(&lines[j], yield) {
				return
			}
			h.last = lines[j]
		}
		if broken && i+1 < len(h.segments) {
			if next, ok := h.start(i + 1); !ok || next > h.span.After {
				yield(pawl.ChangeSet{}, goneError(next))
				return
			}
		}
	}
}

func (h *history) backward(yield func(pawl.ChangeSet, error) bool) {
	for i := len(h.segments) - 1; i >= 0; i-- {
		lines, broken, err := h.lines(i)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		if broken && i+1 < len(h.segments) {
			if next, ok := h.start(i + 1); !ok || next > h.span.After {
				yield(pawl.ChangeSet{}, goneError(next))
				return
			}
		}
		for j := len(lines) - 1; j >= 0; j-- {
			if !h.yield(&lines[j], yield) {
				return
			}
		}
		if rev, ok := h.start(i); ok && rev <= h.span.After {
			return
		}
	}
	if err := h.trimmed(); err != nil {
		yield(pawl.ChangeSet{}, err)
	}
}

// yield hands out the sets of a record that are in the span.
func (h *history) yield(l *line, yield func(pawl.ChangeSet, error) bool) bool {
	id := h.span.Task
	if l.rev <= h.span.After || id != 0 && !l.names(id) {
		return true
	}
	unreadable := func(rev pawl.Revision, err error) bool {
		yield(pawl.ChangeSet{}, pawl.Errorf(pawl.Internal, "revision %d in %s cannot be read: %w", rev, segmentName(l.segment), err))
		return false
	}
	var r struct{ Sets []journalSet }
	if err := json.Unmarshal(l.body, &r); err != nil {
		return unreadable(l.rev, err)
	}
	for i := range r.Sets {
		set := &r.Sets[i]
		if h.span.Backward {
			set = &r.Sets[len(r.Sets)-1-i]
		}
		if set.Rev <= h.span.After || id != 0 && !slices.ContainsFunc(set.Changes, func(c journalChange) bool { return c.ID == id }) {
			continue
		}
		unpacked, err := set.unpack()
		if err != nil {
			return unreadable(set.Rev, err)
		}
		if !yield(unpacked, nil) {
			return false
		}
	}
	return true
}
