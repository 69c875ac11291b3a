package terminal

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// ErrInterrupted says that somebody pressed Ctrl-C where a secret was asked for.
var ErrInterrupted = errors.New("interrupted")

// maxSecret is more than any secret has, in bytes.
const maxSecret = 4 << 10

// ReadSecret reads a line that is typed or pasted on a terminal, which does not show
// it. The terminal shows what is typed again afterwards, also after an interrupt.
func ReadSecret(in *os.File) (string, error) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // first: nothing may end the program while nothing is shown
	defer signal.Stop(signals)
	restore, err := hide(in.Fd())
	if err != nil {
		return "", err
	}
	defer restore()
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1)
	go func() { // it may outlive an interrupt, which ends the program
		text, err := bufio.NewReader(io.LimitReader(in, maxSecret)).ReadString('\n')
		if errors.Is(err, io.EOF) && text != "" {
			err = nil
		}
		read <- line{strings.TrimSpace(text), err}
	}()
	select {
	case l := <-read:
		return l.text, l.err
	case <-signals:
		return "", ErrInterrupted
	}
}
