package gitshare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/git"
	"github.com/pawl-dev/pawl/internal/merge"
	"github.com/pawl-dev/pawl/internal/share"
)

// Bounds of what a commit may have. Anybody with push access can fill the remote
// with anything.
const (
	maxFile   = pawl.MaxTask
	maxFiles  = 200_000   // of a commit
	maxBytes  = 256 << 20 // of all its files
	maxFolder = 8 << 20   // of a folder, as git stores it
	maxLine   = 1_000     // commits that Line tells of
	maxKnown  = 12        // commits that are remembered
)

// References of the own repository.
const (
	ownRef  = "refs/pawl/own"
	seenRef = "refs/pawl/seen"
)

// A Repository is [share.Repository] over git. It is for one sync at a time.
type Repository struct {
	*git.Repo
	remote git.Remote
	ref    string // on the remote
	known  map[string]*commit
	texts  map[string][]byte // by the id of a blob
}

// A commit is one that was read or written by this process.
type commit struct {
	files files
	board merge.Board
}

var _ share.Repository = (*Repository)(nil)

// NewRepository returns one that keeps commits in repo, and shares them through a
// reference of a remote.
func NewRepository(repo *git.Repo, remote git.Remote, ref string) *Repository {
	return &Repository{Repo: repo, remote: remote, ref: ref, known: map[string]*commit{}, texts: map[string][]byte{}}
}

// Fetch gets what the remote has.
func (r *Repository) Fetch(ctx context.Context) (string, error) {
	tip, err := r.Repo.Fetch(ctx, r.remote, r.ref)
	if err != nil {
		return "", told(err)
	}
	return tip, r.saw(ctx, tip)
}

// saw keeps a tip of the remote, and with it its history.
func (r *Repository) saw(ctx context.Context, tip string) error {
	seen, err := r.Seen()
	if err != nil || tip == "" || tip == seen {
		return err
	}
	return moved(r.Repo.SetRef(ctx, seenRef, seen, tip))
}

// Seen is what the remote had when it was last reached.
func (r *Repository) Seen() (string, error) { return r.Repo.Ref(seenRef) }

// Push moves the remote's reference to tip.
func (r *Repository) Push(ctx context.Context, old, tip string) error {
	if err := r.Repo.Push(ctx, r.remote, r.ref, old, tip); err != nil {
		return told(err)
	}
	return r.saw(ctx, tip)
}

// Own is this clone's reference.
func (r *Repository) Own(context.Context) (string, error) { return r.Repo.Ref(ownRef) }

// SetOwn moves it.
func (r *Repository) SetOwn(ctx context.Context, old, own string) error {
	return moved(r.Repo.SetRef(ctx, ownRef, old, own))
}

func moved(err error) error {
	if errors.Is(err, git.ErrMoved) {
		return share.ErrRace
	}
	return err
}

// told is what a remote did not do, in the words of package share.
func told(err error) error {
	for kind, as := range map[git.Kind]error{git.Race: share.ErrRace, git.Refused: share.ErrRefused, git.Login: share.ErrLogin, git.Away: share.ErrAway} {
		if git.KindOf(err) == kind {
			return fmt.Errorf("%w: %w", as, err)
		}
	}
	return err
}

// Had reports which texts files had in this clone's commits.
func (r *Repository) Had(ctx context.Context, texts [][]byte) ([]bool, error) {
	own, err := r.Own(ctx)
	if err != nil || own == "" {
		return make([]bool, len(texts)), err
	}
	return r.Repo.Had(ctx, own, texts)
}

// Line returns commits along first parents.
func (r *Repository) Line(ctx context.Context, from, to string) ([]share.Commit, error) {
	told, err := r.Repo.Line(ctx, from, to, maxLine)
	line := make([]share.Commit, len(told))
	for i, c := range told {
		line[i] = share.Commit{ID: c.ID, Parents: c.Parents, Message: c.Message, Name: c.Name, At: c.At}
	}
	return line, err
}

// Read returns the boards of commits. One git process reads those that are not
// cached.
func (r *Repository) Read(ctx context.Context, commits ...string) ([]merge.Board, error) {
	boards := make([]merge.Board, len(commits))
	if err := r.learn(ctx, commits); err != nil {
		return nil, err
	}
	for i, id := range commits {
		b := r.known[id].board
		b.Tasks, b.Beside, b.Gone = maps.Clone(b.Tasks), maps.Clone(b.Beside), slices.Clone(b.Gone)
		boards[i] = b
	}
	return boards, nil
}

