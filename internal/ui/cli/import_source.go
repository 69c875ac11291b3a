package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/clone"
	"github.com/pawl-dev/pawl/internal/imports"
	formats "github.com/pawl-dev/pawl/internal/imports/known"
	"github.com/pawl-dev/pawl/internal/text"
)

// own is the name of Pawl's own export among the formats.
const own = "pawl"

// A source is what an import reads. Without a format it is Pawl's own export.
type source struct {
	format *imports.Format
	input  imports.Input
	more   []imports.Input // other files of the format, imported by the same change
	file   string          // of Pawl's own export
}

// inputs are all that is read.
func (s *source) inputs() []*imports.Input {
	all := []*imports.Input{&s.input}
	for i := range s.more {
		all = append(all, &s.more[i])
	}
	return all
}

// paths are the files, if there are several.
func (s *source) paths() []string {
	if len(s.more) == 0 {
		return nil
	}
	var paths []string
	for _, in := range s.inputs() {
		paths = append(paths, in.Lead+in.Path)
	}
	return paths
}

// at is where the source is, as a message names it.
func (s *source) at() string {
	if len(s.more) > 0 {
		return some(s.paths(), ", ")
	}
	return cmp.Or(s.input.Lead+s.input.Path, "stdin")
}

// headSize is how much of a file tells of which format it is.
const headSize = 16 << 10

// source finds out what somebody means who named it so: a format, a file, a
// folder, or nothing at all.
func (a *app) source(what []string, from string) (source, error) {
	if len(what) == 0 {
		return a.detect(from)
	}
	name := what[0]
	format := formats.Named(from)
	if name == "-" {
		return a.stdinSource(format, from)
	}
	if named := formats.Named(name); named != nil && from == "" {
		s, err := a.detect(named.Name)
		if err == nil || pawl.KindOf(err) != pawl.NotFound || !pathExists(a.absolute(name)) {
			return s, err
		}
	}
	path := a.absolute(name)
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return source{}, pawl.Errorf(pawl.NotFound, "file %s does not exist", text.Line(name))
	case err != nil:
		return source{}, pawl.Errorf(pawl.Invalid, "the input cannot be read: %w", err)
	case from == own:
		return source{file: name}, nil
	case format == nil || info.IsDir():
		return a.recognise(name, path, info, format)
	case info.Mode().IsRegular():
		return a.sourceAt(format, name, path), nil
	}
	in, err := a.openInput(name, imports.MaxLines)
	return source{format: format, input: imports.Input{In: in, Now: time.Now()}}, err
}

func pathExists(path string) bool { _, err := os.Lstat(path); return err == nil }

func (a *app) absolute(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.env.Dir, name)
}

// sourceAt is a file or folder that a person named. Where that is a link it is
// what the link leads to; no link below it leads out of it.
func (a *app) sourceAt(format *imports.Format, name, path string) source {
	path = clone.Real(path)
	lead := filepath.ToSlash(filepath.Dir(filepath.Clean(name))) + "/"
	if lead == "./" {
		lead = ""
	}
	in := imports.Input{Root: filepath.Dir(path), Path: filepath.Base(path), Lead: lead, Now: time.Now()}
	if root, err := a.project().Work(); err == nil {
		if place, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(place) {
			in.Place = filepath.ToSlash(place)
		}
	}
	return source{format: format, input: in}
}

// foundAt is a place that nobody named. A project may come from anybody, so a
// link there leads nowhere outside of it.
func (a *app) foundAt(p formats.Place, root, name string) (source, error) {
	path := filepath.Join(root, filepath.FromSlash(p.Path))
	to, err := filepath.EvalSymlinks(path)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return source{}, pawl.Errorf(pawl.Invalid, "%s cannot be read: %w", text.Line(name), err)
	}
	if below, err := filepath.Rel(root, to); err != nil || !filepath.IsLocal(below) {
		return source{}, pawl.Errorf(pawl.Invalid, "%s is a link that leads out of the project", text.Line(name)).
			Say("if you trust it, name it: " + commandLine("pawl import --from "+p.Format.Name, name))
	}
	return a.sourceAt(p.Format, name, path), nil
}

// stdinSource is what comes on stdin.
func (a *app) stdinSource(format *imports.Format, from string) (source, error) {
	if from == own {
		return source{file: "-"}, nil
	}
	in, err := a.openInput("-", imports.MaxLines)
	if err != nil {
		return source{}, err
	}
	buffered := bufio.NewReaderSize(in, headSize)
	if format == nil {
		head, _ := buffered.Peek(headSize)
		if format = formats.Recognise("", head); format == nil {
			a.piped = buffered
			return source{file: "-"}, nil
		}
	}
	return source{format: format, input: imports.Input{In: buffered, Now: time.Now()}}, nil
}

