// Package tables keeps the data that several servers share in a database: tokens,
// the secret of page keys, and the address by which clients reach them.
package tables

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/server/pg"
)

// The keys of the table server.
const (
	keyTokens  = "tokens" // another text after each change of the tokens
	keyPages   = "page.key"
	keyAddress = "address"
)

// PageKeys returns the keys of pages. The first call makes their secret.
func PageKeys(ctx context.Context, db *pg.Database) (*access.PageKeys, error) {
	text, err := db.FirstValue(ctx, keyPages, base64.RawURLEncoding.EncodeToString(access.NewPageSecret()))
	if err != nil {
		return nil, err
	}
	secret, err := base64.RawURLEncoding.DecodeString(text)
	keys, whole := access.NewPageKeys(secret)
	if err != nil || !whole {
		return nil, pawl.Errorf(pawl.Internal, "%s does not hold the secret of pages: the row page.key of the table pawl.server", db.Shown())
	}
	return keys, nil
}

// Tell stores the address at which others reach the servers, for the commands that print
// it. That of the server that started last counts.
func Tell(ctx context.Context, db *pg.Database, at access.Where) error {
	_, err := db.Exec(ctx, pg.PutValue, keyAddress, at.String())
	return err
}

// Find returns the address at which others reach the servers; zero: unknown.
func Find(ctx context.Context, db *pg.Database) (access.Where, error) {
	text, err := db.Value(ctx, keyAddress)
	return access.ParseWhere(text), err
}

// A row is a token as the table has it.
type row struct {
	id, name, role            *string
	person                    *bool
	boards                    []string
	created, expires, revoked *int64
	sum                       []byte
}

const columns = "t.id, t.name, t.person, t.role, t.boards, t.created, t.expires, t.revoked, t.sum"

// all reads the tokens and their stamp, at one moment; a row without an id means none.
const all = "select coalesce((select value from pawl.server where key = '" + keyTokens + "'), ''), " + columns +
	" from (select) one left join pawl.token t on true"

func (r *row) scan(rows pg.Rows, stamp *string) error {
	return rows.Scan(stamp, &r.id, &r.name, &r.person, &r.role, &r.boards, &r.created, &r.expires, &r.revoked, &r.sum)
}

// entry reads a row strictly: a token that is not understood could hold for more than
// was meant.
func (r *row) entry() (access.Entry, error) {
	e := access.Entry{Token: access.Token{
		ID: *r.id, Name: *r.name, Person: *r.person, Role: access.Role(*r.role), Boards: r.boards,
		Created: moment(r.created), Expires: moment(r.expires), Revoked: moment(r.revoked),
	}}
	if err := e.Check(); err != nil {
		return e, err
	}
	if len(r.sum) != sha256.Size {
		return e, errors.New("its hash is wrong")
	}
	e.Sum = [sha256.Size]byte(r.sum)
	return e, nil
}

func moment(ms *int64) time.Time {
	if ms == nil {
		return time.Time{}
	}
	return time.UnixMilli(*ms).UTC()
}

// millis is a time as the table has it.
func millis(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

// newStamp is a text that no other state of the tokens had, also not in a backup.
func newStamp() string { return strings.ToLower(rand.Text()) }
