package rewrite

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl"
)

// A device is refused before it is opened. The one here is a terminal that the
// test has made.
func TestReplaceDevice(t *testing.T) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	err = Replace(fmt.Sprintf("/dev/pts/%d", number), func(io.Writer) error { t.Error("it is written"); return nil })
	if !errors.Is(err, pawl.Invalid) || !strings.Contains(err.Error(), "is a device, not a file") {
		t.Error(err)
	}
}
