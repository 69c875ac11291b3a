import { beforeEach, expect, test, vi } from "vitest";
import type { Card, Lanes } from "./types";

vi.stubGlobal("location", { hash: "" });
const { recheck } = await import("./refusals");
const { notices, notify, refusals, refuse } = await import("./state");

const card = (more: Partial<Card>): Card => ({ id: 7, subject: "x", state: "blocked", priority: "medium", ...more });
const answer = (c: Card): Lanes => ({ pawl: 1, kind: "lanes", revision: 1, now: "", lanes: [{ lane: "blocked", title: "Blocked", total: 1, cards: [c] }], labels: [], owners: [] });
const waiting = card({ waits: 1, waitsFor: [{ id: 6, subject: "y", state: "ready" }] });

beforeEach(() => {
  notices.value = [];
  refusals.value = new Map();
});

function refuseIt(): void {
  notify({ text: "#7 is blocked by #6 (not completed)", bad: true, about: 7 });
  refuse(7, { message: "#7 is blocked by #6 (not completed)" });
  recheck(answer(waiting));
}

test("a refusal stays while its task stands as it did", () => {
  refuseIt();
  recheck(answer({ ...waiting, subject: "called otherwise" }));
  expect(refusals.value.get(7)?.message).toBe("#7 is blocked by #6 (not completed)");
  expect(notices.value).toHaveLength(1);
});

test.each([["it became ready", card({ state: "ready" })], ["what it waits for was begun", card({ waits: 1, waitsFor: [{ id: 6, subject: "y", state: "in_progress" }] })]])(
  "a refusal falls, and its notice too: %s",
  (_, now) => {
    notify({ text: "Completed #3 z" });
    refuseIt();
    recheck(answer(now));
    expect(refusals.value.has(7)).toBe(false);
    expect(notices.value.map((n) => n.text)).toEqual(["Completed #3 z"]);
  },
);
