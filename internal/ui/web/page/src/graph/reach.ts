import type { Place } from "./grid";

interface Edge {
  from: number;
  to: number;
}

/** Who is next to whom, by id: the tasks before a task, and those after it. */
export interface Neighbours {
  before: Map<number, number[]>;
  after: Map<number, number[]>;
}

export function neighbours(edges: Edge[]): Neighbours {
  const before = new Map<number, number[]>();
  const after = new Map<number, number[]>();
  const add = (map: Map<number, number[]>, key: number, value: number) => {
    const list = map.get(key);
    if (list) list.push(value);
    else map.set(key, [value]);
  };
  for (const e of edges) {
    add(after, e.from, e.to);
    add(before, e.to, e.from);
  }
  return { before, after };
}

/** Everything that can be reached from ids, with how many steps it takes; they themselves are at 0. */
export function reach(next: Map<number, number[]>, ids: number[]): Map<number, number> {
  const steps = new Map<number, number>(ids.map((id) => [id, 0]));
  const queue = [...ids];
  for (let i = 0; i < queue.length; i++) {
    const id = queue[i]!;
    for (const other of next.get(id) ?? []) {
      if (!steps.has(other)) {
        steps.set(other, steps.get(id)! + 1);
        queue.push(other);
      }
    }
  }
  return steps;
}

export type Direction = "left" | "right" | "up" | "down";

interface Placed extends Place {
  id: number;
}

/**
 * Where an arrow leads: left and right along an edge, to the nearest of those
 * that are there; up and down within the layer, and on to the nearest other
 * node where the layer ends.
 */
export function step(nodes: Placed[], near: Neighbours, id: number, to: Direction): number | undefined {
  const here = nodes.find((n) => n.id === id);
  if (!here) return nodes[0]?.id;
  if (to === "left" || to === "right") {
    const ids = new Set((to === "left" ? near.before : near.after).get(id));
    return nearest(
      nodes.filter((n) => ids.has(n.id)),
      here,
    );
  }
  const sign = to === "up" ? -1 : 1;
  const beyond = nodes.filter((n) => (n.row - here.row) * sign > 0);
  return (
    nearest(
      beyond.filter((n) => n.layer === here.layer),
      here,
    ) ?? nearest(beyond, here)
  );
}

function nearest(nodes: Placed[], here: Place): number | undefined {
  let best: Placed | undefined;
  let least = Infinity;
  for (const n of nodes) {
    const far = Math.abs(n.row - here.row) + 4 * Math.abs(n.layer - here.layer);
    if (far < least) {
      least = far;
      best = n;
    }
  }
  return best?.id;
}
