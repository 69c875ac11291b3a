package supervise

import (
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/process"
)

// What made a session of its own, as a daemon does, is ended too, and so is what that has
// started.
func TestDaemon(t *testing.T) {
	p := newPlace(t)
	spec := p.shell(`(setsid sh -c 'echo $$; trap "" TERM; setsid sh -c "echo \$\$; read x < $0"; read x < $0' "$0" &) ; read x < "$0"`)
	spec.Grace = time.Millisecond
	proc := p.start(spec)
	daemons := []process.ID{p.process(), p.process()}
	end, err := proc.Stop(t.Context(), "over")
	if err != nil || end.Why != "over" || end.Stuck {
		t.Errorf("%+v, %v", end, err)
	}
	for _, id := range daemons {
		if runs(t, id) {
			t.Errorf("the daemon %v runs", id)
		}
	}
}

// An orphan that ends while the program works is waited for.
func TestOrphanEnds(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell(`(setsid sh -c 'echo $$; read x < "$0"' "$0" &) ; exec sleep 1000`))
	orphan := p.process()
	p.tell("end")
	until(func() bool { _, known := process.Read(orphan.PID); return !known })
	if _, ended, err := proc.Ended(); ended || err != nil {
		t.Errorf("the program has ended: %v, %v", ended, err)
	}
	if _, err := proc.Stop(t.Context(), "over"); err != nil {
		t.Fatal(err)
	}
}

// The program ends by itself, and leaves a daemon.
func TestDaemonLeft(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell(`(setsid sh -c 'echo $$; exec sleep 1000' &) ; read x < "$0"; exit 4`))
	daemon := p.process()
	p.tell("go on")
	end := p.wait(proc)
	if p.want(end, Exited, 4, "", ""); !end.Left || runs(t, daemon) {
		t.Errorf("%+v, and the daemon runs: %v", end, runs(t, daemon))
	}
}

// The keeper is killed: a program that may be asked to end does, because nothing enforces
// its limit. What it started is ended by Stop.
func TestKeeperKilled(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell(`(setsid sh -c 'echo $$; exec sleep 1000' &) ; echo $$; exec sleep 1000`))
	daemon, program := p.process(), p.process()
	if daemon == proc.Program {
		daemon, program = program, daemon
	}
	kill(t, proc)
	p.want(p.wait(proc), Unknown, -1, "", "")
	if !runs(t, daemon) {
		t.Error("the daemon does not run: the test shows nothing")
	}
	end := must.Get(proc.Stop(t.Context(), "a person stopped it"))(t)
	p.want(end, Unknown, -1, "", "a person stopped it")
	if runs(t, daemon) || runs(t, program) {
		t.Errorf("the daemon runs: %v, the program runs: %v", runs(t, daemon), runs(t, program))
	}
	found := must.Get(Find(p.dir))(t)
	if again, ended, err := found.Ended(); !ended || err != nil || again.Why != end.Why || !again.At.Equal(end.At) {
		t.Errorf("later it has ended with %+v, %v, %v", again, ended, err)
	}
}

// The keeper is killed, and the program goes on.
func TestProgramLivesOn(t *testing.T) {
	p := newPlace(t)
	spec := p.shell(`trap 'echo asked' TERM; (trap '' TERM; exec setsid sh -c 'echo $$; while :; do read x < /dev/zero; done') & echo $$; while :; do sleep 0.01; done`)
	spec.Grace = time.Millisecond
	proc := p.startElsewhere(spec)
	first, second := p.process(), p.process()
	kill(t, proc)
	if line := p.line(); line != "asked" {
		t.Errorf("it said %q", line)
	}
	if end, ended, err := proc.Ended(); ended || err != nil {
		t.Errorf("it runs, and is said to have ended: %+v, %v", end, err)
	}
	end := must.Get(proc.Stop(t.Context(), "a person stopped it"))(t)
	p.want(end, Unknown, -1, "", "a person stopped it")
	if runs(t, first) || runs(t, second) {
		t.Errorf("%v runs: %v, %v runs: %v", first, runs(t, first), second, runs(t, second))
	}
}

// A keeper was killed between the start of its program and the note of it.
func TestStrayOfAStart(t *testing.T) {
	p := newPlace(t)
	spec := p.shell("trap '' TERM; echo $$; while :; do sleep 0.01; done")
	spec.Grace = time.Millisecond
	proc := p.start(spec)
	program := p.process()
	kill(t, proc)
	must.Do(t, remove(p.dir, startedFile))
	if found, err := Find(p.dir); found != nil || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
	if runs(t, program) {
		t.Error("its program runs")
	}
}

// kill kills a keeper and returns when it has ended.
func kill(t *testing.T, p *Process) {
	t.Helper()
	must.Do(t, p.Keeper.Signal(syscall.SIGKILL))
	until(func() bool { return !runs(t, p.Keeper) })
}

// until waits for what happens in processes that are nobody's children here.
func until(happened func() bool) {
	for !happened() {
		time.Sleep(time.Millisecond)
	}
}
