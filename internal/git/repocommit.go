package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Draft is a commit to be made.
type Draft struct {
	Parents []string
	Name    string // its author
	At      time.Time
	Message string
	// Whole: it has only the files of Changes. Else these are changes to those of the
	// first parent.
	Whole   bool
	Changes []File
}

// A File is a file of a commit.
type File struct {
	Path string // with slashes
	Text []byte // nil: there is none
}

// Commit makes a commit, which no reference leads to yet, and returns its id. It runs
// git once.
func (r *Repo) Commit(ctx context.Context, d Draft) (string, error) {
	if err := ids(d.Parents...); err != nil {
		return "", err
	}
	size := 1 << 10
	for _, f := range d.Changes {
		if !plain(f.Path) {
			return "", fmt.Errorf("%.80q is not the path of a file", f.Path)
		}
		size += len(f.Text) + 100
	}
	// Only SetRef writes references here: this one is aborted before git ends.
	const ref = "refs/pawl/new"
	in := bytes.NewBuffer(make([]byte, 0, size))
	message := strings.ToValidUTF8(strings.ReplaceAll(d.Message, "\x00", ""), "\uFFFD")
	fmt.Fprintf(in, "feature done\ncommit %s\nmark :1\n", ref)
	for _, role := range []string{"author", "committer"} {
		fmt.Fprintf(in, "%s %s <pawl@localhost> %d +0000\n", role, person(d.Name), max(0, d.At.Unix()))
	}
	fmt.Fprintf(in, "data %d\n%s\n", len(message), message)
	for i, p := range d.Parents {
		if i == 0 {
			fmt.Fprintf(in, "from %s\n", p)
		} else {
			fmt.Fprintf(in, "merge %s\n", p)
		}
	}
	if d.Whole && len(d.Parents) > 0 {
		in.WriteString("deleteall\n")
	}
	for _, f := range d.Changes {
		if f.Text == nil {
			fmt.Fprintf(in, "D %s\n", f.Path)
			continue
		}
		fmt.Fprintf(in, "M 100644 inline %s\ndata %d\n", f.Path, len(f.Text))
		in.Write(f.Text)
		in.WriteByte('\n')
	}
	fmt.Fprintf(in, "reset %s\n\nget-mark :1\ndone\n", ref)
	// A git that was killed leaves the mark of its pack, whose name the same commit gets
	// again: it would be refused. Commits are made under the lock of the repository.
	marks, _ := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "*.keep"))
	for _, mark := range marks {
		_ = os.Remove(mark)
	}
	out, err := r.tree.run(ctx, call{stdin: in.Bytes(), patience: longPatience, limit: maxAnswer}, durable("fast-import", "--quiet", "--done")...)
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(out)
	if err := ids(id); err != nil {
		return "", fmt.Errorf("git's answer cannot be read: %w", err)
	}
	r.parents[id] = d.Parents
	return id, nil
}

// durable is a command whose objects are on the disk when it ends: in a pack, because
// that is two files and not one for each of them.
func durable(args ...string) []string {
	return append([]string{"-c", "core.fsync=all", "-c", "fastimport.unpackLimit=0", "-c", "fetch.unpackLimit=1", "-c", "transfer.unpackLimit=1", "-c", "pack.packSizeLimit=0"}, args...)
}

// person is a name as git keeps it.
func person(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = strings.Map(func(c rune) rune {
		if c < ' ' || c == '<' || c == '>' || c == 0x7f {
			return -1
		}
		return c
	}, name)
	if name = strings.Trim(name, " .,:;\"\\'"); name == "" {
		return "pawl"
	}
	return name
}

// plain reports whether a path is one of those that a board has: it needs no quotes,
// and leads nowhere else.
func plain(path string) bool {
	bad := strings.ContainsFunc(path, func(c rune) bool {
		return c != '.' && c != '_' && c != '-' && c != '/' && (c < '0' || c > '9') && (c < 'a' || c > 'z')
	})
	if bad || path == "" || len(path) > 200 {
		return false
	}
	for name := range strings.SplitSeq(path, "/") {
		if name == "" || name[0] == '.' || name[0] == '-' {
			return false
		}
	}
	return true
}
