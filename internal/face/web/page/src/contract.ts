// The shapes of the API, made of docs/openapi.json's types by: go test ./internal/face/web -update

/** The project of this server, and the name in which it acts */
export interface About {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "about";
  /** its name */
  project: string;
  /** the board's folder */
  dir: string;
  /** the name in which the API acts: tasks assigned to it are ready here */
  me: string;
  /** Pawl's version */
  version: string;
  /** whether there is a board; if not, the first task makes one */
  board: boolean;
}

/** who made a change */
export interface Actor {
  /** external: something other than Pawl; pawl: a lease that ran out */
  name: string;
  /** of the name */
  session?: string;
  /** which agent of the session; not there: the main one, or a person */
  agent?: string;
}

/** Names the owner of pending tasks, who has not started them */
export interface AssignOp {
  /** assign */
  op: "assign";
  /** the tasks */
  ids: ID[];
  /** a name; empty: nobody */
  owner: string;
}

/** a task by name */
export interface Brief {
  /** its number */
  id: ID;
  /** one line; empty where it is not known any more */
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
  /** its own */
  priority: Level;
  /** sorted as in its file */
  labels?: string[];
  /** the task that it is a part of */
  parent?: ID;
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
  /** when its lease ends */
  until?: Moment;
  /** number of children */
  children?: number;
  /** number of completed children */
  done?: number;
  /** completed only in this what-if */
  asDone?: boolean;
}

/** what happened to one task */
export interface Change {
  /** its number */
  id: ID;
  /** one line; empty where it is not known any more */
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
  /** its number, larger than that of any before */
  revision: Revision;
  /** when */
  at: Moment;
  /** who */
  by: Actor;
  /** what was asked for */
  verb: string;
  /** under which it takes effect once only */
  opId?: string;
  /** so many files at once that only their ids were kept */
  bulk?: boolean;
  /** the revision that it took back */
  undoes?: Revision;
  /** what happened to which task */
  tasks: Change[];
  /** what it made ready, the most urgent first */
  ready: Brief[];
}

/** how an owner holds a task */
export interface Claim {
  /** the owner's session: the same name from another one is somebody else */
  session: string;
  /** which agent of the session; empty: the main one, or a person */
  agent: string;
  /** the number of the claim: larger than that of any claim of the task before */
  token: Revision;
  /** when the lease ends; not there: it does not end by itself */
  until?: Moment;
}

/** Makes the caller the owner of a task and starts it */
export interface ClaimOp {
  /** claim */
  op: "claim";
  /** the task; not there: the most urgent ready one */
  id?: ID;
  /** although it is blocked, held, or somebody else's */
  force?: boolean;
}

/** what a browser has got from pawl serve */
export interface Code {
  /** the part of the URL behind # */
  code: string;
}

/** Completes tasks, of several each behind those that it waits for */
export interface CompleteOp {
  /** complete */
  op: "complete";
  /** the tasks */
  ids: ID[];
  /** although one is blocked, or somebody else's */
  force?: boolean;
}

/** Makes tasks, and the edges among them */
export interface CreateOp {
  /** create */
  op: "create";
  /** at most 500 */
  tasks: NewTask[];
}

/** Removes tasks and every edge to them; an undo brings them back */
export interface DeleteOp {
  /** delete */
  op: "delete";
  /** the tasks */
  ids: ID[];
  /** although somebody else is working on one */
  force?: boolean;
}

/** One task, with the tasks around it */
export interface Detail {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "detail";
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
  /** completed only in this what-if */
  asDone?: boolean;
  /** the task that it is a part of */
  parent?: Waited;
  /** its blockers, open ones first */
  waitsFor: Waited[];
  /** the tasks that it blocks or blocked, open ones first */
  waitedFor: Waited[];
  /** its children, by id */
  children: Waited[];
}

/** why one task waits for another: blocks or child */
export type EdgeKind = "blocks" | "child";

