package todofile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// A corruptError says why a file cannot be a list's.
type corruptError struct{ cause error }

func (e *corruptError) Error() string { return e.cause.Error() }

// fetch reads what stands at a name as it is: nothing is an empty document, and
// what cannot be read as a list a *corruptError. When it is still the text of
// known, with the same log, that is returned; known may be nil.
func (s *Store) fetch(name string, known *document, need need) (*document, error) {
	log, err := s.readLog(name) // first: see calls.go
	if err != nil {
		return nil, err
	}
	if known != nil && !bytes.Equal(log.text, known.log.text) {
		known = nil
	}
	doc, err := s.fetchText(name, known, need)
	if err != nil || doc == known {
		return doc, err
	}
	lines := notes(log.after(doc.mark))
	if doc.brief && !doc.has(lines) {
		if doc, err = s.fetchText(name, nil, nil); err != nil {
			return nil, err
		}
		lines = notes(log.after(doc.mark))
	}
	doc.log = log
	doc.kept.Note(lines...)
	return doc, nil
}

// fetchText is fetch without the log.
func (s *Store) fetchText(name string, known *document, need need) (*document, error) {
	text, written, err := s.disk.read(name, todo.MaxList)
	switch {
	case absent(err) && known != nil && known.text == nil:
		return known, nil
	case absent(err):
		return &document{}, nil
	case errors.Is(err, errIrregular):
		return nil, &corruptError{errIrregular}
	case errors.Is(err, errTooLarge):
		return nil, &corruptError{errTooLarge}
	case err != nil:
		return nil, storageError(err)
	}
	if known != nil && known.text != nil && bytes.Equal(text, known.text) {
		return known, nil
	}
	if need != nil {
		if doc := parseBrief(text, need); doc != nil {
			doc.aged(written)
			return doc, nil
		}
	}
	doc, err := parse(text)
	if newer, ok := errors.AsType[newerError](err); ok {
		return nil, storageError(fmt.Errorf("%s: %w", s.path(name), newer))
	}
	if err != nil {
		return nil, &corruptError{err}
	}
	doc.aged(written)
	return doc, nil
}

// read is fetch that sets aside what cannot be read. Where that cannot be done
// either, the list is blank anyway.
func (s *Store) read(ctx context.Context, name string, need need) (*document, error) {
	doc, err := s.fetch(name, nil, need)
	corrupt, ok := errors.AsType[*corruptError](err)
	if !ok {
		return doc, err
	}
	unlock, err := s.lock(ctx, name)
	if err == nil {
		defer unlock()
		if doc, err = s.readLocked(name, nil); err == nil {
			return doc, nil
		}
	}
	if ctx.Err() != nil {
		return nil, err
	}
	s.tell("the todo list %s cannot be read (%v), and could not be set aside either: %v", s.path(name), corrupt, err)
	return &document{}, nil
}

// readLocked is fetch for who has the lock, and must have what cannot be read
// out of the way.
func (s *Store) readLocked(name string, known *document) (*document, error) {
	doc, err := s.fetch(name, known, nil)
	corrupt, ok := errors.AsType[*corruptError](err)
	if !ok {
		return doc, err
	}
	lost := lostName(name, s.now())
	err = s.disk.mkdir(lostDir)
	for n := 2; err == nil; n++ {
		if _, errStat := s.disk.stat(lost); absent(errStat) {
			break
		}
		lost = fmt.Sprintf("%s.%d", lostName(name, s.now()), n)
	}
	if err == nil {
		err = s.disk.rename(name, lost)
	}
	if err == nil {
		err = s.disk.sync(lostDir)
	}
	if err != nil && !absent(err) {
		return nil, storageError(err)
	}
	s.tell("the todo list %s could not be read (%v): it is kept as %s, and the session begins a new one", s.path(name), corrupt, s.path(lost))
	log, _ := s.readLog(name) // its calls are none of the new list's, whose first change takes them in
	return &document{log: log}, nil
}

// lostName is where something is kept that was set aside: the name says when,
// since the file's own time is older.
func lostName(name string, at time.Time) string {
	return fmt.Sprintf("%s/%s-%d", lostDir, name, at.UnixMilli())
}

// lostAt is the time in the last element of such a name.
func lostAt(base string) (time.Time, bool) {
	_, rest, ok := strings.Cut(base, suffix+"-")
	digits, _, _ := strings.Cut(rest, ".")
	ms, err := strconv.ParseInt(digits, 10, 64)
	return time.UnixMilli(ms), ok && err == nil
}

func (s *Store) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// maxProblems is how many problems wait to be asked for. More of them say
// nothing that the first did not.
const maxProblems = 20

// tell notes a problem, once: one that stays is met at each read.
func (s *Store) tell(format string, args ...any) {
	sentence := fmt.Sprintf(format, args...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told[sentence] || len(s.problems) == maxProblems {
		return
	}
	if len(s.told) == 10*maxProblems {
		clear(s.told)
	}
	s.told[sentence] = true
	s.problems = append(s.problems, sentence)
}

// Problems implements [todo.Store].
func (s *Store) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	problems := s.problems
	s.problems = nil
	return problems
}
