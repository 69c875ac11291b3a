package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
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
	long:  "Runs the commands that it shows, on a real board. Without --dir it removes the folder at the end.",
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
		cmd.Flags().BoolVar(&serve, "serve", false, "show the demo in the browser, where you can take part, until Ctrl-C")
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
		s.oneBoard()
	}
	if pipe, ok := s.out.(*audience); ok && pipe.left {
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
		dir = a.absolute(dir)
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

// oneBoard shows a plan that two agents work on, and that outlives every process.
func (s *stage) oneBoard() {
	s.scene("One plan, two agents, no memory", "plan")
	s.run("init", ".")
	s.write("plan.md", `- [ ] Setup DB
- [ ] API routes (after: Setup DB)
- [ ] Auth module (after: Setup DB)
- [ ] Deploy (after: API routes, Auth module)
`)
	s.run("plan", "plan.md")
	s.run("done", "1")
	s.note("Two became ready at once. Each agent gets one of them.")
	s.run("claim", "--as", "ada")
	s.run("claim", "--as", "bob")
	s.run("graph", "--all")
	s.note("What process " + strconv.Itoa(os.Getpid()) + " knew is gone. Each command is a new process now, with nothing but the files.")
	s.child("done", "2", "--as", "ada")
	s.child("done", "3", "--as", "bob")
	s.child("done", "4", "--as", "carol")
	s.child("list", "--all")
}