/** Why a request failed; any may */
export interface Error {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "error";
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
  /** the next step, of the command line mostly a command; it never destroys anything */
  hint?: string;
  /** all faults of the input, where it has several or their places matter */
  faults?: Fault[];
  /** the tasks in question; of a cycle, the whole path */
  ids?: ID[];
  /** with conflict: who has the task */
  holder?: Holder;
  /** with busy: when the first lease of the others ends; not there: none does */
  until?: Moment;
  /** with busy: who is at work, the caller too */
  by?: string[];
  /** with gone: up to where history was trimmed; of an undo that was refused: the later change */
  revision?: Revision;
}

/** the kind of an error: its exit code in words, such as not_found */
export type Failure = "internal" | "invalid" | "not_found" | "conflict" | "blocked" | "unavailable" | "gone" | "idle" | "busy";

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
  /** which envelope it is, and so which keys follow */
  kind: "replay";
  /** of the board when the film was made: so far it goes */
  revision: Revision;
  /** the revision at which it begins */
  from: Revision;
  /** why it does not begin earlier, in words; not there: it begins where history does */
  cut?: string;
  /** every task that appears in it, by id */
  tasks: Named[];
  /** the tasks that are there when it begins, by id */
  start: Standing[];
  /** what happened then, in order; mere renewals of claims are left out */
  steps: Step[];
  /** tasks that readers see otherwise than the last step leaves them, for a reason that history does not tell: a file that cannot be read, a lease that has ended */
  now: Standing[];
}

/** The dependency graph with its layout */
export interface Graph {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "graph";
  /** of the board */
  revision: Revision;
  /** by the board's clock, which decides leases */
  now: Moment;
  /** the tasks, by id */
  nodes: GraphNode[];
  /** who waits for whom among them */
  edges: GraphEdge[];
  /** the longest chain of open tasks, each waiting for the one before */
  chain: ID[];
  /** tasks that wait for one another in a circle; only edits outside of pawl can make one */
  cycles: ID[][];
  /** how many tasks were left out because they have no edges */
  alone: number;
  /** how many layers there are */
  layers: number;
  /** how many rows there are */
  rows: number;
}

/** GraphEdgeJSON leads from a task to one that waits for it */
export interface GraphEdge {
  /** who is waited for */
  from: ID;
  /** who waits */
  to: ID;
  /** blocks, or child: from is a child of to */
  kind: EdgeKind;
  /** whether to waits now; not where one of them is completed */
  open: boolean;
  /** it is a part of the longest chain */
  chain?: boolean;
  /** it closes a cycle, and leads to a layer at or before its own */
  back?: boolean;
  /** where it passes the layers between its ends: a layer and a row each */
  bends?: ([number, number])[];
}

/** a task in a graph */
export interface GraphNode {
  /** its number */
  id: ID;
  /** one line; empty where the task is missing or damaged */
  subject: string;
  /** pending, in_progress or completed */
  status: Status;
  /** how it stands for the caller */
  state: StateName;
  /** its own priority */
  priority: Level;
  /** who has it; empty: nobody */
  owner: string;
  /** as in its file */
  labels?: string[];
  /** how many steps it is behind tasks that come after nothing in this graph, from 0 */
  layer: number;
  /** where on its layer it stands, from 0 */
  row: number;
  /** the task that it is a part of */
  parent?: ID;
  /** how many parts it has */
  children?: number;
  /** how many of them are completed */
  done?: number;
  /** open tasks that it waits for, in this graph or not */
  blockedBy: ID[];
  /** how many open tasks wait for it, through others too; 99 stands for more */
  unblocks: number;
  /** of one in progress: what is being done */
  doing?: string;
  /** what keeps it from being taken, or why its owner should stop, in words */
  why?: string;
  /** it is completed only in this what-if */
  asDone?: boolean;
}

/** The history, newest first */
export interface History {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "history";
  /** of the board */
  revision: Revision;
  /** newest first, without renewals of leases */
  changes: Told[];
  /** the value of before for the next page; absent on the last */
  next?: Revision;
  /** older changes are no longer kept */
  trimmed?: boolean;
}

/** why a task is not ready until somebody lifts it */
export interface Hold {
  /** at most 500 characters */
  reason: string;
  /** the name of who holds it back */
  by: string;
  /** since when, where that is known */
  at?: Moment;
}

