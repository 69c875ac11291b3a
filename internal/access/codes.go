package access

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// A Code is what stands for an access on its way to a browser: its text is in an address,
// and so in histories and lists of processes, where it is worth nothing once it was used
// or a minute has passed.
type Code struct {
	Token string    // the id of who made it; empty on a server of one's own
	Board string    //
	Until time.Time // the end of the key that it is exchanged for
}

const (
	// CodeLife is for how long a code works.
	CodeLife = time.Minute
	// MaxCodes bounds the codes of one token that nobody has used yet.
	MaxCodes = 16
)

// Codes keeps the codes that still work. The pages of all boards of a server share them: a
// browser that has a code only has no board yet. So do servers behind one address, since a
// browser asks any of them.
type Codes interface {
	// Add makes the text of a code.
	Add(ctx context.Context, now time.Time, one Code) (text string, err error)
	// Use reports whether a text is that of a code that works, and invalidates it.
	Use(ctx context.Context, now time.Time, text string) (one Code, works bool, err error)
}

// TooManyCodes is the error for one who makes codes and uses none.
func TooManyCodes() error {
	return pawl.Errorf(pawl.Unavailable, "%d codes were made and not used: wait a minute", MaxCodes)
}

// NewCode is the text of a code.
func NewCode() string { return rand.Text() }

// OwnCodes are the codes of one process.
type OwnCodes struct {
	mu   sync.Mutex
	live map[string]liveCode
}

type liveCode struct {
	Code
	ends time.Time
}

var _ Codes = (*OwnCodes)(nil)

// Add implements [Codes].
func (c *OwnCodes) Add(_ context.Context, now time.Time, one Code) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	unused := 0
	for text, old := range c.live {
		if !now.Before(old.ends) {
			delete(c.live, text)
		} else if old.Token == one.Token {
			unused++
		}
	}
	if unused >= MaxCodes {
		return "", TooManyCodes()
	}
	if c.live == nil {
		c.live = map[string]liveCode{}
	}
	text := NewCode()
	c.live[text] = liveCode{one, now.Add(CodeLife)}
	return text, nil
}

// Use implements [Codes].
func (c *OwnCodes) Use(_ context.Context, now time.Time, text string) (Code, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one, there := c.live[text]
	delete(c.live, text)
	return one.Code, there && now.Before(one.ends), nil
}
