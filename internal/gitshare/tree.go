package gitshare

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// A board as the files of a commit. Folders are hundreds of numbers, because hosts do
// not like thousands of files in one, and because a commit then stores little.
//
//	pawl.json                 {"format": 1}
//	highwatermark             123
//	tasks/0/task_12.json      the file of #12
//	tasks/0/beside.json       what is known of tasks 0 to 99 beside their files, a line each
//	gone/0/task_7.json        the last text of #7, which was deleted
//	gone/0/task_7.1.json      that of another one that was #7
//	gone/0/beside.json        as above; the keys are "7" and "7.1"
const (
	formatFile = "pawl.json"
	markFile   = "highwatermark"
	taskDir    = "tasks"
	goneDir    = "gone"
	besideFile = "beside.json"

	format  = 1
	perDir  = 100
	perGone = 1_000 // deleted tasks that had one number
)

// files are those of a commit, by path.
type files map[string][]byte

// layOut returns the files of a board.
func layOut(b merge.Board) (files, error) {
	out := make(files, len(b.Tasks)+len(b.Tasks)/perDir+4)
	out[formatFile] = fmt.Appendf(nil, "{\"format\": %d}\n", format)
	if b.Mark > 0 {
		out[markFile] = fmt.Appendf(nil, "%d\n", int64(b.Mark))
	}
	var lines []line
	for id, text := range b.Tasks {
		path, err := place(taskDir, id, 0, text)
		if err != nil {
			return nil, err
		}
		out[path] = text
	}
	for id, beside := range b.Beside {
		if _, ok := b.Tasks[id]; ok && beside != (merge.Beside{}) {
			lines = append(lines, line{id, 0, beside})
		}
	}
	if err := out.beside(taskDir, lines); err != nil {
		return nil, err
	}

	gone := slices.Clone(b.Gone)
	slices.SortStableFunc(gone, func(x, y merge.Gone) int { return cmp.Compare(x.ID, y.ID) })
	lines = lines[:0]
	for i, g := range gone {
		n := 0
		if i > 0 && gone[i-1].ID == g.ID {
			n = lines[i-1].n + 1
		}
		path, err := place(goneDir, g.ID, n, g.Text)
		if err != nil {
			return nil, err
		}
		out[path] = g.Text
		lines = append(lines, line{g.ID, n, g.Beside})
	}
	return out, out.beside(goneDir, lines)
}

// place is the path of a task's file.
func place(dir string, id pawl.ID, n int, text []byte) (string, error) {
	switch {
	case id < 1 || id > pawl.MaxID:
		return "", fmt.Errorf("%d is not the number of a task", int64(id))
	case len(text) > maxFile:
		return "", fmt.Errorf("the file of %v has more than %d KiB, and cannot be shared", id, maxFile>>10)
	case n >= perGone:
		return "", fmt.Errorf("more than %d deleted tasks had the number %v", perGone, id)
	}
	return dir + "/" + strconv.FormatInt(int64(id)/perDir, 10) + "/task_" + key(id, n) + ".json", nil
}

// key is what tells a task from others: "12"; "7.1" is the second one that was #7.
func key(id pawl.ID, n int) string {
	if n == 0 {
		return strconv.FormatInt(int64(id), 10)
	}
	return fmt.Sprintf("%d.%d", int64(id), n)
}

// unkey reads a key; false: it is none, or not written as key does.
func unkey(s string) (id pawl.ID, n int, ok bool) {
	first, second, dotted := strings.Cut(s, ".")
	number, err := strconv.ParseInt(first, 10, 64)
	if err == nil && dotted {
		n, err = strconv.Atoi(second)
	}
	id = pawl.ID(number)
	return id, n, err == nil && id > 0 && id <= pawl.MaxID && n >= 0 && n < perGone && key(id, n) == s
}

// A line is what is known of a task beside its file.
type line struct {
	id     pawl.ID
	n      int
	beside merge.Beside
}

// beside adds the files beside.json of a folder.
//
//	{
//	"12": {"turn":3,"held":{"clone":"mini-3f2a9c1d","token":17,"lease":"1h0m0s"}},
//	"15": {"turn":1}
//	}
func (f files) beside(dir string, lines []line) error {
	slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.n, b.n)) })
	for i := 0; i < len(lines); {
		shard := lines[i].id / perDir
		var b bytes.Buffer
		for ; i < len(lines) && lines[i].id/perDir == shard; i++ {
			l := lines[i]
			if l.beside == (merge.Beside{}) {
				continue
			}
			text, err := json.Marshal(l.beside)
			if err != nil {
				return err
			}
			if b.Len() == 0 {
				b.WriteString("{\n")
			} else {
				b.WriteString(",\n")
			}
			fmt.Fprintf(&b, "\"%s\": %s", key(l.id, l.n), text)
		}
		if b.Len() > 0 {
			b.WriteString("\n}\n")
			f[fmt.Sprintf("%s/%d/%s", dir, int64(shard), besideFile)] = b.Bytes()
		}
	}
	return nil
}

// maxTurn bounds counters that come from elsewhere: there is always room to count on.
const maxTurn = 1 << 40

// readBeside reads a file beside.json. It is as strict as a file can be that a newer
// Pawl may have written a field more into.
func readBeside(text []byte, each func(id pawl.ID, n int, b merge.Beside) error) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("is not an object of JSON")
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		name, isText := t.(string)
		if err != nil || !isText {
			return errors.New("is not JSON")
		}
		id, n, ok := unkey(name)
		if !ok || seen[name] {
			return fmt.Errorf("names a task %.40q, or names it twice", name)
		}
		seen[name] = true
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return errors.New("is not JSON")
		}
		var b merge.Beside
		if err := json.Unmarshal(raw, &b); err != nil {
			return fmt.Errorf("says something of the task %s that cannot be read", name)
		}
		if err := sound(b); err != nil {
			return fmt.Errorf("says of the task %s: %w", name, err)
		}
		if err := each(id, n, b); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return errors.New("is not JSON")
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("has something behind its JSON")
	}
	return nil
}

