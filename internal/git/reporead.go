package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bases returns the merge bases of two commits, in the order of their ids.
func (r *Repo) Bases(ctx context.Context, a, b string) ([]string, error) {
	return r.tree.Bases(ctx, a, b)
}

// IsAncestor reports whether a commit is another one or in its history. One that the
// repository does not have is in none that it has.
func (r *Repo) IsAncestor(ctx context.Context, old, of string) (bool, error) {
	if old == of || slices.Contains(r.parents[of], old) {
		return true, ids(old, of)
	}
	is, err := r.tree.IsAncestor(ctx, old, of)
	if isRefusal(err) {
		if has, err2 := r.Has(ctx, old); err2 == nil && !has {
			return false, nil
		}
	}
	return is, err
}

// Has reports whether the repository has a commit.
func (r *Repo) Has(ctx context.Context, id string) (bool, error) {
	if err := ids(id); err != nil {
		return false, err
	}
	found, err := r.tree.lookup(ctx, []string{id})
	return err == nil && found[0].kind == "commit", err
}

// A Told is a commit with its author, date and message.
type Told struct {
	ID      string
	Parents []string
	Name    string
	At      time.Time
	Message string
}

// maxTold bounds what messages of commits are read in one go.
const maxTold = 64 << 20

// Line returns the commits behind one, that lead to another along first parents: the
// newest, at most max, the oldest of them first. from may be empty, or a commit that the
// repository does not have: from the beginning.
func (r *Repo) Line(ctx context.Context, from, to string, max int) ([]Told, error) {
	if err := ids(to); err != nil {
		return nil, err
	}
	args := []string{"log", "-z", "--first-parent", "--no-mailmap", "--no-color", "--no-notes", "--no-decorate", "--encoding=UTF-8", "--no-patch",
		"--max-count=" + strconv.Itoa(max), "--format=%H%x00%P%x00%an%x00%at%x00%B", to}
	beginning := args
	if from != "" {
		if err := ids(from); err != nil {
			return nil, err
		}
		args = append(args, "^"+from)
	}
	out, err := r.tree.run(ctx, call{patience: longPatience, limit: maxTold}, append(args, "--")...)
	if from != "" && isRefusal(err) {
		if has, err2 := r.Has(ctx, from); err2 == nil && !has {
			out, err = r.tree.run(ctx, call{patience: longPatience, limit: maxTold}, append(beginning, "--")...)
		}
	}
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var line []Told
	for ; len(fields) >= 5; fields = fields[5:] {
		at, err := strconv.ParseInt(fields[3], 10, 64)
		if err := errors.Join(err, ids(append(strings.Fields(fields[1]), fields[0])...)); err != nil {
			return nil, fmt.Errorf("git's answer cannot be read: %w", err)
		}
		line = append(line, Told{ID: fields[0], Parents: strings.Fields(fields[1]), Name: fields[2], At: time.Unix(at, 0).UTC(), Message: strings.TrimRight(fields[4], "\n")})
	}
	slices.Reverse(line)
	return line, nil
}

// A Reader reads objects of a repository, all with one git process. After an error it
// is unusable.
type Reader struct {
	o *objects
	// again starts a git that answers after each question. The other one, which came
	// with 2.36, answers many at once, in half of the time. nil: it has been started.
	again func() (*objects, error)
}

// Reader starts a Reader, which may run for two minutes.
func (r *Repo) Reader(ctx context.Context) (*Reader, error) {
	o, err := r.tree.start(ctx, "--batch-command", "--buffer")
	if err != nil {
		return nil, err
	}
	return &Reader{o, func() (*objects, error) { return r.tree.open(ctx) }}, nil
}

// Close ends it.
func (r *Reader) Close() { r.o.close() }

// ask requests objects while git already answers: a slow reader holds it up.
func (r *Reader) ask(names ...string) {
	in := bufio.NewWriterSize(r.o.in, 64<<10)
	for _, name := range names {
		if r.again != nil {
			_, _ = in.WriteString("contents ")
		}
		_, _ = in.WriteString(name + "\n")
	}
	if r.again != nil {
		_, _ = in.WriteString("flush\n")
	}
	_ = in.Flush() // the reader of the answers gets the error
}

// one reads an object.
func (r *Reader) one(id string, limit int) (object, []byte, error) {
	if err := ids(id); err != nil {
		return object{}, nil, err
	}
	r.ask(id)
	found, text, err := r.o.next(limit)
	if isExit(err, 128) && r.again != nil && strings.Contains(err.Error(), "unknown option") {
		r.o.close()
		if r.o, err = r.again(); err != nil {
			return object{}, nil, err
		}
		r.again = nil
		return r.one(id, limit)
	}
	return found, text, err
}

// Folder returns the id of the folder that a commit is.
func (r *Reader) Folder(commit string) (string, error) {
	found, text, err := r.one(commit, maxAnswer)
	if err != nil {
		return "", err
	}
	if found.kind != "commit" { // a tag would be taken for what it names
		return "", fmt.Errorf("%.12s is not a commit", commit)
	}
	return treeIn(commit, text)
}

// Entries returns what is in a folder, which may take so many bytes as git stores it.
func (r *Reader) Entries(folder string, limit int) ([]Entry, error) {
	found, text, err := r.one(folder, limit)
	if err != nil {
		return nil, err
	}
	if found.kind != "tree" {
		return nil, fmt.Errorf("the folder %.12s is missing", folder)
	}
	return entriesOf(text, len(found.id)/2)
}

// Texts returns the contents of blobs in the order of their ids. It fails if one is
// larger than limit, or all together are larger than total.
func (r *Reader) Texts(blobs []string, limit, total int) ([][]byte, error) {
	if err := ids(blobs...); err != nil {
		return nil, err
	}
	go r.ask(blobs...)
	texts := make([][]byte, len(blobs))
	for i, id := range blobs {
		found, text, err := r.o.next(limit)
		switch {
		case err != nil:
			return nil, &AtBlob{i, err}
		case found.kind != "blob":
			return nil, &AtBlob{i, fmt.Errorf("the file %.12s is missing", id)}
		}
		if total -= len(text); total < 0 {
			return nil, &AtBlob{i, errLarge}
		}
		texts[i] = text
	}
	return texts, nil
}

// AtBlob says which of several blobs cannot be read.
type AtBlob struct {
	Index int
	Err   error
}

func (e *AtBlob) Error() string { return e.Err.Error() }
func (e *AtBlob) Unwrap() error { return e.Err }
