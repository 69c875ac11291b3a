import { settle } from "../steady";

// Cards that a change moves glide from where they were; nothing else does. What
// has gone into another lane flies above the lanes, which would cut it off. All
// of them take no presses until they have been there for a moment.

const longest = 200; // milliseconds
const most = 40; // cards that move at once: no eye follows more

export type Boxes = Map<string, DOMRect>;

// slots are the places of the cards of a list that can be seen. It is the places
// that are measured and moved, not the cards: what is in a place out of sight is
// not laid out, and each place cuts off what leaves it.
function* slots(list: Element): Iterable<[HTMLElement, DOMRect]> {
  for (const slot of list.querySelectorAll<HTMLElement>(":scope > [data-slot]")) {
    const box = slot.getBoundingClientRect();
    if (box.top > innerHeight) return;
    if (box.bottom > 0 && box.width > 0) yield [slot, box];
  }
}

// measure says where the cards are that can be seen.
export function measure(root: HTMLElement): Boxes {
  const boxes: Boxes = new Map();
  for (const list of root.querySelectorAll(".cards")) for (const [slot, box] of slots(list)) boxes.set(slot.dataset.slot!, box);
  return boxes;
}

interface Moved {
  slot: HTMLElement;
  is: DOMRect;
  was: DOMRect | undefined; // not there: it was not to be seen
}

export function glide(root: HTMLElement, before: Boxes): void {
  if (!before.size) return;
  const moved = new Map<string, Moved>();
  const note = (slot: HTMLElement, is: DOMRect): void => {
    const was = before.get(slot.dataset.slot!);
    if (!was || is.left !== was.left || is.top !== was.top) moved.set(slot.dataset.slot!, { slot, is, was });
  };
  for (const list of root.querySelectorAll(".cards")) for (const [slot, is] of slots(list)) note(slot, is);
  for (const id of before.keys()) {
    const slot = moved.has(id) ? null : root.querySelector<HTMLElement>(`[data-slot="${id}"]`); // it may have gone out of sight
    const is = slot?.getBoundingClientRect();
    if (slot && is && is.width > 0) note(slot, is);
  }
  for (const { slot } of moved.values()) settle(slot);
  const flying = [...moved.values()].filter((m) => m.was).length;
  if (flying > most || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const m of moved.values()) move(root, m);
}

const timing: KeyframeAnimationOptions = { duration: longest, easing: "ease-out" };

function move(root: HTMLElement, { slot, is, was }: Moved): void {
  if (!was) return void slot.animate([{ opacity: 0 }, { opacity: 1 }], timing); // those before it are leaving its place
  const zIndex = Math.abs(was.top - is.top) > 1.5 * is.height ? 1 : 0; // what goes far passes over the others
  const steps = [{ transform: `translate(${was.left - is.left}px, ${was.top - is.top}px)`, zIndex }, { transform: "none", zIndex }];
  if (Math.abs(was.left - is.left) < is.width / 2) slot.animate(steps, timing);
  else fly(root, slot, steps);
}

function fly(root: HTMLElement, slot: HTMLElement, steps: Keyframe[]): void {
  const card = slot.querySelector<HTMLElement>("[data-card]")!;
  const is = card.getBoundingClientRect();
  const ghost = card.cloneNode(true) as HTMLElement;
  ghost.removeAttribute("data-card");
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  ghost.classList.add("flying");
  Object.assign(ghost.style, { left: `${is.left}px`, top: `${is.top}px`, width: `${is.width}px` });
  root.append(ghost);
  slot.animate([{ opacity: 0 }, { opacity: 0 }], timing);
  const end = () => ghost.remove();
  ghost.animate(steps.map(({ transform }) => ({ transform })), timing).finished.then(end, end);
}
