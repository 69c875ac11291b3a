// The shapes of the API, made of docs/openapi.json's types by: go test ./internal/ui/web -update

/** The project of this server, and the name in which it acts */
export interface About {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "about";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** its name */
  project: string;
  /** the board's folder */
  dir: string;
  /** of a board that a server keeps: https://HOST/boards/NAME; absent: it is in dir */
  address?: string;
  /** the name in which the API acts: tasks assigned to it are ready here */
  me: string;
  /** Pawl's version */
  version: string;
  /** whether the project has a board; if not, the first task makes one */
  board: boolean;
  /** what the caller may do: read; work: also change tasks; admin: also make boards */
  role: string;
  /** whether the caller may use force, which needs a person's token */
  person: boolean;
}

/** who made a change */
export interface Actor {
  /** external: something other than Pawl; pawl: a lease that ran out */
  name: string;
  /** of the name */
  session?: string;
  /** the subagent of the session; absent: the main agent, or a person */
  agent?: string;
}

/** Assigns pending tasks to an owner, who has not started them */
export interface AssignOp {
  /** assign */
  op: "assign";
  /** the tasks */
  ids: ID[];
  /** a name; empty: nobody */
  owner: string;
}

/** What the last attempt at a task changed */
export interface AttemptDiff {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "attemptDiff";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** as git shows it: text of an agent; empty: nothing */
  diff: string;
  /** it is longer than 256 KiB; pawl run diff shows all of it */
  cut?: boolean;
}

/** The attempts of runs at a task, in the clone of this server */
export interface Attempts {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "attempts";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** the newest last, at most 20 */
  attempts: RunView[];
}

/** a task by name */
export interface Brief {
  /** its number */
  id: ID;
  /** one line; empty if it is no longer known */
  subject: string;
}

/** a task on the board */
export interface Card {
  /** its number */
  id: ID;
  /** one line */
  subject: string;
  /** its state */
  state: StateName;
  /** its owner; of a pending task, its assignee */
  owner?: string;
  /** on a shared board: the other clone in which its owner works, as people call it */
  on?: string;
  /** on a shared board: only this clone knows the claim */
  here?: boolean;
  /** its own */
  priority: Level;
  /** sorted as in its file */
  labels?: string[];
  /** the task that it is a part of */
  parent?: ID;
  /** which task of another branch has its number until pawl merge, in words */
  other?: string;
  /** why it cannot be claimed, or why its owner should stop, in words */
  why?: string;
  /** its first open blockers */
  waitsFor?: Waited[];
  /** number of open blockers */
  waits?: number;
  /** of a ready task: number of open tasks that depend on it */
  unblocks?: number;
  /** of a task in progress: its active form */
  doing?: string;
  /** of a task in progress: number of notes */
  notes?: number;
  /** when its owner started it */
  startedAt?: Moment;
  /** when it was completed */
  completedAt?: Moment;
  /** when its lease expires */
  until?: Moment;
  /** number of children */
  children?: number;
  /** number of completed children */
  done?: number;
  /** completed only in this what-if */
  asDone?: boolean;
  /** how far its checks and criteria show that it is done; absent: it has none */
  checked?: Checked;
  /** that a check failed, or that it is completed and not shown to be done, in words: "done, but unit failed" */
  shown?: string;
  /** the last lines of what the failed check printed in this clone: text */
  tail?: string;
}

/** what happened to one task */
export interface Change {
  /** its number */
  id: ID;
  /** one line; empty if it is no longer known */
  subject: string;
  /** created, edited or deleted */
  change: string;
  /** which keys of the task changed */
  fields?: string[];
  /** these keys as they were, spelled as in the task's file; a key that was not set is left out */
  before?: unknown;
  /** these keys as they are */
  after?: unknown;
}

/** a change set in an envelope */
export interface ChangeSet {
  /** its number, larger than any earlier one */
  revision: Revision;
  /** the same as people write it: @3 */
  short: string;
  /** when */
  at: Moment;
  /** who */
  by: Actor;
  /** the verb of the request */
  verb: string;
  /** the id under which it takes effect once */
  opId?: string;
  /** the edit changed so many files that history has only their ids */
  bulk?: boolean;
  /** the revision that it reverted */
  undoes?: Revision;
  /** what happened, task by task */
  tasks: Change[];
  /** what it made ready, the most urgent first */
  ready: Brief[];
}

/** a command that shows whether a task is done: it passes when it ends with the exit code that is expected */
export interface Check {
  /** of the check, within its task */
  name: string;
  /** program and arguments, which no shell reads */
  run: string[];
  /** the folder in which it runs, from the top of the project; absent: the top */
  dir?: string;
  /** how long it may take, such as 1m30s; absent: ten minutes */
  timeout?: string;
  /** names of the variables that it gets besides the basic ones */
  env?: string[];
  /** the exit code that passes */
  expect?: number;
  /** the task can be completed without it */
  optional?: boolean;
  /** what its last run showed; absent: it has not run as it is now */
  last?: Evidence;
}

