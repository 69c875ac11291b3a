package discover

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Commit is one that was made in a work tree.
type Commit struct {
	Hash    string
	Subject string
	At      time.Time // in whole seconds
}

// maxReflog is how much of the end of a reflog is read.
const maxReflog = 8 << 10

// LastCommit returns the newest commit that was made in the work tree that dir is
// in, after a time. It reads git's own record of what HEAD was, and runs nothing:
//
//	.git/logs/HEAD   OLD NEW Ada <ada@example.com> 1795221429 +0100<tab>commit: Fix the parser
//
// Where git keeps no such record, as in a bare clone, there is none.
func LastCommit(dir string, after time.Time) (Commit, bool) {
	root := workTree(dir).root
	if root == "" {
		return Commit{}, false
	}
	gitDir := filepath.Join(root, ".git")
	if linked, ok := strings.CutPrefix(firstLine(gitDir), "gitdir: "); ok {
		gitDir = from(root, linked)
	}
	lines := strings.Split(string(end(filepath.Join(gitDir, "logs", "HEAD"), after)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if c, ok := committed(lines[i]); ok {
			return c, c.At.After(after)
		}
	}
	return Commit{}, false
}

// end returns the end of a regular file that was written after a time.
func end(path string, after time.Time) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.ModTime().Before(after.Truncate(time.Second)) {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-maxReflog), maxReflog))
	if err != nil {
		return nil
	}
	return text
}

// committed reads a line of a reflog that tells of a commit made here, and not of
// one that came by a pull, a checkout or a rebase.
func committed(line string) (Commit, bool) {
	who, what, ok := strings.Cut(line, "\t")
	fields := strings.Fields(who)
	if !ok || len(fields) < 4 {
		return Commit{}, false
	}
	how, subject, _ := strings.Cut(what, ": ")
	verb, _, _ := strings.Cut(how, " ")
	seconds, err := strconv.ParseInt(fields[len(fields)-2], 10, 64)
	hash := fields[1]
	if err != nil || verb != "commit" && verb != "cherry-pick" && verb != "revert" || len(hash) < 40 || strings.Trim(hash, "0123456789abcdef") != "" {
		return Commit{}, false
	}
	return Commit{Hash: hash, Subject: subject, At: time.Unix(seconds, 0)}, true
}
