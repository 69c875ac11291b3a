package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Standing is the state of a work tree without some folders. Comparing two shows
// whether somebody has worked there in between.
type Standing struct {
	Head   string   // a commit; empty: there is none yet
	Branch string   // refs/heads/…; empty: HEAD is detached
	Under  string   // merge, rebase, cherry-pick, revert, am or bisect; empty: none
	Dirty  []string // paths that are not as HEAD has them, at most a thousand
	// Tracked are those of them, at most a thousand, that HEAD or the index has.
	Tracked []string
	Sum     string // of what is not as HEAD has it, in the index and on the disk; ignored files do not count
}

const (
	maxNamed  = 1000    // paths in a Standing
	maxSummed = 1 << 20 // bytes of a file that are read to tell one state of it from another
	maxRead   = 64 << 20
)

// Standing asks git. It writes nothing, not even the index.
func (t *Tree) Standing(ctx context.Context, except []string) (Standing, error) {
	state, err := t.State(ctx)
	if err != nil {
		return Standing{}, err
	}
	s := Standing{Head: state.Head, Branch: state.Branch, Under: state.Under.Name()}
	env, err := t.withoutFilters(ctx)
	if err != nil {
		return s, err
	}
	out, err := t.run(ctx, call{env: env, patience: longPatience, limit: maxList},
		"status", "--porcelain=v2", "-z", "--untracked-files=all", "--ignored=no", "--ignore-submodules=dirty", "--no-renames", "--no-ahead-behind")
	if err != nil {
		return s, err
	}
	except = t.inside(except)
	sum, left := sha256.New(), int64(maxRead)
	for _, line := range zeroEnded(out) {
		name := statusPath(line)
		if name == "" || within(strings.TrimSuffix(name, "/"), except) {
			continue
		}
		if len(s.Dirty) < maxNamed {
			s.Dirty = append(s.Dirty, name)
		}
		if !strings.HasPrefix(line, "?") && len(s.Tracked) < maxNamed {
			s.Tracked = append(s.Tracked, name)
		}
		fmt.Fprintf(sum, "%s\x00%s\x00", line, fileSum(filepath.Join(t.Root, filepath.FromSlash(name)), &left))
	}
	s.Sum = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

// statusPath is the path in a line of git status.
//
//	1 XY sub mH mI mW hH hI path
//	u XY sub m1 m2 m3 mW h1 h2 h3 path
//	? path
func statusPath(line string) string {
	n := 0
	switch kind, _, _ := strings.Cut(line, " "); kind {
	case "1":
		n = 9
	case "u":
		n = 11
	case "?":
		n = 2
	default:
		return ""
	}
	fields := strings.SplitN(line, " ", n)
	if len(fields) != n {
		return ""
	}
	return fields[n-1]
}

// fileSum tells one state of a file from another: by its content, or by its time where
// that is large or much was read already. Left is what may be read.
func fileSum(path string, left *int64) string {
	info, err := os.Lstat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "gone"
		}
		return "unknown"
	}
	mode := fmt.Sprintf("%v %d", info.Mode(), info.Size())
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(path)
		return mode + " " + to
	case info.Mode().IsRegular() && info.Size() <= maxSummed && info.Size() <= *left:
		f, err := os.Open(path)
		if err != nil {
			return mode + " unreadable"
		}
		defer f.Close()
		sum := sha256.New()
		n, _ := io.Copy(sum, io.LimitReader(f, maxSummed))
		*left -= n
		return mode + " " + hex.EncodeToString(sum.Sum(nil))
	case info.IsDir():
		return info.Mode().String()
	}
	return fmt.Sprintf("%s %d", mode, info.ModTime().UnixNano())
}