/** how far it is shown that a task is done */
export type Checked = "open" | "failed" | "passed";

/** an owner's claim on a task */
export interface Claim {
  /** the owner's session; the same name in another session is another owner */
  session: string;
  /** the subagent of the session; empty: the main agent, or a person */
  agent: string;
  /** the claim token: larger than that of any earlier claim of the task */
  token: Revision;
  /** when the lease expires; absent: the claim has no lease */
  until?: Moment;
  /** On a board that is shared through a git remote */
  clone?: string;
  /** of a claim of this clone: when the last renewal that the remote has was written; absent: the remote does not have the claim */
  confirmed?: Moment;
}

/** Makes the caller the owner of a task and starts it */
export interface ClaimOp {
  /** claim */
  op: "claim";
  /** the task; absent: the most urgent ready one */
  id?: ID;
  /** even if it is blocked, on hold, or somebody else's */
  force?: boolean;
}

/** a code that a browser got from pawl serve */
export interface Code {
  /** the part of the URL behind # */
  code: string;
}

/** Completes tasks, each after those that it waits for */
export interface CompleteOp {
  /** complete */
  op: "complete";
  /** the tasks */
  ids: ID[];
  /** even if one is blocked, or somebody else's */
  force?: boolean;
}

/** Creates tasks, and the edges among them */
export interface CreateOp {
  /** create */
  op: "create";
  /** at most 500 */
  tasks: NewTask[];
}

/** Criterion says in words what must be so when a task is done */
export interface Criterion {
  /** one line, at most 500 characters */
  text: string;
  /** the name of who ticked it */
  by?: string;
  /** when it was ticked; absent: it is not */
  at?: Moment;
}

/** Deletes tasks and every edge to them; an undo restores them */
export interface DeleteOp {
  /** delete */
  op: "delete";
  /** the tasks */
  ids: ID[];
  /** even if somebody else works on one */
  force?: boolean;
}

/** One task, with the tasks around it */
export interface Detail {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "detail";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** of the board */
  revision: Revision;
  /** by the board's clock, which decides leases */
  now: Moment;
  /** the task */
  task: Task;
  /** its state */
  state: StateName;
  /** why it cannot be claimed, or why its owner should stop, in words */
  why?: string;
  /** number of open tasks that depend on it, directly or not; 99 means 99 or more */
  unblocks: number;
  /** on a shared board: the other clone in which its owner works, as people call it */
  on?: string;
  /** on a shared board: that only this clone knows the claim, and why, in words */
  here?: string;
  /** completed only in this what-if */
  asDone?: boolean;
  /** the tasks of another branch that have its number until pawl merge, in words */
  others?: string[];
  /** tasks that had its number until merges gave them others */
  once?: Waited[];
  /** the task that it is a part of */
  parent?: Waited;
  /** its blockers, open ones first */
  waitsFor: Waited[];
  /** the tasks that it blocks or blocked, open ones first */
  waitedFor: Waited[];
  /** its children, by id */
  children: Waited[];
  /** that a check failed, or that it is completed and not shown to be done, in words: "done, but unit failed" */
  shown?: string;
  /** its checks with what is known of them here, its own first, then the project's */
  checks?: Looked[];
}

/** why one task waits for another: blocks or child */
export type EdgeKind = "blocks" | "child";

/** Why a request failed; any may */
export interface Error {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "error";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** what went wrong */
  error: ErrorBody;
  /** of the command line: the exit code */
  exit?: number;
}

/** what went wrong, for people and for programs */
export interface ErrorBody {
  /** what sort of failure it is; of the command line, the exit code in words */
  kind: Failure;
  /** one sentence, for people */
  message: string;
  /** the next step, on the command line mostly a command; it never destroys anything */
  hint?: string;
  /** all faults of the input, if it has several or their places matter */
  faults?: Fault[];
  /** the tasks in question; of a cycle, the whole path */
  ids?: ID[];
  /** with conflict: the owner of the task */
  holder?: Holder;
  /** with busy: when the first of the others' leases expires; absent: none does */
  until?: Moment;
  /** with busy: who works, the caller too */
  by?: string[];
  /** with gone: the revision up to which history was trimmed; of a refused undo: the later change; of a deleted task: the change that deleted it */
  revision?: Revision;
}

/** what the last run of a check showed */
export interface Evidence {
  /** what the check was called */
  check: string;
  /** hash of all that decided what ran */
  sum: string;
  /** when it was recorded, if known */
  at?: Moment;
  /** the name of who let it run */
  by?: string;
  /** git's commit on which the files were based */
  commit?: string;
  /** git's id of the files that were checked, without the board's; none: the project is in no version control */
  tree?: string;
  /** the files were not those of the commit */
  dirty?: boolean;
  /** it ended with the exit code that was expected */
  passed: boolean;
  /** its exit code; absent: it did not end by itself */
  exit?: number;
  /** how long it took, in milliseconds */
  ms: number;
  /** hash of what it printed: sha256:… */
  output?: string;
}

