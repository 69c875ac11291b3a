package process

import (
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// TestMain lets this binary be a process that waits until its input ends.
func TestMain(m *testing.M) {
	if os.Getenv("PROCID_TEST") != "" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestID(t *testing.T) {
	if !canLook {
		mustrun.NotHere(t, "start times are not known here")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROCID_TEST=1")
	in := must.Get(cmd.StdinPipe())(t)
	must.Do(t, cmd.Start())
	id, ok := Of(cmd.Process.Pid)
	if !ok || id.PID != cmd.Process.Pid || id.Start == "" {
		t.Fatalf("%+v, %v", id, ok)
	}
	want := func(id ID, want bool) {
		t.Helper()
		if runs, known := id.Runs(); runs != want || !known {
			t.Errorf("%+v runs: %v, known: %v", id, runs, known)
		}
	}
	other := ID{id.PID, id.Start + "1", id.Boot}
	want(id, true)
	want(other, false)
	if err := other.Signal(os.Kill); err != ErrGone {
		t.Errorf("got %v", err)
	}
	want(id, true)
	if err := id.Signal(os.Kill); err != nil {
		t.Error(err)
	}
	in.Close()
	_ = cmd.Wait()
	want(id, false)
	if err := id.Signal(os.Kill); err != ErrGone {
		t.Errorf("got %v", err)
	}
	if runs, known := (ID{}).Runs(); runs || known {
		t.Errorf("no process runs: %v, %v", runs, known)
	}
	if _, ok := Of(0); ok {
		t.Error("process 0 was found")
	}
}
