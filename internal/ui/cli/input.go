package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/terminal"
	"github.com/pawl-dev/pawl/internal/text"
)

const (
	// maxInput bounds what is read whole from a file or stdin: a plan of
	// [pawl.MaxBatch] tasks with long descriptions.
	maxInput = 16 << 20
	// maxStream bounds what is read line by line: more than any board or
	// conversation has. A device never ends.
	maxStream = 1 << 30
)

// bounded is an input with a limit of bytes. A longer one is an error and not an end:
// the missing part may matter most.
type bounded struct {
	io.ReadCloser
	left, limit int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, pawl.Errorf(pawl.Invalid, "the input is longer than %d MiB", b.limit>>20)
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)]) // the one more tells that it is longer
	b.left -= int64(n)
	return n, err
}

// openInput opens a file for reading, or at most so many bytes of it; "-" is stdin,
// which can be read only once.
func (a *app) openInput(name string, limit int64) (io.ReadCloser, error) {
	r, err := a.openAll(name)
	if err != nil {
		return nil, err
	}
	return &bounded{r, limit, limit}, nil
}

func (a *app) openAll(name string) (io.ReadCloser, error) {
	if name == "-" {
		if a.stdin {
			return nil, pawl.Errorf(pawl.Invalid, "stdin can be read only once: take the other texts from files")
		}
		a.stdin = true
		if terminal.Is(a.env.Stdin) {
			a.say("reading from the terminal: end with Ctrl-D on a line of its own")
		}
		return io.NopCloser(a.env.Stdin), nil
	}
	name = a.absolute(name)
	f, err := os.Open(name)
	if err == nil {
		if info, statErr := f.Stat(); statErr == nil && info.IsDir() {
			f.Close()
			return nil, pawl.Errorf(pawl.Invalid, "%s is a folder, not a file", text.Line(name))
		}
		return f, nil
	}
	if os.IsNotExist(err) {
		return nil, pawl.Errorf(pawl.NotFound, "file %s does not exist", text.Line(name))
	}
	return nil, pawl.Errorf(pawl.Invalid, "the input cannot be read: %w", err)
}

// slurp reads a file whole; "-" is stdin.
func (a *app) slurp(name string) ([]byte, error) {
	r, err := a.openInput(name, maxInput)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if _, told := errors.AsType[*pawl.Error](err); err != nil && !told {
		err = pawl.Errorf(pawl.Invalid, "the input cannot be read: %w", err)
	}
	return bytes.TrimPrefix(text, []byte("\uFEFF")), err // which consoles of Windows put first
}

// longText is a flag whose value may be long, or hard to quote: --desc TEXT, --desc -
// for stdin, or --desc-file FILE.
type longText struct {
	cmd         *cobra.Command
	name        string
	value, file string
}

// textFlag adds the flag; usage begins with the name of its value.
func textFlag(cmd *cobra.Command, name, usage string) *longText {
	t := &longText{cmd: cmd, name: name}
	cmd.Flags().StringVar(&t.value, name, "", usage+"; - reads it from stdin")
	cmd.Flags().StringVar(&t.file, name+"-file", "", "`FILE` read that text from this file")
	return t
}

// given reports whether the flag was there.
func (t *longText) given() bool {
	return t.cmd.Flags().Changed(t.name) || t.cmd.Flags().Changed(t.name+"-file")
}

func (t *longText) read(a *app) (string, error) {
	if t.cmd.Flags().Changed(t.name) && t.cmd.Flags().Changed(t.name+"-file") {
		return "", usage(t.cmd.Name(), "give --%s or --%s-file, not both", t.name, t.name)
	}
	if t.cmd.Flags().Changed(t.name + "-file") {
		return a.textFrom(t.file)
	}
	return a.text(t.value)
}

// text is a text as it was typed; - stands for the one on stdin.
func (a *app) text(typed string) (string, error) {
	if typed == "-" {
		return a.textFrom("-")
	}
	return typed, nil
}

// textFrom reads a text from a file. The end of its last line is not part of it.
func (a *app) textFrom(file string) (string, error) {
	raw, err := a.slurp(file)
	return strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r"), err
}
