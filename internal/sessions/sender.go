package sessions

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/userdir"
	"github.com/pawl-dev/pawl/todo"
)

// Source is where own lists are.
type Source interface {
	Load(ctx context.Context, key todo.Key) (todo.List, error)
	Stamp(ctx context.Context, key todo.Key) (string, error)
}

// A Sender sends the lists of this machine's sessions to a board at an address. What
// it could not send the next one sends, in whatever process and however much later: it
// compares the lists with what it sent last, which is in a file.
type Sender struct {
	Dir       string // of the address, in the user's folder
	Token     string // whose name the server gives to what is sent; another one sends all again
	Lists     Source
	Machine   string
	Home      string // the user's folder, which is not told to anybody
	Arguments func(session string) bool
	Now       func() time.Time
	Send      func(context.Context, remote.Send) (remote.Sent, error)
}

// again is how much later a session that does nothing else is said to be there.
const again = 45 * time.Second

// unsettled is for how long a list that changed is looked at again, whatever its stamp
// says: some clocks of file systems are coarse.
const unsettled = 2 * time.Second

// A memory is what was sent.
type memory struct {
	Format  int              `json:"format"`
	Token   string           `json:"token"`   // a hash
	Version int64            `json:"version"` // the last one that was used
	Sent    map[string]*sent `json:"sent"`    // by the name of the mark

	path string
	home string // see HomeAt
}

// sent is what was sent of a session.
type sent struct {
	Stamp string    `json:"stamp,omitempty"` // of the list
	Sum   string    `json:"sum,omitempty"`   // of what was sent of it; empty: there was nothing
	At    time.Time `json:"at"`              // when the session was said to be there
	Word  string    `json:"word,omitempty"`  // what was said of it besides
}

const (
	memoryFormat = 1
	memoryName   = "sent.json"
	homeName     = "home"
	lockName     = "lock"
	maxMemory    = 4 << 20
)

// HomeAt returns the number of this machine's user at an address; empty: nothing was
// sent yet. Each address has its own, so that nobody finds the user at another one.
func HomeAt(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, homeName))
	if err != nil || len(text) < 16 || len(text) > remote.MaxWord {
		return ""
	}
	return string(text)
}

// home is HomeAt that gives the user a number. The caller has the lock.
func home(dir string) (string, error) {
	if is := HomeAt(dir); is != "" {
		return is, nil
	}
	is := rand.Text()
	return is, filelock.Write(filepath.Join(dir, homeName), []byte(is))
}

func readMemory(dir string) *memory {
	m := &memory{path: filepath.Join(dir, memoryName)}
	info, err := os.Lstat(m.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxMemory {
		return m
	}
	text, err := os.ReadFile(m.path)
	if err != nil || json.Unmarshal(text, m) != nil || m.Format != memoryFormat {
		*m = memory{path: m.path} // all is sent again
	}
	return m
}

// write replaces the file. It does not wait for the disk: what a power cut takes is
// sent once more.
func (m *memory) write() error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return filelock.Write(m.path, text)
}

// A job is what is to be sent of a session.
type job struct {
	session remote.Session
	mark    string
	sent    sent // once it is
}

