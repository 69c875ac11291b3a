package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/internal/wire"
)

var noDeadline = context.Background()

// How much of an audit is kept: the newest file has the newest entries, and the
// oldest files go.
const (
	maxAuditFile  = 16 << 20
	mostAudits    = 20
	maxAuditTexts = 200 // runes of a text that a client sent
)

// An Entry of the audit says who did what, from where, and what came of it. It has
// no text of a task and no secret.
type Entry struct {
	At       wire.Moment   `json:"at"`
	Event    string        `json:"event"`              // change, refused, denied, token, start, stop
	Board    string        `json:"board,omitempty"`    // by name
	Token    string        `json:"token,omitempty"`    // its id
	Name     string        `json:"name,omitempty"`     // the token's
	Session  string        `json:"session,omitempty"`  // in the client's words
	Agent    string        `json:"agent,omitempty"`    // the same
	From     string        `json:"from,omitempty"`     // the client's address
	By       string        `json:"by,omitempty"`       // v1, page, mcp or metrics
	Verb     string        `json:"verb,omitempty"`     // of the op
	Tasks    []pawl.ID     `json:"tasks,omitempty"`    // those that it was about
	Revision pawl.Revision `json:"revision,omitempty"` // of the change set
	Forced   bool          `json:"forced,omitempty"`   // it overrode a claim, a blocker or a hold
	Kind     string        `json:"kind,omitempty"`     // of the error
	Why      string        `json:"why,omitempty"`      // the error, or what happened
	Omitted  int           `json:"omitted,omitempty"`  // refusals of the token before this one that are not recorded
}

// An Audit is the record of a server, in files of JSON lines in a folder of its own:
// audit.jsonl, and before it audit-TIME.jsonl. It is safe for concurrent use.
type Audit struct {
	dir  string
	now  func() time.Time
	warn func(string)

	mu   sync.Mutex
	file *os.File
	size int64
	told string

	minute time.Time // that denied counts in
	denied int

	refusals map[string]*bucket // by token
	omitted  map[string]int     // by token, since the last that was recorded
}

// OpenAudit opens the record in a folder, which it makes.
func OpenAudit(dir string, now func() time.Time, warn func(string)) (*Audit, error) {
	if err := userdir.Make(dir); err != nil {
		return nil, err
	}
	a := &Audit{dir: dir, now: now, warn: warn}
	if err := a.open(); err != nil {
		return nil, pawl.Errorf(pawl.Unavailable, "the audit cannot be written: %w", err)
	}
	return a, nil
}

func (a *Audit) path() string { return filepath.Join(a.dir, "audit.jsonl") }

func (a *Audit) open() error {
	if info, err := os.Lstat(a.path()); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", a.path())
	}
	file, err := os.OpenFile(a.path(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return err
	}
	a.file, a.size = file, info.Size()
	return nil
}

// Note records an entry. A failure to record is reported once, and stops nobody: a
// full disk would end all work otherwise.
func (a *Audit) Note(e Entry) {
	if a == nil {
		return
	}
	e.At = wire.Time(a.now())
	for _, said := range []*string{&e.Session, &e.Agent, &e.Why, &e.Verb} {
		*said = text.Clip(text.Line(*said), maxAuditTexts)
	}
	e.Tasks = e.Tasks[:min(len(e.Tasks), pawl.MaxBatch)]
	line, err := json.Marshal(e)
	if err != nil {
		return // it holds texts and numbers only
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.write(append(line, '\n')); err != nil && err.Error() != a.told {
		a.told = err.Error()
		a.warn("the audit cannot be written: " + a.told)
	}
}

// Token records what became of a token. Changes while no server runs are in the file
// of tokens.
func (a *Audit) Token(t access.Token, what string) {
	switch {
	case what != "ended":
	case !t.Revoked.IsZero():
		what = "revoked"
	case !t.Expires.IsZero() && !t.Expires.After(a.clock()):
		what = "expired"
	}
	a.Note(Entry{Event: "token", Token: t.ID, Name: t.Name, Why: what})
}

// clock is the time; without an audit it does not matter.
func (a *Audit) clock() (now time.Time) {
	if a != nil {
		now = a.now()
	}
	return now
}

// mostDenied is how many requests without a token that counts are recorded in a
// minute: a guesser must not fill the disk.
const mostDenied = 60

// Deny records a request that was refused for its token.
func (a *Audit) Deny(e Entry) {
	if a == nil {
		return
	}
	a.mu.Lock()
	if now := a.now(); now.Sub(a.minute) >= time.Minute || now.Before(a.minute) {
		a.minute, a.denied = now, 0
	}
	a.denied++
	over := a.denied - mostDenied
	a.mu.Unlock()
	if over > 0 {
		if over > 1 {
			return
		}
		e = Entry{Why: "more requests were refused in this minute"}
	}
	e.Event = "denied"
	a.Note(e)
}

// mostRefused is how many refused requests of a token are recorded in a minute: else
// its holder could fill the audit with refusals until nothing else is left in it.
const mostRefused = 600

// Refuse records a request that was refused to the holder of a token, or counts it.
func (a *Audit) Refuse(e Entry) {
	if a == nil {
		return
	}
	a.mu.Lock()
	if a.omitted == nil || len(a.omitted) > mostBuckets {
		a.omitted = map[string]int{}
	}
	if take(&a.refusals, e.Token, a.now(), mostRefused/60, mostRefused) > 0 {
		a.omitted[e.Token]++
		a.mu.Unlock()
		return
	}
	e.Omitted = a.omitted[e.Token]
	delete(a.omitted, e.Token)
	a.mu.Unlock()
	e.Event = "refused"
	a.Note(e)
}

func (a *Audit) write(line []byte) error {
	if a.file == nil {
		if err := a.open(); err != nil {
			return err
		}
	}
	if a.size > 0 && a.size+int64(len(line)) > maxAuditFile {
		if err := a.rotate(); err != nil {
			return err
		}
	}
	n, err := a.file.Write(line) // one call, so that a line is whole
	a.size += int64(n)
	if err == nil {
		a.told = ""
	}
	return err
}

// rotate puts the file aside under the time of its end, and removes the oldest.
func (a *Audit) rotate() error {
	a.file.Close()
	a.file = nil
	aside := filepath.Join(a.dir, "audit-"+a.now().UTC().Format("20060102T150405.000Z")+".jsonl")
	if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) { // else it goes on in the one that there is
		if err := filelock.Rename(a.path(), aside); err != nil {
			return err
		}
	}
	old, _ := fs.Glob(os.DirFS(a.dir), "audit-*.jsonl") // sorted; what cannot be listed stays
	for ; len(old) >= mostAudits; old = old[1:] {
		os.Remove(filepath.Join(a.dir, old[0]))
	}
	return a.open()
}

// Close closes the file.
func (a *Audit) Close() error {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	return err
}
