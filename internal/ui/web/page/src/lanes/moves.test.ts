import { expect, test } from "vitest";
import type { Card, LaneName, State } from "../types";
import { laneOf, moveTo } from "./moves";

const lanes: LaneName[] = ["blocked", "ready", "in_progress", "completed"];
const states: State[] = ["ready", "in_progress", "blocked", "held", "assigned", "completed", "damaged"];

test("every place that a card can be carried to is said something about", () => {
  for (const state of states) {
    const c: Card = { id: 1, subject: "x", state, priority: "medium" };
    for (const to of lanes) {
      if (to === laneOf(c)) continue;
      const move = moveTo(c, to);
      if ("why" in move) expect(move.why, `${state} to ${to}`).not.toBe("");
      else expect(move.does, `${state} to ${to}`).not.toBe("");
      if ("ops" in move) expect(move.ops.length).toBeGreaterThan(0);
    }
  }
});

test("where a card is dropped says what is done", () => {
  const ops = (state: State, to: LaneName) => {
    const move = moveTo({ id: 7, subject: "x", state, priority: "medium" }, to);
    return "ops" in move ? move.ops.map((o) => o.op) : "ask" in move ? move.ask : undefined;
  };
  expect(ops("ready", "in_progress")).toEqual(["claim"]);
  expect(ops("ready", "completed")).toEqual(["complete"]);
  expect(ops("in_progress", "ready")).toEqual(["release"]);
  expect(ops("completed", "ready")).toEqual(["reopen"]);
  expect(ops("completed", "in_progress")).toEqual(["reopen", "claim"]);
  expect(ops("held", "ready")).toEqual(["lift"]);
  expect(ops("ready", "blocked")).toBe("hold");
  expect(ops("blocked", "ready")).toBeUndefined();
});
