package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// play is the argument by which the test binary is a check.
const play = "-play-a-check"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == play {
		os.Exit(plays(os.Args[2], os.Args[3:]))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // they wait
	os.Exit(m.Run())
}

// plays are the programs of the tests.
func plays(role string, args []string) int {
	switch role {
	case "exit":
		code, _ := strconv.Atoi(args[0])
		return code
	case "say":
		for _, arg := range args {
			fmt.Println(arg)
		}
	case "raw":
		text, _ := strconv.Unquote(args[0])
		fmt.Print(text)
		return 1
	case "both":
		for n := range 3 {
			fmt.Fprintln(os.Stdout, "out", n)
			fmt.Fprintln(os.Stderr, "err", n)
		}
	case "environment":
		env := os.Environ()
		slices.Sort(env)
		fmt.Println(strings.Join(env, "\n"))
	case "where":
		dir, err := os.Getwd()
		fmt.Println(dir, err)
		fmt.Println("pwd:", os.Getenv("PWD") == args[0])
		text, err := os.ReadFile("here")
		fmt.Println(string(text), err)
	case "stdin":
		text, err := io.ReadAll(os.Stdin)
		fmt.Printf("%q %v\n", text, err)
		if tty, err := os.Open("/dev/tty"); err == nil {
			tty.Close()
			fmt.Println("a terminal")
		}
	case "flood":
		block := []byte(strings.Repeat("0123456789abcdef 0123456789abcde\n", 1<<10))
		for range 3200 {
			_, _ = os.Stdout.Write(block)
		}
		fmt.Println("the end")
	case "forever":
		fmt.Println("begun")
		hang()
	case "deaf":
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		fmt.Println("begun")
		hang()
	case "polite":
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		fmt.Println("begun")
		<-asked
		fmt.Println("cleaned up")
	case "killed":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		hang()
	case "leaves": // a child in a role, that outlives this process
		child := another(args...)
		if args[0] == "quiet" {
			child.Stdout, child.Stderr = nil, nil
		}
		if err := child.Start(); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("child", child.Process.Pid)
	case "leaves elsewhere":
		child := another(args...)
		leave(child)
		if err := child.Start(); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("child", child.Process.Pid)
	case "with", "with apart": // and stays
		child := another(args...)
		if role == "with apart" {
			group(child)
		}
		if err := child.Start(); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("child", child.Process.Pid)
		hang()
	case "quiet":
		hang()
	default:
		fmt.Println("no role", role)
		return 99
	}
	return 0
}

// another is this program in another role.
func another(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{play}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

// hang never ends.
func hang() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	for range c {
	}
}

// check is a check that plays a role in a new project.
func check(t *testing.T, role ...string) Command {
	t.Helper()
	self := must.Get(os.Executable())(t)
	return Command{
		Check:  pawl.Check{Name: "test", Run: append([]string{self, play}, role...)},
		Top:    t.TempDir(),
		Getenv: os.Getenv,
	}
}

func (c Command) run(t *testing.T) Result {
	t.Helper()
	r := must.Get(Run(t.Context(), c, nil))(t)
	if len(r.Tail) > MaxTail {
		t.Errorf("the tail has %d bytes", len(r.Tail))
	}
	return r
}

func sum(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }

func TestRun(t *testing.T) {
	r := check(t, "say", "first", "second; $HOME `x` * | &").run(t)
	want := "first\nsecond; $HOME `x` * | &\n"
	if !r.Passed || r.Exit != 0 || r.Why != "" || r.Tail+"\n" != want || r.Output != sum(want) || r.Bytes != int64(len(want)) {
		t.Errorf("%+v", r)
	}
	if r := check(t, "exit", "3").run(t); r.Passed || r.Exit != 3 || r.Why != "" || r.Tail != "" || r.Output != sum("") {
		t.Errorf("%+v", r)
	}
	c := check(t, "exit", "3")
	c.Check.Expect = 3
	if r := c.run(t); !r.Passed || r.Exit != 3 {
		t.Errorf("%+v", r)
	}
	c = check(t, "exit", "0")
	c.Check.Expect = 3
	if r := c.run(t); r.Passed || r.Exit != 0 {
		t.Errorf("%+v", r)
	}
	if r := check(t, "both").run(t); r.Tail != "out 0\nerr 0\nout 1\nerr 1\nout 2\nerr 2" {
		t.Errorf("%+v", r)
	}
}

