package imports

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// Everything that is read has a limit: a source may come from anybody.
const (
	MaxFile  = 32 << 20  // bytes of one document that is held whole; the largest seen has 1.5 MB
	MaxLines = 1 << 30   // bytes of a file that is read line by line
	MaxText  = 2 << 20   // bytes of one task's own file, and of one Markdown file of check boxes
	MaxTotal = 100 << 20 // bytes of all files of a folder
	MaxFiles = 20_000    // files of a folder: what one [pawl.Import] takes
	MaxTasks = 1_000_000 // tasks of one source
)

// An Input is the source of one import.
type Input struct {
	Root string // the folder that Path is in, as the system names it
	Path string // of the file or folder, with slashes, below Root; "" with Stdin
	Lead string // what comes before Path where a person reads it: "../shop/"
	// Place is the source's own path below the project, with slashes; empty where
	// it is outside of that, or not known.
	Place    string
	Chain    bool      // everything is to be in a row
	Parallel bool      // nothing is to have an order that it does not name
	Tag      string    // which of several lists in one source; "": the format decides
	In       io.Reader // not nil: the source itself, and no file is read
	Was      []byte    // not nil: what the file said before, which is read in its place

	Now   time.Time        // by which a source's own times are past
	Under pawl.ID          // of a plan: the task that it splits
	After []pawl.ID        // and what that waits for
	Known map[pawl.ID]bool // and the tasks of the board that came from it

	format *Format
	root   *os.Root
	at     Position // what is read now
	text   []byte   // the whole, where the source is one
	lines  []int    // those that are not blank, where it is read line by line
	from   int      // what is asked for of the text; up to zero: the whole
	to     int
	read   int64
}

// Close ends the use of an input.
func (in *Input) Close() {
	if in.root != nil {
		in.root.Close()
	}
}

// open opens the root once; no link leads out of it.
func (in *Input) open() (*os.Root, error) {
	if in.root == nil {
		root, err := os.OpenRoot(in.Root)
		if err != nil {
			return nil, err
		}
		in.root = root
	}
	return in.root, nil
}

// IsDir reports whether the source is a folder.
func (in *Input) IsDir() bool { return in.In == nil && in.HasFolder(in.Path) }

func (in *Input) stat(name string) (fs.FileInfo, error) {
	root, err := in.open()
	if err != nil {
		return nil, err
	}
	return root.Stat(filepath.FromSlash(name))
}

// Open opens the source to be read line by line. UTF-16 has to be held whole.
func (in *Input) Open() (io.ReadCloser, error) {
	var err error
	f := io.NopCloser(in.In)
	if in.In == nil {
		if f, err = in.openFile(in.Path); err != nil {
			return nil, err
		}
	}
	type closing struct {
		io.Reader
		io.Closer
	}
	buffered := bufio.NewReader(f)
	if mark, _ := buffered.Peek(3); string(mark) == "\uFEFF" {
		_, _ = buffered.Discard(len(mark)) // they are buffered
	}
	if mark, _ := buffered.Peek(2); string(mark) != "\xFF\xFE" && string(mark) != "\xFE\xFF" {
		return closing{&noting{buffered, in, 1}, f}, nil
	}
	utf, err := in.bounded(buffered, in.Name(), MaxFile)
	if err != nil {
		f.Close()
		return nil, err
	}
	return closing{&noting{bytes.NewReader(utf), in, 1}, f}, nil
}

// openFile opens a regular file. A pipe would wait for its writer for ever, and a
// device never ends.
func (in *Input) openFile(name string) (io.ReadCloser, error) {
	info, err := in.stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, pawl.Errorf(pawl.NotFound, "file %s does not exist", text.Line(name))
	case err != nil:
		return nil, unreadable(name, err)
	case info.IsDir():
		return nil, pawl.Errorf(pawl.Invalid, "%s is a folder, not a file", text.Line(name))
	case !info.Mode().IsRegular():
		return nil, pawl.Errorf(pawl.Invalid, "%s is not a regular file", text.Line(name))
	}
	root, err := in.open()
	if err != nil {
		return nil, unreadable(name, err)
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, unreadable(name, err)
	}
	return f, nil
}

func unreadable(name string, err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = of.Err // its name is that of a step on the way
	}
	return pawl.Errorf(pawl.Invalid, "%s cannot be read: %w", text.Line(name), err)
}

// Text reads the source whole, as UTF-8.
func (in *Input) Text() (text []byte, err error) {
	most := int64(MaxFile)
	if in.format != nil && in.format.Boxes {
		most = MaxText // its lines are held each by itself, and may be one byte long
	}
	defer func() { in.text = text }()
	if in.In != nil {
		return in.bounded(in.In, "the input", most)
	}
	if in.Was != nil {
		return in.bounded(bytes.NewReader(in.Was), in.Name(), most)
	}
	return in.File(in.Path, most)
}

// File reads a file below the root whole, as UTF-8. UTF-16 with its mark is
// converted: the redirections of some shells write it.
func (in *Input) File(name string, most int64) ([]byte, error) {
	f, err := in.openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return in.bounded(f, text.Line(name), most)
}

