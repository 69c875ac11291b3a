package caller

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Limits of what is read: somebody else may have written these files.
const (
	maxGitFile = 256 << 10
	maxFiles   = 20 // with those that they include
	maxCount   = 100
)

// GitName returns what git calls its user, user.name, for somebody who works in dir; empty:
// git knows none. It reads git's own configuration files and does not start git: a command
// that a person types must not wait for another program. It follows git's order, the last
// one counts:
//
//	$XDG_CONFIG_HOME/git/config, ~/.gitconfig      or what GIT_CONFIG_GLOBAL names
//	.git/config, .git/config.worktree              of the clone; with include.path and includeIf gitdir:
//	GIT_CONFIG_KEY_0 and GIT_CONFIG_VALUE_0, …     as many as GIT_CONFIG_COUNT says
//
// It leaves out the system's file, what git -c passes on, and conditions other
// than gitdir. A file that is not regular, or too long, is as good as absent, and
// so is a name that Pawl would not take.
func GitName(getenv func(string) string, dir string) string {
	r := gitReader{home: gitHome(getenv), left: maxFiles}
	if dir != "" {
		tree, _ := gitdir.Find(dir)
		r.gitDir, r.common = tree.Dir, tree.Common
	}
	if global := getenv("GIT_CONFIG_GLOBAL"); global != "" {
		r.file(global)
	} else {
		xdg := getenv("XDG_CONFIG_HOME")
		if xdg == "" && r.home != "" {
			xdg = filepath.Join(r.home, ".config")
		}
		if xdg != "" {
			r.file(filepath.Join(xdg, "git", "config"))
		}
		if r.home != "" {
			r.file(filepath.Join(r.home, ".gitconfig"))
		}
	}
	if r.gitDir != "" {
		r.file(filepath.Join(r.common, "config"))
		if r.worktrees {
			r.file(filepath.Join(r.gitDir, "config.worktree"))
		}
	}
	count, _ := strconv.Atoi(getenv("GIT_CONFIG_COUNT"))
	for i := range min(count, maxCount) {
		if n := strconv.Itoa(i); strings.EqualFold(getenv("GIT_CONFIG_KEY_"+n), "user.name") {
			r.name = getenv("GIT_CONFIG_VALUE_" + n)
		}
	}
	return fitName(r.name)
}

func gitHome(getenv func(string) string) string {
	if home := getenv("HOME"); home != "" {
		return home
	}
	return getenv("USERPROFILE")
}

// fitName is the name if a task can have it as its owner.
func fitName(name string) string {
	name = strings.TrimSpace(name)
	if !utf8.ValidString(name) || utf8.RuneCountInString(name) > pawl.MaxName || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ""
	}
	return name
}

// reader reads one file after the other.
type gitReader struct {
	home           string
	gitDir, common string // of the clone; empty: none
	left           int    // how many files may be read yet

	name      string
	worktrees bool // extensions.worktreeConfig is on
}

func (r *gitReader) file(path string) {
	if r.left--; r.left < 0 {
		return
	}
	parseGit(readPlain(path), func(section, sub, key, value string) {
		switch section + "." + key {
		case "user.name":
			if sub == "" {
				r.name = value
			}
		case "extensions.worktreeconfig":
			r.worktrees = value == "" || strings.EqualFold(value, "true") || strings.EqualFold(value, "yes") || strings.EqualFold(value, "on") || value == "1"
		case "include.path":
			r.include(path, value)
		case "includeif.path":
			if r.holds(path, sub) {
				r.include(path, value)
			}
		}
	})
}

// include reads a file that another one names.
func (r *gitReader) include(from, path string) {
	if path = r.expand(path); path == "" {
		return
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(from), path)
	}
	r.file(path)
}

func (r *gitReader) expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if r.home == "" {
			return ""
		}
		return filepath.Join(r.home, rest)
	}
	return path
}

// holds reports whether a condition is one about where the clone is, without
// wildcards, that holds:
//
//	gitdir:~/work/       any clone below
//	gitdir:/src/x/.git   this one
func (r *gitReader) holds(file, condition string) bool {
	pattern, ok := strings.CutPrefix(condition, "gitdir:")
	fold := false
	if !ok {
		pattern, fold = strings.CutPrefix(condition, "gitdir/i:")
	}
	if r.gitDir == "" || pattern == "" || !ok && !fold || strings.ContainsAny(pattern, "*?[") {
		return false
	}
	below := strings.HasSuffix(pattern, "/")
	anywhere := !filepath.IsAbs(pattern) && !strings.HasPrefix(pattern, "~/") && !strings.HasPrefix(pattern, "./")
	if rest, ok := strings.CutPrefix(pattern, "./"); ok {
		pattern = filepath.Join(filepath.Dir(file), rest)
	}
	if pattern = r.expand(pattern); pattern == "" {
		return false
	}
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	for _, dir := range []string{r.gitDir, clone.Real(r.gitDir)} {
		dir = filepath.ToSlash(dir)
		if fold {
			dir, pattern = strings.ToLower(dir), strings.ToLower(pattern)
		}
		switch {
		case anywhere && below && strings.Contains(dir+"/", "/"+pattern+"/"),
			anywhere && !below && strings.HasSuffix(dir, "/"+pattern),
			below && strings.HasPrefix(dir, pattern+"/"),
			dir == pattern:
			return true
		}
	}
	return false
}

// readPlain reads a regular file, through links, which dotfiles often are.
func readPlain(path string) string {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxGitFile {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(f, maxGitFile+1)) // it may grow
	if err != nil || len(text) > maxGitFile {
		return ""
	}
	return string(text)
}
