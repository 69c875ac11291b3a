import type { Lane, LaneName, State } from "../types";

// A Tally says how many cards of a lane are what it is named for, and how many
// only stand there, too: a task assigned to somebody else is not ready, and one on
// hold waits for no task.
export interface Tally {
  own: number;
  others: [number, State][];
}

const guests: State[] = ["assigned", "held", "damaged"];

export function tally({ cards, total }: Lane): Tally {
  const others = guests.map((s): [number, State] => [cards.filter((c) => c.state === s).length, s]).filter(([n]) => n > 0);
  return { own: total - others.reduce((sum, [n]) => sum + n, 0), others };
}

const order: [LaneName, State, ...State[]][] = [
  ["ready", "ready", "assigned"],
  ["in_progress", "in_progress"],
  ["blocked", "blocked", "held", "damaged"],
  ["completed", "completed"],
];

// tallies are those of all lanes, of tasks known only by how they
// stand: at a moment of a replay.
export function tallies(states: Iterable<State>): Map<LaneName, Tally> {
  const counted = new Map<State, number>();
  for (const s of states) counted.set(s, (counted.get(s) ?? 0) + 1);
  const n = (s: State): number => counted.get(s) ?? 0;
  return new Map(order.map(([lane, own, ...others]) => [lane, { own: n(own), others: others.filter((s) => n(s) > 0).map((s): [number, State] => [n(s), s]) }]));
}
