package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/nudge"
	"github.com/pawl-dev/pawl/todo"
)

const (
	// maxMemory is how large a memory's file becomes before it is begun again.
	maxMemory = 64 << 10
	// maxLine is how much of its end is read: the last line is in it, whole.
	maxLine = 32 << 10
	// usualLine is how much is read first: it is mostly in that.
	usualLine = 4 << 10
	// maxSeen are remembered of the events that came, for as long as sameCall.
	maxSeen = 16
	// maxWaits are the entries of the agent's own list whose blockers are kept.
	maxWaits = todo.MaxItems
	// sameCall is how long a number belongs to one call.
	sameCall = 30 * time.Second
	// sameEvent is how close two equal events without a number are one.
	sameEvent = time.Second
	// sameStop is how soon after a continuation an equal event is still the same
	// one: programs start all hooks of an event together, or one after the other,
	// and between two stops of a continued agent its model has answered.
	sameStop = 50 * time.Millisecond
	// lockPoll is how often a lock is asked for that another hook has.
	lockPoll = time.Millisecond
)

// A memory is what hooks know of one agent of one session from the events
// before. Each event appends it as one line, unsynced: a session that a power
// cut ends has no use for it. A line that is not whole counts as not there.
type memory struct {
	Nudge   nudge.State `json:"nudge"`
	Seen    []seen      `json:"seen,omitempty"`    // the newest last
	Project string      `json:"project,omitempty"` // its folder, from the session's start on
	RenewAt time.Time   `json:"renewAt,omitzero"`  // when its leases are to be looked at again
	Maker   string      `json:"maker,omitempty"`   // the tool with which the agent wrote its list, its own or Pawl's
	Shown   string      `json:"shown,omitempty"`   // what stands before todo_write where the agent has Pawl's tools
	Model   string      `json:"model,omitempty"`   // the last that an event told
	Goal    bool        `json:"goal,omitempty"`    // a person has set one, and it was not seen to be met
	Made    []pawl.ID   `json:"made,omitempty"`    // the tasks on the board that it made, oldest first
	Runs    []run       `json:"runs,omitempty"`    // the calls under way that have no number, oldest first
	// Distant is of a board at an address.
	Distant *distant `json:"distant,omitempty"`
	Proxied bool     `json:"proxied,omitempty"` // pawl acp wrote it, not a hook
	// Waits says what each entry of the agent's own list waits for.
	Waits map[string][]string `json:"waits,omitempty"`
}

// seen is an event that came.
type seen struct {
	Key uint64 `json:"k"`
	At  int64  `json:"t"` // Unix milliseconds
	// On is when a continuation was answered, in Unix milliseconds; zero: none was.
	On int64 `json:"c,omitempty"`
}

// repeats reports whether an event came already, and remembers it. One that has
// a number or a time of its own comes once; another one may come again, later.
// That is at once for an agent that was continued: its next stop may have the
// same words, but its hook was started after the answer to the one before.
func (m *memory) repeats(key uint64, numbered bool, now time.Time) bool {
	at := now.UnixMilli()
	since := func(then int64) time.Duration { return time.Duration(at-then) * time.Millisecond }
	// A clock that was set back must not make one of an hour ago the same.
	age := func(s seen) time.Duration { return since(s.At).Abs() }
	for _, s := range slices.Backward(m.Seen) {
		if s.Key != key {
			continue
		}
		window := sameEvent
		if numbered {
			window = sameCall
		}
		if age(s) < window && (numbered || s.On == 0 || since(s.On) < sameStop) {
			return true
		}
		break // the last one of its kind decides
	}
	m.Seen = slices.DeleteFunc(m.Seen, func(s seen) bool { return age(s) >= sameCall })
	m.Seen = append(m.Seen, seen{Key: key, At: at})
	m.Seen = m.Seen[max(0, len(m.Seen)-maxSeen):]
	return false
}

// ended forgets the events before the last one, which ended the conversation: another
// process may begin it again at once.
func (m *memory) ended() { m.Seen = m.Seen[len(m.Seen)-1:] }

// continued notes that the event which came last was answered by a continuation.
func (m *memory) continued(now time.Time) { m.Seen[len(m.Seen)-1].On = now.UnixMilli() }

// A notebook is the file of a memory, which one hook at a time has in hand.
type notebook struct {
	file *os.File
	size int64
	at   time.Time // when it was written last
	line []byte    // as it was read
	torn bool      // the file ends in the middle of a line
}

// memories is the folder of the notebooks.
func memories(state string) string { return filepath.Join(state, "hooks") }