/** Keeps tasks from being ready */
export interface HoldOp {
  /** hold */
  op: "hold";
  /** the tasks */
  ids: ID[];
  /** one line, at most 500 characters */
  reason: string;
}

/** who has a task */
export interface Holder {
  /** the owner */
  name: string;
  /** how; not there where it is an assignment */
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
  /** in order: the most urgent first, the one started first, the one completed last */
  cards: Card[];
}

/** a lane as envelopes spell it: blocked, ready, in_progress or completed */
export type LaneName = "blocked" | "ready" | "in_progress" | "completed";

/** The board as columns of cards */
export interface Lanes {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "lanes";
  /** of the board */
  revision: Revision;
  /** by the board's clock, which decides leases */
  now: Moment;
  /** when the next lease ends: a card moves then without a write */
  until?: Moment;
  /** blocked, ready, in progress, done */
  lanes: Lane[];
  /** of the cards, sorted */
  labels: string[];
  /** of the cards, sorted */
  owners: string[];
}

/** a priority in an envelope: high, medium or low */
export type Level = "high" | "medium" | "low";

/** Ends a hold */
export interface LiftOp {
  /** lift */
  op: "lift";
  /** the tasks */
  ids: ID[];
}

/** The todo lists shown beside the tasks: those of running sessions, and for a day the one finished last */
export interface Lists {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "lists";
  /** by the clock of the lists */
  now: Moment;
  /** with something left to do, and changed within 12 hours; the one that changed last first */
  running: TodoList[];
  /** how many further ones run: at most 16 come along */
  more?: number;
  /** the list that was finished last; not there a day later */
  finished?: TodoList;
}

/** a time as the files spell it, in UTC with milliseconds: 2026-11-21T10:00:00.000Z */
export type Moment = string;

/** what a task is called */
export interface Named {
  /** its number */
  id: ID;
  /** one line: what it was called last */
  subject: string;
}

/** Makes a code that a browser exchanges for the access token: http://ADDRESS/#CODE */
export interface NewCode {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "code";
  /** works once, for a minute */
  code: string;
}

/** a task to be made */
export interface NewTask {
  /** what the other tasks of the op call it */
  ref?: string;
  /** one line, at most 500 characters */
  subject: string;
  /** text, at most 64 KiB; shown as Markdown */
  description?: string;
  /** what is being done, in the present tense: "Writing tests" */
  activeForm?: string;
  /** medium unless said */
  priority?: Level;
  /** the task that it is a part of */
  parent?: ID | string;
  /** at most 50, of at most 100 characters each */
  labels?: string[];
  /** what it waits for */
  blockedBy?: (ID | string)[];
  /** what waits for it */
  blocks?: (ID | string)[];
  /** who shall do it */
  owner?: string;
}

/** The data of the event change: what happened */
export interface News {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "change";
  /** the change */
  change: ChangeSet;
  /** the same in words */
  line: string;
  /** made in the name in which the API acts */
  mine: boolean;
  /** too long for a stream: before and after are left out, and tasks beyond the first 50; the log has them */
  cut?: boolean;
}

/** a remark that stays with its task */
export interface Note {
  /** when, where that is known */
  at?: Moment;
  /** the name of who made it */
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
  /** with busy: when the first lease of the others ends; not there: none does */
  until?: Moment;
  /** with busy: who is at work, the caller too */
  by?: string[];
  /** the tasks in the way */
  ids?: ID[];
}

/** one op; its key op says which */
export type Op = CreateOp | UpdateOp | ClaimOp | StartOp | CompleteOp | ReopenOp | ReleaseOp | AssignOp | HoldOp | LiftOp | NoteOp | DeleteOp | UndoOp;

/** what shall be done to the board */
export interface Ops {
  /** made by the client: a request that is sent again under the same one runs once */
  opId?: string;
  /** only say what would come of it */
  dry?: boolean;
  /** in order, each on what the ones before left */
  ops: Op[];
}

