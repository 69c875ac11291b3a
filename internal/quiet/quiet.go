// Package quiet remembers for how long nobody wants to hear from Pawl: no nudges,
// in all projects or in one. Recovery, and the answer to a request, are not
// nudges.
//
// It is a file in the user's state folder, which hooks look for at the events that
// could bring a nudge, so it holds for sessions that run already. Mostly there is
// none, and to find that out takes a microsecond:
//
//	{"all": "2026-11-22T16:02:00Z", "projects": {"/home/ada/shop": "off"}}
package quiet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

const (
	name = "quiet.json"
	// maxFile is more than a thousand projects need.
	maxFile = 256 << 10
	// open is the end of a quiet that somebody has to end.
	open = "off"
)

// A Span is a time without nudges. The zero value is none.
type Span struct {
	Quiet bool
	Until time.Time // zero: until somebody ends it
}

// later returns the span that ends later.
func (s Span) later(o Span) Span {
	switch {
	case !s.Quiet, o.Quiet && !s.Until.IsZero() && (o.Until.IsZero() || o.Until.After(s.Until)):
		return o
	}
	return s
}

// A Book is what is remembered.
type Book struct {
	All      Span
	Projects map[string]Span // by folder, without links
}

// file is the book on the disk: ends as texts.
type file struct {
	All      string            `json:"all,omitempty"`
	Projects map[string]string `json:"projects,omitempty"`
}

// Of returns the quiet of a project now.
func (b Book) Of(project string, now time.Time) Span {
	return b.All.at(now).later(b.Projects[project].at(now))
}

// at is the span unless it is over.
func (s Span) at(now time.Time) Span {
	if !s.Quiet || !s.Until.IsZero() && !now.Before(s.Until) {
		return Span{}
	}
	return s
}

// Read returns what is remembered in the user's state folder.
func Read(state string) (Book, error) {
	f, err := os.Open(filepath.Join(state, name))
	if errors.Is(err, fs.ErrNotExist) {
		return Book{}, nil
	}
	if err != nil {
		return Book{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return Book{}, err
	}
	return parse(text)
}

func parse(text []byte) (Book, error) {
	var on file
	if err := json.Unmarshal(text, &on); err != nil {
		return Book{}, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	b := Book{All: span(on.All), Projects: map[string]Span{}}
	for project, end := range on.Projects {
		b.Projects[project] = span(end)
	}
	return b, nil
}

// span reads an end. One that is neither a time nor open is none: a file that is
// damaged must not silence Pawl for ever.
func span(end string) Span {
	if end == open {
		return Span{Quiet: true}
	}
	at, err := time.Parse(time.RFC3339, end)
	return Span{err == nil, at}
}

func (s Span) text() string {
	if s.Until.IsZero() {
		return open
	}
	return s.Until.UTC().Format(time.RFC3339)
}

// Set changes what is remembered: for a project, or for all if that is empty. A
// span that is not quiet ends it; for all, it ends that of each project too. It
// returns what is remembered then, without what is over.
func Set(ctx context.Context, state, project string, s Span, now time.Time) (Book, error) {
	if err := userdir.Make(state); err != nil {
		return Book{}, err
	}
	var b Book
	at := rewrite.File{Dir: state, Name: name, Lock: ".quiet.lock", Temp: ".quiet.new", Mode: 0o600, Limit: maxFile}
	_, err := at.Change(ctx, func(old []byte) ([]byte, error) {
		var err error
		if b = (Book{}); old != nil {
			if b, err = parse(old); err != nil {
				b = Book{} // an unreadable one is given up
			}
		}
		if b.Projects == nil {
			b.Projects = map[string]Span{}
		}
		switch {
		case project != "":
			b.Projects[project] = s
		case s.Quiet:
			b.All = s
		default:
			b = Book{}
		}
		var on file
		if b.All = b.All.at(now); b.All.Quiet {
			on.All = b.All.text()
		}
		for project, s := range b.Projects {
			if s = s.at(now); !s.Quiet {
				delete(b.Projects, project)
				continue
			}
			if on.Projects == nil {
				on.Projects = map[string]string{}
			}
			on.Projects[project] = s.text()
		}
		text, err := json.Marshal(on)
		if len(text) >= maxFile {
			return nil, pawl.Errorf(pawl.Invalid, "too many projects are quiet: pawl quiet off ends all")
		}
		return append(text, '\n'), err
	})
	return b, err
}
