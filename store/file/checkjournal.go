package file

import (
	"bytes"
	"fmt"

	"github.com/pawl-dev/pawl"
)

// checkJournal finds lines that are not as they were written, and history that
// is missing.
func (s *Store) checkJournal(c *checkup) error {
	if !s.loaded.exists {
		return nil
	}
	h, err := s.loadedHistory()
	if err != nil {
		return err
	}
	j := journalCheck{checkup: c, history: h}
	for i := range h.segments {
		if err := j.segment(i); err != nil {
			return err
		}
	}
	if j.known && j.at < h.revision {
		j.hole(h.revision, segmentName(h.end.segment), 0)
	} else if j.bad > 0 {
		j.add("what stands from this line on was never committed", "nothing has to be done: the history goes on without it", j.file, j.bad)
	}
	return nil
}

// A journalCheck goes through the lines of a journal.
type journalCheck struct {
	*checkup
	*history
	at    pawl.Revision // history is known up to it
	known bool          // some is
	file  string        // with a bad line after the last good one:
	bad   int           // its number; zero: there is none
}

func (j *journalCheck) segment(i int) error {
	text, _, err := readFrom(j.fs, position{segment: j.segments[i]})
	if absent(err) {
		return nil // trimmed since
	}
	if err != nil {
		return err
	}
	if next, ok := j.start(i); ok && (!j.known || j.at >= next) {
		j.bad = 0 // the end of the segment before was never committed
	}
	name, next, n := segmentName(j.segments[i]), j.next(i), 0
	for text := range bytes.Lines(text) {
		n++
		l, ok := parseLater(text)
		switch {
		case !ok && j.bad == 0:
			j.file, j.bad = name, n
		case !ok, l.rev > next:
		case j.known && l.from > j.at:
			j.hole(l.from, name, n)
			j.at = l.rev
		default:
			if j.bad > 0 {
				j.add("this line is not as it was written, and tells of no change that is missing", mendJournal, j.file, j.bad)
			}
			j.at, j.known, j.bad = max(j.at, l.rev), true, 0
		}
	}
	return nil
}

const mendJournal = "nothing has to be done: no task is lost, and the history goes on after it"

// hole names what is missing before a line, or up to the board as it is.
func (j *journalCheck) hole(upTo pawl.Revision, file string, line int) {
	what := fmt.Sprintf("the change of revision %d", upTo)
	if j.at+1 < upTo {
		what = fmt.Sprintf("the changes of revisions %d to %d", j.at+1, upTo)
	}
	if j.bad > 0 {
		j.add("this line is not as it was written, so "+what+" cannot be told or undone", mendJournal, j.file, j.bad)
	} else {
		j.add("before this line the journal was cut off or replaced, so "+what+" cannot be told or undone", mendJournal, file, line)
	}
	j.bad = 0
}

func (j *journalCheck) add(text, mend, file string, line int) {
	j.checkup.add(pawl.Problem{Kind: "journal", File: file, Line: line, Text: text, Mend: mend})
}
