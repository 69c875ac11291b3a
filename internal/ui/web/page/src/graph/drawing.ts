import { signal } from "@preact/signals";
import { link, wouldRefuse } from "../actions";
import { mayChange, refusals } from "../state";
import type { ID } from "../types";
import type { Point } from "./grid";
import { edgesAlong } from "./scene";

// Drawing a link: from a task to the one that is to wait for it. While it is
// over a task, the page asks the server what the link would do; only it knows.
export interface Drawing {
  from: ID;
  to?: ID; // the task under it
  at?: Point; // of the pointer, in the world; none: it is drawn by keys
  typed: string; // digits of a number
  outcome?: LinkOutcome;
}

export interface LinkOutcome {
  to: ID;
  good: boolean;
  text: string;
  path: ID[]; // of a cycle that it would close
}

export const drawing = signal<Drawing | undefined>(undefined);

const patience = 120; // milliseconds over a task before the server is asked
let timer: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;

// refusedPath is the cycle that the last link would have closed, shown until the
// next thing is done.
export const refusedPath = signal<ID[] | undefined>(undefined);

export function begin(from: ID, at?: Point): void {
  if (!mayChange.value) return;
  refusedPath.value = undefined;
  drawing.value = { from, at, typed: "" };
}

export function hold(change: Partial<Pick<Drawing, "to" | "at" | "typed">>): void {
  const now = drawing.value;
  if (!now) return;
  const next = { ...now, ...change };
  if (next.to === next.from) next.to = undefined;
  if (next.to !== now.to) {
    next.outcome = undefined;
    drawing.value = next;
    ask(next.from, next.to);
  } else {
    drawing.value = next;
  }
}

function ask(from: ID, to: ID | undefined): void {
  clearTimeout(timer);
  asking?.abort();
  if (to === undefined) return;
  const abort = (asking = new AbortController());
  timer = setTimeout(() => void outcome(from, to, abort.signal), patience);
}

async function outcome(from: ID, to: ID, signal: AbortSignal): Promise<void> {
  const told = (v: Omit<LinkOutcome, "to">) => {
    if (!signal.aborted && drawing.value?.to === to) drawing.value = { ...drawing.value, outcome: { to, ...v } };
  };
  try {
    const no = await wouldRefuse([{ op: "update", id: to, addBlockedBy: [from] }], signal);
    if (no) told({ good: false, text: [no.message, no.hint].filter(Boolean).join(": "), path: no.ids ?? [] });
    else told({ good: true, text: `#${to} will depend on #${from}`, path: [] });
  } catch (err) {
    if (!signal.aborted) throw err;
  }
}

export function cancel(): void {
  clearTimeout(timer);
  asking?.abort();
  drawing.value = undefined;
}

/** Makes the link, if there is one to make. The server decides again. */
export async function drop(): Promise<void> {
  const now = drawing.value;
  cancel();
  if (!now || now.to === undefined) return;
  if (await link(now.to, now.from)) return;
  const path = refusals.peek().get(now.to)?.ids;
  if (path && path.length > 1) refusedPath.value = path;
}

/** The edges that a refused link would close a cycle with. */
export function cycleOf(d: Drawing | undefined): Set<string> | undefined {
  return d?.outcome && d.outcome.path.length > 1 ? edgesAlong(d.outcome.path) : undefined;
}
