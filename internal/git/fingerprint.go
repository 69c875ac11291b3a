package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxShared is how many hooks are looked at.
const maxShared = 1000

// Shared returns what all work trees of the repository share and can make git run
// programs or read other files: settings by their key, hooks, rules and lists of files,
// each with its hash. Comparing two shows what an agent has changed. The upstream of a
// branch is left out: it runs nothing, and changes often.
//
//	config core.hooksPath   hooks/pre-commit   info/attributes
func (t *Tree) Shared(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	out, err := t.list(ctx, "config", "--list", "--includes", "--show-scope", "--show-origin", "-z")
	if err != nil {
		return nil, err
	}
	values := map[string][]string{}
	for fields := zeroEnded(out); len(fields) >= 3; fields = fields[3:] { // local, file:.git/config, key<newline>value
		key, _, _ := strings.Cut(fields[2], "\n")
		if fields[0] != "local" && fields[0] != "worktree" || ofBranch(key) {
			continue
		}
		values[key] = append(values[key], fields[0]+"\x00"+fields[2])
	}
	for key, list := range values {
		all["config "+key] = hashOf(list...)
	}
	common, left := t.Dir().Common, int64(maxRead)
	entries, _ := os.ReadDir(filepath.Join(common, "hooks")) // a repository may have none
	for i, e := range entries {
		if i == maxShared {
			return nil, fmt.Errorf("%s has more than %d files", filepath.Join(common, "hooks"), maxShared)
		}
		if strings.HasSuffix(e.Name(), ".sample") {
			continue
		}
		all["hooks/"+e.Name()] = sumBehind(filepath.Join(common, "hooks", e.Name()), &left)
	}
	for _, name := range []string{"info/attributes", "info/sparse-checkout", "info/grafts", "objects/info/alternates"} {
		if path := filepath.Join(common, filepath.FromSlash(name)); isThere(path) {
			all[name] = sumBehind(path, &left)
		}
	}
	return all, nil
}

// ofBranch reports whether a setting only says what a branch follows, or describes it.
func ofBranch(key string) bool {
	return strings.HasPrefix(key, "branch.") && !strings.HasSuffix(key, ".mergeoptions")
}

// sumBehind is the sum of a file, and of what it leads to if it is a link.
func sumBehind(path string, left *int64) string {
	sum := fileSum(path, left)
	if to, err := filepath.EvalSymlinks(path); err == nil && to != path {
		sum += "\x00" + fileSum(to, left)
	}
	return hashOf(sum)
}

func hashOf(texts ...string) string {
	sum := sha256.New()
	for _, s := range texts {
		fmt.Fprintf(sum, "%d %s", len(s), s)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
