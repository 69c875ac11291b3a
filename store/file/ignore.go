package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// ignoreName is the file that keeps parts of the board out of git. It belongs to
// the person, like every file outside of stateDir: as long as it is what Pawl
// wrote, Pawl may change it.
const ignoreName = ".gitignore"

const (
	sharedIgnore  = stateDir + "/\n" + lockName + "\n" // what belongs to one clone
	privateIgnore = "*\n"                              // all of it
)

// Sharing says what git sees of a board.
type Sharing uint8

// The values of Sharing. Unchanged leaves a board's .gitignore as it is, and shares
// a new board.
const (
	Unchanged Sharing = iota
	Shared            // the tasks are versioned with the code
	Private           // all of the board is kept out of git
)

// Init makes a board's folder, and in it a .gitignore that keeps out of git what
// belongs to one clone, or all of the board if it is Private, and for a board that
// is not a .gitattributes that keeps git from merging tasks line by line. In files that
// are there it adds the lines that are missing, as each commit does. It changes other
// lines of a .gitignore only if Pawl wrote it; one that somebody else wrote, and that
// says otherwise, is a conflict. Init returns whether the board then is Shared or
// Private, as far as this file says.
func Init(dir string, want Sharing) (Sharing, error) {
	dir, err := locate(dir)
	if err != nil {
		return Unchanged, err
	}
	f := newFS(dir)
	if err := f.Mkdir("."); err != nil {
		return Unchanged, unmade(err)
	}
	is, err := share(f, want)
	if err != nil {
		return is, err
	}
	if is == Shared {
		if err := restoreRules(f, false); err != nil {
			return is, unwritable(err)
		}
	}
	return is, prepare(f)
}

// restoreRules writes what is missing in the files for git of a board that git sees.
// back says that they were here before.
func restoreRules(f fileSystem, back bool) error {
	if err := addRules(f, attributesName, gitdir.BoardAttributes); err != nil {
		return err
	}
	return addRules(f, ignoreName, func(old []byte) []byte {
		text := gitdir.BoardIgnore(old)
		if old == nil && back {
			text = append(text, restoredIgnore...)
		}
		return text
	})
}

// attributesName is the file that tells git not to merge tasks line by line. Lines
// that a person wrote there stay.
const attributesName = ".gitattributes"

// addRules writes the rules of a board that are missing in a file for git. A file that
// cannot be read, and is not a file perhaps, is left alone: it is one net of several.
func addRules(f fileSystem, name string, add func(old []byte) []byte) error {
	old, _, err := f.Read(name, pawl.MaxTask)
	if err != nil && !absent(err) {
		return nil
	}
	text := add(old)
	switch {
	case bytes.Equal(text, old):
		return nil
	case err != nil:
		if _, err = f.Create(name, text); errors.Is(err, fs.ErrExist) {
			return nil // another process makes the board too
		}
		return err
	}
	return replaceWhole(f, name, text)
}

// stateIgnoreName keeps git away from the state folder, whichever branch is checked
// out: git never tracks it, so no checkout removes it.
const stateIgnoreName = stateDir + "/" + ignoreName

// makeState makes the state folder.
func makeState(f fileSystem) error {
	if err := f.Mkdir(stateDir); err != nil {
		return err
	}
	if _, err := f.Create(stateIgnoreName, []byte(privateIgnore)); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// keepOut is called before a commit. It restores what keeps this clone's own files out
// of git, and says whose they are. A checkout of a branch from before the board takes
// the files for git away. A failure to write them does not refuse the commit.
func (s *Store) keepOut() {
	m := &s.loaded.mark
	if s.loaded.whose.kin == "" && !s.fs.GitBusy() && s.fs.Kin() != "" {
		_ = s.writeKin()
	}
	if is := s.filesForGit(); is != 0 && is == m.kept {
		return
	}
	_ = makeState(s.fs)
	text, _, _ := s.fs.Read(ignoreName, pawl.MaxTask)
	if gitdir.HidesAll(text) || !s.fs.GitSees() {
		return
	}
	if restoreRules(s.fs, m.kept != 0) == nil {
		m.kept = s.filesForGit()
	}
}

// KeepOut restores the files for git as a commit does, for a write beside the tasks.
func (s *Store) KeepOut(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	unlock, err := s.lock(ctx, true)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.load(); err != nil || !s.loaded.exists {
		return err
	}
	s.keepOut()
	return nil
}

// restoredIgnore ends a .gitignore that was here before. Git refuses to check out a file
// over one that it neither tracks nor ignores, and so could not come back to the branch
// with the board.
const restoredIgnore = "# This branch has no such files. Git ignores these two, so that it can bring back those of another branch.\n" +
	ignoreName + "\n" + attributesName + "\n"

// filesForGit is a hash of how the files for git look; zero: one of them is missing.
func (s *Store) filesForGit() uint64 {
	var all []byte
	for _, name := range []string{ignoreName, attributesName, stateIgnoreName} {
		is, err := s.fs.Stat(name)
		if err != nil {
			return 0
		}
		all = fmt.Append(all, is.Inode, is.Size, is.Mtime, is.Ctime, ' ')
	}
	return hashOf(all)
}

// share writes the .gitignore, and returns what it says.
func share(f fileSystem, want Sharing) (Sharing, error) {
	text := sharedIgnore
	if want == Private {
		text = privateIgnore
	}
	_, err := f.Create(ignoreName, []byte(text))
	if err == nil {
		return max(want, Shared), nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return Unchanged, unwritable(err)
	}
	there, _, err := f.Read(ignoreName, pawl.MaxTask)
	if err != nil && want != Unchanged {
		return Unchanged, foreignIgnore(want)
	}
	is := Shared
	if gitdir.HidesAll(there) {
		is = Private
	}
	if want == Unchanged || want == is {
		return is, nil
	}
	switch string(bytes.ReplaceAll(there, []byte("\r\n"), []byte("\n"))) { // git may have checked it out so
	case sharedIgnore, privateIgnore:
	default:
		return is, foreignIgnore(want)
	}
	if err := replaceWhole(f, ignoreName, []byte(text)); err != nil {
		return is, unwritable(err)
	}
	return want, nil
}

// replaceWhole puts a new text in the place of a file for git.
func replaceWhole(f fileSystem, name string, text []byte) error {
	if err := makeState(f); err != nil {
		return err
	}
	if err := f.Mkdir(tmpDir); err != nil {
		return err
	}
	tmp := tmpDir + "/" + strings.TrimPrefix(name, ".")
	if err := f.Remove(tmp); err != nil && !absent(err) { // of one who crashed
		return err
	}
	if _, err := f.Create(tmp, text); err != nil {
		return err
	}
	if err := f.Sync(tmp); err != nil {
		return err
	}
	return f.Rename(tmp, name)
}

// foreignIgnore refuses to change what a person wrote.
func foreignIgnore(want Sharing) error {
	e := pawl.Errorf(pawl.Conflict, "the board's %s is not as Pawl wrote it, so it was left alone", ignoreName)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "write a line with nothing but * at its end, which keeps all of the board out of git"}
	if want == Shared {
		e.Hint.Text = "leave out of it what keeps the tasks out of git; what should stay is " + stateDir + "/ and " + lockName
	}
	return e
}
