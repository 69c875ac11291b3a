import { expect, test } from "vitest";
import { checkedWords, isFalselyDone } from "./marks";

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
