package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/agent/known"
	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/runs/engine"
	"github.com/pawl-dev/pawl/internal/runs/program"
	"github.com/pawl-dev/pawl/internal/supervise"
)

// Files of an attempt, in its folder.
const (
	PromptFile = "prompt.md"
	StreamFile = "stream.jsonl" // what the agent's program printed
	ErrorsFile = "stderr.txt"
	inputFile  = "stdin.txt" // what the program reads
)

// agentMark ends an agent's name in git, so that reflogs tell which moves of a branch are
// an agent's. No key of the user's has that name, so agents sign nothing.
const agentMark = " (pawl run)"

// maxMoves is how far back a branch is searched for moves by agents.
const maxMoves = 1000

// Agents starts agents' programs.
type Agents struct{ *Local }

var _ engine.Agents = Agents{}

// programs are those that this runner has started or adopted.
type programs struct {
	mu  sync.Mutex
	all map[runs.Key]*process
}

// Setup runs the set-up command.
func (g Agents) Setup(ctx context.Context, a *runs.Attempt) (why, tail string, err error) {
	return g.setUp(ctx, a.Tree)
}

// Start starts the program for an attempt.
func (g Agents) Start(ctx context.Context, a *runs.Attempt, turn engine.Turn) (engine.Process, error) {
	dir := g.Folder.Attempt(a.Key)
	temp := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return nil, err
	}
	text := g.prompt(ctx, a, turn)
	file := filepath.Join(dir, PromptFile)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	whole := ""
	if turn.Resume != "" {
		fresh := turn
		fresh.Resume = ""
		whole = g.prompt(ctx, a, fresh)
	}
	how := g.Program.Command(program.Turn{
		Turn: agent.Turn{Prompt: text, Session: turn.Resume, Whole: whole, Model: g.Model, Dir: a.Tree, Work: true, Skip: g.Skip},
		File: file,
	})
	spec := supervise.Spec{
		Program: how.Path, Args: how.Args, Dir: a.Tree, Env: g.environment(a, temp, how.Env), Alone: how.Ends,
		Stdout: filepath.Join(dir, StreamFile), Stderr: filepath.Join(dir, ErrorsFile), Limit: g.Limit,
	}
	if how.Stdin != "" {
		spec.Stdin = filepath.Join(dir, inputFile)
		if err := os.WriteFile(spec.Stdin, []byte(how.Stdin), 0o600); err != nil {
			return nil, err
		}
	}
	p, err := supervise.Start(ctx, g.Keeper, dir, spec)
	if err != nil {
		return nil, err
	}
	return g.adopt(a, p), nil
}

// Find returns the program of an attempt.
func (g Agents) Find(_ context.Context, a *runs.Attempt) (engine.Process, error) {
	g.programs.mu.Lock()
	p := g.programs.all[a.Key]
	g.programs.mu.Unlock()
	if p != nil {
		return p, nil
	}
	found, err := supervise.Find(g.Folder.Attempt(a.Key))
	if err != nil || found == nil {
		return nil, err
	}
	return g.adopt(a, found), nil
}

func (g Agents) adopt(a *runs.Attempt, p *supervise.Process) *process {
	g.programs.mu.Lock()
	defer g.programs.mu.Unlock()
	if g.programs.all == nil {
		g.programs.all = map[runs.Key]*process{}
	}
	is := &process{p: p, program: g.Program, reader: g.Program.Reader(), dir: g.Folder.Attempt(a.Key)}
	g.programs.all[a.Key] = is
	return is
}

// environment is that of an agent: the caller's, without what leads git elsewhere, what
// Pawl keeps in variables, and the marks of an agent that the caller runs in; with what
// names the attempt.
func (g Agents) environment(a *runs.Attempt, temp string, more []string) []string {
	var marks []string
	for _, k := range known.Agents {
		marks = append(marks, k.Marks...)
	}
	env := slices.DeleteFunc(slices.Clone(g.Environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "PAWL_") && !keeps(name) ||
			slices.Contains(marks, name) || slices.Contains([]string{"PWD", "OLDPWD", "TMPDIR", "TMP", "TEMP"}, name)
	})
	env = append(env,
		"PWD="+a.Tree, "TMPDIR="+temp, "TMP="+temp, "TEMP="+temp,
		"GIT_COMMITTER_NAME="+a.Agent+agentMark, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=commit.gpgSign", "GIT_CONFIG_VALUE_0=false",
		"PAWL_BOARD="+g.Board, "PAWL_AGENT="+a.Agent, "PAWL_SESSION="+a.Session,
		runs.EnvRun+"="+runOf(a.Session), fmt.Sprintf("%s=%d", runs.EnvTask, a.ID), fmt.Sprintf("%s=%d", runs.EnvAttempt, a.N), fmt.Sprintf("%s=%d", runs.EnvSlot, a.Slot),
	)
	return labelled(append(env, more...), a)
}

// envLabels are what OpenTelemetry puts on all that a program measures. With the task and
// the attempt among them, the user's own collector tells what a task costs.
const envLabels = "OTEL_RESOURCE_ATTRIBUTES"

// labelled adds the attempt to the labels that the user has set.
func labelled(env []string, a *runs.Attempt) []string {
	labels := fmt.Sprintf("pawl.task=%d,pawl.attempt=%d", a.ID, a.N)
	for _, entry := range env {
		if set, ok := strings.CutPrefix(entry, envLabels+"="); ok && strings.TrimSpace(set) != "" {
			labels = strings.TrimRight(set, ", ") + "," + labels // the last one of a name counts
		}
	}
	return append(env, envLabels+"="+labels)
}

// keeps reports whether a variable of Pawl's is the agent's, too: where the user's
// folders are.
func keeps(name string) bool {
	return name == "PAWL_STATE_DIR" || name == "PAWL_CONFIG_DIR" || name == "PAWL_NO_BACKGROUND"
}

// runOf is the run in the name of a session: run-RUN-TASK-ATTEMPT.
func runOf(session string) string {
	parts := strings.Split(session, "-")
	if len(parts) < 2 {
		return session
	}
	return parts[1]
}

func (g Agents) prompt(ctx context.Context, a *runs.Attempt, turn engine.Turn) string {
	p := Prompt{Task: &turn.Task, Attempt: a, Remarks: turn.Remarks, Resumed: turn.Resume != ""}
	for _, c := range turn.Task.Task.AllChecks(g.Checks.Rules) {
		if !c.Optional {
			p.Checks = append(p.Checks, c)
		}
	}
	for i := range turn.Before {
		b := &turn.Before[i]
		before := Earlier{Attempt: b}
		if b.Tip != "" && b.Tip != b.Base {
			before.Stat = fmt.Sprintf("%d files changed, %d lines added, %d removed", len(b.Files), b.Added, b.Removed)
			if i == len(turn.Before)-1 && !a.Again {
				before.Diff, _ = g.Tree.Diff(ctx, b.Base, b.Tip, maxDiff) // the attempt can do without
			}
		}
		p.Before = append(p.Before, before)
	}
	return PromptText(p)
}
