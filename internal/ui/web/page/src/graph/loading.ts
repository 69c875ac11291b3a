import { batch, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useReading } from "../reading";
import { allow, asDone, filter, place, query, refusals, selected } from "../state";
import { settle } from "../steady";
import type { Graph, GraphNode, ID } from "../types";
import { delays, makeScene, moved, turned } from "./scene";
import { camera, follow, look, lookAt, meet, scene, size, turning } from "./sight";

// What of the board is drawn. withDone undefined leaves it to the size: a plan
// that fits the eye is shown with what is done, as one looks at it to see how
// far it is; of a large one the rest is.
export const withDone = signal<boolean | undefined>(undefined);
export const withAlone = signal(false);
export const depth = signal(0); // of the graph around a task; 0: all

const small = 60; // tasks

const isLarge = signal(false);
const kept = signal<ID[]>([]); // completed while they were looked at: they stay
const mostKept = 50;

/** Whether tasks that are done are drawn. */
export function showsDone(): boolean {
  return withDone.value ?? !isLarge.value;
}

export interface Asked {
  path: string;
  what: string; // the same as long as it is the same graph, that changes
}

function asked(replaying: boolean): Asked {
  const around = place.value.tab === "graph" ? place.value.id : undefined;
  const all = replaying || showsDone();
  const base = query(
    { around, depth: around && depth.value ? depth.value : undefined, all, alone: (replaying || withAlone.value) && !around },
    !replaying,
  );
  const also = all ? "" : kept.value.map((id) => `also=${id}`).join("&");
  const path = "graph" + (also ? `${base}${base ? "&" : "?"}${also}` : base);
  return { path, what: JSON.stringify([around, depth.value, all, withAlone.value, replaying, filter.value]) };
}

/** Reads the graph as long as it is shown, and says what keeps it from being read. */
export function useGraph(replaying: boolean) {
  const { path, what } = asked(replaying);
  const reading = useReading<Graph>(path);
  const chosen = JSON.stringify([place.value.id, filter.value]);
  useEffect(() => {
    batch(() => {
      isLarge.value = false;
      kept.value = [];
    });
  }, [chosen]);
  const graph = reading.data.value;
  const error = reading.error.value;
  useEffect(() => {
    if (graph) arrive(graph, what);
  }, [graph]);
  useEffect(() => {
    if (error?.body.kind === "invalid" && asDone.value.length === 0 && showsDone() && withDone.value === undefined) isLarge.value = true;
  }, [error]);
  return { loading: !graph && !error, error };
}

let shownWhat = "";
const isElsewhere = (n: GraphNode, was: GraphNode | undefined): boolean => n.layer !== was?.layer || n.row !== was.row;

let turningEnds: ReturnType<typeof setTimeout> | undefined;

function arrive(graph: Graph, what: string): void {
  const old = what === shownWhat ? scene.peek() : undefined;
  if (withDone.peek() === undefined && showsDone() && graph.nodes.length > small && graph.nodes.some((n) => n.state === "completed")) {
    isLarge.value = true; // what is open comes at once
    return;
  }
  if (old && !showsDone()) {
    const here = new Set(graph.nodes.map((n) => n.id));
    const gone = old.nodes.map((n) => n.id).filter((id) => !here.has(id) && !kept.peek().includes(id));
    if (gone.length > 0) {
      kept.value = [...kept.peek(), ...gone].slice(-mostKept); // they come at once, as far as they are only done
      return;
    }
  }
  const next = makeScene(graph, old);
  shownWhat = what;
  if (!old) {
    scene.value = next;
    if (size.peek().w > 0) meet();
    return;
  }
  batch(() => {
    const ids = turned(old, next);
    for (const id of refusals.peek().keys()) if (old.byId.get(id) !== next.byId.get(id)) allow(id); // it may be another matter now
    const by = selected.peek() === undefined ? undefined : moved(old, next, selected.peek()!);
    const c = camera.peek();
    scene.value = next;
    if (by) look({ k: c.k, x: c.x - by.x * c.k, y: c.y - by.y * c.k }, true);
    if (ids.length > 0) {
      turn(delays(next, ids));
      if (follow.peek() && asDone.peek().length === 0) lookAt(ids);
    }
    if (camera.peek() !== c || next.nodes.some((n) => isElsewhere(n, old.byId.get(n.id)))) settle(document.querySelector<HTMLElement>(".world")!);
  });
}

function turn(when: ReadonlyMap<ID, number>): void {
  clearTimeout(turningEnds);
  turning.value = when;
  turningEnds = setTimeout(() => (turning.value = new Map()), 1500);
}
