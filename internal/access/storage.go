package access

import (
	"context"
	"crypto/sha256"
	"time"
)

// An Entry is a token with the hash of its secret. The secret is random, and as long as
// the hash, so that a slow hash would protect nothing more.
type Entry struct {
	Token
	Sum [sha256.Size]byte
}

func (e *Entry) same(other *Entry) bool {
	return e.Sum == other.Sum && e.Token.Same(&other.Token)
}

// A Storage keeps tokens, and when each was used last: files of a server's own folder, or
// tables of a database for several servers. Many goroutines use it.
type Storage interface {
	// Load returns all tokens, by id, with a stamp of them; nil, if they are still those
	// that had the stamp. Each request calls it, so it answers from what is at hand. An
	// error says that nobody can be let in.
	Load(stamp any) (all map[string]Entry, now any, err error)
	// Change keeps what fn makes of the tokens while nobody else changes them. When fn
	// fails, nothing is kept. fn may run again.
	Change(ctx context.Context, fn func(map[string]Entry) error) error
	// Uses returns when each token was used last, and Use keeps later times.
	Uses(ctx context.Context) (map[string]time.Time, error)
	Use(ctx context.Context, at map[string]time.Time) error
}

// A Refresher is a storage that is far away: Load tells what it knew at the last Refresh,
// which [Tokens.Watch] calls each [Fresh], and so does a request whose token is not
// known. The error says that it could not look.
type Refresher interface {
	Storage
	Refresh(ctx context.Context) error
}
