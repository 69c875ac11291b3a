import { signal } from "@preact/signals";
import { act, complete, insisted, refused, wouldRefuse } from "../actions";
import { dialog, imagining, mayChange, notify, refuse, say } from "../state";
import type { Card, ErrorBody, ID, LaneName } from "../types";
import { type Move, laneOf, moveTo } from "./moves";

// A Lift is a card that has been picked up, by the pointer or by m. It is carried
// over the lanes, and where it is dropped says what is done with it: nothing
// happens before.
export interface Lift {
  card: Card;
  to: LaneName; // over which it is
  says: string; // what a drop there does, or why it cannot be; empty: it puts the card back
  bad: boolean;
}

export const lift = signal<Lift | undefined>(undefined);

let asked = new Map<LaneName, ErrorBody | undefined>(); // why the server would refuse a drop
let asking = new AbortController();

export function pickUp(card: Card): void {
  if (!mayChange.value && !imagining.value) return notify({ text: "Your token may only read this board" });
  asked = new Map();
  asking = new AbortController();
  lift.value = { card, to: laneOf(card), says: "", bad: false };
}

export function putBack(): void {
  asking.abort();
  lift.value = undefined;
}

const titles: Record<LaneName, string> = { blocked: "Blocked", ready: "Ready", in_progress: "In progress", completed: "Done" };

// over carries the card over a lane, and asks the server what it would say.
export function over(to: LaneName, aloud = false): void {
  const l = lift.value;
  if (!l || l.to === to) return;
  const move = moveTo(l.card, to);
  show(l.card, to, move, asked.get(to)?.message, aloud);
  if (!("ops" in move) || asked.has(to) || to === laneOf(l.card) || imagining.value) return;
  void wouldRefuse(move.ops, asking.signal).then((why) => {
    asked.set(to, why);
    if (why && lift.value?.to === to && lift.value.card.id === l.card.id) show(l.card, to, move, why.message, aloud);
  }, () => undefined);
}

function show(card: Card, to: LaneName, move: Move, refusal: string | undefined, aloud: boolean): void {
  const home = to === laneOf(card);
  const why = "why" in move ? move.why : refusal;
  const says = home ? "" : why ? `Not here: ${why}` : `Drop to ${"does" in move ? move.does : ""}`;
  lift.value = { card, to, says, bad: !home && !!why };
  if (aloud) say(home ? `${titles[to]}: Enter leaves it here` : `${titles[to]}: ${says}`);
}

// drop does what gets the card where it is dropped.
export async function drop(): Promise<void> {
  const l = lift.value;
  putBack();
  if (!l || l.to === laneOf(l.card)) return;
  const id: ID = l.card.id;
  const move = moveTo(l.card, l.to);
  const no = asked.get(l.to); // what the lane said already
  if (imagining.value && l.to === "completed") await complete(id);
  else if ("why" in move) refuse(id, { message: `It cannot be dropped on ${titles[l.to]}: ${move.why}` });
  else if ("ask" in move) dialog.value = { kind: "hold", id };
  else if (no && !imagining.value) refused(id, no, insisted(move.ops, no));
  else await act(move.ops, id);
}
