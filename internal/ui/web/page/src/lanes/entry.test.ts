import { expect, test, vi } from "vitest";
import type { Card, Lanes } from "../types";

vi.stubGlobal("location", { hash: "" });
const { entry, keepCards, noteShown } = await import("./entry");
const { selected } = await import("../state");

const card = (id: number, more: Partial<Card> = {}): Card => ({ id, subject: "x", state: "ready", priority: "medium", ...more });
const lanes = (blocked: Card[], ready: Card[]): Lanes => ({
  pawl: 1,
  kind: "lanes",
  revision: 1,
  now: "",
  lanes: [
    { lane: "blocked", title: "Blocked", total: blocked.length, cards: blocked },
    { lane: "ready", title: "Ready", total: ready.length, cards: ready },
  ],
  labels: [],
  owners: [],
});

test("a card that is the same is the same object, whatever lane it is in", () => {
  const before = lanes([card(1)], [card(2), card(3)]);
  const after = keepCards(before, lanes([card(3)], [card(2, { owner: "ada" }), card(1)]));
  expect(after.lanes[0]!.cards[0]).toBe(before.lanes[1]!.cards[1]);
  expect(after.lanes[1]!.cards[0]).not.toBe(before.lanes[1]!.cards[0]);
  expect(after.lanes[1]!.cards[0]!.owner).toBe("ada");
});

test("Tab goes to the selected card, and without one to the first ready one", () => {
  noteShown(lanes([card(1)], [card(2), card(3)]));
  expect(entry.value).toBe(2);
  selected.value = 1;
  expect(entry.value).toBe(1);
  selected.value = 99;
  expect(entry.value).toBe(2);
});
