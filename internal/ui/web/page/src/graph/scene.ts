import type { Graph, GraphNode, ID } from "../types";
import { bounds, corner, type Box } from "./grid";
import { neighbours, reach, type Neighbours } from "./reach";
import { route } from "./route";

// A Scene is a graph as the server placed it, with what is looked up all the
// time.
export interface Scene {
  graph: Graph;
  nodes: GraphNode[]; // in the order to read them: what hangs together together, from left to right
  byId: Map<ID, GraphNode>;
  near: Neighbours;
  bounds: Box; // of all nodes
  routes: Map<string, string>; // of all edges, by their keys
}

export function makeScene(graph: Graph, old?: Scene): Scene {
  // A node that has not changed stays the same object, so that nothing is drawn again.
  const kept = graph.nodes.map((n) => {
    const was = old?.byId.get(n.id);
    return was && JSON.stringify(was) === JSON.stringify(n) ? was : n;
  });
  const near = neighbours(graph.edges);
  const byId = new Map(kept.map((n) => [n.id, n]));
  const routes = new Map<string, string>();
  for (const e of graph.edges) {
    const [from, to] = [byId.get(e.from), byId.get(e.to)];
    if (from && to) routes.set(edgeKey(e), route(from, to, e.bends, e.back));
  }
  return { graph, nodes: inOrder(kept, near), byId, near, bounds: bounds(kept), routes };
}

function inOrder(nodes: GraphNode[], near: Neighbours): GraphNode[] {
  const both = new Map<ID, ID[]>();
  for (const n of nodes) both.set(n.id, [...(near.before.get(n.id) ?? []), ...(near.after.get(n.id) ?? [])]);
  const part = new Map<ID, number>();
  for (const n of [...nodes].sort((a, b) => a.row - b.row || a.layer - b.layer)) {
    if (!part.has(n.id)) for (const id of reach(both, [n.id]).keys()) part.set(id, part.get(id) ?? n.row);
  }
  return [...nodes].sort((a, b) => part.get(a.id)! - part.get(b.id)! || a.layer - b.layer || a.row - b.row);
}

export function edgeKey(e: { from: ID; to: ID }): string {
  return `${e.from}-${e.to}`;
}

/** The edges along a path of tasks, whichever way it is told. */
export function edgesAlong(path: ID[]): Set<string> {
  const keys = new Set<string>();
  for (let i = 1; i < path.length; i++) {
    keys.add(edgeKey({ from: path[i - 1]!, to: path[i]! }));
    keys.add(edgeKey({ from: path[i]!, to: path[i - 1]! }));
  }
  return keys;
}

/** Everything that a task waits for and everything that waits for it, and itself. */
export function connected(s: Scene, id: ID): Set<ID> {
  return new Set([...reach(s.near.before, [id]).keys(), ...reach(s.near.after, [id]).keys()]);
}

/** The ids of tasks whose state is another one than before. */
export function turned(old: Scene, next: Scene): ID[] {
  return next.nodes.filter((n) => old.byId.has(n.id) && old.byId.get(n.id)!.state !== n.state).map((n) => n.id);
}

const pace = 90; // milliseconds from one task to the next
const longest = 900; // that anybody waits

/** When each of these tasks is to turn: those that were completed at once, the others in the order of their distance. */
export function delays(next: Scene, ids: ID[]): Map<ID, number> {
  const done = ids.filter((id) => next.byId.get(id)?.state === "completed");
  const steps = reach(next.near.after, done);
  return new Map(ids.map((id) => [id, Math.min(longest, (steps.get(id) ?? 0) * pace)]));
}

/** By how much a task moves in the world; nothing: it stays. */
export function moved(old: Scene, next: Scene, id: ID): { x: number; y: number } | undefined {
  const a = old.byId.get(id);
  const b = next.byId.get(id);
  if (!a || !b || (a.layer === b.layer && a.row === b.row)) return undefined;
  const [p, q] = [corner(a), corner(b)];
  return { x: q.x - p.x, y: q.y - p.y };
}
