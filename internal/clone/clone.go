// Package clone answers one question: which clone is this? All that Pawl remembers of
// a clone for a user (consent, runs, evidence) is kept under the answer.
//
//	.git/pawl/secret   32 hex digits, random, for the user alone. It is never sent.
//
// An [ID] is a hash of that secret and of git's folder: its path, its inode and when it
// was made. So a clone that was moved, copied, unpacked or made again at the same path
// is another one. Linked work trees share git's folder, and are one clone with it as long
// as they are those that git made. Outside of git nothing can keep a secret from an
// archive: there the folder alone decides.
//
// This is not the clone's id in shared claims ([pawl.Claim]), which everybody can read.
package clone

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/gitdir"
	"github.com/pawl-dev/pawl/internal/rewrite"
)

// A Clone is a git clone, or a folder outside of git.
type Clone struct {
	// Dir is git's folder, which linked work trees share; outside of git the folder
	// itself. It has no symbolic links.
	Dir string
	Git bool
	// Root is the work tree, if git's folder does not point back to it, or if it is not the
	// one that git made: a .git file or link that came with an archive can lead into the
	// clone of somebody else, and be where a linked work tree was removed.
	Root string
	// Top is the work tree that the folder is in, without links; outside of git the folder.
	Top string
}

// An ID names one clone. Empty: it has no secret yet.
type ID string

// Of returns the clone that a folder is in, which may be missing. It runs no git.
func Of(dir string) Clone {
	dir = Real(dir)
	tree, ok := gitdir.Find(dir)
	if !ok {
		return Clone{Dir: dir, Top: dir}
	}
	c := Clone{Dir: Real(tree.Common), Git: true, Top: tree.Root}
	if !tree.Owned() || tree.Dir != tree.Common && !asMade(tree) {
		c.Root = tree.Root
	}
	return c
}

// vouched has the identity of the .git file of a linked work tree that Pawl made.
const vouched = folder + "-tree" // in its folder of git's

// asMade reports whether the .git file of a linked work tree is the one that git made. Git
// makes its folder for the work tree before it, and writes commondir there after it, once: a
// file that came earlier or later is another one, as from an archive. Two file systems can
// have two clocks: then this cannot be known.
func asMade(tree gitdir.Tree) bool {
	file, after := filepath.Join(tree.Root, ".git"), filepath.Join(tree.Dir, "commondir")
	if is, err := identity(file); err != nil || is == string(gitdir.File(filepath.Join(tree.Dir, vouched), 1<<10)) {
		return err == nil
	}
	at, on, err := came(file)
	_, there, errThere := came(after)
	written, errAfter := os.Lstat(after)
	return errors.Join(err, errThere, errAfter) == nil && on == there && made(tree.Dir) <= at && at <= written.ModTime().UnixNano()
}

// Vouch notes that Pawl has just made the linked work tree in a folder: it belongs to the
// clone even on another file system.
func Vouch(root string) error {
	tree, _ := gitdir.Find(root)
	is, err := identity(filepath.Join(root, ".git"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(tree.Dir, vouched), []byte(is), 0o644)
}

// Name is what a folder is called in the clone, the same in all its work trees: its path in
// the one that it is in, with slashes. A folder outside of the clone has its whole path.
func (c Clone) Name(dir string) string {
	dir = Real(dir)
	top := c.Top
	if c.Git {
		other := Of(dir)
		if other.Dir != c.Dir || other.Root != c.Root {
			return dir
		}
		top = other.Top
	}
	if rel, err := filepath.Rel(top, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return dir
}

// Folder is where people find the clone.
func (c Clone) Folder() string {
	switch {
	case c.Root != "":
		return c.Root
	case c.Git && filepath.Base(c.Dir) == ".git":
		return filepath.Dir(c.Dir)
	}
	return c.Dir
}

// Real is a path without symbolic links, as far as it exists.
func Real(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(Real(up), filepath.Base(path))
	}
	return path
}

const (
	folder = "pawl" // in git's folder
	name   = folder + "/secret"
	digits = 32 // 128 bits
)

// ID returns which clone this is, and writes nothing: empty, if it has no secret yet.
func (c Clone) ID() ID {
	secret := c.secret()
	if c.Git && secret == "" {
		return ""
	}
	return c.id(secret)
}

// Mark returns which clone this is, and makes the secret if it is missing. It fails if
// that cannot be written: then nothing can be remembered of the clone.
func (c Clone) Mark() (ID, error) {
	if c.Git && c.secret() == "" {
		if err := c.write(); err != nil {
			return "", Denied(pawl.Errorf(pawl.Unavailable, "cannot tell this clone from another one, so nothing can be trusted in it: cannot write %s: %w", c.path(), err), c.path())
		}
	}
	id := c.id(c.secret())
	if id == "" {
		return "", pawl.Errorf(pawl.Unavailable, "cannot tell which clone this is: cannot look at %s", c.Dir)
	}
	return id, nil
}

// Kin names the clone and its copies: it is a hash of the secret alone. Empty: there is
// none, or no git.
func (c Clone) Kin() string {
	secret := c.secret()
	if secret == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("kin\x00" + secret))
	return hex.EncodeToString(sum[:16])
}