/** the kind of an error: its exit code in words, such as not_found */
export type Failure = "internal" | "invalid" | "not_found" | "conflict" | "blocked" | "unavailable" | "gone" | "idle" | "busy" | "unmet" | "unconfirmed";

/** one thing wrong with the input */
export interface Fault {
  /** where: tasks[2].subject */
  path?: string;
  /** what: "is blank" */
  problem: string;
}

/** The state of each task at each revision, for the newest 5,000 changes of the history */
export interface Film {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "replay";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** of the board when the replay was made: the last one in it */
  revision: Revision;
  /** the revision at which it begins */
  from: Revision;
  /** why it does not begin earlier, in words; absent: it begins where history does */
  cut?: string;
  /** every task that appears in it, by id */
  tasks: Named[];
  /** the tasks that exist when it begins, by id */
  start: Standing[];
  /** what happened then, in order, without renewals of leases */
  steps: Step[];
  /** tasks whose state now differs from that after the last step, for a reason that history does not have: an unreadable file, a lease that has expired */
  now: Standing[];
}

/** The dependency graph with its layout */
export interface Graph {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "graph";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** of the board */
  revision: Revision;
  /** by the board's clock, which decides leases */
  now: Moment;
  /** the tasks, by id */
  nodes: GraphNode[];
  /** the edges among them */
  edges: GraphEdge[];
  /** the longest chain of open tasks, each waiting for the one before */
  chain: ID[];
  /** cycles of tasks; only external edits can make one */
  cycles: ID[][];
  /** number of tasks left out because they have no edges */
  alone: number;
  /** number of layers */
  layers: number;
  /** number of rows */
  rows: number;
}

/** GraphEdgeJSON leads from a task to one that waits for it */
export interface GraphEdge {
  /** the blocker, or the child */
  from: ID;
  /** the task that waits */
  to: ID;
  /** blocks, or child: from is a child of to */
  kind: EdgeKind;
  /** whether to waits now: neither of them is completed */
  open: boolean;
  /** it is a part of the longest chain */
  chain?: boolean;
  /** it closes a cycle, and leads to a layer at or before its own */
  back?: boolean;
  /** where it crosses the layers between its ends: a layer and a row each */
  bends?: ([number, number])[];
}

/** a task in a graph */
export interface GraphNode {
  /** its number */
  id: ID;
  /** one line; empty if the task is missing or damaged */
  subject: string;
  /** pending, in_progress or completed */
  status: Status;
  /** its state, for the caller */
  state: StateName;
  /** its own priority */
  priority: Level;
  /** its owner; empty: nobody */
  owner: string;
  /** as in its file */
  labels?: string[];
  /** number of steps from tasks that wait for nothing in this graph, from 0 */
  layer: number;
  /** its row on the layer, from 0 */
  row: number;
  /** the task that it is a part of */
  parent?: ID;
  /** number of children */
  children?: number;
  /** number of completed children */
  done?: number;
  /** open tasks that it waits for, in this graph or not */
  blockedBy: ID[];
  /** number of open tasks that wait for it, directly or not; 99 means 99 or more */
  unblocks: number;
  /** of a task in progress: what is being done */
  doing?: string;
  /** which task of another branch has its number until pawl merge, in words */
  other?: string;
  /** why it cannot be claimed, or why its owner should stop, in words */
  why?: string;
  /** it is completed only in this what-if */
  asDone?: boolean;
}

/** The history, newest first */
export interface History {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "history";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** of the board */
  revision: Revision;
  /** newest first, without renewals of leases */
  changes: Told[];
  /** the value of before for the next page; absent on the last */
  next?: Revision;
  /** older changes are no longer kept */
  trimmed?: boolean;
}

/** why a task is on hold */
export interface Hold {
  /** at most 500 characters */
  reason: string;
  /** the name of who put it on hold */
  by: string;
  /** since when, if known */
  at?: Moment;
}

/** Puts tasks on hold, so that they are not ready */
export interface HoldOp {
  /** hold */
  op: "hold";
  /** the tasks */
  ids: ID[];
  /** one line, at most 500 characters */
  reason: string;
}

/** the owner of a task */
export interface Holder {
  /** the owner */
  name: string;
  /** its claim; absent for an assignment */
  claim?: Claim;
}

/** the number of a task on its board */
export type ID = number;

/** a column */
export interface Lane {
  /** its name */
  lane: LaneName;
  /** its title: In progress */
  title: string;
  /** number of cards; more than are listed in the lane of completed tasks */
  total: number;
  /** of completed tasks: how many more there are, longer ago than the setting archive.after */
  archived?: number;
  /** of completed tasks: how many are not shown to be done, archived ones too */
  unshown?: number;
  /** in order: the most urgent first, in progress the one started first, done first what is not shown to be, then the one completed last */
  cards: Card[];
}

