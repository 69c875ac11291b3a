package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Entries returns what the index has in a folder, and below it.
func (t *Tree) Entries(ctx context.Context, dir string) ([]Entry, error) {
	return t.entries(ctx, dir, "--stage")
}

// Unmerged returns the conflicts that the index has in a folder, which may be the
// root: up to three entries of a name.
func (t *Tree) Unmerged(ctx context.Context, dir string) ([]Entry, error) {
	return t.entries(ctx, dir, "--unmerged")
}

func (t *Tree) entries(ctx context.Context, dir, which string) ([]Entry, error) {
	prefix := ""
	if filepath.Clean(dir) != t.Root {
		names := t.below([]string{dir})
		if len(names) == 0 {
			return nil, nil
		}
		prefix = strings.TrimSuffix(names[0], "/") + "/"
	}
	out, err := t.list(ctx, "ls-files", which, "-v", "--full-name", "-z", "--", ":(top,literal)"+prefix)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for e, err := range indexed(out, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		if err != nil {
			return nil, err
		}
		e.Name = strings.TrimPrefix(e.Name, prefix)
		entries = append(entries, e.Entry)
	}
	return entries, nil
}

// A tagged entry has the letter of git ls-files -v. Lower case: the index says that nobody need
// look at the file. S: it need not be there.
type tagged struct {
	Entry
	tag string
}

// indexed reads what git ls-files --stage -v -z says of the names that are wanted.
//
//	H 100644 1a2b… 0<tab>name
func indexed(listed string, wanted func(name string) bool) iter.Seq2[tagged, error] {
	return func(yield func(tagged, error) bool) {
		for line := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
			what, name, _ := strings.Cut(line, "\t")
			if line == "" || !wanted(name) {
				continue
			}
			fields := append(strings.Fields(what), "", "", "", "")
			mode, err := strconv.ParseUint(fields[1], 8, 32)
			stage, err2 := strconv.Atoi(fields[3])
			e := tagged{Entry{Name: name, Mode: Mode(mode), ID: fields[2], Stage: stage}, fields[0]}
			if err = errors.Join(err, err2, ids(e.ID)); err != nil {
				err = fmt.Errorf("git's answer cannot be read: %.80q", what)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// changedFiles are those that do not look as an index has them. env has that index, and lets git
// start no filter.
func (t *Tree) changedFiles(ctx context.Context, env []string) (names []string, err error) {
	out, err := t.run(ctx, call{env: env, patience: longPatience, limit: maxList}, "diff-files", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty")
	for fields := strings.Split(out, "\x00"); len(fields) >= 2; fields = fields[2:] {
		names = append(names, fields[1])
	}
	return names, err
}

// Put stores texts as blobs, as they are, and returns their ids.
func (t *Tree) Put(ctx context.Context, texts [][]byte) ([]string, error) {
	return t.store(ctx, "blob", texts...)
}

// Update makes the index entries of files in a folder exactly these, each with its
// stage, and removes the names that are gone. Files on the disk stay as they are.
// While git writes, it fails with ErrBusy and changes nothing.
func (t *Tree) Update(ctx context.Context, dir string, gone []string, entries ...Entry) error {
	names := t.below([]string{dir})
	if len(names) == 0 {
		return fmt.Errorf("%s is not in the work tree %s", dir, t.Root)
	}
	prefix := strings.TrimSuffix(names[0], "/") + "/"
	all := slices.Clone(gone)
	for _, e := range entries {
		all = append(all, e.Name)
		if err := ids(e.ID); err != nil {
			return err
		}
		if e.Stage < 0 || e.Stage > 3 {
			return fmt.Errorf("%q has no stage %d", e.Name, e.Stage)
		}
	}
	if len(all) == 0 {
		return nil
	}
	zeros, err := t.zeros(ctx, entries)
	if err != nil {
		return err
	}
	var in bytes.Buffer
	for _, name := range unique(all) { // first nothing has any of its stages
		if !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, "\x00") {
			return fmt.Errorf("%q is not the name of a file in a folder", name)
		}
		fmt.Fprintf(&in, "0 %s\t%s%s\x00", zeros, prefix, name)
	}
	for _, e := range entries {
		fmt.Fprintf(&in, "%06o %s %d\t%s%s\x00", uint32(e.Mode), e.ID, e.Stage, prefix, e.Name)
	}
	if t.Dir().Busy() {
		return ErrBusy
	}
	env, err := t.withoutFilters(ctx)
	if err != nil {
		return err
	}
	_, err = t.run(ctx, call{env: env, stdin: in.Bytes(), patience: longPatience, limit: maxAnswer}, "update-index", "-z", "--index-info")
	return err
}

// withoutFilters is the environment in which git starts no filter. Before it writes
// the index, it compares files that are as young as the index with their blobs, and
// cleans them for that by programs that the configuration names. A file that looks
// changed then is only looked at again by the next git status.
func (t *Tree) withoutFilters(ctx context.Context) ([]string, error) {
	out, err := t.ask(ctx, nil, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if isExit(err, 1) { // there is none
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var env []string
	n := 0
	set := func(key, value string) {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
		n++
	}
	for _, key := range unique(strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")) {
		switch name := key[strings.LastIndexByte(key, '.')+1:]; name {
		case "clean", "smudge", "process":
			set(key, "")
		case "required":
			set(key, "false")
		}
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n)), nil
}

// zeros is the id of nothing: as long as the ids of this clone.
func (t *Tree) zeros(ctx context.Context, entries []Entry) (string, error) {
	if len(entries) > 0 {
		return strings.Repeat("0", len(entries[0].ID)), nil
	}
	out, err := t.ask(ctx, nil, "rev-parse", "--show-object-format")
	if strings.TrimSpace(out) == "sha256" {
		return strings.Repeat("0", 64), err
	}
	return strings.Repeat("0", 40), err
}