// recognise finds the format of a file or a folder, or with only whether it has that one.
func (a *app) recognise(name, path string, info os.FileInfo, only *imports.Format) (source, error) {
	if format := a.placed(path); format != nil && (only == nil || format == only) {
		return a.sourceAt(format, name, path), nil
	}
	if info.IsDir() {
		return a.inFolder(name, path, only)
	}
	if !info.Mode().IsRegular() {
		return source{file: name}, nil
	}
	head, err := headOf(path)
	if err != nil {
		return source{}, pawl.Errorf(pawl.Invalid, "the input cannot be read: %w", err)
	}
	if format := formats.Recognise(filepath.ToSlash(name), head); format != nil {
		return a.sourceAt(format, name, path), nil
	}
	if first := bytes.TrimSpace(head); len(first) > 0 && first[0] != '{' || filepath.Ext(name) == ".md" {
		return source{}, pawl.Errorf(pawl.Invalid, "%s is of no format that import knows", text.Line(name)).
			Say("if it is a checklist: " + commandLine("pawl plan", name))
	}
	return source{file: name}, nil
}

// placed returns the format that keeps its tasks at a path, or in the folder.
func (a *app) placed(path string) *imports.Format {
	root := path
	for range 4 { // .taskmaster/tasks/tasks.json
		if root = filepath.Dir(root); root == filepath.Dir(root) {
			return nil
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return nil
		}
		below = filepath.ToSlash(below)
		for _, p := range formats.Find(root) {
			if p.Path == below {
				return p.Format
			}
		}
	}
	return nil
}

// inFolder is what a folder has that a person named: it may be a project, or a
// part of the way to its tasks. With only, what it has of other formats does not count.
func (a *app) inFolder(name, path string, only *imports.Format) (source, error) {
	root := path
	for range 3 {
		found := slices.DeleteFunc(formats.Find(root), func(p formats.Place) bool { return only != nil && p.Format != only })
		below, err := filepath.Rel(root, path)
		if err != nil {
			break
		}
		if below = filepath.ToSlash(below); below != "." {
			found = slices.DeleteFunc(found, func(p formats.Place) bool {
				return !strings.HasPrefix(p.Path, below+"/") && !strings.HasPrefix(below, p.Path+"/")
			})
		}
		if oneFormat(found) {
			return a.together(found, root)
		}
		if len(found) > 1 {
			return source{}, a.several(found, root)
		}
		if len(found) == 1 {
			return a.foundAt(found[0], root, filepath.Join(name, relative(below, found[0].Path)))
		}
		root = filepath.Dir(root)
	}
	if only != nil {
		return a.sourceAt(only, name, path), nil
	}
	if format := sampled(path); format != nil {
		return a.sourceAt(format, name, path), nil
	}
	return source{}, pawl.Errorf(pawl.Invalid, "%s is a folder, and import finds no tasks in it", text.Line(name)).
		Say("pawl help import")
}

// sampled returns the format of the first file of a folder that some format
// recognises whose sources may be anywhere.
func sampled(dir string) *imports.Format {
	var found *imports.Format
	looked := 0
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if looked++; err != nil || looked > mostSampled {
			return fs.SkipAll
		}
		if !e.Type().IsRegular() {
			return nil
		}
		head, err := headOf(name)
		if format := formats.Recognise(filepath.ToSlash(name), head); err == nil && format != nil && format.Folder {
			found = format
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// mostSampled is at how many files of a folder sampled looks.
const mostSampled = 100

// headOf reads the beginning of a file, as UTF-8.
func headOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, headSize))
	if wide := head[:len(head)&^1]; bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF}) {
		if utf, err := imports.UTF8(wide); err == nil {
			head = utf
		}
	}
	return bytes.TrimPrefix(head, []byte("\uFEFF")), err
}

// relative is a place, seen from a folder below the same root.
func relative(folder, place string) string {
	rel, err := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(place))
	if err != nil {
		return place
	}
	return rel
}