// sound says what no Pawl writes.
func sound(b merge.Beside) error {
	if b.Turn < 0 || b.Turn > maxTurn || b.Expired < 0 || b.Expired > maxTurn {
		return errors.New("turn or expired is out of range")
	}
	clone, token, under := strings.Cut(b.Ended, "/")
	if b.Ended != "" && !isClone(clone) || under && strings.Trim(token, "0123456789") != "" || len(token) > 19 {
		return errors.New("ended is not the name of a clone and a token")
	}
	switch h := b.Held; {
	case h == nil:
	case h.Lease < 0 || time.Duration(h.Lease) > pawl.MaxLease:
		return errors.New("lease is out of range")
	case !isClone(h.Clone):
		return errors.New("clone is not the name of one")
	case h.Token < 0 || h.Renewal < 0 || h.Renewal > maxTurn:
		return errors.New("a number is out of range")
	case !isName(h.Session) || !isName(h.Agent):
		return errors.New("session or agent is not a name")
	}
	return nil
}

// isClone reports whether a text can be what a clone calls itself.
func isClone(s string) bool {
	return s != "" && len(s) <= 100 && !strings.ContainsFunc(s, func(c rune) bool {
		return c != '-' && c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
}

// isName reports whether a text is one line that is not longer than names are.
func isName(s string) bool {
	return len(s) <= 4*pawl.MaxName && !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// board reads files as a board. Files that no board has were left out.
func (f files) board() (merge.Board, error) {
	b := merge.Board{Tasks: make(map[pawl.ID][]byte, len(f)), Beside: map[pawl.ID]merge.Beside{}}
	if err := f.format(); err != nil {
		return b, err
	}
	if text, ok := f[markFile]; ok {
		id, n, fine := unkey(strings.TrimSuffix(string(text), "\n"))
		if !fine || n != 0 {
			return b, &unfit{markFile, "is not a number"}
		}
		b.Mark = id
	}
	type grave struct {
		merge.Gone
		n int
	}
	gone := map[string]*grave{}
	for path, text := range f {
		dir, id, n, ok := taskPath(path)
		switch {
		case !ok:
		case dir == taskDir:
			b.Tasks[id] = text
		default:
			gone[key(id, n)] = &grave{merge.Gone{ID: id, Text: text}, n}
		}
	}
	for path, text := range f {
		dir, rest, _ := strings.Cut(path, "/")
		shard, name, ok := strings.Cut(rest, "/")
		if !ok || name != besideFile {
			continue
		}
		err := readBeside(text, func(id pawl.ID, n int, beside merge.Beside) error {
			if strconv.FormatInt(int64(id/perDir), 10) != shard {
				return fmt.Errorf("names %v, which is in another folder", id)
			}
			if _, ok := b.Tasks[id]; dir == taskDir && n == 0 && ok {
				b.Beside[id] = beside
			} else if g := gone[key(id, n)]; dir == goneDir && g != nil {
				g.Beside = beside
			}
			return nil // of a file that is not there: as good as absent
		})
		if err != nil {
			return b, &unfit{path, err.Error()}
		}
	}
	elder := func(x, y *grave) int { return cmp.Or(cmp.Compare(x.ID, y.ID), cmp.Compare(x.n, y.n)) }
	for _, g := range slices.SortedFunc(maps.Values(gone), elder) {
		b.Gone = append(b.Gone, g.Gone)
	}
	return b, nil
}

// taskPath reads the path of a task's file; false: it is none.
func taskPath(path string) (dir string, id pawl.ID, n int, ok bool) {
	dir, rest, _ := strings.Cut(path, "/")
	shard, name, _ := strings.Cut(rest, "/")
	stem, json := strings.CutSuffix(name, ".json")
	stem, task := strings.CutPrefix(stem, "task_")
	id, n, fine := unkey(stem)
	return dir, id, n, json && task && fine && (dir == goneDir || dir == taskDir && n == 0) && shard == strconv.FormatInt(int64(id/perDir), 10)
}

// format says whether this Pawl can read the files.
func (f files) format() error {
	text, ok := f[formatFile]
	if !ok {
		return &unfit{formatFile, "is missing: it is no board of Pawl's"}
	}
	var has struct {
		Format *int64 `json:"format"`
	}
	switch err := json.Unmarshal(text, &has); {
	case err != nil || has.Format == nil || *has.Format < 1:
		return &unfit{formatFile, "does not say what format the board has"}
	case *has.Format > format:
		return fmt.Errorf("%w: the shared board has format %d, and this Pawl reads up to %d. Update Pawl, then sync again", ErrNewer, *has.Format, format)
	}
	return nil
}

// ErrNewer says that a newer Pawl keeps the shared board in a way that this one does
// not know.
var ErrNewer = errors.New("a newer Pawl is needed")

// ErrUnfit says that a commit has no valid board.
var ErrUnfit = errors.New("what the remote has is no board that Pawl can read")

// unfit is what is wrong with a file.
type unfit struct{ path, problem string }

func (u *unfit) Error() string        { return fmt.Sprintf("%v: %.100s %s", ErrUnfit, u.path, u.problem) }
func (u *unfit) Is(target error) bool { return target == ErrUnfit }
