package access

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// MaxTokens bounds how many tokens a server has: each look at the file reads all.
const MaxTokens = 10_000

// Kept is for how long a token that has ended is listed.
const Kept = 90 * 24 * time.Hour

// maxFile is more than MaxTokens take that have a few boards each.
const maxFile = 16 << 20

// version is that of the file's form. A file of a later one is refused: this program
// could overlook a field of a token.
const version = 1

// file is that of the tokens:
//
//	{"version": 1, "tokens": [{"id": "k3v7q2mx", "name": "ada", "person": true, "role": "work", "boards": ["shop"], "sha256": "…", …}]}
//
// and beside it the file of when each was used last.
type file struct {
	rewrite.File
	used rewrite.File
}

func newFile(dir string) file {
	return file{
		rewrite.File{Dir: dir, Name: "tokens.json", Lock: ".tokens.lock", Temp: ".tokens.json.new", Mode: 0o600, Limit: maxFile},
		rewrite.File{Dir: dir, Name: "used.json", Lock: ".used.lock", Temp: ".used.json.new", Mode: 0o600, Limit: 1 << 20},
	}
}

type fileJSON struct {
	Version int         `json:"version"`
	Tokens  []entryJSON `json:"tokens"`
}

type entryJSON struct {
	Token
	SHA256 string `json:"sha256"`
}

// stamp tells one text of the file from another without reading it.
type stamp struct{ info fs.FileInfo } // nil: no file

func (s stamp) same(other stamp) bool {
	if s.info == nil || other.info == nil {
		return s.info == other.info
	}
	return os.SameFile(s.info, other.info) && s.info.Size() == other.info.Size() && s.info.ModTime().Equal(other.info.ModTime())
}

// stat looks at the file, and refuses one that others could have read or written.
func (f file) stat() (stamp, error) {
	info, err := os.Lstat(f.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stamp{}, nil
	case err != nil:
		return stamp{}, unreadable(err)
	}
	return stamp{info}, believe(f.File, info)
}

// believe refuses a file of a server's own folder that others could have read or
// written.
func believe(f rewrite.File, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return pawl.Errorf(pawl.Invalid, "%s is not a regular file", f.Path())
	}
	if !userdir.Secret(info) {
		return pawl.Errorf(pawl.Invalid, "other users can read or write %s, so nothing in it counts", f.Path()).
			Say("check it, then run chmod 600 on it")
	}
	folder, err := os.Lstat(f.Dir)
	if err != nil {
		return unreadable(err)
	}
	if !folder.IsDir() || !userdir.Private(folder) {
		return pawl.Errorf(pawl.Invalid, "other users can write in %s, so nothing in it counts", f.Dir).
			Say("check it, then run chmod 700 on it")
	}
	return nil
}

func unreadable(err error) error {
	return pawl.Errorf(pawl.Unavailable, "the tokens cannot be read: %w", err)
}

// Load reads the file, unless it has the stamp.
func (f file) Load(was any) (map[string]Entry, any, error) {
	now, err := f.stat()
	if err != nil {
		return nil, nil, err
	}
	if was, known := was.(stamp); known && now.same(was) {
		return nil, was, nil
	}
	all, err := f.read()
	return all, now, err
}

func (f file) read() (map[string]Entry, error) {
	in, err := os.Open(f.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Entry{}, nil
	}
	if err != nil {
		return nil, unreadable(err)
	}
	defer in.Close()
	info, err := in.Stat() // of the file that is open, whatever was there before
	if err != nil {
		return nil, unreadable(err)
	}
	if err := believe(f.File, info); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, unreadable(err)
	}
	return f.decode(text)
}

// Change writes what fn makes of the tokens.
func (f file) Change(ctx context.Context, fn func(map[string]Entry) error) error {
	if err := userdir.Make(f.Dir); err != nil {
		return err
	}
	if _, err := f.stat(); err != nil {
		return err
	}
	_, err := f.File.Change(ctx, func(old []byte) ([]byte, error) {
		known := map[string]Entry{}
		if old != nil {
			var err error
			if known, err = f.decode(old); err != nil {
				return nil, err
			}
		}
		before := maps.Clone(known)
		if err := fn(known); err != nil || maps.EqualFunc(known, before, func(a, b Entry) bool { return a.same(&b) && a.Revoked.Equal(b.Revoked) }) {
			return nil, err
		}
		return encode(known)
	})
	return err
}

func encode(known map[string]Entry) ([]byte, error) {
	out := fileJSON{Version: version, Tokens: []entryJSON{}}
	for _, t := range inOrder(known) {
		out.Tokens = append(out.Tokens, entryJSON{t, sumText(known[t.ID].Sum)})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}

// decode reads the file strictly: a token that is not understood could hold for more
// than was meant.
func (f file) decode(text []byte) (map[string]Entry, error) {
	wrong := func(format string, args ...any) error {
		return pawl.Errorf(pawl.Internal, "no token counts, because %s cannot be read: "+format, append([]any{f.Path()}, args...)...).
			Say("repair it in an editor, or move it away and make new tokens")
	}
	if len(text) > maxFile {
		return nil, wrong("it has more than %d MiB", maxFile>>20)
	}
	var in fileJSON
	if err := json.Unmarshal(text, &in); err == nil && in.Version > version {
		return nil, wrong("a later Pawl has written it, in form %d", in.Version)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	in = fileJSON{}
	if err := d.Decode(&in); err != nil {
		return nil, wrong("%w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, wrong("something follows the tokens")
	}
	if in.Version != version || len(in.Tokens) > MaxTokens {
		return nil, wrong("it has form %d and %d tokens", in.Version, len(in.Tokens))
	}
	known := make(map[string]Entry, len(in.Tokens))
	for i, t := range in.Tokens {
		sum, err := hex.DecodeString(t.SHA256)
		if err == nil {
			err = t.Check()
		}
		if _, twice := known[t.ID]; err != nil || len(sum) != sha256.Size || twice {
			return nil, wrong("tokens[%d] is not a token: %w", i, cmp.Or(err, errors.New("its id or its hash is wrong")))
		}
		known[t.ID] = Entry{t.Token, [sha256.Size]byte(sum)}
	}
	return known, nil
}

func inOrder(known map[string]Entry) []Token {
	all := make([]Token, 0, len(known))
	for _, e := range known {
		all = append(all, e.Token)
	}
	sortTokens(all)
	return all
}

func sortTokens(all []Token) {
	slices.SortFunc(all, func(a, b Token) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
}

// forget leaves out what ended long ago.
func forget(known map[string]Entry, now time.Time) {
	maps.DeleteFunc(known, func(_ string, e Entry) bool {
		ended := cmp.Or(e.Revoked, e.Expires)
		return !ended.IsZero() && now.Sub(ended) > Kept
	})
}
