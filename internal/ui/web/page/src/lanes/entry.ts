import { computed, signal } from "@preact/signals";
import { selected } from "../state";
import type { Card, ID, Lanes } from "../types";

// keepCards returns the answer with those cards of the last one that are the same
// still, so that only what changed is drawn again.
export function keepCards(last: Lanes | undefined, answer: Lanes): Lanes {
  if (!last || last === answer) return answer;
  const known = new Map<ID, Card>();
  for (const lane of last.lanes) for (const c of lane.cards) known.set(c.id, c);
  const same = (c: Card): Card => {
    const was = known.get(c.id);
    return was && JSON.stringify(was) === JSON.stringify(c) ? was : c;
  };
  return { ...answer, lanes: answer.lanes.map((lane) => ({ ...lane, cards: lane.cards.map(same) })) };
}

// shown are the tasks that have a card, the likeliest to begin with first.
export const shown = signal<ID[]>([]);

export function noteShown(l: Lanes): void {
  const ready = l.lanes.filter((lane) => lane.lane === "ready");
  const others = l.lanes.filter((lane) => lane.lane !== "ready");
  shown.value = [...ready, ...others].flatMap((lane) => lane.cards.map((c) => c.id));
}

// entry is the card that Tab goes to: the selected one, or where there is none
// the first.
const among = computed(() => new Set(shown.value));
export const entry = computed(() => (selected.value && among.value.has(selected.value) ? selected.value : shown.value[0]));
