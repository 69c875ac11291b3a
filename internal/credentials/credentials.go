// Package credentials keeps the tokens that open boards at addresses.
//
//	credentials.json, in the user's config folder, for the user alone:
//	{"credentials": [{"address": "https://host/boards/shop", "token": "…", "name": "ada", …}]}
//
// A token is sent to the address that it was given for, and never elsewhere. One in
// the environment, PAWL_TOKEN, counts only for the address that PAWL_BOARD names
// there. No text of this package has a token in it.
package credentials

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// A Credential opens a board at an address. Besides the address and the token it has
// what the server said of the token at the join.
type Credential struct {
	Address string    `json:"address"`
	Token   Secret    `json:"token"`
	Cert    string    `json:"cert,omitempty"` // the SHA-256 of the server's certificate, in hex; empty: its authority decides
	Name    string    `json:"name,omitempty"` // empty: the server has not said it yet
	Person  bool      `json:"person,omitempty"`
	ID      string    `json:"id,omitempty"` // of the token, which is not secret
	Role    string    `json:"role,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	At      time.Time `json:"at"`
	// Environment says that the token is that of PAWL_TOKEN.
	Environment bool `json:"-"`
}

// Reads reports whether the token only reads, as far as the server has said what it is for.
func (c *Credential) Reads() bool { return c.Role == "read" }

// A Secret is a token. It does not show itself when it is printed.
type Secret string

// String hides the token.
func (s Secret) String() string { return "(a token)" }

// GoString hides the token.
func (s Secret) GoString() string { return "(a token)" }

// Store is the user's credentials.
type Store struct {
	list userdir.List[Credential]
}

// Of returns the user's credentials. It fails where the user has no home.
func Of(getenv func(string) string) (*Store, error) {
	dir, err := userdir.Config(getenv)
	if err != nil {
		return nil, err
	}
	return &Store{list: userdir.List[Credential]{
		Dir: dir, Name: "credentials.json", Key: "credentials", What: "the tokens", Else: "no token in it is used", Secret: true,
	}}, nil
}

// Path is where they are kept.
func (s *Store) Path() string { return s.list.Path() }

// All returns all credentials.
func (s *Store) All() ([]Credential, error) { return s.list.All() }

// Put keeps a credential, instead of the one for the same address.
func (s *Store) Put(ctx context.Context, c Credential) error {
	c.At = c.At.UTC().Truncate(time.Second)
	_, err := s.list.Change(ctx, func(all []Credential) []Credential {
		all = slices.DeleteFunc(all, func(o Credential) bool { return o.Address == c.Address })
		all = append(all, c)
		slices.SortFunc(all, func(a, b Credential) int { return strings.Compare(a.Address, b.Address) })
		return all
	})
	return err
}

// Forget removes the credential for an address, and returns it.
func (s *Store) Forget(ctx context.Context, at address.Address) (gone *Credential, err error) {
	if all, err := s.list.All(); len(all) == 0 || err != nil {
		return nil, err
	}
	_, err = s.list.Change(ctx, func(all []Credential) []Credential {
		gone = nil
		return slices.DeleteFunc(all, func(c Credential) bool {
			if c.Address != at.String() {
				return false
			}
			copied := c
			gone = &copied
			return true
		})
	})
	return gone, err
}

// Find returns the credential for an address, or fails with NotFound.
func Find(getenv func(string) string, at address.Address) (Credential, error) {
	if c, ok := inEnvironment(getenv, at); ok {
		return c, nil
	}
	store, err := Of(getenv)
	if err != nil && pawl.KindOf(err) != pawl.NotFound {
		return Credential{}, err
	}
	if err == nil {
		all, err := store.All()
		if err != nil {
			return Credential{}, err
		}
		if i := slices.IndexFunc(all, func(c Credential) bool { return c.Address == at.String() }); i >= 0 {
			return all[i], nil
		}
	}
	return Credential{}, pawl.Errorf(pawl.NotFound, "no token for %s is known here", at).Say("pawl join " + at.String())
}

// inEnvironment returns the credential that the environment has for an address. What
// is known of the same token from elsewhere goes with it.
func inEnvironment(getenv func(string) string, at address.Address) (Credential, bool) {
	token := strings.TrimSpace(getenv("PAWL_TOKEN"))
	if token == "" {
		return Credential{}, false
	}
	if named, err := address.Parse(getenv("PAWL_BOARD")); err != nil || named != at {
		return Credential{}, false
	}
	c := Credential{Address: at.String(), Token: Secret(token)}
	if store, err := Of(getenv); err == nil {
		if all, err := store.All(); err == nil {
			for _, o := range all {
				if is, err := address.Parse(o.Address); err == nil && is.Origin == at.Origin && c.Cert == "" {
					c.Cert = o.Cert // it belongs to the server, whatever is asked of it
				}
				if o.Address == c.Address && o.Token == c.Token {
					c = o
				}
			}
		}
	}
	if print := strings.TrimPrefix(strings.TrimSpace(getenv("PAWL_CERT")), "sha256:"); print != "" {
		c.Cert = print
	}
	if c.Name == "" {
		c.Name = named(getenv, c)
	}
	c.Environment = true
	return c, true
}

// State returns the folder of what is remembered of the board at an address; empty:
// the user has no home.
func State(getenv func(string) string, at address.Address) string {
	state, err := userdir.State(getenv)
	if err != nil {
		return ""
	}
	return filepath.Join(state, "addresses", userdir.Escape(at.String()))
}

// nameFile is the file with the name of a token that is not kept here.
func nameFile(getenv func(string) string, c Credential) string {
	at, err := address.Parse(c.Address)
	dir := State(getenv, at)
	if err != nil || dir == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("name of " + string(c.Token)))
	return filepath.Join(dir, "name-"+hex.EncodeToString(sum[:8]))
}

// Named caches the server's name for the holder of a token that is not kept here. It
// only spares a request.
func Named(getenv func(string) string, c Credential, name string) {
	path := nameFile(getenv, c)
	if path != "" && userdir.Make(filepath.Dir(path)) == nil {
		_ = filelock.Write(path, []byte(name))
	}
}

// maxName is more than any name has.
const maxName = 1 << 10

func named(getenv func(string) string, c Credential) string {
	path := nameFile(getenv, c)
	info, err := os.Lstat(path)
	if path == "" || err != nil || !info.Mode().IsRegular() || info.Size() > maxName {
		return ""
	}
	name, _ := os.ReadFile(path)
	return string(name)
}