// detect finds what the project has, of one format or of all.
func (a *app) detect(only string) (source, error) {
	var found []formats.Place
	root := ""
	for _, root = range a.roots() {
		found = slices.DeleteFunc(formats.Find(root), func(p formats.Place) bool { return only != "" && p.Format.Name != only })
		if len(found) > 0 {
			break
		}
	}
	switch {
	case len(found) == 1:
		return a.foundAt(found[0], root, a.typedPath(root, found[0].Path))
	case oneFormat(found):
		return a.together(found, root)
	case len(found) > 1:
		return source{}, a.several(found, root)
	}
	if format := formats.Named(only); format != nil {
		if format.Lists != nil {
			return a.listOf(format)
		}
		return source{}, pawl.Errorf(pawl.NotFound, "no tasks of %s found in this project; import looks for %s", format.Title, format.Shape).
			Say("pawl import --from " + format.Name + " PATH")
	}
	if only == own {
		return source{}, usage("import", "import needs 1 argument with --from pawl: a file")
	}
	return source{}, pawl.Errorf(pawl.NotFound, "no tasks of another program found in this project").
		Say("pawl help import")
}

// oneFormat reports whether these are several files of one format, such as the
// plans of several features. A user who imports wants all of them.
func oneFormat(found []formats.Place) bool {
	return len(found) > 1 && found[0].Format.Boxes &&
		!slices.ContainsFunc(found, func(p formats.Place) bool { return p.Format != found[0].Format })
}

// together is a source of several files of one format.
func (a *app) together(found []formats.Place, root string) (source, error) {
	var all source
	for i, p := range found {
		s, err := a.foundAt(p, root, a.typedPath(root, p.Path))
		switch {
		case err != nil:
			return source{}, err
		case i == 0:
			all = s
		default:
			all.more = append(all.more, s.input)
		}
	}
	return all, nil
}

// listOf finds the list of a program that keeps those of all projects together.
// Which one belongs to this project nobody can tell.
func (a *app) listOf(format *imports.Format) (source, error) {
	home := a.env.Getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir() // without one the folder is not there
	}
	dir := format.Lists(a.env.Getenv, home)
	entries, err := os.ReadDir(dir)
	var lists []string
	for _, e := range entries {
		if e.IsDir() {
			lists = append(lists, filepath.Join(dir, e.Name()))
		}
	}
	switch {
	case err != nil || len(lists) == 0:
		return source{}, pawl.Errorf(pawl.NotFound, "%s has no list of tasks in %s", format.Title, text.Line(dir))
	case len(lists) == 1:
		return a.sourceAt(format, lists[0], lists[0]), nil
	}
	e := pawl.Errorf(pawl.Invalid, "%s has %d lists of tasks; import which?", format.Title, len(lists))
	for _, list := range lists[:min(len(lists), mostPlaces)] {
		e.Faults = append(e.Faults, pawl.Fault{Problem: a.keep(commandLine("pawl import --from "+format.Name, list))})
	}
	return source{}, e
}

// roots are the folders in which a project may keep tasks: where the caller is
// first, then the project's own.
func (a *app) roots() []string {
	roots := []string{a.env.Dir}
	if root, err := a.project().Work(); err == nil && root != a.env.Dir {
		roots = append(roots, root)
	}
	return roots
}

// typedPath is a place as the caller would type it.
func (a *app) typedPath(root, place string) string {
	if rel, err := filepath.Rel(a.env.Dir, filepath.Join(root, filepath.FromSlash(place))); err == nil {
		return filepath.ToSlash(rel)
	}
	return place
}

// several is the error that asks which one of several places is meant.
func (a *app) several(found []formats.Place, root string) error {
	e := pawl.Errorf(pawl.Invalid, "tasks in %s; import which?", text.Count(len(found), "place", "places"))
	named := map[string]int{}
	for _, p := range found {
		named[p.Format.Name]++
	}
	for i, p := range found {
		if i == mostPlaces {
			break
		}
		line := "pawl import " + p.Format.Name
		if n := named[p.Format.Name]; n > 1 && p.Format.Boxes && (i == 0 || found[i-1].Format != p.Format) {
			e.Faults = append(e.Faults, pawl.Fault{Problem: a.keep(line) + fmt.Sprintf("  # all %d of %s", n, p.Format.Title)})
		}
		if named[p.Format.Name] > 1 {
			line = commandLine("pawl import", a.typedPath(root, p.Path))
		}
		e.Faults = append(e.Faults, pawl.Fault{Problem: a.keep(line) + "  # " + p.Format.Title + " in " + text.Line(p.Path)})
	}
	return e
}

// mostPlaces is how many places are listed.
const mostPlaces = 20