/** a lane in an envelope: blocked, ready, in_progress or completed */
export type LaneName = "blocked" | "ready" | "in_progress" | "completed";

/** The board as columns of cards */
export interface Lanes {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "lanes";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** of the board */
  revision: Revision;
  /** by the board's clock, which decides leases */
  now: Moment;
  /** when the next lease expires: a card moves then without a write */
  until?: Moment;
  /** blocked, ready, in progress, done */
  lanes: Lane[];
  /** of the cards, sorted */
  labels: string[];
  /** of the cards, sorted */
  owners: string[];
  /** how the board is shared through a git remote; absent: it is not */
  shared?: Shared;
}

/** a priority in an envelope: high, medium or low */
export type Level = "high" | "medium" | "low";

/** Ends a hold */
export interface LiftOp {
  /** lift */
  op: "lift";
  /** the tasks */
  ids: ID[];
  /** lift only a hold for exactly this reason, which one that waits for approval of a run needs */
  reason?: string;
}

/** The todo lists shown beside the tasks: those of running sessions, and for a day the one finished last */
export interface Lists {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "lists";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** by the clock of the lists */
  now: Moment;
  /** with open todos, and changed within 12 hours; the one that changed last first */
  running: TodoList[];
  /** number of further running ones; at most 16 are listed */
  more?: number;
  /** the list that was finished last; absent after a day */
  finished?: TodoList;
}

/** a check of a task, as the server knows it */
export interface Looked {
  /** what it is called */
  name: string;
  /** its name and what it runs, in words: "unit: go test ./..., in web" */
  what: string;
  /** how it stands */
  state: "passed" | "failed" | "stale" | "open";
  /** what its last run showed and what that is worth here, in words, but for when: "failed on 1a2b3c4 by ada, exit code 1, 2.1 s" */
  said: string;
  /** when it ran last; absent: it has not run */
  at?: Moment;
  /** the project asks it of the task, so it cannot be removed from the task */
  project?: boolean;
  /** completing does not need it */
  optional?: boolean;
  /** this clone has not seen the run: it is what the task's file says */
  claimed?: boolean;
  /** it does not run in this clone before a person trusts it: pawl trust checks */
  waits?: boolean;
  /** the end of what it printed in this clone: text, at most 4 KiB */
  tail?: string;
}

/** a time as the files have it, in UTC with milliseconds: 2026-11-21T10:00:00.000Z */
export type Moment = string;

/** the subject of a task */
export interface Named {
  /** its number */
  id: ID;
  /** one line: its last subject */
  subject: string;
}

/** a check with all that can be said of it */
export interface NewCheck {
  /** what it is called, at most 60 characters */
  name: string;
  /** program and arguments; no shell reads them */
  run: string[];
  /** the folder in which it runs, from the project's top; absent: there */
  dir?: string;
  /** how long it may take: "30m"; absent: 10 minutes */
  timeout?: string;
  /** names of variables that it gets besides the basic ones */
  env?: string[];
  /** the exit code that passes; absent: 0 */
  expect?: number;
  /** completing does not need it */
  optional?: boolean;
}

/** Makes a code with which a browser opens the page: http://ADDRESS/#CODE */
export interface NewCode {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "code";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** works once, for a minute */
  code: string;
}

/** a task to be created */
export interface NewTask {
  /** its name among the other tasks of the op */
  ref?: string;
  /** one line, at most 500 characters */
  subject: string;
  /** text, at most 64 KiB; shown as Markdown */
  description?: string;
  /** what is being done, in the present tense: "Writing tests" */
  activeForm?: string;
  /** by default medium */
  priority?: Level;
  /** the task that it is a part of */
  parent?: ID | string;
  /** at most 50, of at most 100 characters each */
  labels?: string[];
  /** its blockers */
  blockedBy?: (ID | string)[];
  /** the tasks that it blocks */
  blocks?: (ID | string)[];
  /** its assignee */
  owner?: string;
  /** a first note, at most 16 KiB */
  note?: string;
  /** commands that show that it is done, at most 20 */
  checks?: (string | NewCheck)[];
  /** criteria: what must be so when it is done, at most 50 lines */
  accept?: string[];
  /** those of accept that are ticked already */
  met?: string[];
  /** it is completed already */
  done?: boolean;
}

/** The data of the event change: what happened */
export interface News {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "change";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** the change */
  change: ChangeSet;
  /** the same in words */
  line: string;
  /** made in the name in which the API acts */
  mine: boolean;
  /** too long for a stream: before and after are left out, and tasks beyond the first 50; the log has them */
  cut?: boolean;
}

/** a remark on a task */
export interface Note {
  /** when, if known */
  at?: Moment;
  /** the name of its author */
  by: string;
  /** at most 16 KiB */
  text: string;
}

