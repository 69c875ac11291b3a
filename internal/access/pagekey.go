package access

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

// PageKeys make and check what a browser has instead of a token: a key that opens the
// page of one board for a while, and only as long as the token does that it was made
// for. Nothing is kept of a key: it is signed with a secret of the server, so a page
// stays open when the server is started again.
//
//	pawlpage_7f3a9c0d2b1e.t4q2ps.nq1Bf…
//	         the token    until  signature, for one board
type PageKeys struct{ secret []byte }

// PageKeyLife is how long a key holds: a day's work.
const PageKeyLife = 12 * time.Hour

// PageKeyPrefix begins each key of a page.
const PageKeyPrefix = "pawlpage_"

// pageSecret is how many random bytes sign keys.
const pageSecret = 32

// NewPageKeys returns the keys that a secret signs: see [NewPageSecret].
func NewPageKeys(secret []byte) (*PageKeys, bool) {
	return &PageKeys{secret}, len(secret) == pageSecret
}

// NewPageSecret makes a secret that signs keys.
func NewPageSecret() []byte {
	made := make([]byte, pageSecret)
	rand.Read(made)
	return made
}

// OpenPageKeys returns the keys of a server, in whose own folder the secret is. The
// first call makes it.
func OpenPageKeys(ctx context.Context, dir string) (*PageKeys, error) {
	var text []byte
	f := rewrite.File{Dir: dir, Name: "page.key", Lock: "page.lock", Temp: "page.new", Mode: 0o600, Limit: 4 << 10}
	_, err := f.Change(ctx, func(old []byte) ([]byte, error) {
		if text = old; text == nil {
			text = append(base64.RawURLEncoding.AppendEncode(nil, NewPageSecret()), '\n')
		}
		return text, nil
	})
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(f.Path())
	if err != nil {
		return nil, unreadable(err)
	}
	if err := believe(f, info); err != nil { // who knows the secret makes keys for any token
		return nil, err
	}
	secret, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) != pageSecret {
		return nil, pawl.Errorf(pawl.Internal, "%s does not hold the secret of this server's pages", f.Path()).
			Say("remove that file: the next start makes another, and open pages ask for a token again")
	}
	return &PageKeys{secret}, nil
}

// Make returns a key for the page of a board, for the holder of the token with an id.
func (k *PageKeys) Make(id, board string, until time.Time) string {
	rest := id + "." + strconv.FormatInt(until.Unix(), 36)
	return PageKeyPrefix + rest + "." + k.sign(board, rest)
}

func (k *PageKeys) sign(board, rest string) string {
	mac := hmac.New(sha256.New, k.secret)
	mac.Write([]byte("page of a board\n" + board + "\n" + rest))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Token returns the id of the token that a key of the page of a board stands for, and
// until when it does. Whether the token still holds is for [Tokens.Find] to say.
func (k *PageKeys) Token(key, board string, now time.Time) (id string, until time.Time, ok bool) {
	const most = 300 // no key is as long
	rest, is := strings.CutPrefix(key, PageKeyPrefix)
	at := strings.LastIndexByte(rest, '.')
	if !is || at < 0 || len(key) > most || !hmac.Equal([]byte(rest[at+1:]), []byte(k.sign(board, rest[:at]))) {
		return "", time.Time{}, false
	}
	id, ends, _ := strings.Cut(rest[:at], ".")
	seconds, err := strconv.ParseInt(ends, 36, 64)
	until = time.Unix(seconds, 0)
	if err != nil || !now.Before(until) {
		return "", time.Time{}, false
	}
	return id, until, true
}

// Find returns the token with an id, if it holds, as [Tokens.Lookup] does.
func (t *Tokens) Find(id string) (Token, error) {
	e, err := t.meet(id)
	if err != nil {
		return Token{}, err
	}
	return t.use(id, e)
}
