package imports

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/plan"
)

// account names what a source has and a reader neither made a task of nor left out by
// name: no task is dropped without a word.
func (r *Result) account(f *Format, in *Input) {
	if f.Count == nil {
		return
	}
	told := map[Position]bool{}
	tell := func(at Position) {
		told[at], told[Position{File: at.File, Line: at.Line}], told[Position{File: at.File}] = true, true, true
	}
	for i := range r.Tasks {
		tell(r.Tasks[i].At)
	}
	for i := range r.LeftOut {
		tell(r.LeftOut[i].At)
	}
	f.Count(in, func(at Position, what, text string) {
		if !told[at] {
			r.Leave(at, what, clip(text))
		}
	})
	in.text, in.lines = nil, nil
}

// Found takes a place where a source should have a task, what to say if it has none, and
// how its text begins.
type Found func(at Position, what, text string)

// CountBoxes counts the check boxes of a file.
func CountBoxes(in *Input, found Found) {
	for _, b := range plan.Boxes(string(in.text), 0) {
		found(Position{File: in.Path, Line: b.Line}, "boxes that are not tasks", b.Text)
	}
}

// CountLines counts the lines of a file that are not blank, as [Input.Open] reads them.
func CountLines(in *Input, found Found) {
	for _, no := range in.lines {
		found(Position{File: in.Path, Line: no}, "lines that are not tasks", "")
	}
}

// noting notes which lines are not blank, as they pass.
type noting struct {
	io.Reader
	in *Input
	no int // of the line
}

func (n *noting) Read(p []byte) (int, error) {
	size, err := n.Reader.Read(p)
	for i, line := range bytes.Split(p[:size], []byte("\n")) {
		if i > 0 {
			n.no++
		}
		if last := len(n.in.lines) - 1; len(bytes.TrimSpace(line)) > 0 && (last < 0 || n.in.lines[last] != n.no) {
			n.in.lines = append(n.in.lines, n.no)
		}
	}
	return size, err
}

// CountFiles counts the files of a folder whose names end so, but not those of the
// folders beside the tasks. A source that is a file counts itself.
func CountFiles(end string, beside ...string) func(*Input, Found) {
	return func(in *Input, found Found) {
		root, err := in.open()
		if in.In != nil || err != nil {
			return
		}
		_ = fs.WalkDir(root.FS(), path.Clean(in.Path), func(name string, e fs.DirEntry, err error) error {
			below := strings.TrimPrefix(name, path.Clean(in.Path)+"/")
			switch {
			case err != nil: // the reader tells it
			case e.IsDir() && slices.Contains(beside, below):
				return fs.SkipDir
			case !e.IsDir() && strings.HasSuffix(strings.ToLower(name), end):
				found(Position{File: name}, "files that are not tasks", "")
			}
			return nil
		})
	}
}

// CountObjects counts the objects of a JSON text that stand where tasks do: "tasks[" is
// in the list of that name, "[" in one that no name stands before, "tasks" behind the
// name, and "" alone.
func CountObjects(places ...string) func(*Input, Found) {
	return func(in *Input, found Found) {
		type level struct {
			place  string // of what is in it
			object bool
		}
		around := []level{{}}
		var before json.Token
		dec := json.NewDecoder(bytes.NewReader(in.text))
		dec.UseNumber()
		for line, from := 1, 0; ; {
			token, err := dec.Token()
			if err != nil {
				return
			}
			within := around[len(around)-1]
			switch d, is := token.(json.Delim); {
			case !is:
			case d == '}' || d == ']':
				around = around[:len(around)-1]
			default:
				place, at := within.place, int(dec.InputOffset())-1
				if within.object {
					place, _ = before.(string) // its name
				}
				if d == '{' && slices.Contains(places, place) && in.asks(at) {
					line, from = line+bytes.Count(in.text[from:at], []byte("\n")), at
					found(Position{in.Path, line, at + 1}, "entries that are not tasks", string(in.text[at:min(at+100, len(in.text))]))
				} else if d == '[' && !strings.HasSuffix(place, "[") {
					place += "["
				}
				around = append(around, level{place, d == '{'})
			}
			before = token
		}
	}
}

// Only says that of the whole document a value is asked for.
func (in *Input) Only(v Value) { in.from, in.to = v.at, v.at+len(v.raw) }

func (in *Input) asks(at int) bool { return in.to == 0 || in.from <= at && at < in.to }