// A check has nobody to ask.
func TestNoInput(t *testing.T) {
	if r := check(t, "stdin").run(t); r.Tail != `"" <nil>` {
		t.Errorf("%+v", r)
	}
}

func TestFlood(t *testing.T) {
	var lines []string
	r := must.Get(Run(t.Context(), check(t, "flood"), func(line string) { lines = append(lines, line) }))(t)
	block := strings.Repeat("0123456789abcdef 0123456789abcde\n", 1<<10)
	h := sha256.New()
	for range 3200 {
		h.Write([]byte(block))
	}
	h.Write([]byte("the end\n"))
	if !r.Passed || r.Bytes != int64(len(block))*3200+8 || r.Output != fmt.Sprintf("sha256:%x", h.Sum(nil)) {
		t.Errorf("%+v", r)
	}
	if !strings.HasPrefix(r.Tail, "0123456789abcdef 0") || !strings.HasSuffix(r.Tail, "\nthe end") || len(r.Tail) < MaxTail-40 || len(r.Tail) > MaxTail {
		t.Errorf("%q", r.Tail)
	}
	if len(lines) == 0 {
		t.Error("no progress")
	}
	for _, line := range lines {
		if line != "0123456789abcdef 0123456789abcde" && line != "the end" {
			t.Errorf("%q", line)
		}
	}
}

// A check that takes too long is asked to end, then ended.
func TestTimeout(t *testing.T) {
	t.Parallel()
	for role, want := range map[string]string{"forever": "begun", "deaf": "begun", "polite": "begun\ncleaned up"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			if role == "polite" && runtime.GOOS == "windows" {
				mustrun.NotHere(t, "nothing can be asked to end")
			}
			c := check(t, role)
			c.Check.Timeout = pawl.Duration(5 * time.Second)
			if r := c.run(t); r.Passed || r.Exit != pawl.NoExit || r.Why != "it took longer than 5s" || r.Tail != want {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("somebody pressed Ctrl-C")
	r, err := Run(ctx, check(t, "forever"), func(line string) {
		if line == "begun" {
			cancel(why)
		}
	})
	if !errors.Is(err, why) || r.Passed || r.Exit != pawl.NoExit || r.Why != "it was stopped" || r.Tail != "begun" {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := Run(ctx, check(t, "forever"), nil); !errors.Is(err, why) || r.Output != "" || r.Why != "it was stopped" {
		t.Errorf("%+v %v", r, err)
	}
}

func TestKilled(t *testing.T) {
	r := check(t, "killed").run(t)
	if runtime.GOOS == "windows" {
		if r.Passed || r.Exit != 1 {
			t.Errorf("%+v", r)
		}
		return
	}
	if r.Passed || r.Exit != pawl.NoExit || r.Why != "it was ended: signal: killed" {
		t.Errorf("%+v", r)
	}
}

// child is the process that a check left.
func child(t *testing.T, r Result) int {
	t.Helper()
	for line := range strings.Lines(r.Tail) {
		if pid, ok := strings.CutPrefix(strings.TrimSpace(line), "child "); ok {
			return must.Get(strconv.Atoi(pid))(t)
		}
	}
	t.Fatalf("no child: %+v", r)
	return 0
}

// What a check leaves behind is ended, whether it holds the output or not.
func TestLeavesBehind(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"forever", "quiet", "deaf"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			r := check(t, "leaves", role).run(t)
			if !r.Passed || r.Exit != 0 || r.Why != "it left processes behind, which were ended" {
				t.Errorf("%+v", r)
			}
			if pid := child(t, r); runs(pid) {
				t.Errorf("%d runs", pid)
			}
		})
	}
}

