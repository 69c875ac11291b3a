package supervise

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl/internal/filelock"
	"github.com/pawl-dev/pawl/internal/process"
)

// Keep is the main function of a keeper: the process that the words given to [Start]
// begin calls it with the arguments that follow those words. It returns when the program
// has ended and exit.json is written.
func Keep(args []string) error {
	if len(args) != 2 {
		return errors.New("a keeper is started by pawl run, with a folder and a tag")
	}
	runtime.LockOSThread() // on Linux the program notices the end of the thread that started it
	signals := make(chan os.Signal, 8)
	// Ctrl-C and a closed terminal are meant for the process that started this one. They
	// are caught and dropped; the program would inherit that they are ignored.
	signal.Notify(signals, os.Interrupt, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGQUIT)
	closeInherited()
	dir, tag := args[0], args[1]
	lock, err := filelock.Take(filepath.Join(dir, lockFile))
	if err != nil {
		return err
	}
	if lock == nil {
		return fmt.Errorf("%s has a keeper", dir)
	}
	defer lock.Close()
	var spec tagged
	if found, err := read(dir, specFile, &spec); err != nil || !found || spec.Tag != tag {
		return errors.Join(fmt.Errorf("the start in %s was called off", dir), err)
	}
	if p, err := load(dir); p != nil || err != nil {
		return errors.Join(fmt.Errorf("a program was already started in %s", dir), err)
	}
	k := &keeper{dir: dir, tag: tag, spec: spec.Spec, signals: signals}
	if err := k.start(); err != nil {
		return write(dir, exitFile, End{How: NotStarted, Exit: -1, At: time.Now(), Why: err.Error()})
	}
	defer k.group.Close()
	os.Stdout.Close() // ready: see launch
	return k.put(k.keep())
}

// A keeper watches a program.
type keeper struct {
	dir, tag string
	spec     Spec
	signals  chan os.Signal
	cmd      *exec.Cmd
	group    *process.Group
	watch    *watch
}

// start starts the program, and writes who it is.
func (k *keeper) start() error {
	s := k.spec
	cmd := exec.Command(s.Program, s.Args...)
	cmd.Dir, cmd.Env = s.Dir, withMarker(s.Env, k.tag)
	var files []*os.File
	defer func() {
		for _, file := range files {
			file.Close()
		}
	}()
	open := func(name string, flags int) (*os.File, error) {
		if name == "" {
			return os.OpenFile(os.DevNull, os.O_RDWR, 0)
		}
		return os.OpenFile(name, flags, 0o600)
	}
	for _, of := range []struct {
		name  string
		flags int
		set   func(*os.File)
	}{
		{s.Stdin, os.O_RDONLY, func(f *os.File) { cmd.Stdin = f }},
		{s.Stdout, os.O_WRONLY | os.O_CREATE | os.O_APPEND, func(f *os.File) { cmd.Stdout = f }},
		{s.Stderr, os.O_WRONLY | os.O_CREATE | os.O_APPEND, func(f *os.File) { cmd.Stderr = f }},
	} {
		file, err := open(of.name, of.flags)
		if err != nil {
			return err
		}
		files = append(files, file)
		of.set(file)
	}
	own, ok := process.Of(os.Getpid())
	if !ok {
		return errors.New("this system does not tell when processes began, so that none can be found again")
	}
	k.cmd, k.group = cmd, process.NewGroup(cmd)
	k.watch = newWatch(cmd)
	if err := cmd.Start(); err != nil {
		k.group.Close()
		return reason(err)
	}
	k.group.Started()
	// A program that has ended already is still known until it is waited for.
	program := process.ID{PID: cmd.Process.Pid}
	if id, ok := process.Of(program.PID); ok {
		program = id
	}
	k.watch.begin()
	err := write(k.dir, startedFile, started{k.tag, own, program, time.Now()})
	if err != nil {
		k.end(time.Second)
	}
	return err
}

// reason is an error without the name of the program, which the caller's text has.
func reason(err error) error {
	var e *os.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// withMarker adds the marker to an environment, in place of that of a program in which
// this one runs.
func withMarker(env []string, tag string) []string {
	other := slices.DeleteFunc(slices.Clone(env), func(pair string) bool { return strings.HasPrefix(pair, Marker+"=") })
	return append(other, Marker+"="+tag)
}

// keep waits until the program has ended, or ends it.
func (k *keeper) keep() End {
	var limit <-chan time.Time
	if k.spec.Limit > 0 {
		timer := time.NewTimer(k.spec.Limit)
		defer timer.Stop()
		limit = timer.C
	}
	var look <-chan time.Time
	if !tells {
		ticker := time.NewTicker(lookAgain)
		defer ticker.Stop()
		look = ticker.C
	}
	why := ""
	for why == "" {
		select {
		case <-k.watch.ended:
			left, stuck := k.sweep()
			return k.result("", left, stuck)
		case <-limit:
			why = WhyLimit
		case s := <-k.signals:
			if s == syscall.SIGTERM {
				why = cmp.Or(k.whyStop(), WhyTerminated)
			}
		case <-look:
			why = k.whyStop()
		}
	}
	grace := k.spec.grace()
	if k.spec.Alone && tells {
		_ = k.cmd.Process.Signal(polite)
		process.Gone(func() bool { return !k.over() }, grace)
		grace = min(grace, farewell)
	}
	stuck := k.end(grace)
	<-k.watch.ended // one that cannot be killed runs on, and is not said to have ended
	return k.result(why, false, stuck)
}

// whyStop is what Stop was given; empty: it was not called.
func (k *keeper) whyStop() string {
	var s stop
	if found, err := read(k.dir, stopFile, &s); !found || err != nil {
		return ""
	}
	return cmp.Or(s.Why, "stopped")
}

// result is how the program, which has ended, did so.
func (k *keeper) result(why string, left, stuck bool) End {
	end := End{How: Unknown, Exit: -1, At: time.Now(), Why: why, Left: left, Stuck: stuck}
	if state := k.watch.collect(); state != nil {
		end.How, end.Exit = Exited, state.ExitCode()
		if end.Signal = signalled(state); end.Signal != "" {
			end.How = Signalled
		}
	}
	return end
}

const (
	moment   = time.Second / 5 // for what is about to end when the program ends
	farewell = 2 * time.Second // at most, for what it leaves
	tries    = 10              // to write exit.json, a second apart: a disk that is full may get room
)

// sweep ends the processes that the program, which has ended, has left. One that ends
// by itself within a moment was not left.
func (k *keeper) sweep() (left, stuck bool) {
	if process.Gone(k.runs, moment) {
		return false, false
	}
	return true, k.end(min(k.spec.grace(), farewell))
}

// end ends all of it, and reports whether something could not be ended.
func (k *keeper) end(grace time.Duration) (stuck bool) { return end(grace, k.runs, k.signal) }

// runs reports whether the program, or something that it started, runs.
func (k *keeper) runs() bool { return !k.over() || k.left() }

// over reports whether the program has ended.
func (k *keeper) over() bool {
	select {
	case <-k.watch.ended:
		return true
	default:
		return false
	}
}

// put writes exit.json.
func (k *keeper) put(end End) error {
	for try := 1; ; try++ {
		err := write(k.dir, exitFile, end)
		if err == nil || try == tries {
			return err
		}
		fmt.Fprintln(os.Stderr, filepath.Join(k.dir, exitFile)+":", err)
		time.Sleep(time.Second)
	}
}
