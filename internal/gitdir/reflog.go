package gitdir

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Move is a move of HEAD, or of a branch.
type Move struct {
	By       string    // the mover's name, as git knew it there
	From, To string    // commits; From is empty for the first one
	At       time.Time // in whole seconds; zero: not told
	What     string    // git's words: "commit: Fix it", "merge side: Fast-forward", "rebase (start): checkout main"
}

// Step is the action that git names in brackets: start, pick, amend. Brackets in
// the message of a commit do not count.
//
//	rebase (start): checkout main        start
//	commit: Start the engine (start)
func (m Move) Step() string {
	action, _, _ := strings.Cut(m.What, ": ")
	_, step, _ := strings.Cut(action, " (")
	step, ok := strings.CutSuffix(step, ")")
	if !ok {
		return ""
	}
	return step
}

// maxReflog is how much of the end of a reflog is read: some thousand moves.
const maxReflog = 1 << 20

// Moves returns the last moves of HEAD in this work tree, or of a branch by its whole
// name, at most max, the newest last. Git keeps them unless it is told not to; where it
// keeps references in a table, there are none to read.
//
//	.git/logs/HEAD   OLD NEW Ada <ada@example.com> 1795221429 +0100<tab>commit: Fix the parser
func (t Tree) Moves(of string, max int) []Move {
	dir := t.Common
	if of == "HEAD" {
		dir = t.Dir
	}
	var moves []Move
	for line := range strings.SplitSeq(string(end(filepath.Join(dir, "logs", filepath.FromSlash(of)), min(maxReflog, max*1024))), "\n") {
		who, what, _ := strings.Cut(line, "\t")
		fields := strings.SplitN(who, " ", 3)
		if len(fields) < 3 || !IsID(fields[0]) || !IsID(fields[1]) {
			continue
		}
		m := Move{From: fields[0], To: fields[1], What: what}
		m.By, _, _ = strings.Cut(fields[2], " <")
		if f := strings.Fields(fields[2]); len(f) >= 2 {
			if seconds, err := strconv.ParseInt(f[len(f)-2], 10, 64); err == nil {
				m.At = time.Unix(seconds, 0)
			}
		}
		if strings.Trim(m.From, "0") == "" {
			m.From = ""
		}
		moves = append(moves, m)
	}
	return moves[len(moves)-min(len(moves), max):]
}

// end returns the end of a regular file.
func end(path string, limit int) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	from := info.Size() - min(info.Size(), int64(limit))
	text, err := io.ReadAll(io.NewSectionReader(file, from, info.Size()-from))
	if err != nil {
		return nil
	}
	if from > 0 {
		_, text, _ = bytes.Cut(text, []byte("\n")) // the first line is a part of one
	}
	return text
}
