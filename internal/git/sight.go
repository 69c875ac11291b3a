package git

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
)

// Exclude returns the file with the rules of this clone alone. It is shared by all
// work trees of a clone.
func (t *Tree) Exclude(ctx context.Context) (string, error) {
	out, err := t.ask(ctx, nil, "rev-parse", "--git-path", "info/exclude")
	if err != nil {
		return "", err
	}
	return pathFrom(t.Root, out), nil
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

// OnBranches returns the branches, local and fetched, whose last commit has a path,
// the checked-out one included. It fails in a clone that would have to fetch
// something to know.
func (t *Tree) OnBranches(ctx context.Context, path string) ([]string, error) {
	names := t.below([]string{path})
	if len(names) == 0 || strings.Contains(names[0], "\n") { // which would be two questions
		return nil, nil
	}
	out, err := t.ask(ctx, nil, "for-each-ref", "--format=%(refname:short)%00%(objectname)%00%(symref)", "refs/heads", "refs/remotes")
	if err != nil || out == "" {
		return nil, err
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
		return nil, err
	}
	var having []string
	for i, answer := range strings.Split(out, "\n") {
		if answer == "has" && i < len(branches) { // else: … missing
			having = append(having, branches[i])
		}
	}
	return having, nil
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
