package file

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// The state folder belongs to a clone. Once git has tracked it, a pull, a checkout or a
// new clone can put that of a colleague in its place. So it says whose it is:
//
//	.pawl/clone         a hash of the random secret of the clone that made it
//	.pawl/others/KIN/   what was in the folder of another clone, file by file
//
// One that names another clone is as good as none, to readers and writers alike, until
// the next write puts it aside. One that names nobody was made outside of git: it is ours.
// Git writes files by their names, so this one comes before the index and the journal.
const (
	kinName   = stateDir + "/clone"
	kinTmp    = tmpDir + "/clone"
	othersDir = stateDir + "/others"
	kinDigits = 32
)

// whose is what the state folder says of that.
type whose struct {
	kin string   // empty: it does not say
	is  fileInfo // the file that says so
}

// whose returns whose the state folder is, and whether that is another clone. known is
// what was found before, of a folder that is ours.
func (s *Store) whose(known whose) (w whose, foreign bool, err error) {
	if w.is, err = s.fs.Stat(kinName); w.is == known.is && err == nil {
		return known, false, nil
	}
	if err == nil && w.is.Kind == kindRegular && w.is.Size <= kinDigits+2 {
		var text []byte
		text, w.is, err = s.fs.Read(kinName, kinDigits+2)
		w.kin = strings.TrimSpace(string(text))
	}
	if err != nil && !absent(err) && !impossible(err) {
		return w, false, s.unreadable(err)
	}
	if _, wrong := hex.DecodeString(w.kin); wrong != nil || len(w.kin) != kinDigits {
		w.kin = ""
	}
	return w, w.kin != "" && s.fs.IsOther(w.kin), nil
}

// IsForeign reports whether the state folder is another clone's.
func (s *Store) IsForeign() bool {
	_, foreign, err := s.whose(whose{})
	return foreign || err != nil
}

// own makes the state folder this clone's, under the lock. It puts aside what another
// clone has left there, and replaces the name of that clone last: until then the
// folder is still the other clone's, and after a crash the next writer continues.
func (s *Store) own(ctx context.Context) error {
	if err := s.found(); err != nil {
		return err
	}
	w, foreign, err := s.whose(whose{})
	if foreign {
		if _, busy := s.awaitGit(ctx); busy {
			return pawl.Errorf(pawl.Unavailable, "git is writing the files of another clone into %s, so nothing was changed: repeat this when it is done", stateDir)
		}
		w, foreign, err = s.whose(whose{})
	}
	if err != nil || !foreign {
		return err
	}
	at := othersDir + "/" + w.kin
	for _, dir := range []string{othersDir, at} {
		if err := s.fs.Mkdir(dir); err != nil {
			return unwritable(err)
		}
	}
	stays := []string{stateDir + "/shared", gateName, tmpDir, lostDir, journalDir, othersDir, kinName, stateIgnoreName}
	for _, dir := range []string{tmpDir, journalDir, stateDir} {
		names, err := s.list(dir)
		if err != nil {
			return s.unreadable(err)
		}
		for _, base := range names {
			if name := dir + "/" + base; !slices.Contains(stays, name) {
				if err := s.renameFree(name, at+"/"+base); err != nil {
					return unwritable(err)
				}
			}
		}
	}
	for _, dir := range []string{at, tmpDir, journalDir, stateDir} { // no record of theirs comes back after ours
		if err := s.fs.Sync(dir); err != nil {
			return unwritable(err)
		}
	}
	s.forget()
	if err := s.writeKin(); err != nil {
		return unwritable(err)
	}
	return nil
}

// writeKin replaces the name in the state folder by that of this clone. Where it has
// none, the folder names nobody. The journal begins with a sync of the folder.
func (s *Store) writeKin() error {
	kin := s.fs.Kin()
	if kin == "" {
		return s.fs.Remove(kinName)
	}
	if _, err := s.createTmp(kinTmp, []byte(kin+"\n")); err != nil {
		return err
	}
	return s.fs.Rename(kinTmp, kinName)
}

// renameFree gives a file a new name, or one like it that nothing has.
func (s *Store) renameFree(from, to string) error {
	err := s.fs.RenameNew(from, to)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		err = s.fs.RenameNew(from, fmt.Sprintf("%s.%d", to, n))
	}
	return err
}