// A timeout ends what the command has started, too, and on Linux also what a shell with
// job control has put into another group.
func TestTimeoutOfAll(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"with", "with apart"} {
		if role == "with apart" && runtime.GOOS != "linux" {
			continue
		}
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			c := check(t, role, "deaf")
			c.Check.Timeout = pawl.Duration(5 * time.Second)
			r := c.run(t)
			if r.Passed || r.Why != "it took longer than 5s" {
				t.Errorf("%+v", r)
			}
			if pid := child(t, r); runs(pid) {
				t.Errorf("%d runs", pid)
			}
		})
	}
}

// A process that left the session keeps nobody waiting.
func TestLeavesElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "a job has no way out")
	}
	r := check(t, "leaves elsewhere", "forever").run(t)
	pid := child(t, r)
	defer func() {
		p, _ := os.FindProcess(pid)
		_ = p.Kill()
	}()
	if !r.Passed || r.Why != "it left a process behind that may still be running" {
		t.Errorf("%+v", r)
	}
	if !runs(pid) {
		t.Errorf("%d does not run: the test tests nothing", pid)
	}
}

func TestEnvironment(t *testing.T) {
	env := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": filepath.Join(t.TempDir(), "ada"), "LANG": "C.UTF-8", "LC_CTYPE": "C", "TZ": "", "GOFLAGS": "-p=2",
		"PAWL_TOKEN": "secret-1", "PAWL_NAME": "ada", "GIT_DIR": "/x", "AGENT_TOKEN": "secret-2", "LD_PRELOAD": "/x.so", "BASH_ENV": "/x", "NAMED": "yes", "TERM": "xterm", "CI": "true",
		"SystemRoot": os.Getenv("SystemRoot"), "PAWL_CHECK": "9",
	}
	c := check(t, "environment")
	c.Getenv = func(name string) string { return env[name] }
	c.Check.Env = []string{"NAMED", "PAWL_TOKEN", "Pawl_Name", "MISSING", "HOME"}
	got := strings.Split(c.run(t).Tail, "\n")
	got = slices.DeleteFunc(got, func(e string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(e), "=")
		return name == "SYSTEMROOT" || name == "SYSTEMDRIVE" || name == "PATH" || name == "PWD" || strings.HasPrefix(name, "WINE") // Windows sets some itself; PWD is in TestFolders
	})
	want := []string{"HOME=[masked]", "LANG=C.UTF-8", "LC_CTYPE=C", "NAMED=yes", "PAWL_CHECK=1", "TERM=dumb"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if Inside(c.Getenv) != true || Inside(func(string) string { return "" }) {
		t.Error("a check does not know that it is one")
	}
}

func TestTail(t *testing.T) {
	home := filepath.Join(t.TempDir(), "ada")
	env := map[string]string{"HOME": home, "USERPROFILE": home, "DB_URL": "very-private", "SHORT": "short", "KEY": "line one\r\nline two\n", "PATH": os.Getenv("PATH"), "SystemRoot": os.Getenv("SystemRoot")}
	for raw, want := range map[string]string{
		"plain\n\ttab\n\n":                                     "plain\n\ttab",
		"\x1b[31mred\x1b[0m \x1b(Bx\x1b7y\x1b[?25l":            "red xy",
		"\x1b]0;title\aa\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\": "ab",
		"\x1b]no end\nvisible":                                 "\nvisible",
		"\x1b[\x1b]\x1bP":                                      "",
		"\u009b31mred":                                         "red",
		"10%\r20%\r\nok":                                       "10%\n20%\nok",
		"a\x00b\x07c\x7fd\be\u0085":                            "abcde",
		"bad \xff\xfe utf-8 é":                                 "bad \ufffd utf-8 é",
		"turn \u202e round":                                    `turn \u202e round`,
		"in " + home + "/x " + home + "2 " + home:              "in ~/x " + home + "2 ~",
		"url very-private, not short":                          "url [masked], not short",
		"line two, line one":                                   "[masked], [masked]",
		"ver\x1b[1my-private":                                  "[masked]",
		"AWS_SECRET_ACCESS_KEY=abcdEFGH12345678abcdEFGH12345678abcdEFGH": "AWS_SECRET_ACCESS_KEY=[masked]",
		"token ghp_0123456789abcdefghijABCDEFGHIJ012345":                 "token [masked]",
	} {
		c := check(t, "raw", strconv.Quote(raw))
		c.Getenv = func(name string) string { return env[name] }
		c.Check.Env = []string{"DB_URL", "SHORT", "KEY"}
		r := c.run(t)
		if r.Tail != want || r.Output != sum(raw) || r.Exit != 1 {
			t.Errorf("%q:\n%+v\nwant %q", raw, r, want)
		}
	}
}

