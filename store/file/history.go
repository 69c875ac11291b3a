package file

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"

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
		h.span, h.upTo = span, h.revision
		if span.Before != 0 {
			h.upTo = min(h.upTo, span.Before-1)
		}
		if h.upTo <= span.After {
			return
		}
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
//
// Each line says from which revision it leads to which. So whatever has happened to
// of lines and segments, damaged, cut off, removed or in the place of others, is
// seen: no revision may be left out up to that of the board.
type history struct {
	fs       fileSystem
	segments []int
	end      position
	revision pawl.Revision // of the board
	span     pawl.Span
	upTo     pawl.Revision // the last one of the span
	begin    position      // where the span begins; zero: that has to be found
	moved    []Move        // in the record that was handed out last
	last     line          // the last one of the span, once all before it were handed out
}

func (s *Store) history(ctx context.Context) (*history, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	if !s.loaded.exists {
		return &history{}, nil
	}
	return s.loadedHistory()
}

// loadedHistory is the history up to what was loaded.
func (s *Store) loadedHistory() (*history, error) {
	all, err := segments(s.fs)
	if err != nil {
		return nil, s.unreadable(err)
	}
	end := s.loaded.tail.end
	all = slices.DeleteFunc(all, func(n int) bool { return n > end.segment })
	return &history{fs: s.fs, segments: all, end: end, revision: s.loaded.mark.revision}, nil
}

// start returns the revision that a segment continues from.
func (h *history) start(i int) (pawl.Revision, bool) {
	r, err := readRecord(h.fs, position{segment: h.segments[i]})
	if err != nil || r.Kind != checkpointRecord {
		return 0, false
	}
	return r.Rev, true
}

// begins reports whether the first line of all is where the board began: what
// came before the first segment was never there.
func (h *history) begins(first *line) bool {
	return len(h.segments) > 0 && h.segments[0] == 1 && first.segment > 0 && first.from == first.rev && first.damage == ""
}

// broken is the error for a stretch of history that is not there even though some
// before it is. The line after it, if one is, comes after damage where it says so.
func broken(after, upTo pawl.Revision, next *line) error {
	why := "they are missing from the journal"
	if next != nil && next.damage != "" {
		why = next.damage
	}
	what := fmt.Sprintf("revision %d", upTo)
	if after+1 < upTo {
		what = fmt.Sprintf("revisions %d to %d", after+1, upTo)
	} else {
		why = strings.Replace(why, "they are", "it is", 1)
	}
	err := pawl.Errorf(pawl.Gone, "the history of %s cannot be read: %s", what, why)
	err.Revision = upTo
	return err
}

func goneError(trimmed pawl.Revision) *pawl.Error {
	err := pawl.Errorf(pawl.Gone, "the history up to revision %d is no longer kept", trimmed)
	err.Revision = trimmed
	return err
}

// A line is a committed record that was not read yet: of most of them history
// needs no more than the revisions.
type line struct {
	body    []byte
	from    pawl.Revision // of the board before it
	rev     pawl.Revision // and after it
	segment int
	start   int64
	end     int64
	damage  string // what stands before it and cannot be read
}

// lines finds the committed records of a segment, and what of its end cannot be
// read.
func (h *history) lines(i int) (lines []line, damage string, err error) {
	segment := h.segments[i]
	from := position{segment: segment}
	if segment == h.begin.segment {
		from = h.begin
	}
	text, _, err := readFrom(h.fs, from)
	if err != nil {
		if absent(err) {
			return nil, "", nil // trimmed since
		}
		return nil, "", unreadable("", err)
	}
	last := i == len(h.segments)-1
	if last {
		text = text[:max(0, min(int64(len(text)), h.end.offset-from.offset))]
	}
	at := from.offset
	for text := range bytes.Lines(text) {
		l, ok := parseLater(text)
		l.segment, l.start, l.end, l.damage = segment, at, at+int64(len(text)), damage
		if at = l.end; ok {
			lines, damage = append(lines, l), ""
		} else if !unfinished(text) {
			damage = segmentName(segment) + " is damaged"
		}
	}
	next := h.next(i)
	return slices.DeleteFunc(lines, func(l line) bool { return l.rev > next }), damage, nil
}

// unfinished reports whether a line is the beginning of one: it was never
// committed, or cut off.
func unfinished(line []byte) bool {
	return line[len(line)-1] != '\n' && bytes.HasPrefix(line, []byte(linePrefix)[:min(len(line), len(linePrefix))])
}

// next is the revision from which the segments after one go on. Records of segment
// i beyond it were not committed.
func (h *history) next(i int) pawl.Revision {
	for j := i + 1; j < len(h.segments); j++ {
		if rev, ok := h.start(j); ok {
			return rev
		}
	}
	return h.revision
}

// names reports whether the record may be about a task.
func (l *line) names(id pawl.ID) bool {
	key := fmt.Appendf(nil, `{"id":%d`, id)
	return bytes.Contains(l.body, append(key, ',')) || bytes.Contains(l.body, append(key, '}'))
}

// jumps reports whether the line is a jump of the numbers.
func (l *line) jumps() bool {
	_, rest, _ := revAfter(l.body[:min(len(l.body), 512)], `,"rev":`)
	return bytes.HasPrefix(rest, []byte(jumpedKey))
}

