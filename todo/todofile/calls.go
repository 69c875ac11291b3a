package todofile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/todo"
)

// Tool calls come at each step of an agent, and a list is too much to write for
// them. Their starts and ends are appended to a log beside it, a line each,
// unsynced:
//
//	{"callLog":7}
//	{"what":"begin","todo":"2","content":3367372505,"id":"toolu_1","name":"Bash","startedAt":"2026-01-01T10:00:00Z","outcome":"running"}
//	{"what":"end","id":"toolu_1","endedAt":"2026-01-01T10:00:01Z","outcome":"succeeded"}
//
// A list's file says up to where the log is part of it (mark), so that both
// become true with one rename, whatever happens to the log afterwards. Logs of a
// list are counted: a log with a lower number than the mark's is all in the
// list, one with a higher number not at all. A reader takes the log first:
// what was folded in between is then in the list, and the mark says so.
//
// A lock of its own is held for an append, with a look at the list, and while a
// log is removed: never while anything is synced, and nobody who holds it waits
// for a list's lock. An append that meets a change of the list lands behind the
// mark, so it is part of the next one; nothing is removed that is not in the
// list.

const (
	maxLog     = 64 << 10 // bytes: each look at the list reads them. When they are full the list is written
	callSuffix = ".calls"
)

// logName is the name of the log beside a list's file.
func logName(name string) string { return strings.TrimSuffix(name, suffix) + callSuffix }

// A mark is how much of which log a list's file has in it.
type mark struct {
	Log   int64 `json:"number"`
	Bytes int   `json:"bytes"`
}

// maxNumber is far from the end of all numbers: what is beyond has been edited.
const maxNumber = 1 << 53

// UnmarshalJSON takes invalid JSON for no mark: that may repeat a few tool calls,
// but costs no list.
func (m *mark) UnmarshalJSON(data []byte) error {
	type plain mark // without this method
	var p plain
	if json.Unmarshal(data, &p) == nil && p.Log > 0 && p.Log < maxNumber && p.Bytes >= 0 {
		*m = mark(p)
	}
	return nil
}

type callLog struct {
	text   []byte
	number int64 // 0: it does not exist, or is not ours
	there  bool  // something stands at its name
}

type (
	diskHead struct {
		Log int64 `json:"callLog"`
	}
	diskNote struct {
		What    string `json:"what"`
		Todo    text   `json:"todo,omitempty"`
		Content uint32 `json:"content,omitempty"`
		Subtask uint32 `json:"subtask,omitempty"`
		Project string `json:"project,omitempty"`

		ID         text            `json:"id,omitempty"`
		Name       string          `json:"name,omitempty"`
		Parameters json.RawMessage `json:"parameters,omitempty"`
		StartedAt  time.Time       `json:"startedAt,omitzero"`
		EndedAt    time.Time       `json:"endedAt,omitzero"`
		Outcome    string          `json:"outcome"`
	}
)

// The kinds of lines.
const (
	noteBegin  = "begin"
	noteEnd    = "end"
	noteEndAll = "end all"
)

// readLog reads the log of a list. A file that cannot be one counts as empty: the
// next append makes it again.
func (s *Store) readLog(name string) (callLog, error) {
	text, _, err := s.disk.read(logName(name), maxLog)
	switch {
	case absent(err):
		return callLog{}, nil
	case errors.Is(err, errIrregular), errors.Is(err, errTooLarge):
		return callLog{there: true}, nil
	case err != nil:
		return callLog{}, storageError(err)
	}
	log := callLog{text: text, there: true}
	line, _, whole := bytes.Cut(text, []byte("\n"))
	var head diskHead
	if whole && json.Unmarshal(line, &head) == nil && head.Log > 0 && head.Log < maxNumber {
		log.number = head.Log
	}
	return log, nil
}

// lines returns the log without a last line that has no end. It is one that a
// crash tore, or one that is being appended: its rest is still to come.
func (l callLog) lines() []byte { return l.text[:1+bytes.LastIndexByte(l.text, '\n')] }

// after returns what the log says that is not in a list with this mark.
func (l callLog) after(m mark) []byte {
	lines := l.lines()
	switch {
	case l.number < m.Log || l.number == 0:
		return nil
	case l.number > m.Log:
		return lines
	}
	return lines[min(m.Bytes, len(lines)):]
}

// folded is the mark of a list with this mark that got the whole log.
func (l callLog) folded(m mark) mark {
	if len(l.after(m)) == 0 {
		return m
	}
	return mark{l.number, len(l.lines())}
}

// notes reads lines. One that is torn, or somebody else's, is passed over.
func notes(lines []byte) []todo.CallNote {
	if len(lines) == 0 {
		return nil
	}
	notes := make([]todo.CallNote, 0, 1+bytes.Count(lines, []byte("\n")))
	var line []byte
	for len(lines) > 0 {
		line, lines, _ = bytes.Cut(lines, []byte("\n"))
		if len(line) == 0 {
			continue
		}
		var disk diskNote
		if !scanned(line, &disk) {
			var ok bool
			if disk, ok = parseNote(line); !ok {
				continue
			}
		}
		n := todo.CallNote{
			Todo: string(disk.Todo), Content: disk.Content, Subtask: disk.Subtask, Project: disk.Project,
			Call: call(&diskCall{
				ID: disk.ID, Name: disk.Name, Parameters: disk.Parameters, StartedAt: disk.StartedAt, EndedAt: disk.EndedAt, Outcome: disk.Outcome,
			}),
		}
		switch disk.What {
		case noteBegin:
			n.Ends = todo.None
		case noteEnd:
			n.Ends = todo.One
		case noteEndAll:
			n.Ends = todo.All
		default:
			continue
		}
		switch n.Call.Outcome {
		case todo.Succeeded, todo.Failed, todo.Interrupted:
			notes = append(notes, n)
		case todo.Running:
			if n.Ends == todo.None {
				notes = append(notes, n)
			}
		}
	}
	return notes
}

