package git

import (
	"context"
	"slices"
	"strings"
)

// programKeys match what a configuration can say about programs on the way to a remote.
const programKeys = `^(core\.(sshcommand|gitproxy)|credential\.(.*\.)?helper|remote\..*\.(uploadpack|receivepack|vcs)|url\..*\.(insteadof|pushinsteadof))$`

// Programs are the keys by which the clone's own configuration, with what it includes and
// that of its work tree, names programs on the way to a remote. It comes with the folder,
// which may be somebody else's archive: nothing may ask the remote there before a person
// has asked for it. The user's own configuration is not in it.
func (r *Repo) Programs(ctx context.Context) ([]string, error) {
	dir := r.root
	if !isDir(dir) {
		dir = r.dir
	}
	out, err := r.outward(ctx, patience, maxAnswer, nil, dir, "config", "-z", "--show-scope", "--includes", "--get-regexp", programKeys)
	switch {
	case err != nil:
		return nil, err
	case out.code == 1: // there are none
		return nil, nil
	case out.code != 0:
		return nil, &refusal{out.code, out.said}
	}
	var keys []string
	parts := strings.Split(strings.TrimSuffix(out.text, "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 { // a scope, a key with its value
		key, value, _ := strings.Cut(parts[i+1], "\n")
		if parts[i] != "local" && parts[i] != "worktree" || value == "" || slices.Contains(keys, key) {
			continue
		}
		if base, ok := strings.CutPrefix(key, "url."); ok && reachable(base[:strings.LastIndexByte(base, '.')]) == nil {
			continue // another place, and no program
		}
		keys = append(keys, key)
	}
	return keys, nil
}
