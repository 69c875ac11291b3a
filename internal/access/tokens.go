package access

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// Tokens are the access tokens of a server, or of several that act as one. A token that
// another process creates or revokes is noticed as soon as the [Storage] tells of it: from
// a file at once, from a database within seconds.
type Tokens struct {
	storage Storage
	now     func() time.Time

	mu     sync.Mutex
	stamp  any // of the tokens that were read last
	known  map[string]Entry
	broken error // why the tokens cannot be read; nobody is let in then
	used   *uses
}

// Fresh is how often [Tokens.Watch] looks.
const Fresh = time.Second

// prefix begins each secret, so that one that has leaked is recognised.
const prefix = "pawl_"

// Open returns the tokens in a server's own folder. Without a file there are none
// yet. It fails where others could read or write the file.
func Open(dir string) (*Tokens, error) { return New(newFile(dir)) }

// New returns the tokens in a storage. It fails where they cannot be read.
func New(s Storage) (*Tokens, error) {
	t := &Tokens{storage: s, now: time.Now, used: newUses(s)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.look(); t.broken != nil {
		return nil, t.broken
	}
	return t, nil
}

// Lookup returns the token with a secret, if it holds. It takes the same time for
// each wrong secret of a token. The error of a token that does not hold has the cause
// [ErrUnknown]; any other says that the tokens cannot be read. With the error of one that has
// ended it returns its id and name alone, for the audit.
func (t *Tokens) Lookup(secret string) (Token, error) {
	const most = 200 // no secret is as long
	id, _, _ := strings.Cut(strings.TrimPrefix(secret[:min(len(secret), most)], prefix), "_")
	sum := sha256.Sum256([]byte(secret[:min(len(secret), most)]))
	e, err := t.meet(id)
	if err != nil {
		return Token{}, err
	}
	if subtle.ConstantTimeCompare(sum[:], e.Sum[:]) != 1 || len(secret) > most {
		return Token{}, notKnown()
	}
	return t.use(id, e)
}

// use notes that a token is used now, if it holds.
func (t *Tokens) use(id string, e Entry) (Token, error) {
	now := t.now()
	if err := e.live(now); err != nil {
		return Token{ID: id, Name: e.Name}, err
	}
	t.used.note(id, now)
	return e.Token, nil
}

// All returns all tokens, in the order in which they were made, with those that were
// revoked or have expired [Kept] ago at most.
func (t *Tokens) All(context.Context) ([]Token, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.look(); t.broken != nil {
		return nil, t.broken
	}
	return inOrder(t.known), nil
}

// Used is when each token was used last, by its id, as far as that is known.
func (t *Tokens) Used(ctx context.Context) map[string]time.Time { return t.used.all(ctx) }

// Create makes a token of that name, kind, role, boards and end, and its secret, which
// nobody can have again. It refuses a name that has a live token, unless also is set:
// tokens of one name are one owner on a board.
func (t *Tokens) Create(ctx context.Context, token Token, also bool) (secret string, made Token, err error) {
	now := t.now().UTC().Truncate(time.Millisecond)
	token.ID, token.Created, token.Revoked = newID(), now, time.Time{}
	if !token.Expires.IsZero() {
		token.Expires = token.Expires.UTC().Truncate(time.Millisecond)
	}
	if err := token.Check(); err != nil {
		return "", Token{}, err
	}
	if !token.Live(now) {
		return "", Token{}, pawl.Errorf(pawl.Invalid, "a token that expires at %s has expired", token.Expires.Format(time.RFC3339))
	}
	key := make([]byte, 32)
	rand.Read(key)
	secret = prefix + token.ID + "_" + base64.RawURLEncoding.EncodeToString(key)
	err = t.storage.Change(ctx, func(known map[string]Entry) error {
		if err := mayAdd(known, token, also, now); err != nil {
			return err
		}
		known[token.ID] = Entry{token, sha256.Sum256([]byte(secret))}
		forget(known, now)
		return nil
	})
	if err != nil {
		return "", Token{}, err
	}
	return secret, token, nil
}

// Revoke ends the token with an id, or all of a name, and returns those that it
// ended. That they had ended before is not an error.
func (t *Tokens) Revoke(ctx context.Context, idOrName string) ([]Token, error) {
	now := t.now().UTC().Truncate(time.Millisecond)
	var ended []Token
	err := t.storage.Change(ctx, func(known map[string]Entry) error {
		ended = nil
		found := false
		for id, e := range known {
			if _, is := known[idOrName]; is && id != idOrName || !is && e.Name != idOrName {
				continue
			}
			if found = true; e.Live(now) {
				e.Revoked = now
				known[id], ended = e, append(ended, e.Token)
			}
		}
		if !found {
			return pawl.Errorf(pawl.NotFound, "no token has the id or the name %q", clip(idOrName))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sortTokens(ended)
	return ended, nil
}

// Watch calls gone with each token that no longer holds, as it is now, and came with each
// new one, within twice [Fresh], until the context ends. For a token whose rights have
// changed it calls both. While the tokens cannot be read it calls neither: no token counts
// then, as [Tokens.Find] says, but none has ended either.
func (t *Tokens) Watch(ctx context.Context, gone, came func(Token)) {
	tick := time.NewTicker(Fresh)
	defer tick.Stop()
	before, _ := t.live()
	for {
		select {
		case <-ctx.Done():
			t.used.flush(context.WithoutCancel(ctx))
			return
		case <-tick.C:
		}
		if far, is := t.storage.(Refresher); is {
			_ = far.Refresh(ctx) // then none can be read below
		}
		now, readable := t.live()
		if !readable {
			continue
		}
		for id, was := range before {
			if is, still := now[id]; !still || !is.same(&was) {
				gone(t.latest(was.Token))
			}
		}
		for id, is := range now {
			if was, there := before[id]; !there || !is.same(&was) {
				came(is.Token)
			}
		}
		before = now
		t.used.flushSometimes(ctx, t.now())
	}
}

// latest is a token as it is now, if it still is one.
func (t *Tokens) latest(was Token) Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	if is, there := t.known[was.ID]; there && t.broken == nil {
		return is.Token
	}
	return was
}

// live are the tokens that hold now, if they can be read.
func (t *Tokens) live() (_ map[string]Entry, readable bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.look(); t.broken != nil {
		return nil, false
	}
	live := map[string]Entry{}
	for id, e := range t.known {
		if e.Live(t.now()) {
			live[id] = e
		}
	}
	return live, true
}

// look reads the tokens again, if they have changed.
func (t *Tokens) look() {
	if t.broken != nil || t.known == nil {
		t.stamp = nil
	}
	known, stamp, err := t.storage.Load(t.stamp)
	if known != nil {
		t.known = known
	}
	t.stamp, t.broken = stamp, err
}

// meet returns the token with an id. A storage that is far away looks first, if it has not
// told of the token yet: another process may just have made it. Where it cannot, nobody
// knows whether there is that token.
func (t *Tokens) meet(id string) (Entry, error) {
	t.mu.Lock()
	_, known := t.known[id]
	t.mu.Unlock()
	var unread error
	if far, is := t.storage.(Refresher); is && !known {
		unread = far.Refresh(context.Background())
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.look(); t.broken != nil {
		return Entry{}, t.broken
	}
	e, found := t.known[id]
	if !found {
		return e, cmp.Or(unread, notKnown())
	}
	return e, nil
}

// newID names a token: 40 random bits tell tokens apart.
func newID() string { return strings.ToLower(rand.Text()[:8]) }

func sumText(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:]) }