// helperMark stands between the names of a session and of a subagent, and in
// neither.
const helperMark = "+"

func notebookPath(state string, key todo.Key) string {
	name := userdir.Escape(key.Session)
	if key.Agent != "" {
		name += helperMark + userdir.Escape(key.Agent)
	}
	return filepath.Join(memories(state), name+".jsonl")
}

// openNotebook waits for the notebook and reads what is in it.
func openNotebook(ctx context.Context, state string, key todo.Key) (*notebook, memory, error) {
	path := notebookPath(state, key)
	// Not O_APPEND: on Windows such a file cannot be begun again. The process that has the
	// lock knows where its end is.
	const how = os.O_RDWR | os.O_CREATE
	file, err := os.OpenFile(path, how, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err := userdir.Make(memories(state)); err != nil {
			return nil, memory{}, err
		}
		file, err = os.OpenFile(path, how, 0o600)
	}
	if err != nil {
		return nil, memory{}, err
	}
	if err := filelock.Wait(ctx, file, lockPoll); err != nil {
		file.Close()
		return nil, memory{}, err
	}
	n := &notebook{file: file}
	m, err := n.read()
	if err != nil {
		file.Close()
		return nil, memory{}, err
	}
	return n, m, nil
}

// read returns the last line that is whole.
func (n *notebook) read() (memory, error) {
	info, err := n.file.Stat()
	if err != nil {
		return memory{}, err
	}
	n.size, n.at = info.Size(), info.ModTime()
	for _, length := range []int64{usualLine, maxLine} {
		m, there, err := n.readEnd(min(n.size, length))
		if there || err != nil || n.size <= length {
			return m, err
		}
	}
	return memory{}, nil
}

// readEnd looks for the last line that is whole in so many bytes of the end.
func (n *notebook) readEnd(length int64) (m memory, there bool, err error) {
	text := make([]byte, length)
	got, err := n.file.ReadAt(text, n.size-int64(len(text)))
	if err != nil && err != io.EOF {
		return memory{}, false, err
	}
	text = text[:got]
	n.torn = got > 0 && text[got-1] != '\n'
	for len(text) > 0 {
		end := bytes.LastIndexByte(text, '\n')
		if end < 0 {
			break
		}
		text = text[:end]
		line := text[bytes.LastIndexByte(text, '\n')+1:]
		var m memory
		if json.Unmarshal(line, &m) == nil {
			n.line = line
			return m, true, nil
		}
	}
	return memory{}, false, nil
}

// write appends the memory where it is another one than before. A line that
// could not be read again is not written.
func (n *notebook) write(m memory) error {
	line, err := json.Marshal(m)
	if len(line) >= maxLine {
		m.Waits = nil // the only large thing in it, and not worth the rest
		line, err = json.Marshal(m)
	}
	switch {
	case err != nil || bytes.Equal(line, n.line):
		return err
	case len(line) >= maxLine:
		return fmt.Errorf("what is remembered of a session has %d bytes, and at most %d are kept", len(line), maxLine)
	}
	if n.size > maxMemory {
		if err := n.file.Truncate(0); err != nil {
			return err
		}
		n.size, n.torn = 0, false
	}
	text := append(bytes.Clone(line), '\n')
	if n.torn {
		text = append([]byte{'\n'}, text...)
	}
	wrote, err := n.file.WriteAt(text, n.size)
	n.size += int64(wrote)
	if n.torn = err != nil; err == nil {
		n.line = line
	}
	return err
}

func (n *notebook) close() { n.file.Close() }

const (
	// forgetAfter is how long the memory of a session is kept that nobody comes
	// back to: as long as its open todos.
	forgetAfter = todo.KeepOpen
	// forgetHelper is how long that of a subagent is kept. There are many, and
	// each is of use while its session lives.
	forgetHelper = 7 * 24 * time.Hour
)

// forget removes the memories of sessions long past, but for the one that
// begins again now.
func forget(state string, now time.Time, but todo.Key) error {
	if due, err := daily(filepath.Join(state, "hook.forgot"), now); !due || err != nil {
		return err
	}
	return removeOld(memories(state), now, filepath.Base(notebookPath(state, but)))
}

// removeOld removes the files of a folder that are kept no longer, but for one.
func removeOld(dir string, now time.Time, but string) error {
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		life := forgetAfter
		if strings.Contains(entry.Name(), helperMark) {
			life = forgetHelper
		}
		if info, err := entry.Info(); err == nil && entry.Name() != but && now.Sub(info.ModTime()) > life {
			os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
	return err
}
