import { line as clean } from "../markdown/clean";
import { stateWords } from "../parts/Glyph";
import type { Graph, GraphNode, ID, Lanes } from "../types";

/** Numbers as a sentence has them: #3, #4 and 2 more. */
export function numbers(ids: ID[], most = 4): string {
  const shown = ids.slice(0, most).map((id) => `#${id}`);
  const more = ids.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "");
}

/** The line under a subject: what matters in this state, and only that. */
export const line = (n: GraphNode): string => clean(matters(n));

function matters(n: GraphNode): string {
  if (n.asDone) return "done in this what-if";
  switch (n.state) {
    case "in_progress":
      return [n.owner, n.doing].filter(Boolean).join(" · ");
    case "blocked":
      return n.blockedBy.length ? `blocked by ${numbers(n.blockedBy, 3)}` : (n.why ?? "");
    case "ready":
      return n.unblocks ? `unblocks ${n.unblocks}` : "";
    case "completed":
      return "";
    default:
      return n.why ?? (n.owner || "");
  }
}

/** A node as it is read out: #12 Parse config, blocked by #7 and #9, unblocks 3. */
export function spoken(n: GraphNode): string {
  const held = n.state === "held" && n.why; // "held: the reason"
  const blockers = n.blockedBy.length > 0 && `blocked by ${numbers(n.blockedBy)}`;
  const state = n.asDone ? "done in this what-if" : held || (n.state === "blocked" && blockers) || stateWords[n.state];
  const parts = [`#${n.id} ${n.subject}`.trim(), state];
  if (n.state === "in_progress" && n.owner) parts.push(`by ${n.owner}`);
  if (blockers && state !== blockers) parts.push(blockers);
  if (!blockers && n.why && !held && n.state !== "in_progress") parts.push(n.why);
  if (n.children) parts.push(`${n.done ?? 0} of ${n.children} parts done`);
  if (n.unblocks) parts.push(`unblocks ${n.unblocks}`);
  return clean(parts.join(", "));
}

/** What is not drawn because it has no links: "3 without links, 2 ready". */
export function leftOut(graph: Graph, lanes: Lanes | undefined): string {
  const drawn = new Set(graph.nodes.map((n) => n.id));
  const cards = lanes?.lanes.flatMap((l) => l.cards) ?? [];
  const ready = Math.min(graph.alone, cards.filter((c) => c.state === "ready" && !drawn.has(c.id)).length);
  return `${graph.alone} without links${ready > 0 ? `, ${ready} ready` : ""}`;
}
