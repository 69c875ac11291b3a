//go:build unix

package supervise

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/process"
)

// TestMain lets this binary be a keeper, and a process that starts one and is killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "keep":
			if err := Keep(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		case "start": // dir, spec
			var spec Spec
			if _, err := read(filepath.Dir(os.Args[3]), filepath.Base(os.Args[3]), &spec); err != nil {
				panic(err)
			}
			if _, err := Start(context.Background(), keeperWords(), os.Args[2], spec); err != nil {
				panic(err)
			}
			os.Stdout.WriteString("started\n")
			select {}
		}
	}
	os.Exit(m.Run())
}

func keeperWords() []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{self, "keep"}
}

// A place is a folder for a program, which tells the test what it does through a pipe
// with a name. So no test looks again and again, or guesses a time.
type place struct {
	t       *testing.T
	dir     string
	printed *os.File
	lines   *bufio.Reader
	answer  *os.File
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, dir: filepath.Join(t.TempDir(), "ID-1")}
	open := func(name string) *os.File {
		must.Do(t, unix.Mkfifo(name, 0o600))
		file, err := os.OpenFile(name, os.O_RDWR, 0) // both ways: so it never ends
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	p.printed, p.answer = open(p.pipe()), open(p.gate())
	p.lines = bufio.NewReader(p.printed)
	return p
}

func (p *place) pipe() string { return filepath.Join(filepath.Dir(p.dir), "pipe") }

// gate is a file in which the program reads what the test tells it.
func (p *place) gate() string { return filepath.Join(filepath.Dir(p.dir), "gate") }

func (p *place) tell(line string) {
	p.t.Helper()
	if _, err := p.answer.WriteString(line + "\n"); err != nil {
		p.t.Fatal(err)
	}
}