/** Appends a note to a task */
export interface NoteOp {
  /** note */
  op: "note";
  /** the task */
  id: ID;
  /** at most 16 KiB; shown as Markdown */
  text: string;
}

/** why no task is ready */
export interface Nothing {
  /** idle: all is done; busy: somebody works on what is in the way; blocked: nobody does */
  kind: Failure;
  /** one sentence, for people */
  message?: string;
  /** the next step */
  hint?: string;
  /** with busy: when the first of the others' leases expires; absent: none does */
  until?: Moment;
  /** with busy: who works, the caller too */
  by?: string[];
  /** the tasks in the way */
  ids?: ID[];
}

/** one op; its key op says which */
export type Op = CreateOp | UpdateOp | ClaimOp | StartOp | CompleteOp | ReopenOp | ReleaseOp | AssignOp | HoldOp | LiftOp | NoteOp | DeleteOp | UndoOp;

/** a change of the board */
export interface Ops {
  /** made by the client: a request that is sent again under the same one runs once */
  opId?: string;
  /** say what would happen, and write nothing */
  dry?: boolean;
  /** in order, each on the result of those before it */
  ops: Op[];
}

/** a task of another branch, as its text says */
export interface Other {
  /** the number that both branches gave away */
  id: ID;
  /** one line */
  subject: string;
  /** text; empty: none */
  description: string;
  /** its status there */
  status: Status;
  /** who works on it there; empty: nobody */
  owner: string;
  /** the tasks that it waits for, in the numbers of that branch */
  blockedBy: ID[];
  /** remarks, oldest first */
  notes?: Note[];
  /** when it was created, if known */
  createdAt?: Moment;
  /** when a field last changed */
  updatedAt?: Moment;
  /** when it was completed */
  completedAt?: Moment;
}

/** Changes the board: all of the ops, or nothing */
export interface Outcome {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "outcome";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** false: all of it was already so, and nothing was written */
  changed: boolean;
  /** nothing was written: the answer is what would happen */
  dry?: boolean;
  /** of the change; absent if nothing was written */
  revision?: Revision;
  /** what happened, in words: "Completed #1 Set up; ready now: #2 Write the parser" */
  said: string;
  /** the tasks that the ops were about, in their order */
  ids: ID[];
  /** the ids of the new tasks that have a ref */
  refs?: Record<string, ID>;
  /** what became ready by it, the most urgent first */
  ready: Brief[];
  /** what force overrode, each in a sentence: whose work was ended or taken over, which hold was lifted */
  warnings?: string[];
  /** of a claim alone that got no task: why, and until when */
  nothing?: Nothing;
  /** the tasks in ids after the change, without those deleted */
  tasks: Task[];
}

/** The todo list of a session, as rows */
export interface Outline {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "outline";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** its session */
  session: string;
  /** its subagent; absent: the session's main agent */
  agent?: string;
  /** by the clock of the lists */
  now: Moment;
  /** of the session, as far as the list knows */
  startedAt?: Moment;
  /** when the list last changed; tool calls do not count */
  updatedAt: Moment;
  /** it has open todos and changed lately */
  running: boolean;
  /** why its agent paused, in the agent's words */
  paused?: string;
  /** when it paused */
  pausedAt?: Moment;
  /** why the list has no todos, in a sentence; rows then show what was completed last */
  ended?: string;
  /** todos, each followed by its subtasks and the latest tool calls */
  rows: Row[];
  /** number of remembered todos that left the list */
  past: number;
}

/** the data of the events hello and gone: what happens after this revision follows */
export interface Place {
  /**  */
  revision: Revision;
}

/** Proves to a client with the access token that the server knows it, before the client sends it */
export interface Proof {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "proof";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** HMAC-SHA256 with the token as key, of "pawl serve", the address that was asked and the nonce, a line each */
  proof: string;
}

/** Releases tasks: they become pending, without an owner */
export interface ReleaseOp {
  /** release */
  op: "release";
  /** the tasks */
  ids: ID[];
  /** also put them on hold, with this reason */
  hold?: string;
  /** even if one is somebody else's */
  force?: boolean;
}

/** Makes completed tasks pending again */
export interface ReopenOp {
  /** reopen */
  op: "reopen";
  /** the tasks */
  ids: ID[];
}

/** the number of a committed ChangeSet */
export type Revision = number;

/** a line of a todo list */
export interface Row {
  /** todo, subtask, call, or before: there are earlier calls */
  kind: string;
  /** its depth */
  indent: number;
  /** the position of its todo, from 0 */
  item: number;
  /** the content, or the call */
  text: string;
  /** of a todo or subtask */
  status?: Status;
  /** of a todo */
  priority?: Level;
  /** of the todo in progress: its active form, if it differs from the text */
  doing?: string;
  /** of a todo: number of completed subtasks */
  done?: number;
  /** of a todo: number of subtasks */
  of?: number;
  /** it depends on something that the agent cannot do */
  blocked?: boolean;
  /** the task that the todo was promoted to */
  task?: ID;
  /** of a call: running, succeeded, failed or interrupted */
  outcome?: string;
  /** of a call: how often it was made in a row; of before: number of earlier calls */
  times?: number;
  /** of a todo or a call: when it started */
  startedAt?: Moment;
}

