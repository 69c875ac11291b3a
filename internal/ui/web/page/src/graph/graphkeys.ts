import { unlink } from "../actions";
import { dialog, go, place, selected, show } from "../state";
import type { ID } from "../types";
import { zoomAt } from "./camera";
import { begin, cancel, drawing, drop, hold } from "./drawing";
import { showsDone, withDone } from "./loading";
import { step, type Direction } from "./reach";
import { edgeKey, type Scene } from "./scene";
import { bring, camera, centre, chosenEdge, cursor, fitAll, follow, hovered, look, scene } from "./sight";

const arrows: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  k: "up",
  j: "down",
};

const stride = 80; // pixels that an arrow with shift moves the graph

/** Does what a key means in the graph, and says whether it meant anything. */
export function key(e: KeyboardEvent): boolean {
  const s = scene.peek();
  if (!s || e.ctrlKey || e.metaKey || e.altKey) return false;
  if (drawing.peek()) return drawKey(s, e);
  const arrow = arrows[e.key];
  if (arrow && e.shiftKey) return pan(arrow);
  if (arrow) return walk(s, arrow);
  const id = cursor.peek();
  switch (e.key) {
    case "+":
    case "=":
      look(zoomAt(camera.peek(), centre(), 1.25), true);
      return true;
    case "-":
      look(zoomAt(camera.peek(), centre(), 0.8), true);
      return true;
    case "0":
      fitAll();
      return true;
    case ".":
      withDone.value = !showsDone();
      return true;
    case "Home":
    case "End":
      return select((e.key === "Home" ? s.nodes[0] : s.nodes.at(-1))?.id);
    case "Enter":
      if (id !== undefined) show(id);
      return true;
    case " ":
      if (id !== undefined) go("graph", place.peek().id === id ? undefined : id);
      return true;
    case "l":
      if (id !== undefined) begin(id);
      return true;
    case "Delete":
    case "Backspace":
      return removeEdge();
    case "Escape":
      return escape();
  }
  return false;
}

function pan(to: Direction): boolean {
  const c = camera.peek();
  const by = { left: [1, 0], right: [-1, 0], up: [0, 1], down: [0, -1] }[to] as [number, number];
  follow.value = false;
  look({ k: c.k, x: c.x + by[0] * stride, y: c.y + by[1] * stride }, true);
  return true;
}

function walk(s: Scene, to: Direction): boolean {
  // The first arrow finds the node that Tab leads to; those after it move on.
  const id = selected.peek() === cursor.peek() ? step(s.nodes, s.near, cursor.peek() ?? 0, to) : cursor.peek();
  return select(id);
}

function select(id: ID | undefined): boolean {
  if (id !== undefined) {
    chosenEdge.value = undefined;
    selected.value = id;
    bring(id);
  }
  return true;
}

/** Takes out the link that is chosen. */
export function removeEdge(): boolean {
  const e = scene.peek()?.graph.edges.find((e) => edgeKey(e) === chosenEdge.peek());
  if (!e || e.kind !== "blocks") return false;
  chosenEdge.value = undefined;
  void unlink(e.to, e.from);
  return true;
}

function escape(): boolean {
  hovered.value = undefined;
  if (chosenEdge.peek() !== undefined) chosenEdge.value = undefined;
  else if (place.peek().task !== undefined) return false;
  else if (selected.peek() !== undefined) selected.value = undefined;
  else return false;
  return true;
}

// While a link is drawn by keys, arrows and numbers choose who is to wait.
function drawKey(s: Scene, e: KeyboardEvent): boolean {
  const d = drawing.peek()!;
  const arrow = arrows[e.key];
  if (arrow) {
    const at = d.to ?? d.from;
    const to = step(s.nodes, s.near, at, arrow);
    if (to !== undefined) target(to, "");
  } else if (/^\d$/.test(e.key)) {
    const typed = (d.typed + e.key).slice(-9);
    target(Number(typed), typed);
  } else if (e.key === "Backspace") {
    const typed = d.typed.slice(0, -1);
    target(typed ? Number(typed) : undefined, typed);
  } else if (e.key === "Enter") {
    void drop();
  } else if (e.key === "Escape") {
    cancel();
  } else if (e.key === "l") {
    cancel(); // by name, or the other way round
    dialog.value = { kind: "link", id: d.from };
  }
  return e.key !== "Tab";
}

function target(to: ID | undefined, typed: string): void {
  hold({ to, typed });
  if (to !== undefined) bring(to);
}
