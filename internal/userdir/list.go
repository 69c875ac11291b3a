package userdir

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

// maxList is more than anybody has.
const maxList = 1 << 20

// A List is one file in a user's folder that several processes change: what they have
// agreed to, their tokens, the checks that their tasks had. Entries are read and written
// as JSON:
//
//	{"consents": [{"kind": "check", …}]}
//
// It counts only while nobody else can have written it, and a secret one only while nobody
// else can read it.
type List[E any] struct {
	Dir    string // one of the user's folders
	Name   string // of the file
	Key    string // of the list in it
	What   string // what the list is, for errors: "what you have agreed to"
	Else   string // what follows if it does not count: "Pawl trusts nothing in it"
	Secret bool
}

// Path is where the list is kept.
func (l *List[E]) Path() string { return filepath.Join(l.Dir, l.Name) }

// All returns the entries; none without a file.
func (l *List[E]) All() ([]E, error) { return l.With() }

// With is All, but may return none if no entry has one of some words as a value: finding
// that out is much faster than reading them all.
func (l *List[E]) With(words ...string) ([]E, error) {
	file, err := os.Open(l.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, l.unreadable(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, l.unreadable(err)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxList+1))
	if err != nil {
		return nil, l.unreadable(err)
	}
	has := func(word string) bool { return bytes.Contains(text, []byte(strconv.Quote(word))) }
	if len(words) > 0 && !slices.ContainsFunc(words, has) && bytes.HasSuffix(bytes.TrimSpace(text), []byte("}")) {
		return nil, nil
	}
	if err := l.believe(info); err != nil {
		return nil, err
	}
	return l.decode(text)
}

// Change replaces the entries by what fn makes of them, which may be in the memory
// of the old ones, and reports whether that changed the file. It may run again.
func (l *List[E]) Change(ctx context.Context, fn func([]E) []E) (bool, error) {
	if err := Make(l.Dir); err != nil {
		return false, err
	}
	if info, err := os.Stat(l.Path()); err == nil {
		if err := l.believe(info); err != nil {
			return false, err
		}
	}
	file := rewrite.File{Dir: l.Dir, Name: l.Name, Lock: ".lock", Temp: "." + l.Name + ".new", Mode: 0o600, Limit: maxList}
	return file.Change(ctx, func(old []byte) ([]byte, error) {
		entries, err := l.decode(old)
		if err != nil {
			return nil, err
		}
		entries = fn(entries)
		if old == nil && len(entries) == 0 {
			return nil, nil
		}
		if entries == nil {
			entries = []E{}
		}
		text, err := json.MarshalIndent(map[string][]E{l.Key: entries}, "", "  ")
		return append(text, '\n'), err
	})
}

// believe refuses a list that others could have written, or read.
func (l *List[E]) believe(info fs.FileInfo) error {
	can := ""
	switch {
	case !info.Mode().IsRegular():
		return pawl.Errorf(pawl.Invalid, "%s is not a regular file, so %s", l.Path(), l.Else)
	case !Private(info):
		can = "write"
	case l.Secret && !Secret(info):
		can = "read"
	default:
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "other users can %s %s, so %s", can, l.Path(), l.Else).
		Say("check it, then run chmod 600 on it")
}

func (l *List[E]) unreadable(err error) error {
	e := pawl.Errorf(pawl.Unavailable, "cannot read %s: %w", l.What, err)
	if errors.Is(err, fs.ErrPermission) {
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "set HOME to a folder of yours"}
	}
	return e
}

// decode reads a text. An error does not repeat it: it may have secrets.
func (l *List[E]) decode(text []byte) ([]E, error) {
	if text == nil {
		return nil, nil
	}
	var all map[string]json.RawMessage
	var entries []E
	err := json.Unmarshal(text, &all)
	if list, ok := all[l.Key]; ok && err == nil {
		err = json.Unmarshal(list, &entries)
	}
	if err != nil {
		e := pawl.Errorf(pawl.Internal, "%s cannot be read, so %s: %w", l.Path(), l.Else, err)
		if l.Secret {
			e = pawl.Errorf(pawl.Internal, "%s cannot be read, so %s: it is not JSON of the right form", l.Path(), l.Else)
		}
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "repair it in an editor, or move it away"}
		return nil, e
	}
	return entries, nil
}