// Write makes a commit of a board. It stores only files that differ from the first
// parent.
func (r *Repository) Write(ctx context.Context, c share.Commit, _ merge.Board) (string, error) {
	all, err := layOut(c.Board)
	if err != nil {
		return "", err
	}
	if err := all.bounded(); err != nil {
		return "", err
	}
	draft := git.Draft{Parents: c.Parents, Name: c.Name, At: c.At, Message: c.Message, Whole: len(c.Parents) == 0}
	before := files{}
	if len(c.Parents) > 0 {
		if err := r.learn(ctx, c.Parents[:1]); err != nil {
			return "", err
		}
		before = r.known[c.Parents[0]].files
	}
	for path, text := range all {
		if old, ok := before[path]; !ok || !bytes.Equal(old, text) {
			draft.Changes = append(draft.Changes, git.File{Path: path, Text: nonNil(text)})
		}
	}
	for path := range before {
		if _, ok := all[path]; !ok {
			draft.Changes = append(draft.Changes, git.File{Path: path})
		}
	}
	slices.SortFunc(draft.Changes, func(a, b git.File) int { return strings.Compare(a.Path, b.Path) })
	id, err := r.Repo.Commit(ctx, draft)
	if err != nil {
		return "", err
	}
	board, err := all.board() // as it will be read: in the order of the files
	if err != nil {
		return "", err
	}
	r.full(1)
	r.known[id] = &commit{all, board}
	return id, nil
}

// nonNil is a text that is one though it is empty.
func nonNil(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// full forgets what is remembered, and returns true, if there is no room for n more commits:
// a server syncs for weeks.
func (r *Repository) full(n int) bool {
	if len(r.known)+n <= maxKnown {
		return false
	}
	clear(r.known)
	clear(r.texts)
	return true
}

// bounded refuses to write what could not be read.
func (f files) bounded() error {
	size := 0
	for _, text := range f {
		size += len(text)
	}
	if len(f) > maxFiles || size > maxBytes {
		return fmt.Errorf("a board of more than %d files or %d MiB cannot be shared", maxFiles, maxBytes>>20)
	}
	return nil
}

// learn reads commits that are not known.
func (r *Repository) learn(ctx context.Context, all []string) error {
	commits := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(all))), func(id string) bool { return r.known[id] != nil })
	if len(commits) == 0 {
		return nil
	}
	if r.full(len(commits)) {
		commits = all
	}
	reader, err := r.Reader(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	listed := make([]map[string]string, len(commits))
	want := map[string]string{} // the path of a blob that is not known, by its id
	for i, id := range commits {
		listed[i] = map[string]string{}
		root, err := reader.Folder(id)
		if err == nil {
			err = walk(reader, root, "", listed[i])
		}
		if err != nil {
			return fmt.Errorf("commit %.12s: %w", id, err)
		}
		for path, blob := range listed[i] {
			if _, ok := r.texts[blob]; !ok {
				want[blob] = path
			}
		}
	}
	blobs := slices.Collect(maps.Keys(want))
	slices.SortFunc(blobs, func(a, b string) int { return strings.Compare(want[a], want[b]) }) // as they were packed
	texts, err := reader.Texts(blobs, maxFile, maxBytes)
	if at := (*git.AtBlob)(nil); errors.As(err, &at) {
		return &unfit{want[blobs[at.Index]], "cannot be read: " + at.Error()}
	}
	if err != nil {
		return err
	}
	for i, text := range texts {
		r.texts[blobs[i]] = text
	}
	for i, id := range commits {
		c := &commit{files: make(files, len(listed[i]))}
		for path, blob := range listed[i] {
			c.files[path] = r.texts[blob]
		}
		if c.board, err = c.files.board(); err != nil {
			return fmt.Errorf("commit %.12s: %w", id, err)
		}
		r.known[id] = c
	}
	return nil
}

// walk finds the blobs of a folder, by path, and those below it: of files that a board has, and
// no others.
func walk(r *git.Reader, folder, path string, found map[string]string) error {
	entries, err := r.Entries(folder, maxFolder)
	if err != nil {
		return &unfit{folderName(path), "cannot be read: " + err.Error()}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		at := path + e.Name
		file, dir := expected(at)
		if !file && !dir {
			continue
		}
		switch {
		case seen[e.Name]:
			return &unfit{at, "is there twice"}
		case dir && e.Mode == 0o40000:
			if err := walk(r, e.ID, at+"/", found); err != nil {
				return err
			}
		case file && e.Mode.Regular():
			found[at] = e.ID
		default:
			return &unfit{at, "is something else than such a file or folder"}
		}
		seen[e.Name] = true
		if len(found) > maxFiles {
			return &unfit{at, fmt.Sprintf("is one of more than %d files", maxFiles)}
		}
	}
	return nil
}

func folderName(path string) string {
	if path == "" {
		return "its folder"
	}
	return strings.TrimSuffix(path, "/")
}

// expected reports whether a board has such a file or folder.
func expected(path string) (file, dir bool) {
	names := strings.Split(path, "/")
	switch {
	case len(names) == 1:
		return path == formatFile || path == markFile, path == taskDir || path == goneDir
	case len(names) == 2:
		id, n, ok := unkey(names[1])
		return false, names[1] == "0" || ok && n == 0 && id <= pawl.MaxID/perDir && key(id, 0) == names[1]
	}
	_, _, _, ok := taskPath(path)
	return ok || names[2] == besideFile, false
}
