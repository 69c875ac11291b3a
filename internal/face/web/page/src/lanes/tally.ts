import type { Lane, State } from "../types";

// A Tally says how many cards of a lane are what it is named for, and how many
// only stand there, too: what is assigned to somebody else is not ready, and what
// a person holds waits for no task.
export interface Tally {
  own: number;
  others: [number, State][];
}

const guests: State[] = ["assigned", "held", "damaged"];

export function tally({ cards, total }: Lane): Tally {
  const others = guests.map((s): [number, State] => [cards.filter((c) => c.state === s).length, s]).filter(([n]) => n > 0);
  return { own: total - others.reduce((sum, [n]) => sum + n, 0), others };
}