// Sync sends what changed since the last time, and returns once the server has it.
// Processes take turns, so that what is read later is sent later.
func (s *Sender) Sync(ctx context.Context) error {
	marks, err := Marked(s.Dir)
	if err != nil || len(marks) == 0 {
		return err
	}
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	m := readMemory(s.Dir)
	sum := sha256.Sum256([]byte(s.Token))
	if token := hex.EncodeToString(sum[:8]); m.Token != token || m.Sent == nil {
		m.Format, m.Token, m.Sent = memoryFormat, token, map[string]*sent{}
	}
	if m.home, err = home(s.Dir); err != nil {
		return err
	}
	var failed error // what keeps no other list from being sent
	for range 3 {    // once; for a server that has lost something; and for one that knows later versions
		jobs, err := s.due(ctx, m, marks)
		if ctx.Err() != nil {
			return err
		}
		failed = cmp.Or(failed, err)
		if len(jobs) == 0 {
			break
		}
		repeat := false
		for _, batch := range batches(jobs) {
			more, err := s.send(ctx, m, batch)
			if pawl.KindOf(err) == pawl.Invalid && len(batch) > 1 { // one of them stops no other
				for i := range batch {
					more1, err := s.send(ctx, m, batch[i:i+1])
					more, failed = more || more1, s.refused(m, batch[i], err, failed)
					if err != nil && pawl.KindOf(err) != pawl.Invalid {
						return errors.Join(err, m.write())
					}
				}
			} else if pawl.KindOf(err) == pawl.Invalid {
				failed = s.refused(m, batch[0], err, failed)
			} else if err != nil {
				return errors.Join(err, m.write())
			}
			repeat = repeat || more
		}
		if err := m.write(); err != nil {
			return err
		}
		if !repeat {
			break
		}
	}
	s.forget(m, marks)
	return failed
}

// Leave has the server forget all sessions of this machine's user.
func Leave(ctx context.Context, s Sender) error {
	marks, err := Marked(s.Dir)
	if err != nil {
		return err
	}
	for _, m := range marks {
		m.Ended = true
		if err := Mark(s.Dir, m); err != nil {
			return err
		}
	}
	s.Lists, s.Arguments = none{}, func(string) bool { return false }
	return s.Sync(ctx)
}

// none is a source without lists.
type none struct{}

func (none) Load(_ context.Context, key todo.Key) (todo.List, error) {
	return todo.List{Key: key}, nil
}

func (none) Stamp(context.Context, todo.Key) (string, error) { return "", nil }

// Unsent reports whether lists have changed since they were sent, as after a time
// without a network. It asks nobody.
func Unsent(ctx context.Context, dir string, lists Source) bool {
	marks, err := Marked(dir)
	if err != nil || len(marks) == 0 {
		return false
	}
	m := readMemory(dir)
	for i := range marks {
		was := m.Sent[filepath.Base(marks[i].path)]
		stamp, err := lists.Stamp(ctx, marks[i].Key)
		if err == nil && (was == nil || stamp != was.Stamp) {
			return true
		}
	}
	return false
}

// refused remembers what the server will not take: it is tried again when it changes.
func (s *Sender) refused(m *memory, j job, err, before error) error {
	if err == nil {
		return before
	}
	m.Sent[j.mark] = &j.sent
	if before != nil {
		return before
	}
	return err
}

