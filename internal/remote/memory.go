package remote

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// The files that remember a server, in a folder of the user's:
//
//	away         since when it does not answer: the file's time
//	answers/…    its latest answers, by the hash of the question; the file's time is when it was given
//
// Nothing here is needed: what cannot be read or written is as if it were not there.

const (
	maxRemembered = 1 << 20 // bytes of an answer
	mostAnswers   = 200
)

// away is since when a server does not answer.
type away struct {
	dir   string
	hasty bool // what this process finds out is not recorded

	mu   sync.Mutex
	at   time.Time // zero: it answers, as far as is known
	sure bool      // whether that was found out by this process
}

func (a *away) path() string { return filepath.Join(a.dir, "away") }

func (a *away) since() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.look()
	return a.at
}

func (a *away) look() {
	if a.sure || a.dir == "" {
		return
	}
	a.sure = true
	if info, err := os.Stat(a.path()); err == nil {
		a.at = info.ModTime()
	}
}

// left records that it does not answer, and returns since when.
func (a *away) left() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.look(); a.at.IsZero() {
		a.at, a.sure = time.Now(), true
		if a.dir != "" && !a.hasty && userdir.Make(a.dir) == nil {
			if f, err := os.OpenFile(a.path(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
				f.Close()
			}
		}
	}
	return a.at
}

// back records that it answers.
func (a *away) back() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.look(); !a.at.IsZero() {
		a.at = time.Time{}
		if a.dir != "" {
			os.Remove(a.path())
		}
	}
}

func (b *Board) answers() string { return filepath.Join(b.o.State, "answers") }

// answer is the file of a question; each token has its own answers.
func (b *Board) answer(question []byte) string {
	sum := sha256.New()
	sum.Write([]byte(b.o.Token))
	sum.Write(question)
	return filepath.Join(b.answers(), hex.EncodeToString(sum.Sum(nil)[:16]))
}

// remember keeps the answer to a question.
func (b *Board) remember(question, answer []byte) {
	if b.o.State == "" || len(answer) > maxRemembered || userdir.Make(b.answers()) != nil {
		return
	}
	if rand.IntN(20) == 0 {
		b.forget()
	}
	_ = filelock.Write(b.answer(question), answer)
}

// remembers reports whether there is an answer to a question.
func (b *Board) remembers(question []byte) bool {
	if b.o.State == "" {
		return false
	}
	_, err := os.Lstat(b.answer(question))
	return err == nil
}

// recall returns the last answer to a question that the server does not answer, and
// when it was given.
func (b *Board) recall(question []byte, err error) (answer []byte, given time.Time, known bool) {
	var gone *Gone
	if b.o.State == "" || !errors.As(err, &gone) {
		return nil, given, false
	}
	name := b.answer(question)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxRemembered {
		return nil, given, false
	}
	answer, err = os.ReadFile(name)
	return answer, info.ModTime(), err == nil
}

// forget removes the oldest answers beyond three quarters of the most that are kept.
func (b *Board) forget() {
	entries, err := os.ReadDir(b.answers())
	if err != nil || len(entries) <= mostAnswers {
		return
	}
	given := func(e os.DirEntry) time.Time {
		info, err := e.Info()
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(entries, func(x, y os.DirEntry) int { return given(x).Compare(given(y)) })
	for _, e := range entries[:len(entries)-mostAnswers*3/4] {
		os.Remove(filepath.Join(b.answers(), e.Name()))
	}
}