// parseNote is scanned by package json.
func parseNote(line []byte) (disk diskNote, ok bool) {
	err := json.Unmarshal(line, &disk)
	return disk, err == nil
}

func noteLine(n *todo.CallNote) ([]byte, error) {
	disk := diskNote{
		What: noteBegin, Todo: text(n.Todo), Content: n.Content, Subtask: n.Subtask, Project: n.Project,
		ID: text(n.Call.ID), Name: n.Call.Name, Parameters: n.Call.Parameters,
		StartedAt: n.Call.StartedAt.UTC(), EndedAt: n.Call.EndedAt.UTC(), Outcome: string(n.Call.Outcome),
	}
	switch n.Ends {
	case todo.One:
		disk.What = noteEnd
	case todo.All:
		disk.What = noteEndAll
	}
	w := &writer{}
	w.value(disk)
	w.b.WriteByte('\n')
	return w.b.Bytes(), w.err
}

// LogCall implements [todo.CallLog].
func (s *Store) LogCall(ctx context.Context, key todo.Key, id string, note func(*todo.List) (todo.CallNote, bool)) error {
	key = key.Normal()
	name := fileName(key)
	need := mention(cmp.Or(id, string(todo.Running)))
	doc, err := s.read(ctx, name, need)
	if err != nil {
		return err
	}
	// Where there is nothing to note, no right to write is needed.
	if _, ok := note(doc.look(key)); !ok {
		return nil
	}
	done, err := s.appendCall(ctx, name, key, doc, need, note)
	if done || err != nil {
		return err
	}
	_, err = s.Update(ctx, key, func(l *todo.List) error {
		if n, ok := note(l); ok {
			l.Note(n)
		}
		return nil
	})
	return err
}

// appendCall appends a note. It is not done when the log is full, or is none and
// stays in the way.
func (s *Store) appendCall(ctx context.Context, name string, key todo.Key, known *document, need need, note func(*todo.List) (todo.CallNote, bool)) (done bool, err error) {
	unlock, err := s.lockCalls(ctx, name)
	if err != nil {
		return false, err
	}
	defer unlock()
	doc, err := s.fetch(name, known, need)
	if _, ok := errors.AsType[*corruptError](err); ok {
		return true, nil // there is no list that the call could be part of
	}
	if err != nil {
		return false, err
	}
	n, ok := note(doc.look(key))
	if !ok {
		return true, nil
	}
	text, err := noteLine(&n)
	if err != nil {
		return false, storageError(err)
	}
	log := doc.log
	if len(log.after(doc.mark)) == 0 { // all of it is in the list, or it is not a log
		if log.there && s.disk.remove(logName(name)) != nil {
			return false, nil
		}
		number := max(log.number, doc.mark.Log) + 1
		head, err := json.Marshal(diskHead{number})
		if err != nil {
			return false, storageError(err)
		}
		log, text = callLog{}, append(append(head, '\n'), text...)
	} else if !bytes.HasSuffix(log.text, []byte("\n")) { // a crash tore the last line
		text = append([]byte("\n"), text...)
	}
	if len(log.text)+len(text) > maxLog {
		return false, nil
	}
	return true, storageError(s.disk.append(logName(name), text))
}

// emptyLog removes a log after all that was read of it became part of the list,
// unless more was appended since. That it is there does no harm, so no failure
// does either.
func (s *Store) emptyLog(ctx context.Context, name string, read callLog) {
	if !read.there {
		return
	}
	unlock, err := s.lockCalls(ctx, name)
	if err != nil {
		return
	}
	defer unlock()
	if now, err := s.readLog(name); err == nil && bytes.Equal(now.text, read.text) {
		s.disk.remove(logName(name))
	}
}

func (s *Store) removeLog(ctx context.Context, name string) {
	if _, err := s.disk.stat(logName(name)); absent(err) {
		return
	}
	if unlock, err := s.lockCalls(ctx, name); err == nil {
		defer unlock()
		s.disk.remove(logName(name))
	}
}

// sweepLogs removes the logs that a crash left without a list, if they were
// written before a time. names is what there is in the folder.
func (s *Store) sweepLogs(ctx context.Context, names []string, before time.Time) {
	lists := map[string]bool{}
	for _, name := range names {
		lists[name] = true
	}
	for _, base := range names {
		stem, ok := strings.CutSuffix(base, callSuffix)
		if name := stem + suffix; ok && !lists[name] && ours(name) {
			if written, err := s.disk.stat(base); err == nil && written.Before(before) {
				s.removeLog(ctx, name)
			}
		}
	}
}

func (s *Store) lockCalls(ctx context.Context, name string) (unlock func(), err error) {
	unlock, err = s.wait(ctx, workName(name, callSuffix))
	if absent(err) { // the list is somebody else's work
		if err = s.disk.mkdir(workDir); err == nil {
			return s.wait(ctx, workName(name, callSuffix))
		}
		err = storageError(err)
	}
	return unlock, err
}
