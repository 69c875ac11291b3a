package cli

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/live"
	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

var doctorVerb = verb{
	name:  "doctor",
	use:   "[flags]",
	short: "check the board's files, and say how to repair them",
	long:  "Reads every file and compares it with the index and the history. It reports files that cannot be read, unmerged and duplicate tasks, dependencies recorded on one side only, cycles, missing tasks, displaced texts, damaged history, and clone-local files that git tracks. Exits with 1 if it finds a problem, or with --mend leaves one unrepaired.\n\nIt changes nothing without --mend, which repairs what can be repaired without losing text. A file that cannot be read is replaced by its last version in the history, and its present text goes to .pawl/lost+found; a file with wrong dependencies is corrected; clone-local files are removed from git's index, and stay on the disk. Doctor leaves unfinished merges to pawl merge, does not change files without a known version, and says why each of them needs a person.\n\nFor a board in a database, it compares the rows with the tasks' documents, and --mend rewrites the rows that derive from them. It also reports the database's response time, settings that could lose changes in a crash, and advice.\n\nFor a shared board, it says why no sync runs, or that the last sync was long ago. It also checks the agents that pawl setup has set up for you or for this project: whether their files are complete, and whether they call this pawl. --agents also lists installed programs that pawl run can start, with their versions.\n\n--live AGENT runs the agent's real program in a temporary empty project, on your account, after it shows the possible cost and asks. It reports whether hooks fire, tools are offered, the plan returns after a compaction, after a resume and in a new session, the agent's own list stays separate from Pawl's, the agent obeys a person's stop, and finished work is ticked: ✔ seen, ✘ failed, ○ could not be seen. It exits with 1 if something failed.",
	kind:  "doctor",
	examples: []string{
		"pawl doctor",
		"pawl doctor --mend --dry-run",
		"pawl doctor --agents",
		"pawl doctor --ci",
		"pawl doctor --live claude --report report.md",
	},
	build: func(a *app, cmd *cobra.Command) func(context.Context, []string) error {
		var mend, dry, agents, ci bool
		cmd.Flags().BoolVar(&mend, "mend", false, "repair what can be repaired without losing text")
		cmd.Flags().BoolVar(&dry, "dry-run", false, "with --mend: show what it would do, without doing it")
		cmd.Flags().BoolVar(&agents, "agents", false, "check only the agents that are set up")
		cmd.Flags().BoolVar(&ci, "ci", false, "check only the board, and fail without one; exit with 8 if it is not merged, and with 1 for another problem or a completed task that is not shown to be done; on GitHub, annotate the files")
		look := newLooking(cmd)
		return func(ctx context.Context, _ []string) error {
			if look.asked() {
				if mend || agents || dry || ci {
					return usage("doctor", "--live tries an agent, and goes with --model, --report and --yes only")
				}
				return a.doctorLive(ctx, look)
			}
			if ci && (agents || mend || dry) {
				return usage("doctor", "--ci checks the board and changes nothing: give it alone")
			}
			if place, err := a.project().Board(); err == nil && place.InDatabase() && !agents && a.env.Host == nil {
				return a.startServer(ctx)
			}
			if ci {
				return a.doctorCI(ctx)
			}
			if agents && mend {
				return usage("doctor", "--mend repairs the board, and --agents checks only agents: give one of them")
			}
			if agents {
				return a.doctorAgents(ctx)
			}
			if dry && !mend {
				return usage("doctor", "--dry-run needs --mend: doctor alone changes nothing")
			}
			return a.doctor(ctx, mend, dry)
		}
	},
}

// doctorJSON is the envelope of doctor.
type doctorJSON struct {
	wire.Envelope
	Board    string          `json:"board"`              // its folder or address; empty with --agents
	Server   *serverHealth   `json:"server,omitempty"`   // of a board at an address
	Database *DatabaseHealth `json:"database,omitempty"` // of a board in a database that this process opens
	Tasks    int             `json:"tasks"`              // their number
	Unshown  int             `json:"unshown,omitempty"`  // how many of them are completed, and not shown to be done by their checks and criteria; a problem only with --ci
	Shared   *wire.Shared    `json:"shared,omitempty"`   // how the board is shared through a git remote; absent: it is not
	Sound    bool            `json:"sound"`              // nothing is wrong with the board; with --agents: with an agent
	Problems []pawl.Problem  `json:"problems"`           // what is left after mending
	Mended   []pawl.Mended   `json:"mended,omitempty"`   // with --mend: what was put right
	DryRun   bool            `json:"dryRun,omitempty"`   // nothing was repaired: mended lists what would be, and problems still has it
	Agents   []agentHealth   `json:"agents,omitempty"`   // those set up for you and for this project
	Programs []agentProgram  `json:"programs,omitempty"` // with --agents: those installed here that pawl run can start
	Live     *live.Report    `json:"live,omitempty"`     // with --live: what was seen of the agent's program
}

