import { computed, signal } from "@preact/signals";
import { complete, imagine } from "../actions";
import { asDone, imagining } from "../state";
import type { Graph, ID } from "../types";

// Two readings of the whole board: as it is, and as it would be. What differs is
// what the what-if is about; the states themselves are the server's.
export const real = signal<Graph | undefined>(undefined);
export const imagined = signal<Graph | undefined>(undefined);

export interface Outcome {
  ready: { id: ID; subject: string }[]; // would become ready
  chain: number; // tasks on the longest chain that would be left
  chainNow: number;
  left: number; // open tasks
}

export const outcome = computed<Outcome | undefined>(() => {
  const now = real.value;
  const then = imagined.value;
  if (!now || !then || !imagining.value) return undefined;
  const were = new Map(now.nodes.map((n) => [n.id, n.state]));
  return {
    ready: asDone.value.length ? then.nodes.filter((n) => n.state === "ready" && were.get(n.id) !== "ready") : [],
    chain: then.chain.length,
    chainNow: now.chain.length,
    left: then.nodes.filter((n) => n.state !== "completed" && n.state !== "missing").length,
  };
});

const none: ReadonlySet<ID> = new Set();

/** The tasks that would become ready. */
export const imaginedReady = computed<ReadonlySet<ID>>(() => {
  const o = outcome.value;
  return o?.ready.length ? new Set(o.ready.map((r) => r.id)) : none;
});

/** Completes a task in the what-if, or takes that back. */
export function toggle(id: ID): Promise<unknown> {
  return asDone.value.includes(id)
    ? imagine((ids) => ids.filter((other) => other !== id), id)
    : complete(id);
}
