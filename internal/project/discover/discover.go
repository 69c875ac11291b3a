// Package discover finds the board of a folder: the nearest .tasks from there
// up to the root of the git work tree, or of the file system outside of
// git. In a linked work tree the main tree's board comes first, so that all
// work trees of a clone share one plan. Those of a bare repository share the first
// that there is: see [gitdir.Tree.Places].
//
// It reads .git itself; no git needs to be installed.
package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Name is what a board's folder is called.
const Name = ".tasks"

// A Place is where a board is, or where the first write would make one.
type Place struct {
	Dir string // the board's folder, absolute
	// Work is the folder of the project in the work tree that was asked about: the one beside
	// Dir, unless Dir is in another work tree. Empty: an address named the board.
	Work   string
	Exists bool
	Git    bool // Dir is inside a git work tree
	Joined bool // the project uses a board at an address, whether or not Dir exists
}

// Board returns the place of the board for somebody working in dir. An address
// that is not empty names it outright: the board's folder, or that of a project.
func Board(dir, address string) (Place, error) { return BoardOf(dir, address, nil) }

// BoardOf is Board for somebody who has joined projects to boards at addresses: the
// folder of one counts as if it had a board. Nil: none is joined.
func BoardOf(dir, address string, joined func(dir string) bool) (Place, error) {
	if filepath.IsAbs(address) {
		return named(dir, address)
	}
	dir, err := absolute(dir)
	if err != nil {
		return Place{}, err
	}
	if address != "" {
		return named(dir, address)
	}
	tree, _ := gitdir.Find(dir)
	places := tree.Places()
	for at := dir; ; at = filepath.Dir(at) {
		for _, place := range places {
			rel, err := filepath.Rel(tree.Root, at)
			board := filepath.Join(place, rel, Name)
			yes := err == nil && joined != nil && joined(filepath.Dir(board))
			if there := err == nil && exists(board); there || yes {
				return Place{Dir: board, Work: at, Exists: there, Git: true, Joined: yes}, nil
			}
		}
		board := filepath.Join(at, Name)
		if joined != nil && joined(at) {
			return Place{Dir: board, Work: at, Exists: exists(board), Git: tree.Root != "", Joined: true}, nil
		}
		if exists(board) && (tree.Root != "" || at == dir || trusted(board)) {
			return Place{Dir: board, Work: at, Exists: true, Git: tree.Root != ""}, nil
		}
		if at == tree.Root {
			return Place{Dir: board, Work: at, Git: true}, nil
		}
		if at == filepath.Dir(at) {
			return Place{Dir: filepath.Join(dir, Name), Work: dir}, nil
		}
	}
}

// absolute is the folder to start from; a process may stand in one that was
// removed.
func absolute(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", pawl.Errorf(pawl.NotFound, "the current folder no longer exists: %w", err).
			Say("change to a folder that exists")
	}
	return dir, nil
}

func named(dir, address string) (Place, error) {
	if strings.Contains(address, "://") {
		scheme, _, _ := strings.Cut(address, "://") // the rest may hold a password
		return Place{}, pawl.Errorf(pawl.Invalid, "this pawl cannot open a board at %s://…", scheme).
			Say("name a folder")
	}
	board := filepath.Clean(address)
	if !filepath.IsAbs(board) {
		board = filepath.Join(dir, board)
	}
	if inner := filepath.Join(board, Name); exists(inner) || isProject(board) {
		board = inner
	}
	_, git := gitdir.Find(board)
	return Place{Dir: board, Exists: exists(board), Git: git}, nil
}

// isProject reports whether a folder holds something, and no board: among
// somebody's files a board gets a folder of its own.
func isProject(dir string) bool {
	if filepath.Base(dir) == Name || exists(filepath.Join(dir, ".pawl")) {
		return false
	}
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(100) // enough to meet a task, without reading a large board
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "task_") }) {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(boardFiles, name) })
}

// boardFiles are what a board has before its first task.
var boardFiles = []string{".gitignore", ".highwatermark", ".lock", "pawl.jsonc"}

// ForInit returns where init makes a board: in dir when one is named, else
// where the first write would.
func ForInit(dir, named string) (Place, error) {
	if named == "" {
		return Board(dir, "")
	}
	board := named
	if !filepath.IsAbs(board) {
		dir, err := absolute(dir)
		if err != nil {
			return Place{}, err
		}
		board = filepath.Join(dir, board)
	}
	if board = filepath.Clean(board); filepath.Base(board) != Name {
		board = filepath.Join(board, Name)
	}
	_, git := gitdir.Find(filepath.Dir(board))
	return Place{Dir: board, Exists: exists(board), Git: git}, nil
}

// exists reports whether something is there. Whether it can be a board is for
// the store to say.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Exclude returns the root of the work tree that dir is in, without links, and the
// file with the rules of its clone alone, which need not exist; both are empty
// outside of git.
func Exclude(dir string) (root, file string) {
	t, ok := gitdir.Find(dir)
	if !ok {
		return "", ""
	}
	return clone.Real(t.Root), filepath.Join(t.Common, "info", "exclude")
}
