import { computed, signal } from "@preact/signals";
import { selected } from "../state";
import type { GraphNode, ID } from "../types";
import { fit, keep, minMeet, reveal, seen, type Camera, type Size } from "./camera";
import { bounds, corner, middle, nodeHeight, nodeWidth, type Box, type Point } from "./grid";
import { connected, type Scene } from "./scene";

// What the parts of the graph's view share. It outlives the view: whoever comes
// back from another tab finds it as it was.

export const scene = signal<Scene | undefined>(undefined);
export const camera = signal<Camera>({ x: 0, y: 0, k: 1 });
export const size = signal<Size>({ w: 0, h: 0 });

// gliding: the camera and the nodes move together for a moment, and do not jump.
export const gliding = signal(false);
export const glideTime = 220; // milliseconds, as in graph.css

// follow: the camera goes where something happens, until a person moves it.
export const follow = signal(true);

// turning are the tasks that change their state now, and after how many
// milliseconds each.
export const turning = signal<ReadonlyMap<ID, number>>(new Map());

export const hovered = signal<ID | undefined>(undefined);
export const chosenEdge = signal<string | undefined>(undefined);

// cursor is the node that Tab leads to.
export const cursor = computed<ID | undefined>(() => {
  const s = scene.value;
  return selected.value !== undefined && s?.byId.has(selected.value) ? selected.value : firstOf(s);
});

export const lit = computed(() => {
  const s = scene.value;
  const id = selected.value;
  return s && id !== undefined && s.byId.has(id) ? connected(s, id) : undefined;
});

export function firstOf(s: Scene | undefined): ID | undefined {
  return (s?.nodes.find((n) => n.state === "in_progress") ?? s?.nodes.find((n) => n.state === "ready") ?? s?.nodes[0])?.id;
}

export function boxOf(n: GraphNode): Box {
  return { ...corner(n), w: nodeWidth, h: nodeHeight };
}

let glide: ReturnType<typeof setTimeout> | undefined;

/** Moves the camera: smoothly, or as a hand does. */
export function look(to: Camera, smooth: boolean): void {
  clearTimeout(glide);
  gliding.value = smooth;
  if (smooth) glide = setTimeout(() => (gliding.value = false), glideTime + 50);
  const s = scene.peek();
  camera.value = s && size.peek().w > 0 ? keep(to, s.bounds, size.peek()) : to;
}

/** Shows all of the graph, as far as it can be read. */
export function fitAll(smooth = true, least?: number): void {
  const s = scene.peek();
  if (!s || size.peek().w === 0) return;
  const at = cursor.peek();
  const node = at === undefined ? undefined : s.byId.get(at);
  look(fit(s.bounds, size.peek(), node && middle(node), least), smooth);
}

/** Shows a graph that was not seen before: what is going on in it, with words. */
export function meet(): void {
  fitAll(false, minMeet);
}

/** Brings a node onto the screen, moving no further than is needed. */
export function bring(id: ID): void {
  const n = scene.peek()?.byId.get(id);
  if (!n) return;
  const to = reveal(camera.peek(), boxOf(n), size.peek());
  if (to.x !== camera.peek().x || to.y !== camera.peek().y) look(to, true);
}

/** Looks at nodes that changed, at all of them where they fit. */
export function lookAt(ids: ID[]): void {
  const nodes = ids.map((id) => scene.peek()?.byId.get(id)).filter((n) => n !== undefined);
  const first = nodes[0];
  if (!first) return;
  const all = bounds(nodes);
  const part = seen(camera.peek(), size.peek());
  const to = reveal(camera.peek(), all.w < part.w && all.h < part.h ? all : boxOf(first), size.peek());
  if (to.x !== camera.peek().x || to.y !== camera.peek().y) look(to, true);
}

let lent: { before: Camera; after: Camera } | undefined;

/** Keeps the selected node on the screen when details are opened beside the graph, and gives the room back when they are closed. */
export function resize(to: Size): void {
  const was = size.peek();
  size.value = to;
  const c = camera.peek();
  if (was.w === 0) {
    meet();
  } else if (to.w < was.w && selected.peek() !== undefined) {
    bring(selected.peek()!);
    if (camera.peek() !== c) lent = { before: lent?.after === c ? lent.before : c, after: camera.peek() };
  } else if (to.w > was.w && lent) {
    if (lent.after === c) look(lent.before, true);
    lent = undefined;
  }
}

/** The middle of what is seen, on the screen. */
export function centre(): Point {
  return { x: size.peek().w / 2, y: size.peek().h / 2 };
}

// many is from how many nodes on only those are drawn that are seen, or nearly.
const many = 300;
const more = 500; // pixels around the screen

// frame is the part of the world that is drawn. It is moved when the camera
// leaves it, not with each of its steps.
export const frame = computed<Box | undefined>((): Box | undefined => {
  const s = scene.value;
  if (!s || s.nodes.length <= many || size.value.w === 0) return (last = undefined);
  const now = seen(camera.value, size.value);
  const inside =
    last &&
    now.x >= last.x &&
    now.y >= last.y &&
    now.x + now.w <= last.x + last.w &&
    now.y + now.h <= last.y + last.h &&
    now.w * 6 > last.w;
  return inside ? last : (last = seen(camera.value, size.value, more));
});
let last: Box | undefined;