/** Changes the board: all of the ops, or nothing */
export interface Outcome {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "outcome";
  /** false: all of it was so already, and nothing was written */
  changed: boolean;
  /** nothing was written: this is what would come of it */
  dry?: boolean;
  /** of the change; not there when nothing was written */
  revision?: Revision;
  /** what happened, in words: "Completed #1 Set up; ready now: #2 Write the parser" */
  said: string;
  /** the tasks that the ops were about, in their order */
  ids: ID[];
  /** the numbers behind the refs of new tasks */
  refs?: Record<string, ID>;
  /** what became ready by it, the most urgent first */
  ready: Brief[];
  /** of whom it took no notice, as force lets it, each in a sentence: whose work was ended or taken over, which hold was lifted */
  warnings?: string[];
  /** of a claim alone that got no task, for all is done or others are at work: which, and until when */
  nothing?: Nothing;
  /** the tasks in ids as they are afterwards, those deleted left out */
  tasks: Task[];
}

/** The todo list of a session, as rows */
export interface Outline {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "outline";
  /** its session */
  session: string;
  /** its subagent; absent: the session's main agent */
  agent?: string;
  /** by the clock of the lists */
  now: Moment;
  /** of the session, as far as the list knows */
  startedAt?: Moment;
  /** when the list changed last; tool calls do not count */
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
  /** which envelope it is, and so which keys follow */
  kind: "proof";
  /** HMAC-SHA256 with the token as key, of "pawl serve", the address that was asked and the nonce, a line each */
  proof: string;
}

