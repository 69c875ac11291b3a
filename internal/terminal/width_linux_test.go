package terminal

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// A terminal's own word on its width goes before COLUMNS.
func TestWidthOfTerminal(t *testing.T) {
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		mustrun.Skip(t, "there are no pseudo-terminals: "+err.Error())
	}
	defer f.Close()
	must.Do(t, unix.IoctlSetWinsize(int(f.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 97}))
	if !Is(f) {
		t.Error("a pseudo-terminal was not taken for a terminal")
	}
	if got := Width(f, env("COLUMNS", "60")); got != 97 {
		t.Errorf("a terminal of 97 columns has %d", got)
	}
	if !Colour(f, env()) || Colour(f, env("TERM", "dumb")) || Colour(f, env("NO_COLOR", "1")) || !Moves(f, env()) || Moves(f, env("TERM", "dumb")) {
		t.Error("colours of a terminal: wanted, but not where it is dumb or somebody objects")
	}
}
