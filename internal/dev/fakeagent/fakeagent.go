package fakeagent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/acp"
)

// MaxLife is the longest that a fake agent runs, so that a failed test leaves none
// behind.
const MaxLife = 5 * time.Minute

const (
	word       = "fakeagent"     // the first argument of a test's binary that is to be one
	envChild   = "STANDIN_CHILD" // a child that only runs
	envScript  = "STANDIN_SCRIPT"
	envScripts = "STANDIN_SCRIPTS"
)

// Main runs this process as a fake agent and ends it, if it was started with the
// words of [Command]. Else it returns.
func Main() {
	if len(os.Args) > 1 && os.Args[1] == word {
		os.Args = append(os.Args[:1:1], os.Args[2:]...)
		Run()
	}
}

// Command returns the words that start this binary as a fake agent.
func Command() []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{self, word}
}

// An agent is one run of a fake agent.
type agent struct {
	out     io.Writer
	session string
	resumed bool
	prompt  string
	usage   usage
	said    string // last
	turns   int
	spoken  *acp.Reader     // its input, if it speaks the Agent Client Protocol
	asked   json.RawMessage // the number of the prompt
}

// Exit codes that no script sets.
const (
	exitLate   = 124 // MaxLife is over
	exitBroken = 70  // the script, or an action of it
)

// Run is the main function of a fake agent. It does not return.
func Run() {
	time.AfterFunc(MaxLife, func() { os.Exit(exitLate) })
	if os.Getenv(envChild) != "" {
		select {}
	}
	a := &agent{out: os.Stdout, session: "fakeagent-" + strconv.Itoa(os.Getpid())}
	name, err := a.arguments(os.Args[1:])
	if err != nil {
		broken(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		broken(err)
	}
	if a.spoken == nil {
		a.prompt, err = readPrompt()
		a.begin()
	} else {
		err = a.listen()
	}
	if err != nil {
		broken(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if err := a.do(strings.TrimSpace(line)); err != nil {
			broken(fmt.Errorf("%s:%d: %w", name, i+1, err))
		}
	}
	a.exit(0)
}

func broken(err error) {
	fmt.Fprintln(os.Stderr, "stand-in:", err)
	os.Exit(exitBroken)
}

// arguments returns the name of the script.
func (a *agent) arguments(args []string) (string, error) {
	script, scripts := os.Getenv(envScript), os.Getenv(envScripts)
	for i, arg := range args {
		if arg == "--acp" {
			a.spoken = acp.NewReader(os.Stdin)
		}
		if i+1 == len(args) {
			break
		}
		switch next := args[i+1]; arg {
		case "--script":
			script = next
		case "--scripts":
			script, scripts = "", next
		case "--resume":
			a.session, a.resumed = next, true
		}
	}
	if script != "" {
		return script, nil
	}
	if scripts == "" {
		return "", errors.New("no script was named: --script FILE or --scripts DIR")
	}
	task, attempt := os.Getenv("PAWL_TASK"), os.Getenv("PAWL_ATTEMPT")
	names := []string{"default.txt"}
	if task != "" {
		names = []string{task + "-" + attempt + ".txt", task + ".txt", "default.txt"}
	}
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(scripts, name)); err == nil {
			return filepath.Join(scripts, name), nil
		}
	}
	return "", fmt.Errorf("%s has none of %s", scripts, strings.Join(names, ", "))
}

// readPrompt reads stdin, unless that is a terminal.
func readPrompt() (string, error) {
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return "", nil
	}
	text, err := io.ReadAll(os.Stdin)
	return string(text), err
}

// split cuts a line into words.
func split(line string) (words []string, err error) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' {
			end := strings.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, os.ExpandEnv(line[:end])), line[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("%s: a quote does not end", line)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", quoted, err)
		}
		words, line = append(words, os.ExpandEnv(text)), line[len(quoted):]
	}
	return words, nil
}
