import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { isPressing, useKeys } from "../keys";
import { notify, say, selected, show } from "../state";
import type { Card, LaneName } from "../types";
import { cardsOf, laneElement } from "./focus";
import { drop, lift, over, pickUp, putBack } from "./lift";

export const laneNames: LaneName[] = ["blocked", "ready", "in_progress", "completed"];

// useLaneKeys moves the focus over the cards, and while a card is lifted the card
// over the lanes.
export function useLaneKeys(root: RefObject<HTMLElement | null>, find: (id: number) => Card | undefined, narrow: Signal<LaneName>): void {
  useKeys((e) => {
    const at = e.target as HTMLElement;
    if (lift.value) return carry(e.key);
    if (!root.current || (at !== document.body && at.id !== "view" && !root.current.contains(at)) || isPressing(e)) return false;
    return walk(root.current, e.key, find, narrow);
  });
}

function carry(key: string): boolean {
  const l = lift.value!;
  const i = laneNames.indexOf(l.to);
  switch (key) {
    case "ArrowLeft":
    case "ArrowRight": {
      const to = laneNames[i + (key === "ArrowLeft" ? -1 : 1)];
      if (to) over(to, true);
      return true;
    }
    case "Enter":
    case "m":
      void drop();
      return true;
    case "Escape":
      putBack();
      say(`#${l.card.id} is put back`);
      return true;
    case "ArrowUp":
    case "ArrowDown":
    case "j":
    case "k":
      notify({ text: "Cards are in the order of work: by priority, then by the length of the chain that depends on them (e edits the priority)" });
      return true;
  }
  return key.length === 1; // other keys mean nothing while a card is lifted
}

function walk(root: HTMLElement, key: string, find: (id: number) => Card | undefined, narrow: Signal<LaneName>): boolean {
  const focused = root.contains(document.activeElement) ? document.activeElement!.closest<HTMLElement>("[data-card]") : null;
  const here = focused ?? root.querySelector<HTMLElement>('[data-card][tabindex="0"]');
  if (!here) return false;
  const lane = here.closest<HTMLElement>(".lane")!;
  const cards = cardsOf(lane);
  const i = cards.indexOf(here);
  const to = (el: HTMLElement | null | undefined) => {
    narrow.value = (el?.closest<HTMLElement>(".lane")?.dataset.lane as LaneName) ?? narrow.value;
    el?.focus();
    return true;
  };
  switch (key) {
    case "ArrowUp":
    case "k":
      return to(focused ? cards[i - 1] : here);
    case "ArrowDown":
    case "j":
      return to(focused ? (cards[i + 1] ?? lane.querySelector<HTMLElement>(".fold button")) : here);
    case "Home":
      return to(cards[0]);
    case "End":
      return to(cards.at(-1));
    case "ArrowLeft":
    case "ArrowRight":
      return to(focused ? beside(root, here, key === "ArrowLeft" ? -1 : 1) : here);
    case "Enter":
      show(Number(here.dataset.card));
      return true;
    case " ":
      selected.value = Number(here.dataset.card);
      return to(here);
    case "m": {
      const card = find(Number(here.dataset.card));
      if (!card) return false;
      to(here);
      pickUp(card);
      if (!lift.value) return true;
      say(`#${card.id} is lifted: the arrows carry it over the lanes, Enter drops it, Escape puts it back`);
      return true;
    }
  }
  return false;
}

// beside is the card at the same height in the next lane that has any.
function beside(root: HTMLElement, here: HTMLElement, step: number): HTMLElement | undefined {
  const from = laneNames.indexOf(here.closest<HTMLElement>(".lane")!.dataset.lane as LaneName);
  const top = (card: HTMLElement) => card.parentElement!.getBoundingClientRect().top; // of its place: see flip.ts
  const y = top(here);
  for (let i = from + step; laneNames[i]; i += step) {
    const cards = cardsOf(laneElement(root, laneNames[i]!));
    if (!cards.length) continue;
    const far = (el: HTMLElement) => Math.abs(top(el) - y);
    return cards.reduce((best, el) => (far(el) < far(best) ? el : best));
  }
  return undefined;
}