/** How pawl run stands in the clone of this server: slots, what is to be integrated, what waits for approval, what pauses */
export interface Run {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "run";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** how it stands; absent: no run ever was in this clone, or the server has none */
  status?: RunStatus;
}

/** what a person asks of a run */
export interface RunAsk {
  /** what is asked */
  ask: "approve" | "retry" | "stop";
  /** whose attempt is meant: task of the attempt */
  task: string;
  /** of retry: a remark for the agent */
  text?: string;
}

/** Approves an attempt, sends it back or stops it: for people */
export interface RunAsked {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "runAsked";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** in words: "Approved attempt 1 at #9" */
  said: string;
}

/** RunPause says that something does not go on by itself */
export interface RunPause {
  /** whose attempts do not begin; absent: integration pauses */
  agent?: string;
  /** a sentence */
  why: string;
  /** absent: until it has changed */
  until?: Moment;
}

/** a place for an agent at work */
export interface RunSlot {
  /** from 1 */
  slot: number;
  /** absent: the slot is free */
  attempt?: RunView;
}

/** how a run stands */
export interface RunStatus {
  /** a run is at work in this clone */
  running: boolean;
  /** the last one was killed; the next goes on where it was */
  killed?: boolean;
  /** it begins nothing more */
  draining?: boolean;
  /** of the run; absent: there was none yet */
  id?: string;
  /** whose program works */
  agent?: string;
  /** the branch that commits go to */
  target?: string;
  /** before-merge, after or none */
  review?: string;
  /** when the run began */
  began?: Moment;
  /** when this was found out */
  now: Moment;
  /** places for agents at work */
  slots: RunSlot[];
  /** attempts to be integrated, in their order */
  queue: RunView[];
  /** attempts that wait for approval */
  waiting: RunView[];
  /** attempts whose tasks are on hold: a person is needed */
  held: RunView[];
  /** attempts that completed their tasks, the newest first, at most 20 */
  done: RunView[];
  /** how many tasks runs have completed in this clone */
  completed: number;
  /** why ready tasks do not begin */
  why?: string;
  /** when that may have changed */
  until?: Moment;
  /** what does not go on by itself */
  pauses: RunPause[];
  /** model tokens that all attempts have used */
  tokens?: number;
  /** what they cost, as far as agents' programs tell */
  dollars?: number;
  /** a sentence about commits of the target that only this clone has */
  unpushed?: string;
}

/** one of an agent's own list */
export interface RunTodo {
  /** what it says, on one line */
  content: string;
  /** pending, in_progress or completed, or another word of the program */
  status: string;
}

/** an attempt at a task */
export interface RunView {
  /** of the task */
  id: ID;
  /** names the task for good: its number and the moment of its creation */
  task: string;
  /** of the task */
  subject: string;
  /** its number, from 1 */
  attempt: number;
  /** how many attempts a task has */
  of?: number;
  /** how far it has come, as a program reads it */
  phase: string;
  /** the same in words */
  word: string;
  /** whose program works */
  agent: string;
  /** when it began */
  began?: Moment;
  /** how long the agent has worked */
  ms?: number;
  /** how long it has been in this phase; absent: it is over */
  phaseMs?: number;
  /** model tokens that it used */
  tokens?: number;
  /** what it cost, as far as the program tells */
  dollars?: number;
  /** the last thing that it told */
  doing?: string;
  /** a limit that is used to four fifths */
  near?: string;
  /** the agent's own list, while it works and as far as its program tells */
  todos?: RunTodo[];
  /** what the agent asked for and run.permissions did not let it, the last ones */
  refused?: string[];
  /** that it changed */
  files?: number;
  /** lines */
  added?: number;
  /** lines */
  removed?: number;
  /** why it failed, as a program reads it */
  reason?: string;
  /** the same as a sentence */
  why?: string;
  /** the check that failed, or runs */
  check?: string;
  /** the end of what failed printed */
  tail?: string;
  /** that it works on */
  branch?: string;
  /** the reference that keeps its work */
  ref?: string;
  /** the folder of its work tree */
  tree?: string;
  /** that was put on the target */
  commit?: string;
  /** when the next attempt may begin */
  until?: Moment;
}

/** a list without its todos */
export interface Session {
  /** for resume */
  number: number;
  /** whose it is */
  session: string;
  /** the subagent whose list it is; absent: the session's main agent */
  agent?: string;
  /** the folder of its project; empty: unknown */
  project: string;
  /** of the session, as far as the list knows */
  startedAt?: Moment;
  /** when it last changed */
  updatedAt: Moment;
  /** what it is about: the todo in progress, else the first open one, else the last that left */
  title: string;
  /** todos that nobody has started */
  pending: number;
  /** 1 or 0 */
  inProgress: number;
  /** todos that are done */
  completed: number;
  /** todos that have left the list and are remembered */
  past: number;
  /** its agent paused, and is not asked to continue */
  paused: boolean;
  /** it has open todos, and changed lately */
  running: boolean;
}

