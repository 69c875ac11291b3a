package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/view"
)

// maxInput bounds what is read whole from a file or stdin: a plan of
// [pawl.MaxBatch] tasks with long descriptions.
const maxInput = 16 << 20

// open opens a file for reading; "-" is stdin.
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		if terminal.Is(a.env.Stdin) {
			a.say("reading from the terminal: end with Ctrl-D on a line of its own")
		}
		return io.NopCloser(a.env.Stdin), nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(a.env.Dir, name)
	}
	f, err := os.Open(name)
	if err == nil {
		if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
			f.Close()
			return nil, pawl.Errorf(pawl.Invalid, "%s is a folder, not a file", view.Line(name))
		}
		return f, nil
	}
	if os.IsNotExist(err) {
		return nil, pawl.Errorf(pawl.NotFound, "there is no file %s", view.Line(name))
	}
	return nil, pawl.Errorf(pawl.Invalid, "the input cannot be read: %w", err)
}

// slurp reads a file whole; "-" is stdin.
func (a *app) slurp(name string) ([]byte, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err != nil {
		return nil, pawl.Errorf(pawl.Invalid, "the input cannot be read: %w", err)
	}
	if len(text) > maxInput {
		return nil, pawl.Errorf(pawl.Invalid, "the input is longer than %d MiB", maxInput>>20)
	}
	return text, nil
}

// text is a flag whose value may be long: --desc TEXT, --desc - for stdin, or
// --desc-file FILE.
type text struct {
	cmd         *cobra.Command
	name        string
	value, file string
}

func textFlag(cmd *cobra.Command, name, what string) *text {
	t := &text{cmd: cmd, name: name}
	cmd.Flags().StringVar(&t.value, name, "", "`TEXT` its "+what+"; - reads it from stdin")
	cmd.Flags().StringVar(&t.file, name+"-file", "", "`FILE` its "+what+" from a file")
	return t
}

// given reports whether the flag was there.
func (t *text) given() bool {
	return t.cmd.Flags().Changed(t.name) || t.cmd.Flags().Changed(t.name+"-file")
}

func (t *text) read(a *app) (string, error) {
	file := t.file
	switch {
	case t.cmd.Flags().Changed(t.name) && t.cmd.Flags().Changed(t.name+"-file"):
		return "", usage(t.cmd.Name(), "give --%s or --%s-file, not both", t.name, t.name)
	case t.value == "-":
		file = "-"
	case file == "":
		return t.value, nil
	}
	raw, err := a.slurp(file)
	return strings.TrimSuffix(string(raw), "\n"), err // the end of the last line is no part of the text
}
