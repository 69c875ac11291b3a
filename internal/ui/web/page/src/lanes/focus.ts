import { focusMoved } from "../steady";

// Where the focus is among the cards, and that it stays with its task when the
// card changes its lane.

export interface Focus {
  id: string;
  lane: string;
  place: number;
}

export function cardElement(root: ParentNode, id: number | string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-card="${id}"]`);
}

export function whereFocus(root: HTMLElement | null): Focus | undefined {
  const card = root?.contains(document.activeElement) ? document.activeElement!.closest<HTMLElement>("[data-card]") : null;
  const lane = card?.closest<HTMLElement>(".lane");
  if (!card || !lane) return undefined;
  return { id: card.dataset.card!, lane: lane.dataset.lane!, place: cardsOf(lane).indexOf(card) };
}

// keepFocus returns the focus to the task that had it; where its card has gone,
// to the one that stands there now, or to any.
export function keepFocus(root: HTMLElement, was: Focus | undefined): void {
  if (!was || document.activeElement !== document.body) return;
  const lane = cardsOf(laneElement(root, was.lane));
  const there = cardElement(root, was.id) ?? lane[was.place] ?? lane.at(-1) ?? cardsOf(root)[0];
  if (there && there.dataset.card !== was.id) focusMoved();
  there?.focus();
}

export function laneElement(root: ParentNode, lane: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`.lane[data-lane="${lane}"]`);
}

export function cardsOf(lane: ParentNode | null): HTMLElement[] {
  return lane ? [...lane.querySelectorAll<HTMLElement>("[data-card]")] : [];
}