// The tail is cut between lines, and a line that is too long between characters.
func TestCut(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{strings.Repeat("x", MaxTail), strings.Repeat("x", MaxTail)},
		{"first\n" + strings.Repeat("y", MaxTail), strings.Repeat("y", MaxTail)},
		{strings.Repeat("x", MaxTail) + "\nlast", "last"},
		{strings.Repeat("é", MaxTail) + "x", strings.Repeat("é", MaxTail/2-1) + "x"},
	} {
		if got := cut(test.in); got != test.want {
			t.Errorf("%.20q…: %d bytes, %.20q…", test.in, len(got), got)
		}
	}
}

// Nothing that begins a secret is cut off before the secret is masked.
func TestWindow(t *testing.T) {
	o := newOutput(masker{values: []string{"hunter2-hunter2"}}, nil)
	for n := range 100_000 {
		o.take([]byte(fmt.Sprintln("line", n, "hunter2-")))
		o.take([]byte("hunter2\n"))
	}
	if _, _, tail := o.end(); strings.Contains(tail, "hunter2-hunter2") || !strings.HasSuffix(tail, "line 99999 hunter2-\nhunter2") || len(tail) > MaxTail {
		t.Errorf("%q", tail)
	}
	o = newOutput(masker{values: []string{"hunter2-hunter2"}}, nil)
	for range 100_000 {
		o.take([]byte("hunter2-"))
		o.take([]byte("hunter2 "))
	}
	if sum, _, tail := o.end(); strings.Contains(tail, "hunter2-") || !strings.HasSuffix(tail, "[masked] ") || cap(o.last) > 4*window {
		t.Errorf("%q %s %d", tail[:100], sum, cap(o.last))
	}
	o.take([]byte("late"))
	if _, n, tail := o.end(); n != 1_600_000 || strings.Contains(tail, "late") {
		t.Error("what came late counts")
	}
}

func TestFolders(t *testing.T) {
	c := check(t, "where", "")
	c.Getenv = func(string) string { return "" } // without a home, for which ~ would stand
	outside := t.TempDir()
	for path, text := range map[string]string{"here": "top", "web/app/here": "app", "file": "x"} {
		at := filepath.Join(c.Top, filepath.FromSlash(path))
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)))
	}
	where := func(dir, text string) {
		t.Helper()
		c.Check.Dir = dir
		real := must.Get(filepath.EvalSymlinks(c.Top))(t)
		at := filepath.Join(c.Top, filepath.FromSlash(dir))
		c.Check.Run[3] = at
		r := c.run(t)
		rest := " <nil>\npwd: true\n" + text + " <nil>"
		if r.Tail != at+rest && r.Tail != filepath.Join(real, filepath.FromSlash(dir))+rest {
			t.Errorf("%s: %+v", dir, r)
		}
	}
	refused := func(dir, why string) {
		t.Helper()
		c.Check.Dir = dir
		if r := c.run(t); r.Passed || r.Exit != pawl.NoExit || r.Why != why || r.Output != "" {
			t.Errorf("%s: %+v, want %s", dir, r, why)
		}
	}
	where("", "top")
	where("web/app", "app")
	refused("web/none", `its folder "web/none" does not exist`)
	refused("file", `its folder "file" is a file`)
	refused("file/x", `its folder "file" is a file`)
	for _, dir := range []string{"..", "../x", "web/../..", "/", "/etc", "web//app", "web/", "."} {
		c.Check.Dir = dir
		if r := c.run(t); r.Passed || !strings.Contains(r.Why, "is not a folder of the project") {
			t.Errorf("%s: %+v", dir, r)
		}
	}
	c.Top = filepath.Join(c.Top, "gone")
	c.Check.Dir = ""
	if _, err := Run(t.Context(), c, nil); err == nil {
		t.Error("a project that is not there")
	}
	c.Top = filepath.Dir(c.Top)
	mustrun.Link(t, filepath.Join(c.Top, "web"), filepath.Join(c.Top, "link"))
	refused("link", `its folder "link" is a link, which could lead out of the project`)
	refused("link/app", `its folder "link" is a link, which could lead out of the project`)
	mustrun.Link(t, outside, filepath.Join(c.Top, "web", "out"))
	refused("web/out", `its folder "web/out" is a link, which could lead out of the project`)
}