// line is the next one that the program prints.
func (p *place) line() string {
	p.t.Helper()
	_ = p.printed.SetReadDeadline(time.Now().Add(2 * time.Minute)) // a program that was killed says nothing
	line, err := p.lines.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

// process is the next line, as that of a process which runs.
func (p *place) process() process.ID {
	p.t.Helper()
	line := p.line()
	pid, err := strconv.Atoi(line)
	if err != nil {
		p.t.Fatal(err)
	}
	id, ok := process.Of(pid)
	if !ok {
		p.t.Fatalf("process %d does not run", pid)
	}
	p.t.Cleanup(func() { _ = id.Signal(os.Kill) })
	return id
}

// shell is a program that is a script. What it prints to file 1 reaches the test.
func (p *place) shell(script string) Spec {
	return Spec{Program: "/bin/sh", Args: []string{"-c", script, p.gate()}, Dir: "/", Env: []string{"PATH=" + os.Getenv("PATH")}, Stdout: p.pipe(), Grace: 20 * time.Second}
}

func (p *place) start(spec Spec) *Process {
	p.t.Helper()
	proc, err := Start(p.t.Context(), keeperWords(), p.dir, spec)
	if err != nil {
		p.t.Fatal(err)
	}
	p.endLater(proc)
	return proc
}

// endLater leaves nothing running if a test fails.
func (p *place) endLater(proc *Process) {
	p.t.Cleanup(func() { _ = proc.Program.Signal(os.Kill) })
}

// startElsewhere has another process start a program, and kills that process.
func (p *place) startElsewhere(spec Spec) *Process {
	p.t.Helper()
	in := filepath.Join(filepath.Dir(p.dir), "spec")
	if err := write(filepath.Dir(in), "spec", spec); err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(keeperWords()[0], "start", p.dir, in)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err != nil {
		p.t.Fatalf("%q, %v", line, err)
	}
	proc, err := Find(p.dir)
	if err != nil || proc == nil {
		p.t.Fatalf("%v, %v", proc, err)
	}
	p.endLater(proc)
	return proc
}

func (p *place) wait(proc *Process) End {
	p.t.Helper()
	end, err := proc.Wait(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return end
}

func (p *place) want(got End, how How, exit int, signal, why string) {
	p.t.Helper()
	if got.How != how || got.Exit != exit || got.Signal != signal || got.Why != why || got.Stuck || time.Since(got.At) > time.Minute {
		p.t.Errorf("it ended with %+v, want %s %d %s %q", got, how, exit, signal, why)
	}
}

func runs(t *testing.T, id process.ID) bool {
	t.Helper()
	runs, known := id.Runs()
	if !known {
		t.Fatalf("nobody knows whether %v runs", id)
	}
	return runs
}

func TestStart(t *testing.T) {
	p := newPlace(t)
	stray, err := unix.Open("/dev/null", unix.O_RDONLY, 0) // without O_CLOEXEC: what starts now inherits it
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(stray)
	base := filepath.Dir(p.dir)
	in, out, wrong := filepath.Join(base, "in"), filepath.Join(base, "out"), filepath.Join(base, "err")
	for name, text := range map[string]string{in: "a prompt\n", out: "before\n"} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	spec := p.shell(`read line; echo "$line, $1, $PWD, $A, [$HOME]"; env >&2; test -e /dev/fd/` + strconv.Itoa(stray) + ` && echo open; exit 3`)
	spec.Args = append(spec.Args, "an argument")
	spec.Dir, spec.Env, spec.Stdin, spec.Stdout, spec.Stderr = base, []string{"A=b c", Marker + "=of somebody else"}, in, out, wrong
	proc := p.start(spec)
	p.want(p.wait(proc), Exited, 3, "", "")
	if text, _ := os.ReadFile(out); string(text) != "before\na prompt, an argument, "+base+", b c, []\n" {
		t.Errorf("it printed %q", text)
	}
	for _, name := range []string{wrong, filepath.Join(p.dir, specFile)} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if text, _ := os.ReadFile(wrong); strings.Count(string(text), Marker+"=") != 1 {
		t.Errorf("its environment was\n%s", text)
	}
	again, err := Find(p.dir)
	if err != nil || again == nil || again.Program != proc.Program || again.Keeper != proc.Keeper || !again.Began.Equal(proc.Began) {
		t.Errorf("found %+v, %v; started %+v", again, err, proc)
	}
	if _, err := Start(t.Context(), keeperWords(), p.dir, spec); err == nil {
		t.Error("a second program was started in the folder")
	}
}

// The program leads a session of its own, and no signal that its keeper drops is ignored
// by it.
func TestSession(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell(`echo $$; read x < "$0"; read x < /dev/tty || echo none; kill -HUP $$`))
	id := p.process()
	if sid, err := unix.Getsid(id.PID); id != proc.Program || err != nil || sid != id.PID {
		t.Errorf("it is process %v, in session %d, %v; started was %v", id, sid, err, proc.Program)
	}
	p.tell("go on")
	if line := p.line(); line != "none" {
		t.Errorf("it has a terminal: %s", line)
	}
	p.want(p.wait(proc), Signalled, -1, "SIGHUP", "")
}

func TestNotStarted(t *testing.T) {
	p := newPlace(t)
	spec := p.shell("exit 0")
	spec.Program = "/no/such/program"
	if _, err := Start(t.Context(), keeperWords(), p.dir, spec); err == nil || !strings.Contains(err.Error(), "/no/such/program cannot be started: no such file") {
		t.Errorf("got %v", err)
	}
	if found, err := Find(p.dir); found != nil || err != nil {
		t.Errorf("found %+v, %v", found, err)
	}
	if _, err := Start(t.Context(), []string{"/bin/sh", "-c", "echo what went wrong >&2; exit 1"}, p.dir, p.shell("exit 0")); err == nil || !strings.Contains(err.Error(), "what went wrong") {
		t.Errorf("got %v", err)
	}
	p.want(p.wait(p.start(p.shell("exit 0"))), Exited, 0, "", "")
}

// Nobody watches, and the keeper still holds the program to its limit.
func TestLimit(t *testing.T) {
	p := newPlace(t)
	spec := p.shell("echo $$; sleep 1000")
	spec.Limit = time.Millisecond
	p.want(p.wait(p.startElsewhere(spec)), Signalled, -1, "SIGTERM", WhyLimit)
}

// What ignores that it is asked to end is killed, and so is what it started.
func TestStubborn(t *testing.T) {
	p := newPlace(t)
	spec := p.shell("trap '' TERM; (echo x; while :; do sleep 1000; done) & echo x; while :; do sleep 1000; done")
	spec.Grace = time.Millisecond
	proc := p.start(spec)
	p.line()
	p.line()
	end := must.Get(proc.Stop(t.Context(), "enough"))(t)
	p.want(end, Signalled, -1, "SIGKILL", "enough")
}

// A program that is asked to end may say goodbye.
func TestPolite(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell("trap 'echo bye; exit 7' TERM; echo $$; while :; do sleep 0.01; done"))
	p.process()
	end := must.Get(proc.Stop(t.Context(), ""))(t)
	p.want(end, Exited, 7, "", "stopped")
	if line := p.line(); line != "bye" {
		t.Errorf("it said %q", line)
	}
	if again, err := proc.Stop(t.Context(), "again"); err != nil || !again.At.Equal(end.At) || again.Why != "stopped" {
		t.Errorf("a second stop: %+v, %v", again, err)
	}
}

// A program that ends what it started is asked alone: its child still answers it then. What
// it leaves is asked afterwards.
func TestAlone(t *testing.T) {
	p := newPlace(t)
	spec := p.shell(`(trap 'echo child; exit' TERM; read go <"$0"; while :; do sleep 60 & wait $!; done) & trap 'echo asked; read go <"$0"; exit 7' TERM; echo ready; while :; do wait $!; done`)
	spec.Alone = true
	proc := p.start(spec)
	if got := p.line(); got != "ready" {
		t.Fatal(got)
	}
	ended := make(chan End, 1)
	go func() { end, _ := proc.Stop(t.Context(), "a person"); ended <- end }()
	if got := p.line(); got != "asked" {
		t.Errorf("first %q", got)
	}
	p.tell("go on")
	p.tell("go on")
	if got := p.line(); got != "child" {
		t.Errorf("then %q", got)
	}
	p.want(<-ended, Exited, 7, "", "a person")
}