// lock waits until no other process sends.
func (s *Sender) lock(ctx context.Context) (unlock func(), err error) {
	if err := userdir.Make(s.Dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(s.Dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	pause := time.NewTicker(20 * time.Millisecond)
	defer pause.Stop()
	for {
		got, err := filelock.Try(f)
		if got {
			return func() { f.Close() }, nil
		}
		if err == nil {
			select {
			case <-pause.C:
				continue
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		f.Close()
		return nil, err
	}
}

// due returns what there is to send, and an error about a list that could not be read.
func (s *Sender) due(ctx context.Context, m *memory, marks []Seen) (jobs []job, failed error) {
	for i := range marks {
		mark := &marks[i]
		name := filepath.Base(mark.path)
		if len(mark.Session) > remote.MaxKey || len(mark.Agent) > remote.MaxKey {
			continue
		}
		was := m.Sent[name]
		if was == nil {
			was = &sent{}
		}
		if s.Now().Sub(mark.at) > forgotten && was.Stamp != "" {
			continue
		}
		j, due, err := s.job(ctx, was, mark)
		j.mark = name
		switch {
		case err != nil:
			failed = cmp.Or(failed, err)
		case due:
			jobs = append(jobs, j)
		case j.sent != *was:
			m.Sent[name] = &j.sent
		}
	}
	return jobs, failed
}

func (s *Sender) job(ctx context.Context, was *sent, mark *Seen) (j job, due bool, err error) {
	j.session = remote.Session{
		Session: mark.Session, Agent: mark.Agent, Machine: short(s.Machine), Program: short(mark.Program), Folder: short(mark.Folder),
		Seen: mark.at.UTC().Truncate(time.Millisecond), Ended: mark.Ended, Keep: was.Sum != "",
	}
	j.sent = *was
	stamp, err := s.Lists.Stamp(ctx, mark.Key)
	if err != nil {
		return j, false, err
	}
	if stamp == "" || stamp != was.Stamp {
		list, err := s.Lists.Load(ctx, mark.Key)
		if err != nil {
			return j, false, err
		}
		out := newOutgoing(s.Arguments(mark.Session), s.Home, list.Project).list(&list)
		sum := ""
		if out != nil {
			text, err := json.Marshal(out)
			if err != nil {
				return j, false, err
			}
			hash := sha256.Sum256(text)
			sum = hex.EncodeToString(hash[:12])
		}
		if j.sent.Stamp = stamp; s.Now().Sub(list.UpdatedAt) < unsettled {
			j.sent.Stamp = ""
		}
		if sum != was.Sum {
			j.session.Keep, j.session.List, due = false, out, true
		}
		j.sent.Sum = sum
	}
	word := j.session.Machine + "\n" + j.session.Program + "\n" + j.session.Folder
	if mark.Ended {
		word += "\nended"
	}
	due = due || word != was.Word || mark.at.Sub(was.At) > again
	if due {
		j.sent.At, j.sent.Word = j.session.Seen, word
	}
	return j, due, nil
}

func short(s string) string {
	for len(s) > remote.MaxWord {
		r := []rune(s)
		s = string(r[:len(r)-1-(len(s)-remote.MaxWord)/4])
	}
	return s
}

// batches are what goes into one request each.
func batches(jobs []job) (all [][]job) {
	size := 0
	for i := range jobs {
		n := 1 << 10
		if l := jobs[i].session.List; l != nil {
			text, _ := json.Marshal(l)
			n += len(text)
		}
		if last := len(all) - 1; last < 0 || len(all[last]) == remote.MaxSend || size+n > remote.MaxSendText {
			all, size = append(all, nil), 0
		}
		all[len(all)-1] = append(all[len(all)-1], jobs[i])
		size += n
	}
	return all
}

// send sends a batch and remembers it. It reports whether some of it has to be sent
// once more.
func (s *Sender) send(ctx context.Context, m *memory, batch []job) (again bool, err error) {
	request := remote.Send{Home: m.home, Now: s.Now().UTC()}
	for _, j := range batch {
		// A memory that was lost does not begin before what the server has.
		m.Version = max(m.Version+1, s.Now().UnixMilli())
		j.session.Version = m.Version
		request.Sessions = append(request.Sessions, j.session)
	}
	if err := m.write(); err != nil {
		return false, err // or a version could be used twice
	}
	answer, err := s.Send(ctx, request)
	if err != nil {
		return false, err
	}
	for i, version := range answer.Versions {
		j := batch[i]
		switch want := request.Sessions[i].Version; {
		case version == want:
			m.Sent[j.mark] = &j.sent
		case version > want: // this machine's clock was ahead once, or its memory is an older one
			m.Version, again = max(m.Version, version), true
			delete(m.Sent, j.mark)
		default: // the server has no list to keep
			again = true
			delete(m.Sent, j.mark)
		}
	}
	return again, nil
}

// forget removes the marks of sessions that were not seen for long: the server has
// what is to be known of them.
func (s *Sender) forget(m *memory, marks []Seen) {
	there := map[string]bool{}
	for i := range marks {
		name := filepath.Base(marks[i].path)
		was := m.Sent[name]
		if was != nil && (s.Now().Sub(marks[i].at) > forgotten || marks[i].Ended && was.Sum == "") {
			os.Remove(marks[i].path)
			continue
		}
		there[name] = true
	}
	n := len(m.Sent)
	for name := range m.Sent {
		if !there[name] {
			delete(m.Sent, name)
		}
	}
	if len(m.Sent) != n {
		_ = m.write() // the next one does it again
	}
}
