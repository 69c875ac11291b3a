package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

var demoVerb = verb{
	name:  "demo",
	use:   "[flags]",
	short: "watch agents complete a plan, in a temporary folder",
	long:  "Runs the commands that it shows, on real boards. Without --dir it removes the folder at the end.",
	kind:  "demo",
	examples: []string{
		"pawl demo",
		"pawl demo --run",
		"pawl demo --serve",
		"pawl demo --dir /tmp/look --fast",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var dir string
		var fast, serve, run bool
		cmd.Flags().StringVar(&dir, "dir", "", "`FOLDER` make the boards in this new or empty folder, and keep them")
		cmd.Flags().BoolVar(&fast, "fast", false, "run without pauses")
		cmd.Flags().BoolVar(&serve, "serve", false, "show it in the browser, where you can take part, until Ctrl-C")
		cmd.Flags().BoolVar(&run, "run", false, "show pawl run at work in a git repository of its own, with scripts for agents")
		return func(ctx context.Context, _ []string) error {
			if serve && a.json {
				return usage("demo", "demo --serve has no --json")
			}
			if serve && run {
				return usage("demo", "demo shows either --serve or --run")
			}
			return a.demo(ctx, demoHow{dir, fast, serve, run})
		}
	},
}

// demoJSON is the envelope of demo.
type demoJSON struct {
	wire.Envelope
	Dir   string     `json:"dir"`   // the folder of the demo
	Kept  bool       `json:"kept"`  // the folder still exists
	Steps []stepJSON `json:"steps"` // the commands that ran, in order
}

// demoHow is which demo is shown, and how.
type demoHow struct {
	dir              string // empty: a temporary one
	fast, serve, run bool
}

func (a *app) demo(ctx context.Context, how demoHow) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // to leave nothing behind
	defer stop()
	broken := make(chan os.Signal, 1) // else the first line that nobody reads would end us at once
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	kept := how.dir != ""
	dir, err := a.demoDir(how.dir)
	if err != nil {
		return err
	}
	if !kept {
		defer os.RemoveAll(dir)
	}
	if err := a.flush(); err != nil {
		return err
	}
	if how.serve {
		return a.demoServe(ctx, dir, how.fast)
	}
	s := newStage(ctx, a, dir, how.fast)
	yours := `pawl add "first task", then pawl board to see it and work on it`
	if how.run {
		s.worksItselfOff(how.fast)
		yours = `in a repository of yours: pawl add "first task" --check "the command of your tests", then pawl run`
	} else {
		s.threeTasks()
		s.refactoring()
		s.together()
		s.forgotten()
	}
	if s.unread() {
		return errFound // the reader of the pipe has left
	}
	if s.err != nil && ctx.Err() != nil {
		return errStopped // in whatever command it was
	}
	if s.err != nil {
		return s.err
	}
	if a.json {
		return a.printJSON(demoJSON{wire.NewEnvelope("demo"), dir, kept, s.steps})
	}
	if kept {
		a.print("\nThe boards are in %s\n", text.Line(dir))
	}
	a.print("\nNow yours: %s\n", yours)
	return nil
}

var errStopped = &pawl.Error{Kind: pawl.Unavailable, Message: "the demo was stopped"}

// demoDir makes the folder of the boards.
func (a *app) demoDir(dir string) (string, error) {
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp("", "pawl-demo-")
	} else {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(a.env.Dir, dir)
		}
		if err = os.MkdirAll(dir, 0o755); err == nil {
			err = empty(dir)
		}
	}
	if err != nil {
		return "", pawl.Errorf(pawl.Invalid, "cannot make a folder for the demo: %w", err)
	}
	return dir, nil
}

// empty refuses a folder that has anything in it: the demo writes under names
// of its own, which may stand for something else there, or lead elsewhere.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty", dir)
	}
	return err
}

func (s *stage) threeTasks() {
	s.scene("Three tasks in order", "three")
	s.run("init", ".")
	s.run("add", "Setup project")
	s.run("add", "Write code", "--after", "1")
	s.run("add", "Write tests", "--after", "2")
	s.run("list")
	s.follow()
	s.note("Completing the first makes the second ready.")
	s.run("done", "1")
	s.run("list")
	s.show(".tasks/task_2.json")
	s.part()
}

func (s *stage) refactoring() {
	s.scene("A whole plan at once", "refactoring")
	s.run("init", ".")
	s.write("plan.md", `- [ ] parse
- [ ] transform (after: parse)
- [ ] emit (after: transform)
- [ ] test (after: emit)
`)
	s.run("plan", "plan.md")
	s.follow()
	s.run("ready", "--why")
	s.run("claim", "--as", "ada")
	s.run("done", "1", "--as", "ada")
	s.run("ready")
	s.part()
}

func (s *stage) together() {
	s.scene("Two agents on one board", "together")
	s.run("init", ".")
	s.write("plan.json", `{"tasks": [
  {"ref": "db",    "subject": "Setup DB"},
  {"ref": "api",   "subject": "API routes",  "blockedBy": ["db"]},
  {"ref": "auth",  "subject": "Auth module", "blockedBy": ["db"]},
  {"ref": "whole", "subject": "Integration", "blockedBy": ["api", "auth"]},
  {"subject": "Deploy", "blockedBy": ["whole"]}
]}
`)
	s.run("plan", "plan.json")
	s.follow()
	s.run("done", "1")
	s.note("Two became ready at once. Each agent gets one of them.")
	s.run("claim", "--as", "ada")
	s.run("claim", "--as", "bob")
	s.run("done", "2", "--as", "ada")
	s.part()
}

// forgotten goes on where together stopped, in processes that know nothing but
// the files.
func (s *stage) forgotten() {
	s.scene("All memory is thrown away", "together")
	s.note("What process " + strconv.Itoa(os.Getpid()) + " knew is gone. Each command is a new process now, with nothing but the files.")
	s.fresh("list", "--all")
	s.follow()
	s.fresh("done", "3", "--as", "bob")
	for range s.count(pawl.Query{Status: []pawl.Status{pawl.Pending}}) {
		s.fresh("claim", "--as", "carol")
		for _, id := range s.choose(pawl.Query{Status: []pawl.Status{pawl.InProgress}}) {
			s.fresh("done", strconv.FormatInt(int64(id), 10), "--as", "carol")
		}
	}
	s.part()
	if s.count(pawl.Query{Status: []pawl.Status{pawl.Pending, pawl.InProgress}}) == 0 {
		s.note("All done.")
	}
}
