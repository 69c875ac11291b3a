import { Component } from "preact";
import { line as clean } from "../markdown/clean";
import { Glyph } from "../parts/Glyph";
import type { Frame } from "../replay/reel";
import type { GraphNode } from "../types";
import { corner } from "./grid";
import { line, spoken } from "./words";

interface Props {
  node: GraphNode;
  frame?: Frame | null; // how it was in a replay; null: it was not there
  tab: boolean; // Tab leads to it
  selected: boolean;
  dim: boolean;
  target: "none" | "asked" | "good" | "bad"; // of an edge that is being drawn
  turning?: number; // its state changes, after so many milliseconds
  newly: boolean; // in a what-if: it would become ready
  refusal?: string;
}

/**
 * Node is a task as a small card. What is done with it, the stage hears: it
 * has no handlers of its own, and is drawn again only when it looks different.
 */
export class Node extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (Object.keys(next) as (keyof Props)[]).some((k) => next[k] !== this.props[k]);
  }

  override render() {
    const p = this.props;
    const n = asItWas(p.node, p.frame);
    const { x, y } = corner(n);
    const classes = ["node", `is-${n.asDone ? "asdone" : n.state}`, p.target !== "none" && `target-${p.target}`];
    if (p.selected) classes.push("selected");
    if (p.dim) classes.push("dim");
    if (p.newly) classes.push("newly");
    if (p.frame === null) classes.push("absent");
    if (p.turning !== undefined) classes.push("turning");
    const under = line(n);
    return (
      <div
        class={classes.filter(Boolean).join(" ")}
        style={{ transform: `translate(${x}px, ${y}px)`, animationDelay: p.turning === undefined ? "" : `${p.turning}ms` }}
        id={`node-${n.id}`}
        data-node={n.id}
        role="group"
        tabIndex={p.tab ? 0 : -1}
        aria-label={p.frame === null ? `#${n.id}, not there yet` : spoken(n) + (p.newly ? ", would become ready" : "")}
      >
        <div class="node-text">
          <div class="node-head">
            <Glyph state={n.asDone ? "completed" : n.state} />
            <span class="node-id">#{n.id}</span>
            {n.priority === "high" && n.state !== "completed" ? <span class="node-high">high</span> : null}
            {n.children ? (
              <span class="node-parts">
                {n.done ?? 0}/{n.children}
              </span>
            ) : null}
          </div>
          <div class="node-subject" title={clean(n.subject)}>
            <bdi>{clean(n.subject)}</bdi>
          </div>
        </div>
        {under ? (
          <div class="node-line" title={under}>
            {under}
          </div>
        ) : null}
        {p.frame === undefined && canComplete(n) ? (
          <button type="button" class="node-do" data-act="complete" tabIndex={-1} aria-label={`Complete #${n.id}`}>
            Complete
          </button>
        ) : null}
        {p.frame === undefined && n.state !== "missing" ? (
          <span class="node-handle" data-act="draw" title="Draw to a task that depends on this one" />
        ) : null}
        {p.refusal && p.frame === undefined ? <div class="node-refusal">{clean(p.refusal)}</div> : null}
      </div>
    );
  }
}

function canComplete(n: GraphNode): boolean {
  return n.state !== "completed" && n.state !== "missing" && n.state !== "damaged" && !n.asDone;
}

// What a replay does not tell of a moment is left out rather than told of now.
function asItWas(n: GraphNode, frame: Frame | null | undefined): GraphNode {
  if (frame === undefined) return n;
  const { id, layer, row } = n;
  const bare = { id, layer, row, status: "pending" as const, priority: "medium" as const, owner: "", blockedBy: [], unblocks: 0 };
  if (frame === null) return { ...bare, subject: n.subject, state: "blocked" };
  return { ...bare, subject: frame.subject ?? n.subject, state: frame.state, owner: frame.owner };
}
