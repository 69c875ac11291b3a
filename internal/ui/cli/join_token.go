package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
	"github.com/pawl-dev/pawl/internal/credentials"
	"github.com/pawl-dev/pawl/internal/project"
	server "github.com/pawl-dev/pawl/internal/remote"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/text"
)

// credential returns a token that opens the board, with what the server says of it.
// Tokens that are known for this server come first.
func (a *app) credential(ctx context.Context, store *credentials.Store, j *joining) (credentials.Credential, server.Hello, error) {
	all, err := store.All()
	if err != nil {
		return credentials.Credential{}, server.Hello{}, err
	}
	if j.cert == "" {
		for _, c := range all {
			if at, err := address.Parse(c.Address); err == nil && at.Origin == j.at.Origin && c.Cert != "" {
				j.cert = c.Cert // it is the server's
			}
		}
	}
	given, err := a.givenToken()
	if err != nil {
		return credentials.Credential{}, server.Hello{}, err
	}
	if given != "" {
		return a.tryToken(ctx, j, given)
	}
	if !j.ask {
		for _, token := range knownTokens(all, j.at) {
			c, hello, err := a.tryToken(ctx, j, token)
			if err == nil || pawl.KindOf(err) == pawl.Unavailable {
				return c, hello, err
			}
		}
	}
	if given, err = a.typedToken(ctx, j); err != nil {
		return credentials.Credential{}, server.Hello{}, err
	}
	return a.tryToken(ctx, j, given)
}

// knownTokens are those for a server, the one of the board itself first.
func knownTokens(all []credentials.Credential, at address.Address) []credentials.Secret {
	var tokens []credentials.Secret
	for _, c := range all {
		other, err := address.Parse(c.Address)
		switch {
		case err != nil || other.Origin != at.Origin:
		case other == at:
			tokens = append([]credentials.Secret{c.Token}, tokens...)
		default:
			tokens = append(tokens, c.Token)
		}
	}
	return tokens[:min(len(tokens), mostTries)]
}

// mostTries bounds how many tokens are shown to a server that knows none of them.
const mostTries = 5

func (a *app) tryToken(ctx context.Context, j *joining, token credentials.Secret) (credentials.Credential, server.Hello, error) {
	c := credentials.Credential{Address: j.at.String(), Token: token, Cert: j.cert, At: time.Now()}
	hello, err := a.env.Address.Hello(ctx, c)
	if err != nil {
		return c, hello, err
	}
	c.Name, c.Person, c.ID, c.Role, c.Expires = hello.Name, hello.Person, hello.Token, hello.Role, hello.Expires
	return c, hello, nil
}

// maxToken is more than any token has, in bytes.
const maxToken = 4 << 10

// givenToken reads the token from stdin, unless that is a terminal; empty: it has
// none.
func (a *app) givenToken() (credentials.Secret, error) {
	if terminal.Is(a.env.Stdin) {
		return "", nil
	}
	raw, err := io.ReadAll(io.LimitReader(a.env.Stdin, maxToken+1))
	if err != nil {
		return "", pawl.Errorf(pawl.Invalid, "the token cannot be read from stdin: %w", err)
	}
	return checkToken(strings.TrimPrefix(string(raw), "\uFEFF"))
}

// typedToken asks for the token.
func (a *app) typedToken(ctx context.Context, j *joining) (credentials.Secret, error) {
	in, ok := a.env.Stdin.(*os.File)
	if !ok || !terminal.Is(in) {
		return "", pawl.Errorf(pawl.Invalid, "join needs a token for %s: run it on a terminal, or give the token on stdin", j.at).
			Say(j.line(j.at.String()) + " < FILE")
	}
	// Do not ask for a secret that cannot be used.
	if _, err := a.env.Address.Hello(ctx, credentials.Credential{Address: j.at.String(), Cert: j.cert}); pawl.KindOf(err) == pawl.Unavailable {
		return "", err
	}
	fmt.Fprintf(a.env.Stderr, "pawl: token for %s (not shown): ", j.at)
	typed, err := terminal.ReadSecret(in)
	fmt.Fprintln(a.env.Stderr)
	if errors.Is(err, terminal.ErrInterrupted) {
		return "", pawl.Errorf(pawl.Invalid, "nothing was joined")
	}
	if err != nil {
		return "", pawl.Errorf(pawl.Invalid, "the token cannot be read: %w", err)
	}
	token, err := checkToken(typed)
	if err == nil && token == "" {
		err = pawl.Errorf(pawl.Invalid, "no token was given, so nothing was joined")
	}
	return token, err
}

// checkToken refuses what can be no token. It never repeats it.
func checkToken(typed string) (credentials.Secret, error) {
	token := strings.TrimSpace(typed)
	if len(token) > maxToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", pawl.Errorf(pawl.Invalid, "that is not a token: a token is one word of letters, digits, - and _")
	}
	return credentials.Secret(token), nil
}

// renames says which other clones of the user get another name with a token; empty: none does.
func (a *app) renames(store *credentials.Store, j *joining, root string, now *credentials.Credential) string {
	all, err := store.All()
	if err != nil {
		return "" // to put a token there will fail
	}
	i := slices.IndexFunc(all, func(c credentials.Credential) bool { return c.Address == now.Address && c.Name != now.Name })
	if i < 0 {
		return ""
	}
	others, err := project.Uses(a.env.Getenv, j.at)
	others = slices.DeleteFunc(others, func(dir string) bool { return dir == root })
	if err != nil || len(others) == 0 {
		return ""
	}
	which := text.Line(others[0])
	if more := len(others) - 1; more > 0 {
		which += " and " + text.Count(more, "more", "more")
	}
	return fmt.Sprintf("this token is for all clones that use this board: %s, until now as %s, too", which, text.Line(all[i].Name))
}
