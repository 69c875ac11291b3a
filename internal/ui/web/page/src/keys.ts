import { useEffect, useRef } from "preact/hooks";
import { claim, complete, holdOrLift, release, reopen, start, undo } from "./actions";
import { dialog, go, imagining, back, leaveWhatIf, mayChange, notify, openFilter, openTask, place, selected, show, typedAhead } from "./state";
import { focusRests } from "./steady";
import type { ID } from "./types";

// The keys of the page are those of the terminal. Each is explained once, for
// the help. Those without run are for the view that has the focus.

export interface Key {
  keys: string[]; // as KeyboardEvent.key has them
  written: string;
  does: string;
  run?: () => void; // on whatever view
  task?: (id: ID) => unknown; // on the selected task
  writes?: boolean; // it changes the board, outside of a what-if
}

export interface KeyGroup {
  title: string;
  keys: Key[];
}

export const keyGroups: KeyGroup[] = [
  {
    title: "Work on the selected task",
    keys: [
      { keys: ["c"], written: "c", does: "claim: it is yours, and in progress", task: claim, writes: true },
      { keys: ["s"], written: "s", does: "start it, which claims it, too", task: start, writes: true },
      { keys: ["d"], written: "d", does: "done: complete it", task: complete, writes: true },
      { keys: ["r"], written: "r", does: "reopen what is done", task: reopen, writes: true },
      { keys: ["x"], written: "x", does: "release: give it back, from others too", task: release, writes: true },
      { keys: ["h"], written: "h", does: "hold: nobody may take it; again: lift it", task: holdOrLift, writes: true },
      { keys: ["n"], written: "n", does: "note: leave a remark on it", task: (id) => (dialog.value = { kind: "note", id }), writes: true },
      { keys: ["m"], written: "m", does: "move: carry its card with the arrows", writes: true },
    ],
  },
  {
    title: "Change the plan",
    keys: [
      { keys: ["a"], written: "a", does: "add a task", run: () => (dialog.value = { kind: "add", near: selected.value }), writes: true },
      { keys: ["e"], written: "e", does: "edit it", task: (id) => (dialog.value = { kind: "edit", id }), writes: true },
      { keys: ["l"], written: "l", does: "link: its dependencies, both ways", task: (id) => (dialog.value = { kind: "link", id }), writes: true },
      { keys: ["D"], written: "D", does: "delete it, after a question", task: (id) => (dialog.value = { kind: "delete", id }), writes: true },
      { keys: ["u"], written: "u", does: "undo your last change, then those before", run: () => void undo(), writes: true },
      { keys: ["w"], written: "w", does: "what if: complete tasks, and nothing is written", run: () => (imagining.value ? leaveWhatIf() : (imagining.value = true)) },
    ],
  },
  {
    title: "Look",
    keys: [
      { keys: ["Enter"], written: "Enter", does: "open the task, or what is folded" },
      { keys: ["b"], written: "b", does: "lanes: all tasks by their state", run: () => go("lanes") },
      { keys: ["g"], written: "g", does: "the graph around it", run: () => go("graph", selected.value) },
      { keys: ["G"], written: "G", does: "the whole graph", run: () => go("graph") },
      { keys: ["o"], written: "o", does: "todos of the running sessions", run: () => go("todos") },
      { keys: ["t"], written: "t", does: "timeline: what happened", run: () => go("timeline") },
      { keys: ["."], written: ".", does: "done ones too, in the graph" },
      { keys: ["v"], written: "v", does: "each field of a change, in the timeline" },
      { keys: ["/"], written: "/", does: "search: go to any task", run: () => (dialog.value = { kind: "search" }) },
      { keys: ["f"], written: "f", does: "filter: show some tasks only", run: openFilter },
    ],
  },
  {
    title: "In the graph",
    keys: [
      { keys: ["+", "="], written: "+", does: "nearer", writes: true },
      { keys: ["-"], written: "-", does: "further away", writes: true },
      { keys: ["0"], written: "0", does: "all of it", writes: true },
      { keys: [], written: "Shift ←", does: "move the graph; the other arrows, too", writes: true },
      { keys: ["Delete"], written: "Del", does: "take out the link that was clicked", writes: true },
    ],
  },
  {
    title: "Move",
    keys: [
      { keys: ["k", "ArrowUp"], written: "k ↑", does: "up", writes: true },
      { keys: ["j", "ArrowDown"], written: "j ↓", does: "down", writes: true },
      { keys: ["ArrowLeft"], written: "←", does: "to the left", writes: true },
      { keys: ["ArrowRight"], written: "→", does: "to the right", writes: true },
      { keys: ["Home"], written: "Home", does: "first", writes: true },
      { keys: ["End"], written: "End", does: "last", writes: true },
      { keys: [" "], written: "Space", does: "select it; in the graph: draw what is around it", writes: true },
      { keys: ["Escape"], written: "Esc", does: "back; in the lanes: show all again", run: () => back(), writes: true },
      { keys: ["?"], written: "?", does: "this help", run: () => (dialog.value = { kind: "help" }), writes: true },
    ],
  },
];

