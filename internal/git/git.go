// Package git asks git what it sees of some files. It is the only package that
// runs git, and it does so only where a person or an agent makes a board, shares
// or hides one, or sets an agent up: never in a hook, and never to read a board.
//
//	tree, err := git.Find(ctx, dir)   // nil: git does not manage this folder
//	path, err := tree.Exclude(ctx)    // .git/info/exclude, wherever that is
//	names, err := tree.Tracked(ctx, paths...)
//	rules, err := tree.Ignored(ctx, paths...)
//	branch, err := tree.OnBranch(ctx, path)
//
// A repository may come from anybody. So git is called by its absolute path,
// without the variables that lead it elsewhere, without hooks and without programs
// that the repository's configuration names, and only for questions that run none.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// ErrMissing says that no git was found on PATH.
var ErrMissing = errors.New("no git was found on PATH")

// patience is how long one question may take: git answers in milliseconds, and in
// seconds where the disk sleeps.
const patience = 5 * time.Second

// maxAnswer is how many bytes of an answer are read: thousands of paths.
const maxAnswer = 8 << 20

// A Tree is a git work tree.
type Tree struct {
	Root string // without links

	git  string   // the program
	dirs []string // --git-dir and --work-tree, where variables name them
}

// Find returns the work tree that a folder is in; nil if it is in none. The folder
// may be missing: then the nearest one above it is asked about.
func Find(ctx context.Context, dir string) (*Tree, error) {
	for !isDir(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	program := look(dir)
	if program == "" {
		return nil, ErrMissing
	}
	t := &Tree{Root: dir, git: program}
	root, err := t.ask(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil && !isRefusal(err) {
		return nil, err
	}
	if err != nil {
		// Some keep a folder such as their home in git by variables alone.
		if t.dirs = named(); t.dirs == nil {
			return nil, outside(err)
		}
		if root, err = t.ask(ctx, nil, "rev-parse", "--show-toplevel"); err != nil {
			return nil, outside(err)
		}
	}
	real, err := filepath.EvalSymlinks(filepath.FromSlash(strings.TrimRight(root, "\r\n")))
	if err != nil {
		return nil, err
	}
	t.Root = real
	return t, nil
}

// outside tells a folder that is in no work tree, which is not an error, from a
// repository that git refuses to read.
func outside(err error) error {
	var refused *refusal
	if errors.As(err, &refused) && (strings.Contains(refused.said, "not a git repository") || strings.Contains(refused.said, "must be run in a work tree")) {
		return nil
	}
	return err
}

// named are the options that say what GIT_DIR and GIT_WORK_TREE say.
func named() []string {
	dir, tree := os.Getenv("GIT_DIR"), os.Getenv("GIT_WORK_TREE")
	if !filepath.IsAbs(dir) || !filepath.IsAbs(tree) {
		return nil // as in a hook of git's, where the folder itself tells more
	}
	return []string{"--git-dir=" + dir, "--work-tree=" + tree}
}

// Exclude returns the file with the rules of this clone alone. It is shared by all
// work trees of a clone.
func (t *Tree) Exclude(ctx context.Context) (string, error) {
	out, err := t.ask(ctx, nil, "rev-parse", "--git-path", "info/exclude")
	if err != nil {
		return "", err
	}
	path := filepath.FromSlash(strings.TrimRight(out, "\r\n"))
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.Root, path)
	}
	return path, nil
}

// Tracked returns which files git tracks: of those that are named, and in folders
// that are. Names are absolute, and those outside of the work tree are left out.
func (t *Tree) Tracked(ctx context.Context, paths ...string) ([]string, error) {
	names := t.below(paths)
	if len(names) == 0 {
		return nil, nil
	}
	for i, name := range names {
		names[i] = ":(top,literal)" + name
	}
	out, err := t.ask(ctx, nil, append([]string{"ls-files", "-z", "--"}, names...)...)
	if err != nil {
		return nil, err
	}
	var found []string
	for name := range strings.SplitSeq(out, "\x00") {
		if name != "" {
			found = append(found, filepath.Join(t.Root, filepath.FromSlash(name)))
		}
	}
	return found, nil
}

// OnBranch returns a branch, local or fetched, whose last commit has a path; empty:
// none has. It fails in a clone that would have to fetch something to know.
func (t *Tree) OnBranch(ctx context.Context, path string) (string, error) {
	names := t.below([]string{path})
	if len(names) == 0 || strings.Contains(names[0], "\n") { // which would be two questions
		return "", nil
	}
	out, err := t.ask(ctx, nil, "for-each-ref", "--format=%(refname:short)%00%(objectname)%00%(symref)", "refs/heads", "refs/remotes")
	if err != nil || out == "" {
		return "", err
	}
	var in strings.Builder
	var branches []string
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 3 || fields[2] != "" { // origin/HEAD, which is another name
			continue
		}
		branches = append(branches, fields[0])
		in.WriteString(fields[1] + ":" + names[0] + "\n")
	}
	if out, err = t.ask(ctx, []byte(in.String()), "cat-file", "--batch-check=has"); err != nil {
		return "", err
	}
	for i, answer := range strings.Split(out, "\n") {
		if answer == "has" && i < len(branches) { // else: … missing
			return branches[i], nil
		}
	}
	return "", nil
}

// A Rule is a line of a file that keeps something out of git.
type Rule struct {
	Path    string // what it keeps out
	File    string // as git names it: .gitignore, or an absolute path
	Line    string // its number there
	Pattern string
}