// Unmarked reports that the clone has no secret yet. It is false where that cannot be
// known: outside of git, and if git's folder or the secret cannot be read.
func (c Clone) Unmarked() bool {
	if _, err := os.Stat(filepath.Join(c.Dir, "HEAD")); err != nil || !c.Git {
		return false
	}
	_, err := os.Lstat(c.path())
	return errors.Is(err, fs.ErrNotExist)
}

func (c Clone) id(secret string) ID {
	parts := []string{"clone", secret}
	of := []string{c.Dir}
	if c.Root != "" {
		of = append(of, filepath.Join(c.Root, ".git")) // which a new archive replaces, also in the folder of the last one
	}
	for _, path := range of {
		is, err := identity(path)
		if err != nil {
			return ""
		}
		parts = append(parts, path, is)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return ID(hex.EncodeToString(sum[:16]))
}

func (c Clone) path() string { return filepath.Join(c.Dir, filepath.FromSlash(name)) }

// secret is empty outside of git, and if there is none that this user can read.
func (c Clone) secret() string {
	if !c.Git || gitdir.Plain(filepath.Dir(c.path())) != nil {
		return ""
	}
	text := strings.TrimSpace(string(gitdir.File(c.path(), digits+2)))
	if _, err := hex.DecodeString(text); err != nil || len(text) != digits {
		return ""
	}
	return text
}

// write makes a secret. One that is damaged is replaced: what was kept under it is lost.
// One that another user keeps from this one stays.
func (c Clone) write() error {
	if err := gitdir.Plain(filepath.Dir(c.path())); err != nil {
		return err
	}
	if file, err := os.Open(c.path()); err == nil {
		file.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	filelock.HandOver(filepath.Join(c.Dir, folder))
	file := rewrite.File{Dir: c.Dir, Name: name, Lock: folder + "/.secret.lock", Temp: folder + "/.secret.new", Mode: 0o600, Limit: 1 << 20}
	_, err = file.Change(context.Background(), func([]byte) ([]byte, error) {
		if c.secret() != "" { // another process was first
			return nil, nil
		}
		b := make([]byte, digits/2)
		rand.Read(b) // never fails
		return []byte(hex.EncodeToString(b) + "\n"), nil
	})
	return err
}

// Denied adds to an error of denied access the owner of the file, and the command that
// grants access. path counts if the error has no whole one, as that of a file in a root.
func Denied(e *pawl.Error, path string) *pawl.Error {
	if at, ok := errors.AsType[*fs.PathError](error(e)); ok && filepath.IsAbs(at.Path) {
		path = at.Path
	}
	if path == "" || !errors.Is(e, fs.ErrPermission) {
		return e
	}
	whose, command, mine := opens(path)
	if whose != "" {
		e.Message += " (" + whose + ")"
	}
	if mine || e.Hint.Text == "" { // else it may be a board that others are to read only
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: command}
	}
	return e
}
