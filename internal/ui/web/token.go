package web

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

const (
	tokenBytes   = 32
	maxTokenFile = 4 << 10
)

// tokenLetters is how long a token is in the file.
var tokenLetters = base64.RawURLEncoding.EncodedLen(tokenBytes)

// AccessToken returns the access token, from the file in a folder of the
// user's, and the file's path. The first call makes it. Anybody who can read the
// file can send requests; so only a file for the user alone is taken.
func AccessToken(ctx context.Context, dir string) (token, path string, err error) {
	if err := userdir.Make(dir); err != nil {
		return "", "", err
	}
	file := rewrite.File{Dir: dir, Name: "token", Lock: "token.lock", Temp: "token.new", Mode: 0o600, Limit: maxTokenFile}
	path = file.Path()
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = file.Change(ctx, func(old []byte) ([]byte, error) {
			if old != nil {
				return old, nil // another process was first
			}
			return newToken(), nil
		})
		if err != nil {
			return "", "", err
		}
		info, err = os.Lstat(path)
	}
	if err != nil {
		return "", "", pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxTokenFile {
		return "", "", another(path, "%s is not a file with an access token", path)
	}
	if !userdir.Secret(info) {
		return "", "", another(path, "others can read %s, so the token in it may be known", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", pawl.Errorf(pawl.Unavailable, "%s cannot be read: %w", path, err)
	}
	text = bytes.TrimSpace(text)
	if raw, err := base64.RawURLEncoding.DecodeString(string(text)); err != nil || len(raw) != tokenBytes {
		return "", "", another(path, "%s does not hold a token of %d letters", path, tokenLetters)
	}
	return string(text), path, nil
}

func newToken() []byte {
	raw := make([]byte, tokenBytes)
	rand.Read(raw) // never fails
	return append(base64.RawURLEncoding.AppendEncode(nil, raw), '\n')
}

// another refuses a file in whose place a new one is to be made.
func another(path, format string, args ...any) error {
	return pawl.Errorf(pawl.Invalid, format, args...).
		Say("remove " + filepath.Clean(path) + "; the next start makes another one, and pages that are open ask for a new link")
}
