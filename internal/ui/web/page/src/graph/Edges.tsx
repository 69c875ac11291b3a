import { Component } from "preact";
import type { Frame } from "../replay/reel";
import type { GraphEdge, GraphNode, ID } from "../types";
import type { Box } from "./grid";
import { into, outOf } from "./grid";
import { edgeKey, type Scene } from "./scene";

interface Props {
  scene: Scene;
  frame: Box | undefined; // only what is in here
  lit: Set<ID> | undefined; // the others recede
  hovered: ID | undefined;
  chosen: string | undefined;
  cycle: Set<string> | undefined; // would close a cycle
  turning: ReadonlyMap<ID, number>;
  frames: ReadonlyMap<ID, Frame> | undefined; // of a replay
  round: number; // counts what the replay shows, as frames is one map for all
}

/** Edges are the lines of the graph, drawn again only when one of them looks different. */
export class Edges extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (Object.keys(next) as (keyof Props)[]).some((k) => next[k] !== this.props[k]);
  }

  override render() {
    const { scene, frame } = this.props;
    const shown = scene.graph.edges.filter((e) => !frame || touches(e, scene.byId, frame));
    return (
      <svg class="edges" width="1" height="1" aria-hidden="true" focusable="false">
        {shown.map((e) => {
          const key = edgeKey(e);
          const d = scene.routes.get(key);
          return (
            <g key={key} class={this.classes(e, key)}>
              <path class="edge-line" d={d} style={{ transitionDelay: this.delay(e) }} />
              <path class="edge-hit" data-edge={key} d={d} />
            </g>
          );
        })}
      </svg>
    );
  }

  private delay(e: GraphEdge): string {
    const ms = this.props.turning.get(e.from);
    return ms ? `${ms}ms` : "";
  }

  private classes(e: GraphEdge, key: string): string {
    const { lit, hovered, chosen, cycle, frames } = this.props;
    const list = ["edge"];
    if (e.kind === "child") list.push("child");
    if (e.back) list.push("back");
    if (cycle?.has(key)) list.push("cycle");
    if (chosen === key) list.push("chosen");
    if (frames) {
      const from = frames.get(e.from);
      if (!from || !frames.has(e.to)) list.push("absent");
      else if (from.state === "completed") list.push("shut");
    } else {
      if (!e.open) list.push("shut");
      if (e.chain) list.push("chain");
      if (lit && !(lit.has(e.from) && lit.has(e.to))) list.push("dim");
      if (hovered !== undefined && (e.from === hovered || e.to === hovered)) list.push("near");
    }
    return list.join(" ");
  }
}

function touches(e: GraphEdge, byId: Map<ID, GraphNode>, box: Box): boolean {
  const from = byId.get(e.from);
  const to = byId.get(e.to);
  if (!from || !to) return false;
  const points = [outOf(from), into(to), ...(e.bends ?? []).map(([layer, row]) => into({ layer, row }))];
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  return Math.min(...xs) < box.x + box.w && Math.max(...xs) > box.x && Math.min(...ys) < box.y + box.h && Math.max(...ys) > box.y;
}