/** The project's todo lists, the newest first, at most 200, and which of them are running */
export interface Sessions {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "sessions";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** the folder of the project that was asked about; empty: all projects */
  project: string;
  /** the newest first, as resume numbers them */
  sessions: Session[];
}

/** how a board is shared through a git remote, from what this clone remembers: what other clones do is known as of the last sync */
export interface Shared {
  /** a remote's name, or an address without credentials */
  remote: string;
  /** the reference on the remote */
  ref: string;
  /** what the other clones call this one */
  clone: string;
  /** the setting sync: manual, claims or always */
  mode: string;
  /** when the remote was last reached; absent: never */
  synced?: Moment;
  /** number of changes that the remote does not have */
  unsent?: number;
  /** a sync is under way */
  running?: boolean;
  /** why the last sync failed, one sentence */
  failed?: string;
  /** when the first of the failed syncs in a row was */
  since?: Moment;
  /** why no sync runs by itself: rewound, deleted or tracked */
  stopped?: string;
  /** other clones that have claims */
  clones?: string[];
  /** tasks whose claims only this clone knows */
  here?: ID[];
  /** how it stands, in a line for people */
  text: string;
  /** why the claims in here are known here only */
  why?: string;
  /** after a stop: the commands to go on with, the usual one first */
  next?: SharedStep[];
}

/** a command, and what it does */
export interface SharedStep {
  /** as people type it */
  command: string;
  /** a few words */
  does: string;
}

/** the state of a task, in everything that a replay shows */
export interface Standing {
  /** its number */
  id: ID;
  /** for the caller; absent if the task is gone */
  state?: StateName;
  /** its owner or assignee; absent: nobody */
  owner?: string;
  /** its subject at this moment, if it is not the last one */
  subject?: string;
  /** the task is not on the board from this step on */
  gone?: boolean;
}

/** Makes the caller the owner of tasks and starts them */
export interface StartOp {
  /** start */
  op: "start";
  /** the tasks */
  ids: ID[];
  /** even if one is blocked, on hold, or somebody else's */
  force?: boolean;
}

/** a state in an envelope: ready, in_progress, blocked, held (on hold), assigned, completed, damaged or missing */
export type StateName = "damaged" | "completed" | "in_progress" | "held" | "blocked" | "assigned" | "ready" | "missing";

/** where a task stands */
export type Status = "pending" | "in_progress" | "completed";

/** one change set */
export interface Step {
  /** of the board, from this step on */
  revision: Revision;
  /** when */
  at: Moment;
  /** the name of its author */
  by: string;
  /** the verb of the request */
  verb: string;
  /** the change in a sentence, for people */
  line: string;
  /** the tasks whose state changed, by id; several, or none */
  changes: Standing[];
}

/** a task: the keys of its file in their order, and then what follows from the board */
export interface Task {
  /** its number, never given to another task of the board */
  id: ID;
  /** one line, at most 500 characters */
  subject: string;
  /** text, at most 64 KiB; empty: none */
  description: string;
  /** its status; absent if the file is damaged */
  status?: Status;
  /** the tasks that it waits for, none of them completed */
  blockedBy: ID[];
  /** the tasks that wait for it now */
  blocks: ID[];
  /** who works on it; of a pending task, its assignee; empty: nobody */
  owner: string;
  /** what is being done, in the present tense: "Writing tests" */
  activeForm?: string;
  /** its own priority */
  priority: Level;
  /** the task that it is a part of */
  parent?: ID;
  /** the numbers that it had before merges with other branches gave it another */
  was?: ID[];
  /** at most 50, of at most 100 characters each */
  labels?: string[];
  /** remarks, oldest first, at most 1,000 */
  notes?: Note[];
  /** present while it is on hold */
  hold?: Hold;
  /** commands that show that it is done, at most 20 */
  checks?: Check[];
  /** criteria in words, at most 50 */
  accept?: Criterion[];
  /** the last run of each check, the project's too; the oldest first */
  evidence?: Evidence[];
  /** for programs; ref is its name in another tracker */
  metadata?: Record<string, unknown>;
  /** when it was created, if known */
  createdAt?: Moment;
  /** when a field last changed */
  updatedAt?: Moment;
  /** when its present owner started it; of a completed task, its last owner */
  startedAt?: Moment;
  /** when it was completed */
  completedAt?: Moment;
  /** keys of its file that Pawl does not know */
  extra?: Record<string, unknown>;
  /** tasks that waited for it and no longer do */
  unblocked?: ID[];
  /** the caller could claim it now */
  ready: boolean;
  /** the highest priority among it and the open tasks that wait for it */
  urgency: Level;
  /** length of the longest chain of open tasks that wait for it */
  height: number;
  /** the tasks that are parts of it */
  children?: ID[];
  /** number of completed children; absent if it has none */
  childrenDone?: number;
  /** its owner's claim */
  claim?: Claim;
  /** number of leases in a row that expired; after three the task is put on hold */
  expired?: number;
  /** how far its own checks and criteria show that it is done, as its file claims, on the files that were checked: this clone may know better; absent: it is not checked */
  checked?: Checked;
  /** tasks of another branch with its number, until pawl merge gives them others; they count nowhere else */
  merging?: Other[];
  /** git's conflict lines are in its file: it is this side of them, and cannot change before pawl merge */
  conflicted?: boolean;
  /** why its file cannot be read as a task; its other keys mean nothing then */
  damage?: string;
}