func (in *Input) bounded(r io.Reader, name string, most int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, most+1))
	if told, ok := errors.AsType[*pawl.Error](err); ok {
		return nil, told
	}
	if err != nil {
		return nil, unreadable(name, err)
	}
	if int64(len(raw)) > most {
		return nil, pawl.Errorf(pawl.Invalid, "%s is longer than %d MiB", name, most>>20)
	}
	if in.read += int64(len(raw)); in.read > MaxTotal {
		return nil, pawl.Errorf(pawl.Invalid, "%s: the files together are longer than %d MiB", name, MaxTotal>>20)
	}
	utf, err := UTF8(raw)
	if err != nil {
		return nil, pawl.Errorf(pawl.Invalid, "%s %w", name, err)
	}
	return utf, nil
}

// UTF8 returns a text as UTF-8 without a byte order mark.
func UTF8(raw []byte) ([]byte, error) {
	if wide := bytes.HasPrefix(raw, []byte{0xFF, 0xFE}); wide || bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) {
		units := make([]uint16, 0, len(raw)/2)
		for pair := range slices.Chunk(raw[2:], 2) {
			switch {
			case len(pair) == 1:
				return nil, errors.New("is UTF-16 and ends within a character")
			case wide:
				units = append(units, uint16(pair[0])|uint16(pair[1])<<8)
			default:
				units = append(units, uint16(pair[1])|uint16(pair[0])<<8)
			}
		}
		return []byte(string(utf16.Decode(units))), nil
	}
	raw = bytes.TrimPrefix(raw, []byte("\uFEFF"))
	if !utf8.Valid(raw) {
		at := 0
		for at < len(raw) {
			r, size := utf8.DecodeRune(raw[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return nil, fmt.Errorf("is not valid UTF-8: line %d", 1+bytes.Count(raw[:at], []byte("\n")))
	}
	return raw, nil
}

// Files returns the regular files below a folder whose names end so, as paths
// below the root, in the order of their names. Folders that begin with a dot
// are passed over, and links are not followed: each of those is told in r.
func (in *Input) Files(dir, end string, r *Result) ([]string, error) {
	root, err := in.open()
	if err != nil {
		return nil, unreadable(dir, err)
	}
	var files []string
	err = fs.WalkDir(root.FS(), path.Clean(dir), func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == path.Clean(dir):
			return err
		case err != nil:
			r.Leave(Position{File: name}, "not readable", "")
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
		case e.IsDir():
			if base := e.Name(); base != "." && strings.HasPrefix(base, ".") && name != path.Clean(dir) {
				return fs.SkipDir
			}
			if strings.Count(name, "/") > maxDepth {
				r.Leave(Position{File: name}, fmt.Sprintf("folders nested more than %d deep", maxDepth), "")
				return fs.SkipDir
			}
		case !strings.HasSuffix(strings.ToLower(name), end):
		case !e.Type().IsRegular():
			r.Leave(Position{File: name}, "a link or no regular file", "")
		case len(files) == MaxFiles:
			return pawl.Errorf(pawl.Invalid, "%s has more than %d files", text.Line(dir), MaxFiles)
		default:
			files = append(files, name)
		}
		return nil
	})
	if told, ok := errors.AsType[*pawl.Error](err); ok {
		return nil, told
	}
	if err != nil {
		return nil, unreadable(dir, err)
	}
	return files, nil
}

// maxDepth is how deep folders of a source may be nested.
const maxDepth = 32

// Each reads the files of a folder whose names end so, in an order of less; nil: of their
// names. One that cannot be read is told in r, also where the fault is one of Pawl, and
// the others go on. A source that is a file is read alone.
func (in *Input) Each(dir, end string, r *Result, less func(a, b string) int, read func(name string, raw []byte) error) error {
	if dir == in.Path && !in.IsDir() {
		raw, err := in.Text()
		if err == nil {
			err = read(in.Path, raw)
		}
		return err
	}
	files, err := in.Files(dir, end, r)
	if less != nil {
		slices.SortStableFunc(files, less)
	}
	for _, name := range files {
		err := in.Guard(func() error {
			in.Reading(Position{File: name})
			raw, err := in.File(name, MaxText)
			if err == nil {
				err = read(name, raw)
			}
			return err
		})
		if err != nil {
			r.Unreadable(name, err)
		}
	}
	return err
}

// Exists returns those of some paths below a root that exist: what
// [Format.Find] is made of.
func Exists(root string, dir bool, paths ...string) []string {
	var found []string
	for _, p := range paths {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(p)))
		if err == nil && info.IsDir() == dir && (dir || info.Mode().IsRegular()) {
			found = append(found, p)
		}
	}
	return found
}

// Within returns the files of one name that are in the folders of a folder, as far as
// wanted says.
func Within(root, folder, file string, wanted func(name string) bool) []string {
	entries, _ := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder))) // none of what cannot be read
	var places []string
	for _, e := range entries {
		if e.IsDir() && len(places) < maxWithin && wanted(e.Name()) {
			places = append(places, folder+"/"+e.Name()+"/"+file)
		}
	}
	return Exists(root, false, places...)
}

// maxWithin is how many of them cost a start of pawl no time that anybody notices.
const maxWithin = 1_000

// Name is what a message calls the source.
func (in *Input) Name() string { return Position{File: in.Lead + in.Path}.named() }

// HasFolder reports whether there is a folder at a path below the root.
func (in *Input) HasFolder(name string) bool {
	info, err := in.stat(name)
	return err == nil && info.IsDir()
}
