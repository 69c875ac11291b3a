package file

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/pawl-dev/pawl"
)

// ignoreName is the file that tells git what of the board is none of its
// business. It belongs to the person, like every file outside of stateDir: as
// long as it is what Pawl wrote, Pawl may change it.
const ignoreName = ".gitignore"

const (
	sharedIgnore  = stateDir + "/\n" + lockName + "\n" // what belongs to one clone
	privateIgnore = "*\n"                              // all of it
)

// Init makes a board's folder, and in it a .gitignore that keeps what belongs
// to one clone out of git: with private, all of it. Where there is one it stays
// as it is when private is nil, is changed when Pawl wrote it, and is refused
// when somebody else did and it says otherwise. Init returns whether all of the
// board is kept out of git afterwards, by this file.
func Init(dir string, private *bool) (bool, error) {
	dir, err := locate(dir)
	if err != nil {
		return false, err
	}
	f := newFS(dir)
	if err := f.Mkdir("."); err != nil {
		return false, unmade(err)
	}
	want := sharedIgnore
	if private != nil && *private {
		want = privateIgnore
	}
	_, err = f.Create(ignoreName, []byte(want))
	if err == nil {
		return want == privateIgnore, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return false, unwritable(err)
	}
	text, _, err := f.Read(ignoreName, pawl.MaxTask)
	if err != nil && private != nil {
		return false, foreignIgnore(*private)
	}
	is := hidesAll(text)
	if private == nil || *private == is {
		return is, nil
	}
	switch string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))) { // git may have checked it out so
	case sharedIgnore, privateIgnore:
	default:
		return is, foreignIgnore(*private)
	}
	if err := replaceIgnore(f, want); err != nil {
		return is, unwritable(err)
	}
	return *private, nil
}

// replaceIgnore puts a new text in place whole.
func replaceIgnore(f FS, text string) error {
	for _, dir := range []string{stateDir, tmpDir} {
		if err := f.Mkdir(dir); err != nil {
			return err
		}
	}
	tmp := tmpDir + "/gitignore"
	if err := f.Remove(tmp); err != nil && !absent(err) { // of one who crashed
		return err
	}
	if _, err := f.Create(tmp, []byte(text)); err != nil {
		return err
	}
	if err := f.Sync(tmp); err != nil {
		return err
	}
	return f.Rename(tmp, ignoreName)
}

// hidesAll reports whether a .gitignore keeps the whole folder out of git.
func hidesAll(text []byte) bool {
	all := false
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimRight(line, " \t\r\n"); {
		case line == "*" || line == "/*" || line == "**":
			all = true
		case strings.HasPrefix(line, "!"):
			all = false
		}
	}
	return all
}

// foreignIgnore refuses to change what a person wrote.
func foreignIgnore(private bool) error {
	e := pawl.Errorf(pawl.Conflict, "the board's %s is not as Pawl wrote it, so it was left alone", ignoreName)
	e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "write a line with nothing but * at its end, which keeps all of the board out of git"}
	if !private {
		e.Hint.Text = "leave out of it what keeps the tasks out of git; what should stay is " + stateDir + "/ and " + lockName
	}
	return e
}