/** a step of a session's plan */
export interface Todo {
  /** what is to be done */
  text: string;
  /** of the one in progress: what is being done, if its text does not say so */
  doing?: string;
  /** pending, in_progress or completed */
  status: Status;
  /** it waits for something that the agent cannot do */
  blocked?: boolean;
  /** the task that it was promoted to */
  task?: ID;
  /** number of completed subtasks */
  done?: number;
  /** of how many */
  of?: number;
}

/** a todo list without its tool calls */
export interface TodoList {
  /** whose it is */
  session: string;
  /** the subagent whose list it is; absent: the session's main agent */
  agent?: string;
  /** when it last changed; of the finished one, when it was finished */
  at: Moment;
  /** its agent paused, and is not asked to continue */
  paused?: boolean;
  /** number of completed todos */
  done: number;
  /** number of todos */
  of: number;
  /** number of todos before those in todos, left out */
  above?: number;
  /** at most 50 in their order, the current one among them */
  todos: Todo[];
}

/** Exchanges a token of a server that keeps boards for others for a key that opens the page's API of this board for 12 hours, as long as the token holds */
export interface Token {
  /** the version of the contract */
  pawl: 1;
  /** the kind of envelope, which decides the other keys */
  kind: "token";
  /** AsOf is when this was so, if the board's server does not answer now and an earlier answer stands in for it */
  asOf?: Moment;
  /** for Authorization: Bearer TOKEN */
  token: string;
  /** of a page's key: when it ends */
  until?: Moment;
}

/** a change, as data and as it is told */
export interface Told {
  /** its number, larger than any earlier one */
  revision: Revision;
  /** the same as people write it: @3 */
  short: string;
  /** when */
  at: Moment;
  /** who */
  by: Actor;
  /** the verb of the request */
  verb: string;
  /** the id under which it takes effect once */
  opId?: string;
  /** the edit changed so many files that history has only their ids */
  bulk?: boolean;
  /** the revision that it reverted */
  undoes?: Revision;
  /** what happened, task by task */
  tasks: Change[];
  /** what it made ready, the most urgent first */
  ready: Brief[];
  /** the change in words: "ada completed #1 Set up; ready now: #2 Write the parser" */
  line: string;
  /** the changed fields, a line each; the first 60 */
  details?: string[];
  /** reverted by a later change */
  undone?: boolean;
  /** made in the name in which the API acts */
  mine: boolean;
}

/** Reverts a change; cannot be combined with other ops */
export interface UndoOp {
  /** undo */
  op: "undo";
  /** of the change; absent: the caller's last one that can be undone */
  revision?: Revision;
}

/** Edits a task and its edges; absent keys stay as they are */
export interface UpdateOp {
  /** update */
  op: "update";
  /** the task */
  id: ID;
  /** one line, at most 500 characters */
  subject?: string;
  /** text, at most 64 KiB; empty: none */
  description?: string;
  /** what is being done; empty: none */
  activeForm?: string;
  /** its own priority */
  priority?: Level;
  /** the task that it is a part of; 0: none */
  parent?: number;
  /** labels to add */
  addLabels?: string[];
  /** labels to remove */
  removeLabels?: string[];
  /** blockers to add */
  addBlockedBy?: ID[];
  /** blockers to remove */
  removeBlockedBy?: ID[];
  /** tasks to block */
  addBlocks?: ID[];
  /** tasks to stop blocking */
  removeBlocks?: ID[];
  /** checks to add; one of the same name is replaced */
  addChecks?: (string | NewCheck)[];
  /** names of checks to remove */
  removeChecks?: string[];
  /** criteria to add */
  addAccept?: string[];
  /** criteria to remove */
  removeAccept?: string[];
  /** criteria that are met */
  tick?: string[];
  /** criteria that are not met */
  untick?: string[];
}

/** a neighbour of a task */
export interface Waited {
  /** its number */
  id: ID;
  /** empty if the task is missing */
  subject: string;
  /** its state */
  state: StateName;
}
