// The shapes of the API's answers, as docs/api.md describes them.

export type ID = number;
export type Revision = number;
export type Moment = string; // 2026-11-21T10:00:00.000Z; empty or missing: not known
export type Level = "high" | "medium" | "low";
export type State = "ready" | "in_progress" | "blocked" | "held" | "assigned" | "completed" | "damaged" | "missing";
export type LaneName = "blocked" | "ready" | "in_progress" | "completed";

export interface About {
  project: string;
  me: string;
  version: string;
  board: boolean;
}

export interface Waited {
  id: ID;
  subject: string;
  state: State;
}

export interface Card {
  id: ID;
  subject: string;
  state: State;
  owner?: string;
  priority: Level;
  labels?: string[];
  parent?: ID;
  why?: string;
  waitsFor?: Waited[];
  waits?: number;
  unblocks?: number;
  doing?: string;
  notes?: number;
  startedAt?: Moment;
  completedAt?: Moment;
  until?: Moment;
  children?: number;
  done?: number;
  asDone?: boolean;
}

export interface Lane {
  lane: LaneName;
  title: string;
  total: number;
  cards: Card[];
}

export interface Lanes {
  revision: Revision;
  now: Moment;
  until?: Moment;
  lanes: Lane[];
  labels: string[];
  owners: string[];
}

export interface GraphNode {
  id: ID;
  subject: string;
  state: State;
  owner?: string;
  priority: Level;
  labels?: string[];
  blockedBy: ID[];
  unblocks?: number;
  doing?: string;
  why?: string;
  parent?: ID;
  children?: number;
  done?: number;
  layer: number;
  row: number;
  asDone?: boolean;
}

export interface GraphEdge {
  from: ID;
  to: ID;
  kind: "blocks" | "child";
  open: boolean;
  back?: boolean;
  chain?: boolean;
  bends?: [number, number][];
}

export interface Graph {
  revision: Revision;
  now: Moment;
  nodes: GraphNode[];
  edges: GraphEdge[];
  chain: ID[];
  cycles: ID[][];
  alone: number;
  layers: number;
  rows: number;
}

export interface Note {
  at?: Moment;
  by: string;
  text: string;
}

export interface Hold {
  reason: string;
  by: string;
  at?: Moment;
}

export interface Claim {
  session: string;
  agent: string;
  token: Revision;
  until?: Moment;
}

export interface Task {
  id: ID;
  subject: string;
  description: string;
  status?: "pending" | "in_progress" | "completed";
  blockedBy: ID[];
  blocks: ID[];
  owner: string;
  activeForm?: string;
  priority: Level;
  parent?: ID;
  labels?: string[];
  notes?: Note[];
  hold?: Hold;
  metadata?: Record<string, unknown>;
  createdAt?: Moment;
  updatedAt?: Moment;
  startedAt?: Moment;
  completedAt?: Moment;
  unblocked?: ID[];
  ready: boolean;
  urgency: Level;
  height: number;
  children?: ID[];
  childrenDone?: number;
  claim?: Claim;
  expired?: number;
  damage?: string;
}

export interface TaskAnswer {
  revision: Revision;
  now: Moment;
  task: Task;
  state: State;
  why?: string;
  parent?: Waited;
  waitsFor: Waited[];
  waitedFor: Waited[];
  children: Waited[];
  unblocks: number;
}

export interface Brief {
  id: ID;
  subject: string;
}

export interface ChangeSet {
  revision: Revision;
  at: Moment;
  by: { name: string; session?: string; agent?: string };
  verb: string;
  opId?: string;
  bulk?: boolean;
  undoes?: Revision;
  tasks: { id: ID; subject: string; change: "created" | "edited" | "deleted"; fields?: string[]; before?: unknown; after?: unknown }[];
  ready: Brief[];
}

export interface LogEntry extends ChangeSet {
  line: string;
  details: string[];
  undone?: boolean;
  mine: boolean;
}

export interface Log {
  changes: LogEntry[];
  next?: Revision;
}

// A change as the stream tells it.
export interface Change {
  change: ChangeSet;
  line: string;
  mine: boolean;
}

export interface Result {
  changed: boolean;
  dry?: boolean;
  revision?: Revision;
  said: string;
  ids: ID[];
  refs?: Record<string, ID>;
  ready: Brief[];
  tasks: Task[];
}

export interface NewTask {
  ref?: string;
  subject: string;
  description?: string;
  priority?: Level;
  parent?: ID;
  labels?: string[];
  blockedBy?: (ID | string)[];
  blocks?: ID[];
  owner?: string;
}

export type Op =
  | { op: "create"; tasks: NewTask[] }
  | {
      op: "update"; id: ID; subject?: string; description?: string; activeForm?: string; priority?: Level; parent?: ID;
      addLabels?: string[]; removeLabels?: string[]; addBlockedBy?: ID[]; removeBlockedBy?: ID[]; addBlocks?: ID[]; removeBlocks?: ID[];
    }
  | { op: "claim"; id?: ID; force?: boolean }
  | { op: "start"; ids: ID[] }
  | { op: "complete"; ids: ID[]; force?: boolean }
  | { op: "reopen"; ids: ID[] }
  | { op: "release"; ids: ID[]; hold?: string; force?: boolean }
  | { op: "assign"; ids: ID[]; owner: string }
  | { op: "hold"; ids: ID[]; reason: string }
  | { op: "lift"; ids: ID[] }
  | { op: "note"; id: ID; text: string }
  | { op: "delete"; ids: ID[]; force?: boolean }
  | { op: "undo"; revision?: Revision };

export interface ErrorBody {
  kind: string;
  message: string;
  hint?: string;
  faults?: { path?: string; problem: string }[];
  ids?: ID[];
  holder?: { name: string; claim?: Claim };
  revision?: Revision;
}
