// Package tmux runs a program on a terminal in a tmux server of its own, which
// reads nobody's configuration and has nobody's windows. Tests type into it and
// read the screen; package capture draws the documentation's pictures from it.
package tmux

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Program is the program of a terminal.
type Program struct {
	Args          []string
	Dir           string
	Env           []string // all of its environment but TERM, COLORTERM and the locale, which may be given, too
	Width, Height int
}

// A Terminal is a window in which a program runs. It stays when the program has
// ended.
type Terminal struct {
	socket string
}

// Missing returns why tmux cannot be used here, or nil.
func Missing() error {
	_, err := exec.LookPath("tmux")
	return err
}

// Start starts a program in a new terminal, which has to be closed.
func Start(p Program) (*Terminal, error) {
	// The path of a socket may have about a hundred bytes: the folder of a test can
	// be longer.
	dir, err := os.MkdirTemp("", "pawl-tmux-")
	if err != nil {
		return nil, err
	}
	t := &Terminal{socket: filepath.Join(dir, "s")}
	args := []string{
		"start-server", ";", "set", "-g", "remain-on-exit", "on", ";", "set", "-g", "status", "off", ";",
		"new-session", "-d", "-x", strconv.Itoa(p.Width), "-y", strconv.Itoa(p.Height), "-c", p.Dir, "--",
		"env", "-i", "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}
	args = append(append(args, p.Env...), p.Args...)
	if _, err := t.command(args...); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// command has the server do something and returns what it prints.
func (t *Terminal) command(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-f", os.DevNull, "-S", t.socket}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(t.socket), "SHELL=/bin/sh", "LANG=C.UTF-8", "TERM=xterm-256color"}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("tmux %s: %s", args[0], cmp.Or(strings.TrimSpace(string(exit.Stderr)), exit.String()))
	}
	return string(out), err
}

// Close ends the program and the terminal, and waits until the program's process is
// gone: it may have something to write at its end.
func (t *Terminal) Close() error {
	device, _ := t.Ask("#{pane_tty}")
	_, err := t.command("kill-server")
	if strings.HasPrefix(device, "/dev/pts/") { // which goes away with its last reader; elsewhere they stay
		for end := time.Now().Add(farewell); time.Now().Before(end); time.Sleep(glance) {
			if _, err := os.Stat(device); err != nil {
				break
			}
		}
	}
	return errors.Join(err, os.RemoveAll(filepath.Dir(t.socket)))
}

// Press presses keys by tmux's names: Enter, Escape, Down, C-c, j.
func (t *Terminal) Press(keys ...string) error {
	_, err := t.command(append([]string{"send-keys", "--"}, keys...)...)
	return err
}

// Type types a text.
func (t *Terminal) Type(text string) error {
	_, err := t.command("send-keys", "-l", "--", text)
	return err
}

// Screen is the text on the screen, without the spaces at the ends of lines.
func (t *Terminal) Screen() (string, error) { return t.command("capture-pane", "-p") }

// Styled is the same with the escape sequences of colours.
func (t *Terminal) Styled() (string, error) { return t.command("capture-pane", "-p", "-e") }

// Resize makes the terminal another size.
func (t *Terminal) Resize(width, height int) error {
	_, err := t.command("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	return err
}

// Ask returns the value of a tmux format, such as "#{alternate_on}".
func (t *Terminal) Ask(format string) (string, error) {
	out, err := t.command("display-message", "-p", format)
	return strings.TrimSuffix(out, "\n"), err
}

// Process is the id of the program.
func (t *Terminal) Process() (int, error) {
	out, err := t.Ask("#{pane_pid}")
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out)
}

// Ended returns the exit status of the program, or the number of the signal that
// ended it; empty: it runs. tmux 3.3 sometimes misses the signal by which it
// would learn that, and then waits for the next one: a command that it runs
// itself ends in one.
func (t *Terminal) Ended() (how string, err error) {
	out, err := t.Ask("#{pane_dead} #{pane_dead_status}#{pane_dead_signal}")
	dead, how, _ := strings.Cut(out, " ")
	if err == nil && dead == "1" && how == "" {
		_, err = t.command("run-shell", "true")
	}
	return how, err
}

// Bounds of a wait. A busy machine may need seconds for milliseconds of work.
const (
	patience = 2 * time.Minute
	farewell = 5 * time.Second // the device may have become somebody else's
	glance   = 10 * time.Millisecond
)

// Await waits until is accepts the screen, and returns the screen. An error shows
// the last one.
func (t *Terminal) Await(what string, is func(screen string) bool) (string, error) {
	for end := time.Now().Add(patience); ; time.Sleep(glance) {
		screen, err := t.Screen()
		if err != nil {
			return "", err
		}
		if is(screen) {
			return screen, nil
		}
		if time.Now().After(end) {
			return screen, fmt.Errorf("%s has not come in %v:\n%s", what, patience, screen)
		}
	}
}
