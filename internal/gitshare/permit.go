package gitshare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/pawl-dev/pawl/internal/userdir"
)

// A clone may come with an archive, its state file and all, and a board's settings may
// come from anybody. So Pawl uses the network by itself only where this user has
// shared or synced this very folder: that is remembered in the user's state folder.
//
//	~/.local/state/pawl/shared/3f2a…   {"repo": "/src/a/.git/pawl/board/repo", "folder": "2k4x"}
type permit struct {
	Repo   string `json:"repo"`
	Folder string `json:"folder"` // what the file system calls it: a copy is another one
	Remote string `json:"remote"`
	Ref    string `json:"ref"`
}

func (p site) permitFile(getenv func(string) string) (string, error) {
	state, err := userdir.State(getenv)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(p.file(repoName)))
	return filepath.Join(state, "shared", hex.EncodeToString(sum[:16])), nil
}

func (p site) permit(r *record) (permit, error) {
	folder, err := folderID(p.file(repoName))
	return permit{p.file(repoName), folder, r.Remote, r.Ref}, err
}

// allow lets syncs run by themselves: the user has asked for one here.
func (p site) allow(r *record, getenv func(string) string) error {
	if p.allowed(r, getenv) {
		return nil
	}
	path, err := p.permitFile(getenv)
	if err != nil {
		return nil // without a home nothing runs by itself
	}
	is, err := p.permit(r)
	if err != nil {
		return err
	}
	if err := userdir.Make(filepath.Dir(path)); err != nil {
		return err
	}
	text, err := json.Marshal(is)
	if err != nil {
		return err
	}
	return site{home: filepath.Dir(path)}.write(filepath.Base(path), text)
}

// AllowVar is a variable that a person sets for a container, where the state folder of the
// user is another one.
const AllowVar = "PAWL_SYNC"

const allowWord = "allow"

// allowed reports whether the user has asked for a sync here.
func (p site) allowed(r *record, getenv func(string) string) bool {
	if getenv(AllowVar) == allowWord {
		return true
	}
	path, err := p.permitFile(getenv)
	if err != nil {
		return false
	}
	info, err := os.Lstat(path)
	if err != nil || !userdir.Private(info) {
		return false
	}
	text, err := readFile(path, 64<<10)
	var is permit
	if err != nil || json.Unmarshal(text, &is) != nil {
		return false
	}
	want, err := p.permit(r)
	return err == nil && is == want
}

// forbid takes that back.
func (p site) forbid(getenv func(string) string) {
	if path, err := p.permitFile(getenv); err == nil {
		_ = os.Remove(path) // it names a folder that is no more
	}
}
