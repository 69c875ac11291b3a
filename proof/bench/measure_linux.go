package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// measure runs everything on each of the boards.
func measure(p plan) (*report, error) {
	if fstatats[runtime.GOARCH] == 0 {
		return nil, errors.New("the limits are those of Linux on amd64 and arm64: measure there")
	}
	hello, err := buildHello(p.work)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(p.pawl)
	if err != nil {
		return nil, err
	}
	r := &report{Machine: machine(), Runs: p.runs, Binary: bytes{info.Size(), binaryLimit}}
	var hellos, versions []time.Duration
	for _, size := range p.sizes {
		p.say("measuring on %s tasks", thousands(size))
		c := &course{pawl: p.pawl, hello: hello, project: projectOf(p.dir, size), size: size, took: map[string][]time.Duration{}}
		if err := c.run(p.runs); err != nil {
			return nil, err
		}
		r.Boards = append(r.Boards, c.board())
		hellos = append(hellos, c.took["hello"]...)
		versions = append(versions, c.took["version"]...)
	}
	// This process's memory for a board counts into the peak of each command that it
	// starts later, so this comes last.
	for i, size := range p.sizes {
		p.say("changing %s tasks in a running process", thousands(size))
		if err := running(&r.Boards[i], projectOf(p.dir, size)); err != nil {
			return nil, err
		}
	}
	r.Hello = ms(median(hellos))
	r.Version = figure{"V, `pawl version`", ms(median(versions)), r.Hello + ms(startLimit)}
	return r, nil
}

func buildHello(work string) (string, error) {
	const source = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello, world\\n\") }\n"
	name := filepath.Join(work, "hello.go")
	if err := os.WriteFile(name, []byte(source), 0o644); err != nil {
		return "", err
	}
	hello := filepath.Join(work, "hello")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", hello, name)
	cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return hello, cmd.Run()
}

