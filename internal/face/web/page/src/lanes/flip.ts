// Cards that a change moves glide from where they were; nothing else does. What
// has gone into another lane flies above the lanes, which would cut it off.

const longest = 200; // milliseconds
const most = 40; // cards that move at once: more is no movement that an eye follows

export type Boxes = Map<string, DOMRect>;

// measure says where the cards are that can be seen.
export function measure(root: HTMLElement): Boxes {
  const boxes: Boxes = new Map();
  for (const el of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const box = el.getBoundingClientRect();
    if (box.bottom > 0 && box.top < innerHeight && box.width > 0) boxes.set(el.dataset.card!, box);
  }
  return boxes;
}

export function glide(root: HTMLElement, before: Boxes): void {
  if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const moved: [HTMLElement, DOMRect, number, number][] = [];
  for (const el of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const was = before.get(el.dataset.card!);
    if (!was) continue;
    const is = el.getBoundingClientRect();
    const dx = was.left - is.left;
    const dy = was.top - is.top;
    if (dx || dy) moved.push([el, is, dx, dy]);
  }
  if (moved.length > most) return;
  for (const [el, is, dx, dy] of moved) {
    const steps = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
    const timing = { duration: longest, easing: "ease-out" };
    if (Math.abs(dx) < is.width / 2) {
      el.animate(steps, timing);
      continue;
    }
    const ghost = el.cloneNode(true) as HTMLElement;
    ghost.removeAttribute("data-card");
    ghost.setAttribute("aria-hidden", "true");
    ghost.inert = true;
    ghost.classList.add("flying");
    Object.assign(ghost.style, { left: `${is.left}px`, top: `${is.top}px`, width: `${is.width}px` });
    root.append(ghost);
    el.animate([{ opacity: 0 }, { opacity: 0 }], { duration: longest });
    ghost.animate(steps, timing).finished.then(() => ghost.remove(), () => ghost.remove());
  }
}
