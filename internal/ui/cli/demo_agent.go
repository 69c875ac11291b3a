package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/lookup"
)

// DemoAgentVerb is the hidden command of the agent of `pawl demo --run`. Only the demo's
// settings name it.
const DemoAgentVerb = "demo-agent"

// demoLife is the longest that an agent of the demo runs, whatever happens around it.
const demoLife = 30 * time.Second

// A demoWork is what an agent does for a task of the demo, in its work tree.
type demoWork struct {
	ctx    context.Context
	prompt string
	pace   time.Duration
	out    io.Writer
	err    error
}

// DemoAgent plays an agent at work on a task of `pawl demo --run`: a script instead of a
// model. Like one, it knows from its prompt alone what became of the attempt before. The
// arguments are the time that it takes for a step.
func DemoAgent(args []string, prompt io.Reader, out io.Writer, getenv func(string) string) error {
	ctx, stop := context.WithTimeout(context.Background(), demoLife)
	defer stop()
	said, err := io.ReadAll(prompt)
	if err != nil {
		return err
	}
	w := &demoWork{ctx: ctx, prompt: string(said), out: out}
	if len(args) > 0 {
		if w.pace, err = time.ParseDuration(args[0]); err != nil {
			return err
		}
	}
	if task := getenv("PAWL_TASK"); !w.play(task) {
		return fmt.Errorf("this script knows nothing of task %q", task)
	}
	return w.err
}

// play plays the script of a task. It reports whether there is one.
func (w *demoWork) play(task string) bool {
	switch task {
	case "1":
		w.write("Writing bread.md", "bread.md", "# Bread\n\nFlour, water, yeast and salt.\n")
		w.commit("Add bread")
	case "2":
		if !w.told("salt") {
			w.write("Writing soup.md", "soup.md", "# Soup\n\nCarrots and water.\n")
			w.commit("Add soup")
			return true
		}
		w.write("Reading what the check says, and adding salt", "soup.md", "# Soup\n\nCarrots, water and salt.\n")
		w.commit("Put salt into the soup")
	case "3":
		w.beside("4")
		w.entry("bread")
	case "4":
		w.beside("3")
		w.pace *= 2
		w.entry("soup")
	case "5":
		w.write("Counting", "README.md", "# Recipes\n\nThere are 2 recipes: see [the index](index.md).\n")
		w.commit("Say how many recipes there are")
	default:
		return false
	}
	return true
}

// told reports whether the prompt tells of an earlier attempt, and of something.
func (w *demoWork) told(what string) bool {
	_, earlier, found := strings.Cut(w.prompt, "\n## Earlier attempts\n")
	return found && strings.Contains(earlier, what)
}

// beside waits until the agent of another task has begun, too, so that both begin at the
// same commit. The next attempt need not.
func (w *demoWork) beside(task string) {
	if w.told("index.md") {
		return
	}
	for w.git("branch", "--list", "pawl/"+task+"-*") == "" && w.err == nil {
		w.rest(50 * time.Millisecond)
	}
}

// entry writes a line behind those that are in the index.
func (w *demoWork) entry(name string) {
	doing := "Adding " + name + " to index.md"
	if w.told("index.md") {
		doing += " as it is now"
	}
	text, err := os.ReadFile("index.md")
	if err != nil {
		w.err = err
		return
	}
	w.write(doing, "index.md", fmt.Sprintf("%s- [%s](%s.md)\n", text, name, name))
	w.commit("Name " + name + " in the index")
}

// write writes a file of the work tree.
func (w *demoWork) write(doing, name, text string) {
	if w.err == nil {
		fmt.Fprintln(w.out, doing)
		w.rest(w.pace)
	}
	if w.err == nil {
		w.err = os.WriteFile(name, []byte(text), 0o644)
	}
}

func (w *demoWork) commit(message string) {
	w.git("add", "-A")
	w.git("commit", "-q", "-m", message)
}

// git runs git in the work tree.
func (w *demoWork) git(args ...string) string {
	if w.err != nil {
		return ""
	}
	out, err := exec.CommandContext(w.ctx, lookup.Outside(os.Getenv).Find("git"), args...).CombinedOutput()
	if err != nil {
		w.err = fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return string(out)
}

func (w *demoWork) rest(while time.Duration) {
	select {
	case <-w.ctx.Done():
		w.err = w.ctx.Err()
	case <-time.After(while):
	}
}