func machine() string {
	var name unix.Utsname
	system := "Linux"
	if unix.Uname(&name) == nil {
		system += " " + unix.ByteSliceToString(name.Release[:])
	}
	return fmt.Sprintf("%s, %s, %d cores, %s", system, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
}

// A course is all that is measured on one board.
type course struct {
	pawl, hello, project string
	size                 int
	took                 map[string][]time.Duration
	peak                 int64
}

// verbs are the commands that have a limit, in the order of the report.
var verbs = []struct {
	name    string
	durable bool
}{
	{"ready", false}, {"show", false}, {"ready --why", false}, {"list", false}, {"claim", true}, {"add", true}, {"done", true},
}

// run does everything once in each round, in another order each time, so that
// what disturbs the machine meets all alike.
func (c *course) run(rounds int) error {
	middle := strconv.Itoa(c.size / 2)
	steps := []func() error{
		func() error { return c.stat() },
		func() error { return c.once("hello", nil, c.hello) },
		func() error { return c.once("version", nil, c.pawl, "version") },
		func() error { return c.once("ready", nil, c.pawl, "ready") },
		func() error { return c.once("show", nil, c.pawl, "show", middle) },
		func() error { return c.once("ready --why", nil, c.pawl, "ready", "--why", "--json") },
		func() error { return c.once("list", nil, c.pawl, "list", "--json") },
		c.addAndRemove,
		c.claimAndFinish,
	}
	order := rand.New(rand.NewPCG(2, uint64(c.size)))
	for round := -1; round < rounds; round++ {
		for _, i := range order.Perm(len(steps)) {
			if err := steps[i](); err != nil {
				return err
			}
		}
		if round < 0 { // the first one only warms up
			clear(c.took)
			c.peak = 0
		}
	}
	return nil
}

// answer is what is needed of an envelope.
type answer struct {
	Tasks []struct {
		ID int64 `json:"id"`
	} `json:"tasks"`
}

func (a *answer) id() string {
	if len(a.Tasks) != 1 {
		return ""
	}
	return strconv.FormatInt(a.Tasks[0].ID, 10)
}

func (c *course) addAndRemove() error {
	var made answer
	if err := c.once("add", &made, c.pawl, "add", "Measure once more", "--json"); err != nil {
		return err
	}
	if err := c.once("", nil, c.pawl, "rm", made.id()); err != nil {
		return err
	}
	if err := c.once(young, nil, c.pawl, "ready"); err != nil {
		return err
	}
	return c.settle()
}

func (c *course) claimAndFinish() error {
	var claimed answer
	if err := c.once("claim", &claimed, c.pawl, "claim", "--json"); err != nil {
		return err
	}
	if err := c.settle(); err != nil {
		return err
	}
	if err := c.once("done", nil, c.pawl, "done", claimed.id()); err != nil {
		return err
	}
	if err := c.once("", nil, c.pawl, "reopen", claimed.id()); err != nil {
		return err
	}
	return c.settle()
}

// young is the row of a command right after a change: the folder's time does not
// tell whether a name was added since, so it reads them all.
const young = "ready, right after a change"

// settle leaves the board as an agent's next command finds it: what was changed
// is older than a tick of the clock, and was looked at once since.
func (c *course) settle() error {
	time.Sleep(20 * time.Millisecond)
	return c.once("", nil, c.pawl, "ready")
}

// once runs a command and, when it has a name, notes what it took. Its output is
// parsed into said, unless that is nil.
func (c *course) once(name string, said *answer, command ...string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = c.project
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "PAWL_AGENT=bench", "PAWL_SESSION=bench"}
	var err error
	if said == nil {
		err = cmd.Run()
	} else {
		var out []byte
		if out, err = cmd.Output(); err == nil {
			err = json.Unmarshal(out, said)
		}
	}
	if err != nil {
		return fmt.Errorf("%v: %w", command, err)
	}
	if name == "" {
		return nil
	}
	c.took[name] = append(c.took[name], cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && name != "hello" {
		c.peak = max(c.peak, int64(usage.Maxrss)<<10) // int32 on some systems
	}
	return nil
}

// stat is the yardstick S: what the kernel takes to tell about each file of the
// board, and as little else as can be.
func (c *course) stat() error {
	dir, err := unix.Open(boardOf(c.project), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := threadTime()
	if err != nil {
		return err
	}
	var name [64]byte
	var st unix.Stat_t
	call := fstatats[runtime.GOARCH]
	for i := range c.size {
		text := append(strconv.AppendInt(append(name[:0], "task_"...), int64(i+1), 10), ".json\x00"...)
		_, _, errno := unix.RawSyscall6(call, uintptr(dir), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		if errno != 0 {
			return fmt.Errorf("task %d: %w", i+1, errno)
		}
	}
	after, err := threadTime()
	c.took["stat"] = append(c.took["stat"], after-before)
	return err
}

// fstatats are the numbers of the system call, by architecture.
var fstatats = map[string]uintptr{"amd64": 262, "arm64": 79}

// threadTime is the CPU time of this thread.
func threadTime() (time.Duration, error) {
	var ts unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts)
	return time.Duration(ts.Nano()), err
}

// board is the course as the report has it.
func (c *course) board() board {
	v, s := median(c.took["version"]), median(c.took["stat"])
	b := board{Size: c.size, Stat: ms(s), Peak: bytes{c.peak, classOf(c.size).peak}}
	for _, verb := range verbs {
		b.Verbs = append(b.Verbs, figure{"`" + verb.name + "`", ms(median(c.took[verb.name])), ms(limitOf(c.size, v, s, verb.durable))})
	}
	b.Young = ms(median(c.took[young]))
	return b
}

// changesEach is how many changes a running process makes.
const changesEach = 200

// running measures a change in a running process, and in turns with it what the
// disk takes for one line.
func running(b *board, project string) error {
	log, err := os.CreateTemp(project, "sync-")
	if err != nil {
		return err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	line := make([]byte, 1<<10)
	var syncs []time.Duration
	took, err := changes(boardOf(project), 1, changesEach, func() error {
		start := time.Now()
		_, err := log.Write(line)
		err = errors.Join(err, dataSync(log))
		syncs = append(syncs, time.Since(start))
		return err
	})
	if err != nil {
		return err
	}
	b.Sync = ms(median(syncs))
	b.Running = figure{"a durable change in a running process, by the clock", ms(median(took)), b.Sync + ms(changeLimit)}
	return nil
}
