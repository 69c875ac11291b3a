import { expect, test } from "vitest";
import { checkedWords, isFalselyDone, markOf, unshownWords } from "./marks";

test("a mark says in words what it means", () => {
  expect(checkedWords("passed")).toBe("checks passed");
  expect(checkedWords("open")).toBe("not shown to be done");
  expect(checkedWords("failed")).toBe("a check failed");
  expect(checkedWords("failed", "unit failed")).toBe("unit failed");
});

test("only a completed task can be falsely done", () => {
  expect(isFalselyDone({ state: "completed", shown: "done, not shown" })).toBe(true);
  expect(isFalselyDone({ state: "in_progress", shown: "unit failed" })).toBe(false);
  expect(isFalselyDone({ state: "completed" })).toBe(false);
});

test("what is falsely done is counted without its card, too", () => {
  expect(unshownWords({ unshown: 3 })).toBe("✘ 3 not shown");
});

test("a pass that this clone has not seen has another mark than one that it has", () => {
  expect(markOf({ state: "passed" })).toBe("✔");
  expect(markOf({ state: "passed", claimed: true })).toBe("✓");
  expect(markOf({ state: "failed", claimed: true })).toBe("✘");
});