// parseLater checks a line of the journal, and leaves the reading of it for
// when it is needed.
func parseLater(text []byte) (line, bool) {
	body, ok := bodyOf(text)
	if !ok {
		return line{}, false
	}
	if from, rev, ok := revsOf(body); ok {
		return line{body: body, from: from, rev: rev}, true
	}
	r, ok := parseLine(text)
	if !ok {
		return line{}, false
	}
	return line{body: body, from: r.from(), rev: r.Rev}, true
}

func (h *history) forward(yield func(pawl.ChangeSet, error) bool) {
	from := slices.Index(h.segments, h.begin.segment)
	if from < 0 {
		for from = len(h.segments) - 1; from > 0; from-- {
			if rev, ok := h.start(from); ok && rev <= h.span.After {
				break
			}
		}
	}
	at, damage := h.span.After, ""
	for i := max(from, 0); i < len(h.segments); i++ {
		lines, rest, err := h.lines(i)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		for j := range lines {
			l := &lines[j]
			if l.damage == "" {
				l.damage = damage
			}
			damage = ""
			if at == 0 && h.begins(l) {
				at = l.rev
			}
			if at >= h.upTo {
				return
			}
			if at < l.rev && l.jumps() {
				gone := goneError(l.rev) // a watcher may have seen what was lost
				gone.Message = "some of " + gone.Message
				yield(pawl.ChangeSet{}, gone)
				return
			}
			if l.from > at {
				yield(pawl.ChangeSet{}, h.missing(at, l))
				return
			}
			h.last = *l
			if l.rev <= at {
				continue
			}
			if !h.yield(l, yield) {
				return
			}
			at = l.rev
		}
		if rest != "" {
			damage = rest
		}
	}
	if at < h.upTo {
		yield(pawl.ChangeSet{}, broken(at, h.upTo, &line{damage: damage}))
	}
}

// missing is the error for what lies between a revision and a line.
func (h *history) missing(at pawl.Revision, l *line) error {
	if l.segment == h.segments[0] && l.start == 0 && l.from == l.rev {
		return goneError(l.from) // the segments before it are not kept
	}
	return broken(at, l.from, l)
}

// newest returns the segment that has the last revision of the span, and the
// revision of the board after it. Those after it are not read.
func (h *history) newest() (i int, at pawl.Revision) {
	last, at := len(h.segments)-1, h.revision
	for i := last; i > 0; i-- {
		rev, ok := h.start(i)
		if ok && rev < h.upTo {
			break
		}
		if ok {
			last, at = i-1, rev
		}
	}
	return last, at
}

func (h *history) backward(yield func(pawl.ChangeSet, error) bool) {
	newest, at := len(h.segments)-1, h.revision
	if h.upTo < h.revision {
		newest, at = h.newest()
	}
	next := &line{}
	for i := newest; i >= 0 && at > h.span.After; i-- {
		lines, damage, err := h.lines(i)
		if err != nil {
			yield(pawl.ChangeSet{}, err)
			return
		}
		if next.damage == "" {
			next.damage = damage
		}
		for j := len(lines) - 1; j >= 0 && at > h.span.After; j-- {
			l := &lines[j]
			if l.rev > at {
				continue
			}
			if l.rev < min(at, h.upTo) {
				yield(pawl.ChangeSet{}, broken(max(l.rev, h.span.After), min(at, h.upTo), next))
				return
			}
			if l.from < l.rev && !h.yield(l, yield) {
				return
			}
			at, next = l.from, l
		}
	}
	switch {
	case at <= h.span.After, h.span.After == 0 && h.begins(next):
	case len(h.segments) > 0 && next.segment == h.segments[0] && next.start == 0 && next.from == next.rev:
		yield(pawl.ChangeSet{}, goneError(at))
	default:
		yield(pawl.ChangeSet{}, broken(h.span.After, min(at, h.upTo), next))
	}
}

// may reports whether a record may have sets of the span. Other records are not
// decoded.
func (h *history) may(l *line) bool {
	return l.rev > h.span.After && l.from < h.upTo &&
		(h.span.Task == 0 || l.names(h.span.Task)) && (!h.span.Undos || bytes.Contains(l.body, []byte(`,"undoes":`)))
}

func (h *history) has(set *journalSet) bool {
	id := h.span.Task
	return set.Rev > h.span.After && set.Rev <= h.upTo && (!h.span.Undos || set.Undoes != 0) &&
		(id == 0 || slices.ContainsFunc(set.Changes, func(c journalChange) bool { return c.ID == id }))
}

// yield hands out the sets of a record that are in the span.
func (h *history) yield(l *line, yield func(pawl.ChangeSet, error) bool) bool {
	if !h.may(l) {
		return true
	}
	unreadable := func(rev pawl.Revision, err error) bool {
		yield(pawl.ChangeSet{}, pawl.Errorf(pawl.Internal, "revision %d in %s cannot be read: %w", rev, segmentName(l.segment), err))
		return false
	}
	var r struct {
		Sets  []journalSet
		Moved []journalMove
	}
	if err := json.Unmarshal(l.body, &r); err != nil {
		return unreadable(l.rev, err)
	}
	h.moved = movesOf(r.Moved)
	for i := range r.Sets {
		set := &r.Sets[i]
		if h.span.Backward {
			set = &r.Sets[len(r.Sets)-1-i]
		}
		if !h.has(set) {
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
