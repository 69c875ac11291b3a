import { computed, effect, signal } from "@preact/signals";
import { type Filter, type Place, type Tab, filterParams, formatHash, isFiltered, noFilter, parseHash } from "./hash";
import type { About, ID, LogEntry, Moment, Op, Revision, RunView } from "./types";

// What all parts of the page share. It holds no part of the board: what a view
// shows, it reads (see reading.ts).

export const about = signal<About | null>(null);

// boardIsThere notes that the first task has made the board.
export function boardIsThere(): void {
  if (about.value && !about.value.board) about.value = { ...about.value, board: true };
}

// link is how the page and the server stand: "away" is trying again, "refused"
// has no token that the server takes.
export const link = signal<"connecting" | "live" | "away" | "refused">("connecting");

// awaySince is when the page's server was there last, by this machine's clock;
// distantAway since when that of a board at an address does not answer the page's.
export const awaySince = signal<number | undefined>(undefined);
export const distantAway = signal<Moment | undefined>(undefined);

export function left(): void {
  awaySince.value ??= Date.now();
  link.value = "away";
}

export function arrived(): void {
  awaySince.value = undefined;
  link.value = "live";
}

// mayChange: the reader's token allows more than to look.
export const mayChange = computed(() => about.value?.role !== "read");
export const mayForce = computed(() => about.value?.person !== false);

// hint counts up when the board may look different, todosHint when a todo list
// may.
export const hint = signal(0);
export const todosHint = signal(0);

// place is where the person is, as the address says it.
export const place = signal<Place>(parseHash(typeof location === "undefined" ? "" : location.hash));
export const tab = computed(() => place.value.tab);
export const filter = computed(() => place.value.filter);
export const openTask = computed(() => place.value.task); // whose details are open

// selected is the task that keys act on.
export const selected = signal<ID | undefined>(undefined);

// What-if: asDone are taken as completed, in this order; nothing is written.
export const imagining = signal(false);
export const asDone = signal<ID[]>([]);

// refusals are why something was refused on a task, shown on its card until
// something else is done, or the task stands otherwise (refusals.ts).
export interface Refusal {
  message: string;
  hint?: string;
  ids?: ID[];
  anyway?: { does: string; ops: Op[] }; // what a person may insist on
}
export const refusals = signal<ReadonlyMap<ID, Refusal>>(new Map());

export function refuse(id: ID, why: Refusal): void {
  refusals.value = new Map(refusals.value).set(id, why);
  hint.value++; // how it stands now is read once more: what changes after that counts
}

// allow takes back what was said of a refusal, on the card and in the notices.
export function allow(id: ID): void {
  if (refusals.value.has(id)) {
    const next = new Map(refusals.value);
    next.delete(id);
    refusals.value = next;
  }
  notices.value = notices.value.filter((n) => !n.bad || n.about !== id);
}

// Steered is what a person wants to ask of a run about an attempt.
export interface Steered {
  id: ID;
  of: RunView;
  what: "approve" | "retry" | "stop";
}

// dialog is the one that is open. Dialogs.tsx shows it.
export type Dialog =
  | ({ kind: "steer" } & Steered)
  | { kind: "add"; near?: ID; subject?: string }
  | { kind: "edit" | "link" | "note" | "delete" | "assign" | "checks"; id: ID }
  | { kind: "hold"; id: ID; text?: string }
  | { kind: "undo"; of: LogEntry }
  | { kind: "search" | "help" };
export const dialog = signal<Dialog | undefined>(undefined);

// doneShown is how many of the completed tasks the lanes show.
export const doneFolded = 10;
export const doneShown = signal(doneFolded);

// filterOpen: the fields of the filter are shown.
export const filterOpen = signal(false);

// openFilter shows the fields of the filter and goes to the first, which has the next key:
// FilterBar does so when it shows them.
export function openFilter(): void {
  filterOpen.value = true;
  document.querySelector<HTMLElement>(".filter input")?.focus();
}

// typedAhead is what was typed for a field that opens after an answer; undefined: none does.
export const typedAhead = signal<string | undefined>(undefined);

// A notice says what came of something. What can be taken back says so.
export interface Notice {
  key: number;
  text: string;
  hint?: string;
  bad?: boolean;
  undo?: Revision;
  ids?: ID[];
  anyway?: Refusal["anyway"];
  about?: ID; // the task whose card shows it, too
}
export const notices = signal<Notice[]>([]);
const mostNotices = 3;
let lastKey = 0;

export function notify(n: Omit<Notice, "key">): void {
  const others = notices.value.filter((o) => !o.bad); // an earlier refusal no longer matters
  notices.value = [...others, { ...n, key: ++lastKey }].slice(-mostNotices);
}

export function dismiss(key: number): void {
  notices.value = notices.value.filter((n) => n.key !== key);
}

// spoken is what a screen reader says now, where nothing else on the page does.
export const spoken = signal("");
export function say(text: string): void {
  spoken.value = text;
}

// query is the part of an API's address that chooses tasks: filter and what-if,
// and what else is given.
export function query(more: Record<string, string | number | boolean | undefined> = {}, filtered = true): string {
  const q = filtered ? filterParams(filter.value) : new URLSearchParams();
  for (const id of asDone.value) q.append("asDone", String(id));
  for (const [k, v] of Object.entries(more)) if (v !== undefined && v !== false) q.set(k, String(v));
  const text = q.toString();
  return text && "?" + text;
}

// move goes to a place; what is not said stays. A person can go back from there,
// unless replace says otherwise.
export function move(to: Partial<Place>, replace = false): void {
  const next = { ...place.value, ...to };
  const hash = formatHash(next);
  if (hash === formatHash(place.value)) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  if (next.tab !== place.value.tab) notices.value = notices.value.filter((n) => !n.bad); // it was about what was looked at
  place.value = next;
}

export const go = (tab: Tab, id?: ID): void => move({ tab, id });
export const show = (task: ID | undefined): void => {
  if (task) selected.value = task;
  move({ task }, !!task && !!place.value.task); // from task to task is one step back
};
export const choose = (f: Partial<Filter>): void => move({ filter: { ...filter.value, ...f } }, true);
export const showAll = (): void => move({ filter: noFilter }, true);

// back goes one step back: out of the details, then out of the filter. It says
// whether there was such a step.
export function back(): boolean {
  if (openTask.value) show(undefined);
  else if (imagining.value) leaveWhatIf();
  else if (isFiltered(filter.value)) showAll();
  else return false;
  return true;
}

export function leaveWhatIf(): void {
  imagining.value = false;
  asDone.value = [];
}

// follow goes where the address says. A dialog belongs to the place where it was
// opened.
function follow(): void {
  const next = parseHash(location.hash);
  if (formatHash(next) === formatHash(place.value)) return;
  if (next.task) selected.value = next.task;
  dialog.value = undefined;
  place.value = next;
}

// followAddress lets what a person does with the address count.
export function followAddress(): void {
  selected.value = openTask.value;
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
  effect(() => {
    document.title = about.value ? `${about.value.project} · Pawl` : "Pawl";
  });
}
