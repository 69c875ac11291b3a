package git

import (
	"bytes"
	"context"
	"strings"
)

// refresh makes git notice which files match an index.
func (t *Tree) refresh(ctx context.Context, env []string) error {
	_, err := t.change(ctx, env, nil, "update-index", "-q", "--refresh")
	if isExit(err, 1) { // some files differ
		return nil
	}
	return err
}

// Refresh makes git notice that files in a folder match the index. Update does not,
// and until git knows, it refuses to abort a merge: "not uptodate". Files with a
// filter are left out, because the filter's output is unknown.
func (t *Tree) Refresh(ctx context.Context, dir string, names ...string) error {
	below := t.below([]string{dir})
	if len(below) == 0 || len(names) == 0 {
		return nil
	}
	prefix := strings.TrimSuffix(below[0], "/") + "/"
	var in bytes.Buffer
	for _, name := range names {
		in.WriteString(prefix + name + "\x00")
	}
	out, err := t.run(ctx, call{stdin: in.Bytes(), patience: longPatience, limit: maxList}, "check-attr", "-z", "--stdin", "filter")
	if err != nil {
		return err
	}
	in.Reset()
	for fields := strings.Split(out, "\x00"); len(fields) >= 3; fields = fields[3:] { // path, filter, value
		if v := fields[2]; v == "unspecified" || v == "unset" {
			in.WriteString(":(top,literal)" + fields[0] + "\x00")
		}
	}
	if in.Len() == 0 {
		return nil
	}
	env, err := t.withoutFilters(ctx) // of other files, before the index is written
	if err != nil {
		return err
	}
	_, err = t.run(ctx, call{env: env, stdin: in.Bytes(), patience: longPatience, limit: maxAnswer}, "add", "--refresh", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul")
	return err
}