// String is the rule as an editor finds it: .gitignore:3: /.tasks/
func (r Rule) String() string {
	if r.Line == "" {
		return r.File
	}
	return r.File + ":" + r.Line + ": " + r.Pattern
}

// Ignored returns the rules that keep paths out of git, for those that one does.
// A path that ends in a separator is a folder, which may be missing.
func (t *Tree) Ignored(ctx context.Context, paths ...string) ([]Rule, error) {
	var in bytes.Buffer
	for _, name := range t.below(paths) {
		in.WriteString("./" + name + "\x00") // a name may begin with what is special to git
	}
	if in.Len() == 0 {
		return nil, nil
	}
	out, err := t.ask(ctx, in.Bytes(), "check-ignore", "-v", "-z", "--stdin")
	if err != nil && !isExit(err, 1) { // 1: none of them is
		return nil, err
	}
	fields := strings.Split(out, "\x00")
	var rules []Rule
	for ; len(fields) >= 4; fields = fields[4:] {
		if strings.HasPrefix(fields[2], "!") {
			continue // a rule that lets it in
		}
		rules = append(rules, Rule{Path: filepath.Join(t.Root, filepath.FromSlash(fields[3])), File: fields[0], Line: fields[1], Pattern: fields[2]})
	}
	return rules, nil
}

// Pattern is the line of an exclude file that keeps one path out of git, and
// nothing else, in the work tree with a root. A path that ends in a separator is a
// folder. False: the path is outside of the work tree, or no line can name it. It
// does not run git.
func Pattern(root, path string) (string, bool) {
	names := (&Tree{Root: root}).below([]string{path})
	if len(names) != 1 || strings.ContainsAny(names[0], "\n\r\x00") {
		return "", false
	}
	var b strings.Builder
	b.WriteByte('/')
	for _, r := range names[0] {
		if strings.ContainsRune(`\*?[`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	line := b.String()
	if trimmed := strings.TrimRight(line, " "); trimmed != line { // git drops spaces at the end unless they are escaped
		line = trimmed + strings.Repeat(`\ `, len(line)-len(trimmed))
	}
	return line, true
}

// below are paths relative to the root, with slashes, without those elsewhere.
func (t *Tree) below(paths []string) (names []string) {
	for _, path := range paths {
		dir := ""
		if strings.HasSuffix(path, string(filepath.Separator)) {
			dir = "/"
		}
		rel, err := filepath.Rel(t.Root, resolved(filepath.Clean(path)))
		if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			continue
		}
		names = append(names, filepath.ToSlash(rel)+dir)
	}
	return names
}

// resolved is a path without links in its folders, as far as these exist. The
// last name stays: to git a link is a file.
func resolved(path string) string {
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return filepath.Join(real, filepath.Base(path))
	}
	return filepath.Join(resolved(dir), filepath.Base(path))
}

// A refusal is what git says instead of an answer.
type refusal struct {
	code int
	said string
}

func (r *refusal) Error() string {
	line, _, _ := strings.Cut(strings.TrimSpace(r.said), "\n")
	return fmt.Sprintf("git: %s", strings.TrimPrefix(line, "fatal: "))
}

func isRefusal(err error) bool { return errors.As(err, new(*refusal)) }

func isExit(err error, code int) bool {
	var r *refusal
	return errors.As(err, &r) && r.code == code
}

// ask runs git with a question.
func (t *Tree) ask(ctx context.Context, stdin []byte, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	all := slices.Concat([]string{
		"--no-pager", "-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	}, t.dirs, args)
	cmd := exec.CommandContext(ctx, t.git, all...)
	cmd.Dir, cmd.Env, cmd.Stdin = t.Root, environment(os.Environ()), bytes.NewReader(stdin)
	cmd.WaitDelay = time.Second
	var out, said limited
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("git did not answer within %v", patience)
	case errors.As(err, &exit):
		return out.String(), &refusal{exit.ExitCode(), said.String()}
	case err != nil:
		return "", fmt.Errorf("git cannot be run: %w", err)
	case out.cut:
		return "", fmt.Errorf("git's answer is longer than %d MiB", maxAnswer>>20)
	}
	return out.String(), nil
}

// limited keeps what is written to it up to maxAnswer.
type limited struct {
	bytes.Buffer
	cut bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := maxAnswer - l.Len(); len(p) > room {
		l.cut = true
		l.Buffer.Write(p[:room])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// environment is that of git: without what leads it to another repository, makes
// it run programs, or has it answer in another language. It fetches nothing, which
// programs would do that the repository's configuration names.
func environment(of []string) []string {
	env := slices.DeleteFunc(slices.Clone(of), func(e string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		return strings.HasPrefix(name, "GIT_") || name == "LC_ALL" || name == "LANGUAGE"
	})
	return append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
}

// look finds git on PATH, and not in the folder that it is asked about: a project
// may bring programs along.
func look(dir string) string {
	name := "git"
	if runtime.GOOS == "windows" {
		name = "git.exe"
	}
	for _, at := range filepath.SplitList(os.Getenv("PATH")) {
		rel, err := filepath.Rel(dir, at)
		if !filepath.IsAbs(at) || err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) && dir != filepath.Dir(dir) {
			continue
		}
		path := filepath.Join(at, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return path
		}
	}
	return ""
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