// A diagnosis is what doctor finds out about a board, with --ci too.
type diagnosis struct {
	found    query.Problems
	problems []pawl.Problem // all of them, those of found too
	server   *serverHealth
	database *DatabaseHealth
	shared   *share.Status
}

func (a *app) diagnose(ctx context.Context, place *project.Board) (d diagnosis, err error) {
	var ill, dangers []pawl.Problem
	d.server, ill = a.serverHealth(ctx, place)
	d.database, dangers = a.databaseHealth(ctx, place)
	if d.server == nil || d.server.Answers {
		if d.found, err = asked(ctx, a, query.ProblemsQuery{}); err != nil {
			return d, err
		}
	}
	d.shared, d.problems = a.sharingProblems(ctx, place.Dir)
	if d.shared == nil && !place.Distant() {
		d.problems = append(d.problems, a.overrun(ctx, place.Dir)...)
	}
	if s := a.withGit(ctx, place.Dir); s != nil && (s.Under != "" || len(s.Tasks) > 0) && !(len(s.Tasks) == 0 && s.Next.Nothing()) {
		d.problems = append(d.problems, pawl.Problem{Kind: "merging", Text: "git has brought two boards together, and they are not merged yet", Mend: a.command("merge")})
	}
	d.problems = slices.Concat(d.problems, a.tracked(ctx, place), ill, dangers, d.found.Problems)
	return d, nil
}

func (a *app) doctor(ctx context.Context, mend, dry bool) error {
	place, err := a.place()
	if err != nil {
		return err
	}
	if mend {
		if place.Served() {
			return a.needsFolder(&place, "--mend repairs the files of a board", "run it on the server: pawl --board DIR doctor --mend")
		}
	}
	var mended []pawl.Mended
	if mend && place.Exists {
		if mended, err = a.env.Boards.Mend(ctx, place, a.caller().Actor, dry); err != nil {
			return err
		}
	}
	d, err := a.diagnose(ctx, &place)
	if err != nil {
		return err
	}
	found, problems, shared := d.found, d.problems, d.shared
	none := a.none
	a.none = false // after a setup that is as it should be
	agents, well := a.agentsHealth()
	if a.json {
		answer := doctorJSON{
			Envelope: wire.NewEnvelope("doctor"), Board: place.Where(), Tasks: found.Tasks, Unshown: found.Unshown, Sound: len(problems) == 0,
			Problems: append([]pawl.Problem{}, problems...), Mended: mended, DryRun: dry, Agents: agents, Server: d.server, Database: d.database, Shared: wire.NewShared(shared, time.Now()),
		}
		err = a.printJSON(answer)
	} else {
		a.tellServer(d.server)
		a.tellDatabase(d.database)
		at := a.seenFrom(&place, found.Origin, found.Revision)
		did := "Mended"
		if dry {
			did = "Would mend"
		}
		for _, m := range mended {
			m.Problem.Mend = ""
			a.print("%s %s\n  %s\n", a.paint.as(green, did), at.problem(m.Problem), text.Line(at.text(m.Done)))
		}
		for _, p := range problems {
			a.print("%s\n", at.problem(p))
		}
		if none {
			a.print("No board here yet: the first task makes one\n")
		} else if len(problems) == 0 {
			a.print("The board %s has no problems: %s\n", whereOf(&place), text.Count(found.Tasks, "task", "tasks"))
			a.tellShared(shared, time.Now())
		}
		a.tellUnshown(&found)
		a.printHealth(agents)
		if place.Exists && !place.Distant() {
			a.tellApart(place.Dir)
			a.missingDriver(place.Dir, agents)
		}
	}
	left := problems
	if mend && !dry { // the texts that it has put aside are no failure of it
		left = slices.DeleteFunc(slices.Clone(problems), func(p pawl.Problem) bool { return p.Kind == "displaced" })
	}
	if err == nil && (len(left) > 0 || !well) {
		err = errFound
	}
	return err
}
