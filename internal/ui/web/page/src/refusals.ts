import { type Refusal, allow, refusals } from "./state";
import type { Lanes } from "./types";

// A refusal is about the state of a task. When anybody changes that, the refusal may
// be wrong, and is no longer shown.

const stood = new WeakMap<Refusal, string>();

// recheck looks at an answer of the server: the first one after a refusal says how
// the task stood then.
export function recheck(l: Lanes): void {
  if (refusals.peek().size === 0) return;
  const cards = new Map(l.lanes.flatMap((lane) => lane.cards.map((c) => [c.id, c] as const)));
  for (const [id, why] of refusals.peek()) {
    const c = cards.get(id);
    const stands = JSON.stringify([c?.state, c?.owner, c?.why, c?.waits, c?.waitsFor, c?.asDone, c?.checked, c?.shown]);
    const before = stood.get(why);
    if (before === undefined) stood.set(why, stands);
    else if (before !== stands) allow(id);
  }
}
