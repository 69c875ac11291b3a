import { expect, test } from "vitest";
import type { Card, Lane, State } from "../types";
import { tally } from "./tally";

const lane = (name: Lane["lane"], total: number, ...states: State[]): Lane => ({
  lane: name,
  title: name,
  total,
  cards: states.map((state, i): Card => ({ id: i + 1, subject: "x", state, priority: "medium" })),
});

test("only what can be taken is counted as ready, and what is held on its own", () => {
  expect(tally(lane("ready", 3, "ready", "assigned", "ready"))).toEqual({ own: 2, others: [[1, "assigned"]] });
  expect(tally(lane("blocked", 4, "held", "blocked", "damaged", "held"))).toEqual({ own: 1, others: [[2, "held"], [1, "damaged"]] });
  expect(tally(lane("completed", 40, "completed"))).toEqual({ own: 40, others: [] }); // not all of them come along
});
