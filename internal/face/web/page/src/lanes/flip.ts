// Cards that a change moves glide from where they were; nothing else does. What
// has gone into another lane flies above the lanes, which would cut it off.

const longest = 200; // milliseconds
const most = 40; // cards that move at once: more is no movement that an eye follows

export type Boxes = Map<string, DOMRect>;

// measure says where the cards are that can be seen. It asks for the places of
// the cards, not for the cards: what is in a place out of sight is not laid out.
export function measure(root: HTMLElement): Boxes {
  const boxes: Boxes = new Map();
  for (const list of root.querySelectorAll(".cards"))
    for (const slot of list.querySelectorAll<HTMLElement>(":scope > [data-slot]")) {
      const box = slot.getBoundingClientRect();
      if (box.top > innerHeight) break;
      if (box.bottom > 0 && box.width > 0) boxes.set(slot.dataset.slot!, box);
    }
  return boxes;
}

interface Moved {
  card: HTMLElement;
  is: DOMRect;
  dx: number;
  dy: number;
}

export function glide(root: HTMLElement, before: Boxes): void {
  if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const moved: Moved[] = [];
  for (const [id, was] of before) {
    const slot = root.querySelector<HTMLElement>(`[data-slot="${id}"]`);
    const is = slot?.getBoundingClientRect();
    if (is && is.width > 0 && (is.left !== was.left || is.top !== was.top))
      moved.push({ card: slot!.querySelector<HTMLElement>("[data-card]")!, is, dx: was.left - is.left, dy: was.top - is.top });
  }
  if (moved.length > most) return;
  for (const m of moved) {
    const steps = [{ transform: `translate(${m.dx}px, ${m.dy}px)` }, { transform: "none" }];
    const timing = { duration: longest, easing: "ease-out" };
    if (Math.abs(m.dx) < m.is.width / 2) m.card.animate(steps, timing);
    else fly(root, m, steps, timing);
  }
}

function fly(root: HTMLElement, { card }: Moved, steps: Keyframe[], timing: KeyframeAnimationOptions): void {
  const is = card.getBoundingClientRect();
  const ghost = card.cloneNode(true) as HTMLElement;
  ghost.removeAttribute("data-card");
  ghost.setAttribute("aria-hidden", "true");
  ghost.inert = true;
  ghost.classList.add("flying");
  Object.assign(ghost.style, { left: `${is.left}px`, top: `${is.top}px`, width: `${is.width}px` });
  root.append(ghost);
  card.animate([{ opacity: 0 }, { opacity: 0 }], timing);
  const end = () => ghost.remove();
  ghost.animate(steps, timing).finished.then(end, end);
}
