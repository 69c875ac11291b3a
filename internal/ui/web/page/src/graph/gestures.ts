import type { Point } from "./grid";

// What hands do with the stage. Points are in pixels of the stage.
export interface Hands {
  pan(dx: number, dy: number): void;
  zoom(at: Point, factor: number): void;
  press(at: Element, p: Point): boolean; // whether the pointer is taken for something else than panning
  carry(p: Point, client: Point): void; // with a pointer that was taken
  letGo(done: boolean): void;
  moving(on: boolean): void;
}

const slack = 4; // pixels that a click may move

/** Listens to pointers and wheels; what it returns ends that. */
export function listen(stage: HTMLElement, hands: Hands): () => void {
  const down = new Map<number, Point>();
  let taken = false;
  let moved = false;
  let still: ReturnType<typeof setTimeout> | undefined;

  const at = (e: { clientX: number; clientY: number }): Point => {
    const box = stage.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };

  const press = (e: PointerEvent) => {
    if (e.button !== 0) return;
    const p = at(e);
    if (down.size === 0) {
      moved = false;
      taken = hands.press(e.target as Element, p);
      if (taken) capture(e.pointerId);
    }
    down.set(e.pointerId, p);
  };

  const move = (e: PointerEvent) => {
    const was = down.get(e.pointerId);
    if (!was) return;
    const p = at(e);
    if (taken) {
      down.set(e.pointerId, p);
      moved = true;
      hands.carry(p, { x: e.clientX, y: e.clientY });
      return;
    }
    if (!moved && down.size === 1 && Math.hypot(p.x - was.x, p.y - was.y) < slack) return;
    if (!moved) {
      moved = true;
      capture(e.pointerId);
      hands.moving(true);
    }
    const other = [...down].find(([id]) => id !== e.pointerId)?.[1];
    down.set(e.pointerId, p);
    if (!other) {
      hands.pan(p.x - was.x, p.y - was.y);
      return;
    }
    const between = { x: (p.x + other.x) / 2, y: (p.y + other.y) / 2 };
    hands.pan((p.x - was.x) / 2, (p.y - was.y) / 2);
    hands.zoom(between, Math.hypot(p.x - other.x, p.y - other.y) / Math.max(1, Math.hypot(was.x - other.x, was.y - other.y)));
  };

  const lift = (e: PointerEvent) => {
    if (!down.delete(e.pointerId) || down.size > 0) return;
    if (taken) hands.letGo(e.type === "pointerup");
    else if (moved) hands.moving(false);
    taken = false;
  };

  // A click at the end of a movement is none.
  const click = (e: MouseEvent) => {
    if (!moved) return;
    moved = false;
    e.stopPropagation();
    e.preventDefault();
  };

  const wheel = (e: WheelEvent) => {
    e.preventDefault();
    const line = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    hands.moving(true);
    clearTimeout(still);
    still = setTimeout(() => hands.moving(false), 150);
    if (e.ctrlKey || e.metaKey) hands.zoom(at(e), Math.exp(-Math.max(-60, Math.min(60, e.deltaY * line)) * 0.008));
    else if (e.shiftKey && e.deltaX === 0) hands.pan(-e.deltaY * line, 0);
    else hands.pan(-e.deltaX * line, -e.deltaY * line);
  };

  const capture = (id: number) => stage.setPointerCapture(id);

  stage.addEventListener("pointerdown", press);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", lift);
  stage.addEventListener("pointercancel", lift);
  stage.addEventListener("click", click, true);
  stage.addEventListener("wheel", wheel, { passive: false });
  return () => {
    clearTimeout(still);
    stage.removeEventListener("pointerdown", press);
    stage.removeEventListener("pointermove", move);
    stage.removeEventListener("pointerup", lift);
    stage.removeEventListener("pointercancel", lift);
    stage.removeEventListener("click", click, true);
    stage.removeEventListener("wheel", wheel);
  };
}
