package file

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A position is a place in the journal.
type position struct {
	segment int
	offset  int64
}

// A located record is one with its place.
type located struct {
	*journalRecord
	at  position
	end position
	gap bool // what stands before it cannot be read
}

const journalDir = stateDir + "/journal"

func segmentName(n int) string { return fmt.Sprintf("%s/%d.jsonl", journalDir, n) }

// segments lists the numbers of the segments there are, in order.
func segments(fs fileSystem) ([]int, error) {
	var all []int
	err := fs.List(journalDir, func(name []byte) {
		digits, ok := strings.CutSuffix(string(name), ".jsonl")
		if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && strconv.Itoa(n) == digits {
			all = append(all, n)
		}
	})
	if err != nil && !absent(err) {
		return nil, err
	}
	slices.Sort(all)
	return all, nil
}

// A stretch is what a part of a segment holds.
type stretch struct {
	records []located
	end     int64 // after the last record that is whole
	size    int64 // of the segment
	// bad is the number of the first line of the stretch that is not whole
	// even though others follow it, counted from 1; zero: none. It is 1
	// too where the stretch does not begin after the end of a line: then what
	// was there has been cut off or written over.
	bad     int
	highest pawl.Revision // of all whole records
}

// torn reports whether the segment ends with something that was never
// committed.
func (s *stretch) torn() bool { return s.end < s.size && s.bad == 0 }

// readStretch reads a segment from an offset, which is where a line ends.
func readStretch(fs fileSystem, from position) (stretch, error) {
	before := min(from.offset, 1) // the end of the line before
	text, size, err := readFrom(fs, position{from.segment, from.offset - before})
	if err != nil {
		return stretch{}, err
	}
	s := stretch{end: min(from.offset, size), size: size}
	if before > 0 {
		if len(text) == 0 || text[0] != '\n' {
			s.bad = 1
		}
		text = text[min(1, len(text)):]
	}
	at, gap := from.offset, s.bad > 0
	for line := 1; len(text) > 0; line++ {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			break
		}
		r, ok := parseLine(text[:n])
		switch {
		case ok:
			s.records = append(s.records, located{r, position{from.segment, at}, position{from.segment, at + int64(n)}, gap})
			s.end = at + int64(n)
			s.highest = max(s.highest, r.Rev)
		case n < len(text) && s.bad == 0:
			s.bad = line
		}
		gap = !ok
		at += int64(n)
		text = text[n:]
	}
	return s, nil
}

// readFrom reads what a segment holds from an offset on, and says how large the
// segment is.
func readFrom(fs fileSystem, from position) (text []byte, size int64, err error) {
	file, err := fs.Open(segmentName(from.segment), false)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size <= from.offset {
		return nil, info.Size, err
	}
	text = make([]byte, info.Size-from.offset)
	n, err := file.ReadAt(text, from.offset)
	if err != nil && err != io.EOF {
		return nil, 0, err
	}
	return text[:n], from.offset + int64(n), nil
}

// knows refuses a segment that a newer version of Pawl began. Its head says so before
// anything else of it has to be understood.
func knows(fs fileSystem, segment int) error {
	file, err := fs.Open(segmentName(segment), false)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	head := make([]byte, 64)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	var crc string
	var has int
	if _, err := fmt.Sscanf(string(head[:n]), `{"crc":%10q,"body":{"format":%d,`, &crc, &has); err == nil && has > format {
		return newerFormat("journal", has)
	}
	return nil
}

// readRecord reads the one record that begins at a position.
func readRecord(fs fileSystem, at position) (*journalRecord, error) {
	file, err := fs.Open(segmentName(at.segment), false)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var line []byte
	for chunk := 16 << 10; ; chunk *= 4 {
		buf := make([]byte, chunk)
		n, err := file.ReadAt(buf, at.offset)
		if err != nil && err != io.EOF {
			return nil, err
		}
		if i := bytes.IndexByte(buf[:n], '\n'); i >= 0 {
			line = buf[:i+1]
			break
		}
		if n < chunk {
			break
		}
	}
	r, ok := parseLine(line)
	if !ok {
		return nil, fmt.Errorf("no record at %s:%d", segmentName(at.segment), at.offset)
	}
	if r.Format > format {
		return nil, newerFormat("journal", r.Format)
	}
	return r, nil
}

// images reads texts of task files out of the journal. It keeps the last record:
// one may hold thousands of them.
type images struct {
	fs  fileSystem
	at  position
	rec *journalRecord
}

// of returns the text that an entry was read from, or nil.
func (i *images) of(e *entry) []byte {
	if e.image.segment == 0 {
		return nil
	}
	if i.at != e.image {
		r, err := readRecord(i.fs, e.image)
		if err != nil {
			return nil
		}
		i.at, i.rec = e.image, r
	}
	f := i.rec.file(e.id)
	if f == nil || f.Text == nil || f.After != hashText(e.hash) {
		return nil
	}
	return []byte(*f.Text)
}

// tail is the journal after a mark.
type tail struct {
	records []located // checkpoints too
	end     position
	rest    bool // the last segment has something after its last record
	torn    bool // and it was never committed: it is to be cut
	broken  bool // a line further up is bad: the journal must go on in a new segment
	unbegun bool // and so it must when a segment was made but not begun
	other   bool // the segment of the mark is not there: this may be an older journal
	highest pawl.Revision
}

// readTail reads what the journal has after a mark. A mark of zero starts at
// the latest checkpoint.
func readTail(fs fileSystem, m *mark) (tail, error) {
	from := m.applied
	if from.segment == 0 {
		all, err := segments(fs)
		if err != nil || len(all) == 0 {
			return tail{}, err
		}
		return readFromCheckpoint(fs, all)
	}
	t := tail{end: from}
	for first := true; ; first = false {
		s, err := readStretch(fs, from)
		if err != nil {
			if !absent(err) {
				return t, err
			}
			if first { // the journal was removed, or is another one
				t, err = readTail(fs, &mark{})
				t.broken, t.other = true, true
				return t, err
			}
			return t, nil
		}
		if len(s.records) > 0 && !first {
			t.begin(s.records[0].journalRecord)
		}
		t.add(&s, from.segment)
		from = position{segment: from.segment + 1}
	}
}

// begin drops what a following segment says was not committed: after a failed
// sync a record may have stayed, and the new segment starts without it.
func (t *tail) begin(checkpoint *journalRecord) {
	t.records = slices.DeleteFunc(t.records, func(r located) bool { return r.Rev > checkpoint.Rev })
}

func (t *tail) add(s *stretch, segment int) {
	t.records = append(t.records, s.records...)
	t.end = position{segment, s.end}
	t.rest, t.torn = s.end < s.size, s.torn()
	t.broken = s.bad > 0
	t.highest = max(t.highest, s.highest)
}

// readFromCheckpoint reads from the latest checkpoint on.
func readFromCheckpoint(fs fileSystem, all []int) (tail, error) {
	var t tail
	for i := len(all) - 1; i >= 0; i-- {
		s, err := readStretch(fs, position{segment: all[i]})
		if err != nil {
			return t, err
		}
		if len(s.records) == 0 && i > 0 { // made, but not begun
			t.highest = max(t.highest, s.highest)
			continue
		}
		highest := t.highest
		t.add(&s, all[i])
		t.highest = max(t.highest, highest)
		if i < len(all)-1 {
			t.unbegun = true
		}
		break
	}
	for i := len(t.records) - 1; i >= 0; i-- {
		if t.records[i].Kind == checkpointRecord {
			t.records = t.records[i:]
			break
		}
	}
	return t, nil
}
