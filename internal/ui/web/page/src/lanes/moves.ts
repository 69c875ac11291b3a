import type { Card, LaneName, Op } from "../types";

// A Move is what it takes to get a card into a lane. Whether the board lets it is
// for the server to say.
export type Move =
  | { does: string; ops: Op[] } // in a word or two: "claim it"
  | { does: string; ask: "hold" } // a person has to say why
  | { why: string }; // no op does this

export function laneOf(c: Card): LaneName {
  switch (c.state) {
    case "completed":
      return "completed";
    case "in_progress":
      return "in_progress";
    case "ready":
    case "assigned":
      return "ready";
    default:
      return "blocked";
  }
}

export function moveTo(c: Card, to: LaneName): Move {
  const ids = [c.id];
  if (c.state === "damaged") return { why: "its file cannot be read: pawl doctor explains" };
  switch (to) {
    case "completed":
      return { does: "complete it", ops: [{ op: "complete", ids }] };
    case "in_progress":
      if (c.state === "completed")
        return {
          does: "reopen and claim it",
          ops: [
            { op: "reopen", ids },
            { op: "claim", id: c.id },
          ],
        };
      return { does: "claim it", ops: [{ op: "claim", id: c.id }] };
    case "ready":
      if (c.state === "completed") return { does: "reopen it", ops: [{ op: "reopen", ids }] };
      if (c.state === "in_progress") return { does: "release it", ops: [{ op: "release", ids }] };
      if (c.state === "held") return { does: "lift its hold", ops: [{ op: "lift", ids }] };
      return { why: "it is blocked; it becomes ready by itself when its blockers are done (g shows them, l unlinks)" };
    case "blocked":
      if (c.state === "completed") return { why: "a completed task is not blocked; r reopens it" };
      return { does: "hold it, and say why", ask: "hold" };
  }
}
