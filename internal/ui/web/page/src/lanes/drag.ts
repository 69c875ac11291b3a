import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { imagining, mayChange } from "../state";
import type { Card, LaneName } from "../types";
import { drop, lift, over, pickUp, putBack } from "./lift";
import { laneOf } from "./moves";

// Dragging with a pointer. A mouse drags as soon as it moves; a finger after it
// has rested, because moving it scrolls.
const slack = 5; // pixels that a press may move and be a click
const rest = 280; // milliseconds that a finger rests

interface Press {
  card: Card;
  element: HTMLElement;
  pointer: number;
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout> | undefined;
  ghost: HTMLElement | undefined; // follows the pointer
}

// useDrag lets cards inside of root be dragged over whatever has data-lane. find
// returns the card of an element.
export function useDrag(root: RefObject<HTMLElement | null>, find: (id: number) => Card | undefined): void {
  useEffect(() => {
    const at = root.current;
    if (!at) return;
    let press: Press | undefined;

    const down = (e: PointerEvent) => {
      const target = e.target as HTMLElement;
      const element = target.closest<HTMLElement>("[data-card]");
      const card = element && find(Number(element.dataset.card));
      if (!card || !(mayChange.value || imagining.value) || e.button !== 0 || press || lift.value || target.closest("button, a")) return;
      press = { card, element, pointer: e.pointerId, x: e.clientX, y: e.clientY, timer: undefined, ghost: undefined };
      if (e.pointerType !== "mouse") press.timer = setTimeout(() => press && begin(press), rest);
    };
    const begin = (p: Press) => {
      const box = p.element.getBoundingClientRect();
      const ghost = p.element.cloneNode(true) as HTMLElement;
      ghost.classList.add("ghost");
      ghost.removeAttribute("data-card");
      ghost.setAttribute("aria-hidden", "true");
      ghost.inert = true;
      ghost.style.width = `${box.width}px`;
      ghost.style.left = `${box.left - p.x}px`;
      ghost.style.top = `${box.top - p.y}px`;
      p.ghost = ghost;
      at.append(ghost);
      follow(p, p.x, p.y);
      pickUp(p.card);
    };
    const follow = (p: Press, x: number, y: number) => (p.ghost!.style.transform = `translate(${x}px, ${y}px) rotate(1deg)`);
    const moved = (e: PointerEvent) => {
      if (!press || e.pointerId !== press.pointer) return;
      if (!press.ghost) {
        if (Math.hypot(e.clientX - press.x, e.clientY - press.y) < slack) return;
        if (e.pointerType !== "mouse") return end();
        begin(press);
      }
      follow(press, e.clientX, e.clientY);
      const lane = document.elementFromPoint(e.clientX, e.clientY)?.closest<HTMLElement>("[data-lane]")?.dataset.lane;
      over((lane as LaneName | undefined) ?? laneOf(press.card)); // over none of them it is put back
    };
    const up = (e: PointerEvent) => {
      if (!press || e.pointerId !== press.pointer) return;
      const dragged = !!press.ghost;
      end();
      if (!dragged) return;
      void drop();
      // The click that may follow is not a click on the card.
      const swallow = (c: Event) => c.stopPropagation();
      at.addEventListener("click", swallow, true);
      setTimeout(() => at.removeEventListener("click", swallow, true), 0);
    };
    const end = () => {
      clearTimeout(press?.timer);
      press?.ghost?.remove();
      press = undefined;
    };
    const cancel = (e: Event) => {
      if (!press || (e instanceof KeyboardEvent && e.key !== "Escape")) return;
      if (press.ghost) putBack();
      end();
    };
    const hold = (e: TouchEvent) => press?.ghost && e.preventDefault(); // a drag is not a scroll

    at.addEventListener("pointerdown", down);
    at.addEventListener("touchmove", hold, { passive: false });
    addEventListener("pointermove", moved);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", cancel);
    addEventListener("keydown", cancel, true);
    return () => {
      at.removeEventListener("pointerdown", down);
      at.removeEventListener("touchmove", hold);
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", cancel);
      removeEventListener("keydown", cancel, true);
      putBack(); // also one that m has picked up
      end();
    };
  }, []);
}