const byKey = new Map(keyGroups.flatMap((g) => g.keys.flatMap((k) => k.keys.map((name) => [name, k] as const))));

// pressed does what a key means wherever the focus is, and says whether it meant
// anything.
export function pressed(name: string): boolean {
  const key = byKey.get(name);
  if (key?.writes && !mayChange.value && !(imagining.value && name === "d")) {
    notify({ text: "Your token may only read this board" });
    return true;
  }
  if (key?.run) {
    key.run();
    return true;
  }
  if (!key?.task) return false;
  const id = openTask.value ?? selected.value;
  if (!openTask.value && !focusRests()) return true; // it was meant for the one before
  if (id) void key.task(id);
  else notify({ text: place.value.tab === "timeline" ? "No task is selected" : "No task is selected: the arrows go to one" });
  return true;
}

// isTyping: the key is for what has the focus.
export function isTyping(e: KeyboardEvent): boolean {
  const at = e.target as HTMLElement | null;
  return !!at?.closest?.("input, textarea, select, [contenteditable], dialog[open]");
}

// useKeys serves keys of a view, before all others: take says whether the key
// was for it. Fields, buttons, links and dialogs keep theirs.
export function useKeys(take: (e: KeyboardEvent) => boolean): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const hear = (e: KeyboardEvent) => {
      if (isForUs(e) && latest.current(e)) {
        e.preventDefault();
        e.stopPropagation();
      }
    };
    document.addEventListener("keydown", hear, true);
    return () => document.removeEventListener("keydown", hear, true);
  }, []);
}

function isForUs(e: KeyboardEvent): boolean {
  return !e.defaultPrevented && !e.isComposing && !e.ctrlKey && !e.metaKey && !e.altKey && !isTyping(e) && !dialog.value;
}

// isPressing: the key presses the button or link that has the focus.
export function isPressing(e: KeyboardEvent): boolean {
  return (e.key === "Enter" || e.key === " ") && !!(e.target as HTMLElement | null)?.closest?.("button, a, summary");
}

// typeAhead keeps a letter for a field that is about to open, and says whether it did.
export function typeAhead(e: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">): boolean {
  if (typedAhead.value === undefined || e.key.length !== 1 || e.ctrlKey || e.metaKey || e.altKey) return false;
  typedAhead.value += e.key;
  return true;
}

// listenToKeys serves the keys that no view has taken.
export function listenToKeys(): void {
  const keep = (e: KeyboardEvent) => {
    if (!typeAhead(e)) return;
    e.preventDefault();
    e.stopPropagation();
  };
  window.addEventListener("keydown", keep, true); // before any view
  document.addEventListener("keydown", (e) => {
    if (!isForUs(e)) return;
    if (e.key === "Enter" && e.target === document.body && selected.value) show(selected.value);
    else if (!pressed(e.key)) return;
    e.preventDefault();
  });
}