// The process that started a program is killed: another one finds the program and waits.
func TestAdopt(t *testing.T) {
	p := newPlace(t)
	proc := p.startElsewhere(p.shell(`echo $$; read x < "$0"; exit $x`))
	if id := p.process(); id != proc.Program {
		t.Errorf("found %v, it is %v", proc.Program, id)
	}
	if end, ended, err := proc.Ended(); ended || err != nil {
		t.Errorf("it runs, and is said to have ended: %+v, %v", end, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := proc.Wait(ctx); err != enough {
		t.Errorf("got %v", err)
	}
	p.tell("5")
	p.want(p.wait(proc), Exited, 5, "", "")
}

// Ctrl-C and a closed terminal are not meant for the keeper. A machine that shuts down
// asks it to end.
func TestKeeperIsAsked(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell("echo $$; exec sleep 1000"))
	id := p.process()
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM} {
		if !runs(t, id) {
			t.Fatalf("it ended before %v", s)
		}
		must.Do(t, proc.Keeper.Signal(s))
	}
	p.want(p.wait(proc), Signalled, -1, "SIGTERM", WhyTerminated)
}

// What a program leaves in its session is ended.
func TestLeft(t *testing.T) {
	p := newPlace(t)
	proc := p.start(p.shell(`sh -c 'echo $$; exec sleep 1000' & read x < /dev/null; exit 0`))
	left := p.process()
	end := p.wait(proc)
	p.want(end, Exited, 0, "", "")
	if !end.Left || runs(t, left) {
		t.Errorf("%+v, and what it left runs: %v", end, runs(t, left))
	}
}

// A process that got the number of a program that has ended is no program of ours.
func TestReusedNumber(t *testing.T) {
	other := exec.Command("sleep", "1000")
	must.Do(t, other.Start())
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	id, ok := process.Of(other.Process.Pid)
	if !ok {
		t.Fatal("it cannot be seen")
	}
	for _, wrong := range []process.ID{{PID: id.PID, Start: id.Start + "1", Boot: id.Boot}, {PID: id.PID, Start: id.Start, Boot: id.Boot + "1"}} {
		p := newPlace(t)
		must.Do(t, os.Mkdir(p.dir, 0o700))
		must.Do(t, write(p.dir, startedFile, started{"a tag", wrong, wrong, time.Now()}))
		proc, err := Find(p.dir)
		if err != nil {
			t.Fatal(err)
		}
		end, ended, err := proc.Ended()
		if p.want(end, Unknown, -1, "", ""); !ended || err != nil {
			t.Errorf("%v, %v", ended, err)
		}
		end, err = proc.Stop(t.Context(), "a person stopped it")
		if p.want(end, Unknown, -1, "", "a person stopped it"); err != nil || !runs(t, id) {
			t.Errorf("%v; the other process runs: %v", err, runs(t, id))
		}
		if err := wrong.Signal(os.Kill); err != process.ErrGone || !runs(t, id) {
			t.Errorf("%v; the other process runs: %v", err, runs(t, id))
		}
	}
}

// A start that was cut short is called off: a keeper that comes late starts nothing.
func TestLateKeeper(t *testing.T) {
	p := newPlace(t)
	must.Do(t, os.Mkdir(p.dir, 0o700))
	must.Do(t, writePrivate(p.dir, specFile, tagged{"first", p.shell("exit 0")}))
	if found, err := Find(p.dir); found != nil || err != nil {
		t.Fatalf("%+v, %v", found, err)
	}
	late := func() {
		t.Helper()
		cmd := exec.Command(keeperWords()[0], "keep", p.dir, "first")
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("the late keeper went on: %s", out)
		}
	}
	late()
	must.Do(t, writePrivate(p.dir, specFile, tagged{"second", p.shell("exit 0")}))
	late() // the folder is that of another start by now
	if found, err := Find(p.dir); found != nil || err != nil {
		t.Fatalf("%+v, %v", found, err)
	}
	proc := p.start(p.shell("echo $$; exec sleep 1000"))
	id := p.process()
	late()
	if found, err := Find(p.dir); err != nil || found.Program != id {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := proc.Stop(t.Context(), "over"); err != nil {
		t.Fatal(err)
	}
	late()
}

// If nobody wants the start any longer nothing runs.
func TestStartStopped(t *testing.T) {
	p := newPlace(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	go func() { p.line(); cancel(enough) }()
	if _, err := Start(ctx, []string{"/bin/sh", "-c", "echo x > " + p.pipe() + "; exec sleep 1000"}, p.dir, p.shell("exit 0")); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	if found, err := Find(p.dir); found != nil || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestFindNothing(t *testing.T) {
	if found, err := Find(filepath.Join(t.TempDir(), "none")); found != nil || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
}