/** Gives tasks back: pending, without an owner */
export interface ReleaseOp {
  /** release */
  op: "release";
  /** the tasks */
  ids: ID[];
  /** a reason for which they are held, too */
  hold?: string;
  /** although one is somebody else's */
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

/** a list without its todos */
export interface Session {
  /** for resume */
  number: number;
  /** whose it is */
  session: string;
  /** the subagent whose it is; not there: the session's main agent */
  agent?: string;
  /** the folder of its project; empty: not known */
  project: string;
  /** of the session, as far as the list knows */
  startedAt?: Moment;
  /** when it changed last */
  updatedAt: Moment;
  /** what it is about: the todo in progress, else the first open one, else the last that left */
  title: string;
  /** todos that nobody has begun */
  pending: number;
  /** 1 or 0 */
  inProgress: number;
  /** todos that are done */
  completed: number;
  /** todos that have left the list and are remembered */
  past: number;
  /** its agent has asked not to be continued */
  paused: boolean;
  /** something is left to do, and was done lately */
  running: boolean;
}

/** The project's todo lists, the newest first, at most 200, and which of them are running */
export interface Sessions {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "sessions";
  /** the folder of the project that was asked about; empty: all projects */
  project: string;
  /** the newest first, as resume numbers them */
  sessions: Session[];
}

/** where a task stands, in all respects that a film tells */
export interface Standing {
  /** its number */
  id: ID;
  /** for the caller; not there when it is gone */
  state?: StateName;
  /** who has it, or shall; not there: nobody */
  owner?: string;
  /** what it is called at this moment, where that is not what it was called last */
  subject?: string;
  /** it is not on the board from here on */
  gone?: boolean;
}

/** Makes the caller the owner of tasks and starts them */
export interface StartOp {
  /** start */
  op: "start";
  /** the tasks */
  ids: ID[];
  /** although one is blocked, held, or somebody else's */
  force?: boolean;
}

/** a state as envelopes spell it: ready, in_progress, blocked, held, assigned, completed, damaged or missing */
export type StateName = "damaged" | "completed" | "in_progress" | "held" | "blocked" | "assigned" | "ready" | "missing";

/** where a task stands */
export type Status = "pending" | "in_progress" | "completed";

/** one change set */
export interface Step {
  /** the board's, from here on */
  revision: Revision;
  /** when */
  at: Moment;
  /** the name of who made it */
  by: string;
  /** what was asked for */
  verb: string;
  /** the change in a sentence, for people */
  line: string;
  /** the tasks that stand otherwise than before, by id; several, or none */
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
  /** where it stands; not there when the file is damaged */
  status?: Status;
  /** the tasks that it waits for, none of them completed */
  blockedBy: ID[];
  /** the tasks that wait for it now */
  blocks: ID[];
  /** who works on it; of a pending task, who shall; empty: nobody */
  owner: string;
  /** what is being done, in the present tense: "Writing tests" */
  activeForm?: string;
  /** its own priority */
  priority: Level;
  /** the task that it is a part of */
  parent?: ID;
  /** at most 50, of at most 100 characters each */
  labels?: string[];
  /** remarks, oldest first, at most 1,000 */
  notes?: Note[];
  /** there while somebody holds it back */
  hold?: Hold;
  /** what programs keep with it; ref is its name in another tracker */
  metadata?: Record<string, unknown>;
  /** when it was made, where that is known */
  createdAt?: Moment;
  /** when a field of it changed last */
  updatedAt?: Moment;
  /** when its present owner started it; of a completed task, its last one */
  startedAt?: Moment;
  /** when it was completed */
  completedAt?: Moment;
  /** keys of its file that Pawl does not know */
  extra?: Record<string, unknown>;
  /** tasks that once waited for it, and do no longer */
  unblocked?: ID[];
  /** the caller could claim it now */
  ready: boolean;
  /** the highest priority among it and the open tasks that wait for it */
  urgency: Level;
  /** how long the longest chain of open tasks is that wait for it */
  height: number;
  /** the tasks that are parts of it */
  children?: ID[];
  /** how many of its children are completed; there where it has any */
  childrenDone?: number;
  /** how its owner holds it */
  claim?: Claim;
  /** how many leases in a row ran out; after three it is held */
  expired?: number;
  /** why its file cannot be read as a task; its other keys say nothing then */
  damage?: string;
}

/** a step of a session's plan */
export interface Todo {
  /** what is to be done */
  text: string;
  /** of the one in progress: what is being done, where its text does not say so */
  doing?: string;
  /** pending, in_progress or completed */
  status: Status;
  /** it waits for something that the agent cannot do */
  blocked?: boolean;
  /** the task that it was promoted to */
  task?: ID;
  /** how many of its subtasks are completed */
  done?: number;
  /** of how many */
  of?: number;
}

/** a todo list without what its agent did for it */
export interface TodoList {
  /** whose it is */
  session: string;
  /** the subagent whose it is; not there: the session's main agent */
  agent?: string;
  /** when it changed last; of the finished one, when that was */
  at: Moment;
  /** its agent has asked not to be continued */
  paused?: boolean;
  /** how many todos are completed */
  done: number;
  /** how many todos it has */
  of: number;
  /** how many before those in todos do not come along */
  above?: number;
  /** at most 50 in their order, the current one among them */
  todos: Todo[];
}

/** Exchanges a code from pawl serve for the access token; a code works once, for a minute */
export interface Token {
  /** the version of the contract */
  pawl: 1;
  /** which envelope it is, and so which keys follow */
  kind: "token";
  /** for Authorization: Bearer TOKEN */
  token: string;
}

/** a change, as data and as it is told */
export interface Told {
  /** its number, larger than that of any before */
  revision: Revision;
  /** when */
  at: Moment;
  /** who */
  by: Actor;
  /** what was asked for */
  verb: string;
  /** under which it takes effect once only */
  opId?: string;
  /** so many files at once that only their ids were kept */
  bulk?: boolean;
  /** the revision that it took back */
  undoes?: Revision;
  /** what happened to which task */
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

/** Takes a change back; stands alone */
export interface UndoOp {
  /** undo */
  op: "undo";
  /** of the change; not there: the caller's last one that can be taken back */
  revision?: Revision;
}

/** Edits a task and its edges; what is not there stays as it is */
export interface UpdateOp {
  /** update */
  op: "update";
  /** the task */
  id: ID;
  /** one line, at most 500 characters */
  subject?: string;
  /** text, at most 64 KiB; empty: none */
  description?: string;
  /** what is being done; empty: not said */
  activeForm?: string;
  /** its own priority */
  priority?: Level;
  /** the task that it is a part of; 0: none */
  parent?: number;
  /** labels that it shall have */
  addLabels?: string[];
  /** labels that it shall not have */
  removeLabels?: string[];
  /** what it shall wait for */
  addBlockedBy?: ID[];
  /** what it shall not wait for */
  removeBlockedBy?: ID[];
  /** what shall wait for it */
  addBlocks?: ID[];
  /** what shall not wait for it */
  removeBlocks?: ID[];
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
