package settings

// running are the settings of pawl run, which starts agents' programs. Only the user's
// file may let an agent or a project do more than a person here has agreed to.
var running = []Setting{
	{
		Key: "run.agent", Type: AgentName,
		Meaning: "which agent works on tasks, if `pawl run` does not name one: one that Pawl knows, or one of run.agents. Without it, the only one that is installed",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.agents", Type: Agents, Only: []Scope{User},
		Meaning: "your own agents for `pawl run`, by their names: the command, and how it takes its prompt and tells what it does. An entry with the name of an agent that Pawl knows replaces it",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.slots", Type: Int, Default: "2", Min: 1, Max: 16, Unit: "agents",
		Meaning: "how many agents work at once",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.permissions", Type: Choice, Default: "sandbox", Words: []string{"sandbox", "skip"}, Only: []Scope{User},
		Meaning: "what an agent may do; sandbox: what its own program allows without a question; skip: everything, with the program's own argument for that, on your account and your files",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.setup", Type: Command, Only: []Scope{Project, User},
		Meaning: "a command that prepares each new work tree, such as `npm ci`; a clone runs the project's only after `pawl trust checks` there",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.setup.timeout", Type: Duration, Default: "10m", Min: 1, Max: 4 * hour,
		Meaning: "how long run.setup may take",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.copy", Type: Paths, Only: []Scope{Project, User},
		Meaning: "files and folders that git ignores and that each new work tree gets a copy of, such as `.env`; agents can read them. A clone copies what the project names only after `pawl trust checks` there",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.review", Type: Choice, Default: "before-merge", Words: []string{"before-merge", "after", "none"}, Only: []Scope{User},
		Meaning: "when a person looks at what an agent did; before-merge: nothing is merged before that; after: it is merged, and the task waits",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.review.max", Type: Int, Default: "4", Min: 1, Max: 100, Unit: "tasks",
		Meaning: "start no agent while so many tasks wait for a person",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.integrate", Type: Choice, Default: "merge", Words: []string{"merge", "branch", "none"},
		Meaning: "what becomes of an agent's commits when the checks have passed; merge: they get into the target branch; branch: they stay on the task's branch, and the task is completed; none: they stay there, and the task waits for a person",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.commits", Type: Choice, Default: "squash", Words: []string{"squash", "keep"},
		Meaning: "how an agent's work gets into the target branch; squash: as one commit with the task's subject; keep: as the agent's own commits if the checks pass at each of them, else as one commit",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.leftovers", Type: Choice, Default: "commit", Words: []string{"commit", "fail"},
		Meaning: "what becomes of changes that an agent did not commit; commit: Pawl commits them; fail: the attempt has failed",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.attempts", Type: Int, Default: "3", Min: 1, Max: 20, Unit: "attempts",
		Meaning: "put a task on hold after so many attempts that failed",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.timeout", Type: Duration, Default: "1h", Min: 1, Max: 7 * day, Zero: "never",
		Meaning: "end an attempt after this long",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.timeout.task", Type: Duration, Default: "4h", Min: 1, Max: 30 * day, Zero: "never",
		Meaning: "end the work on a task after this long, all attempts together",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.timeout.run", Type: Duration, Default: "0", Min: 1, Max: 365 * day, Zero: "never",
		Meaning: "start nothing more after this long, and end what works",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.stall", Type: Duration, Default: "10m", Min: 1, Max: day, Zero: "never",
		Meaning: "end an attempt whose agent prints nothing, changes no file and changes no task for this long",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.progress", Type: Duration, Default: "30m", Min: 1, Max: 7 * day, Zero: "never",
		Meaning: "end an attempt whose agent prints, but makes no commit and changes no file and no task for this long",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.tokens", Type: Int, Default: "0", Max: mostTokens, Unit: "model tokens",
		Meaning: "end an attempt that has used so many; 0: no limit. `pawl run` refuses the limit for an agent that does not tell its tokens while it works",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.tokens.task", Type: Int, Default: "0", Max: mostTokens, Unit: "model tokens",
		Meaning: "end the work on a task that has used so many; 0: no limit",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.tokens.run", Type: Int, Default: "0", Max: mostTokens, Unit: "model tokens",
		Meaning: "end a run that has used so many; 0: no limit",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.money", Type: Float, Default: "0", Max: mostMoney,
		Meaning: "end an attempt that has cost so many dollars, as the agent's program says; 0: no limit. `pawl run` refuses the limit for an agent that does not tell what it costs",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.money.task", Type: Float, Default: "0", Max: mostMoney,
		Meaning: "end the work on a task that has cost so many dollars; 0: no limit",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.money.run", Type: Float, Default: "0", Max: mostMoney,
		Meaning: "end a run that has cost so many dollars; 0: no limit",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.output", Type: Int, Default: "256", Min: 1, Max: 16 << 10, Unit: "MiB",
		Meaning: "end an attempt whose agent prints more than this",
		ReadBy:  "run", Since: "0.1",
	},
	{
		Key: "run.disk", Type: Int, Default: "1024", Max: 1 << 20, Unit: "MiB",
		Meaning: "start no agent while less than this is free on the disk with the work trees; 0: never look",
		ReadBy:  "run", Since: "0.1",
	},
}

const (
	mostTokens = 2_000_000_000 // what an int holds everywhere
	mostMoney  = 1_000_000
)
