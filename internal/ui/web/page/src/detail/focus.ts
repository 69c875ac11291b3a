import type { ID } from "../types";

// whereIs is the element in the view that is a task, to go back to.
export function whereIs(id: ID | string | undefined): HTMLElement | null {
  return document.querySelector<HTMLElement>(`.view [data-card="${id}"], .view [data-node="${id}"]`);
}

// taskOf is the task that an element is of.
export function taskOf(el: Element | null): string | undefined {
  const at = el?.closest<HTMLElement>("[data-card], [data-node]");
  return at?.dataset.card ?? at?.dataset.node;
}
