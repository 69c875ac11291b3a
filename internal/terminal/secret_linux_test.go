package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// pseudo returns both ends of a pseudo-terminal: what somebody types at and sees, and
// what a program reads.
func pseudo(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		mustrun.Skip(t, "there are no pseudo-terminals: "+err.Error())
	}
	t.Cleanup(func() { person.Close() })
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		mustrun.Skip(t, "there is no other end of a pseudo-terminal: "+err.Error())
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

func echoes(t *testing.T, f *os.File) bool {
	t.Helper()
	modes := must.Get(unix.IoctlGetTermios(int(f.Fd()), getTermios))(t)
	return modes.Lflag&unix.ECHO != 0
}

// A secret is read, and not shown; afterwards the terminal shows what is typed again.
func TestReadSecret(t *testing.T) {
	person, program := pseudo(t)
	type answer struct {
		text string
		err  error
	}
	read := make(chan answer)
	go func() {
		text, err := ReadSecret(program)
		read <- answer{text, err}
	}()
	for echoes(t, program) { // until it is asked for
		select {
		case a := <-read:
			t.Fatalf("it ended with %+v", a)
		default:
		}
	}
	if _, err := io.WriteString(person, "  word-that-nobody-sees \n"); err != nil {
		t.Fatal(err)
	}
	if a := <-read; a.text != "word-that-nobody-sees" || a.err != nil {
		t.Errorf("read %+v", a)
	}
	if !echoes(t, program) {
		t.Error("the terminal no longer shows what is typed")
	}
	if _, err := io.WriteString(program, "end\n"); err != nil {
		t.Fatal(err)
	}
	var shown []byte
	for buffer := make([]byte, 1024); !bytes.Contains(shown, []byte("end")); {
		n := must.Get(person.Read(buffer))(t)
		shown = append(shown, buffer[:n]...)
	}
	if bytes.Contains(shown, []byte("nobody")) {
		t.Errorf("the terminal shows %q", shown)
	}
}

// Ctrl-C leaves a terminal that shows what is typed.
func TestReadSecretInterrupted(t *testing.T) {
	_, program := pseudo(t)
	read := make(chan error)
	go func() {
		_, err := ReadSecret(program)
		read <- err
	}()
	for echoes(t, program) {
	}
	for {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil { // somebody listens to it since before the terminal hid what is typed
			t.Fatal(err)
		}
		select {
		case err := <-read:
			if !errors.Is(err, ErrInterrupted) || !echoes(t, program) {
				t.Errorf("it ended with %v; shown: %v", err, echoes(t, program))
			}
			return
		case <-time.After(time.Second):
		}
	}
}

func TestReadSecretElsewhere(t *testing.T) {
	f := must.Get(os.Open(os.DevNull))(t)
	defer f.Close()
	if _, err := ReadSecret(f); err == nil {
		t.Error("a secret was read from what is not a terminal")
	}
}