// A folder that is exchanged after it was looked at is not entered.
func TestExchanged(t *testing.T) {
	defer func() { lookedAt = func(string) {} }()
	for _, to := range []string{"link out", "link in", "folder"} {
		t.Run(to, func(t *testing.T) {
			c := check(t, "where", "")
			c.Check.Dir = "web"
			web, other := filepath.Join(c.Top, "web"), filepath.Join(c.Top, "other")
			must.Do(t, errors.Join(os.Mkdir(web, 0o755), os.Mkdir(other, 0o755)))
			lookedAt = func(string) {
				must.Do(t, os.Rename(web, web+"2"))
				switch to {
				case "link out":
					mustrun.Link(t, t.TempDir(), web)
				case "link in":
					mustrun.Link(t, other, web)
				case "folder":
					must.Do(t, os.Rename(other, web))
				}
			}
			if r := c.run(t); r.Passed || r.Output != "" || !strings.HasPrefix(r.Why, `its folder "web" `) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		mustrun.NotHere(t, "the programs of the test are shell scripts")
	}
	c := check(t, "say")
	path := t.TempDir()
	script := func(at, text string, mode os.FileMode) {
		t.Helper()
		must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), mode)))
	}
	script(filepath.Join(path, "ours"), "#!/bin/sh\necho \"$0\" \"$@\"\n", 0o755)
	script(filepath.Join(path, "data"), "x", 0o644)
	script(filepath.Join(c.Top, "theirs"), "#!/bin/sh\necho theirs\n", 0o755)
	script(filepath.Join(c.Top, "web/tool"), "#!/bin/sh\necho tool \"$@\"\n", 0o755)
	script(filepath.Join(c.Top, "web/data"), "x", 0o644)
	script(filepath.Join(c.Top, "web/text"), "\x7fnothing", 0o755)
	script(filepath.Join(c.Top, "web/orphan"), "#!/nowhere/sh\n", 0o755)
	c.Getenv = func(name string) string {
		if name == "PATH" {
			return strings.Join([]string{"", ".", "web", filepath.Join(path, "none"), path}, ":")
		}
		return ""
	}
	c.Check.Dir = "web"
	for _, test := range []struct{ run, tail, why string }{
		{"ours a $b", filepath.Join(path, "ours") + " a $b", ""},
		{"theirs", "", `"theirs" was not found on PATH`},
		{"tool", "", `"tool" was not found on PATH`},
		{"./tool x", "tool x", ""},
		{"../theirs", "theirs", ""},
		{"../web/tool", "tool", ""},
		{"data", "", fmt.Sprintf("%q is not executable", filepath.Join(path, "data"))},
		{"./data", "", `"./data" is not executable`},
		{"./none", "", `"./none" does not exist`},
		{"../web", "", `"../web" is a folder`},
		{"./text", "", `"./text" is not a program of this system; a script begins with a line such as #!/bin/sh`},
		{"./orphan", "", `"./orphan" cannot be started: the program that runs it, or its folder, does not exist`},
	} {
		c.Check.Run = strings.Fields(test.run)
		if r := c.run(t); r.Tail != test.tail || r.Why != test.why || r.Passed != (test.why == "") || (r.Exit == pawl.NoExit) != (test.why != "") {
			t.Errorf("%s: %+v", test.run, r)
		}
	}
	c.Check.Run = nil
	if r := c.run(t); r.Passed || r.Why != "it names no program" {
		t.Errorf("%+v", r)
	}
}
