import { expect, test } from "vitest";
import { changes, follow, overtaken, type Draft } from "./editing";

const was: Draft = { subject: "Write", description: "a", activeForm: "", priority: "medium", parent: 0, labels: ["core", "old"] };

test("only what was changed is sent", () => {
  expect(changes(3, was, was)).toBeUndefined();
  expect(changes(3, was, { ...was, subject: "Write it", labels: ["core", "new"] })).toEqual({ op: "update", id: 3, subject: "Write it", addLabels: ["new"], removeLabels: ["old"] });
  expect(changes(3, { ...was, parent: 7 }, was)).toEqual({ op: "update", id: 3, parent: 0 });
});

test("what somebody else changed too is said", () => {
  const mine = { ...was, description: "mine" };
  expect(overtaken(was, mine, { ...was, description: "theirs", subject: "Theirs" })).toEqual(["description"]);
  expect(overtaken(was, mine, { ...was, description: "mine" })).toEqual([]);
  expect(overtaken(was, was, { ...was, description: "theirs" })).toEqual([]);
});

test("what nobody touched here follows", () => {
  const mine = { ...was, description: "mine", labels: ["core", "mine"] };
  const next = follow(was, mine, { ...was, subject: "Theirs", description: "theirs", labels: ["core", "old", "theirs"] });
  expect(next).toEqual({ ...was, subject: "Theirs", description: "mine", labels: ["core", "mine", "theirs"] });
});
