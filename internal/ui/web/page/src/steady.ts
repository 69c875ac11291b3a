// Nothing is done by accident to what has just come. The board changes under a
// pointer that rests: a card is completed, and the next one takes its place. So
// what comes under the pointer by itself takes no press for a moment; what the
// person goes to takes one at once. The same holds for the focus and its keys.

export const moment = 500; // milliseconds: a double click is over by then

const slack = 6; // pixels that a resting hand moves
const finger = 24; // pixels between two taps at one spot
const glides = 300; // milliseconds after a change in which things move by themselves
const turns = 300; // milliseconds after a turn of the wheel in which what moves was moved by hand

const now = (): number => performance.now();

// What takes a press, and what it belongs to. Both together say what a press
// would do: "Complete #12", on the card 12.
const actors = "button, a, summary, label, input, select, textarea, [role=option], [data-card], [data-node], [data-edge], [data-act]";
const worded = "button, a, summary, [role=option]";
const things = ["card", "node", "edge", "revision", "notice", "task"];
const owners = things.map((t) => `[data-${t}]`).join();

// signOf says what a press there would do; empty: nothing that could be an accident.
export function signOf(at: Element | null): string {
  const actor = at?.closest<HTMLElement>(actors);
  if (!actor) return "";
  const words = actor.matches(worded) ? (actor.getAttribute("aria-label") ?? timeless(actor)) : (actor.dataset.act ?? actor.id);
  const of: string[] = [`${actor.tagName} ${words}`];
  for (let el: HTMLElement | null | undefined = actor.closest<HTMLElement>(owners); el; el = el.parentElement?.closest<HTMLElement>(owners)) {
    const data = el.dataset;
    of.push(...things.filter((t) => data[t]).map((t) => `${t} ${data[t]}`));
  }
  return of.join(" of ");
}

// timeless is the text of an element without its times: that they advance is not a change.
function timeless(el: HTMLElement): string {
  return [...el.querySelectorAll("time")].reduce((text, t) => text.replace(t.textContent, ""), el.textContent);
}

interface Point {
  x: number;
  y: number;
}

const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

// A Pointer follows what is under one that rests. It is told the time and what
// is there, and knows no page.
export class Pointer {
  private at: Point | undefined; // where it rests
  private under = ""; // what a press does there
  private since = -Infinity; // when that came by itself
  private still: Point | undefined; // where it was when something last came, or was pressed

  // where is the place to look at after a change; none: the pointer is elsewhere.
  get where(): Point | undefined {
    return this.at;
  }

  moved(to: Point, sign: string, time: number): void {
    const byHand = !this.still || apart(this.still, to) > slack;
    this.at = to;
    if (byHand) this.still = undefined;
    if (sign !== this.under) this.take(sign, byHand ? -Infinity : time);
  }

  // looked tells what is there after something changed; byHand: it was scrolled.
  looked(sign: string, time: number, byHand = false): void {
    if (!this.at || sign === this.under) return;
    if (!byHand) this.still = this.at;
    this.take(sign, byHand ? -Infinity : time);
  }

  left(): void {
    this.at = undefined;
  }

  // pressed says whether what is pressed was there for long enough.
  pressed(to: Point, sign: string, time: number): boolean {
    this.moved(to, sign, time);
    this.still = to;
    return time - this.since >= moment;
  }

  // tapped is pressed for a finger: it rests where it tapped last.
  tapped(to: Point, sign: string, time: number): boolean {
    if (!this.at || apart(this.at, to) >= finger) this.since = -Infinity;
    this.at = this.still = to;
    this.under = sign;
    return time - this.since >= moment;
  }

  private take(sign: string, since: number): void {
    this.under = sign;
    this.since = since;
  }
}

const pointer = new Pointer();
let byWheel = -Infinity;
let down = false; // a button of it is: nothing comes under it

function lookAgain(): void {
  const at = pointer.where;
  if (!at || down) return;
  pointer.looked(signOf(document.elementFromPoint(at.x, at.y)), now(), now() - byWheel < turns);
}

let glidesUntil = -Infinity;
let following = false;

// changed looks at what the page shows under the pointer now, and goes on for as
// long as things glide.
function changed(records: MutationRecord[]): void {
  if (records.every((r) => r.type === "characterData" && r.target.parentElement?.closest("time"))) return; // a clock ticks
  lookAgain();
  glidesUntil = now() + glides;
  if (!following) requestAnimationFrame(follow);
  following = true;
}

function follow(): void {
  lookAgain();
  following = now() < glidesUntil;
  if (following) requestAnimationFrame(follow);
}

// settle keeps what has moved, or come, from taking presses for a moment: also
// those of a finger, and of a pointer that was on its way there.
export function settle(el: HTMLElement): void {
  const stamp = String(now());
  el.dataset.settling = stamp; // base.css: it takes no presses
  setTimeout(() => {
    if (el.dataset.settling !== stamp) return; // it has moved again
    delete el.dataset.settling;
    const at = pointer.where;
    if (at) pointer.looked(signOf(document.elementFromPoint(at.x, at.y)), -Infinity);
  }, moment);
}

// The focus: when it went by itself to another task.
let focusCame = -Infinity;
export const focusMoved = (): void => void (focusCame = now());
export const focusRests = (): boolean => now() - focusCame >= moment;

// A key that is held down walks and writes; what it does else, it does once.
const walking = /^(Arrow.*|Page.*|Home|End|Tab|Backspace|Delete|[jk+=-])$/;

function repeated(e: KeyboardEvent): void {
  if (!e.repeat || walking.test(e.key)) return;
  const at = e.target as HTMLElement | null;
  const writes = !!at?.closest?.("input, textarea, select, [contenteditable]");
  if (writes && (e.key !== "Enter" || at!.matches("textarea:not(.new-subject)"))) return;
  e.preventDefault();
  e.stopImmediatePropagation();
}

// keepSteady watches over all presses on the page.
export function keepSteady(): void {
  const point = (e: PointerEvent): Point => ({ x: e.clientX, y: e.clientY });
  const capture = { capture: true, passive: true };
  let good = true;
  let sign: string | undefined; // of what was pressed, until its click
  addEventListener("pointermove", (e) => e.pointerType !== "touch" && pointer.moved(point(e), signOf(e.target as Element), now()), capture);
  addEventListener(
    "pointerdown",
    (e) => {
      sign = signOf(e.target as Element);
      if (e.pointerType === "touch") lookAgain();
      good = e.pointerType === "touch" ? pointer.tapped(point(e), sign, now()) : pointer.pressed(point(e), sign, now());
      down = e.pointerType !== "touch";
    },
    capture,
  );
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (down = false), capture);
  document.addEventListener("pointerleave", (e) => e.pointerType !== "touch" && pointer.left());
  addEventListener("wheel", () => (byWheel = now()), capture);
  addEventListener("scroll", lookAgain, capture);
  addEventListener("keydown", repeated, true);
  const refuse = (e: Event): void => {
    e.preventDefault();
    e.stopImmediatePropagation();
  };
  const click = (e: MouseEvent): void => {
    if (!e.isTrusted || e.detail === 0 || sign === undefined) return; // by a key, or of a label
    const now = signOf(e.target as Element);
    good &&= now === sign || now === ""; // "": it was dragged, and whoever let it be knows
    sign = undefined;
    if (!good) refuse(e);
  };
  addEventListener("click", click, true);
  addEventListener("dblclick", (e) => !good && refuse(e), true);
  new MutationObserver(changed).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}
