import { expect, test } from "vitest";
import { match, type Choice } from "./match";

const tasks: Choice[] = [
  { id: 1, subject: "Write the parser", state: "ready", labels: ["core"] },
  { id: 2, subject: "Print what the parser read", state: "blocked", owner: "ada" },
  { id: 12, subject: "Parse", state: "completed" },
];
const found = (text: string): number[] => match(tasks, text).map((c) => c.id);

test("a task is found by what people remember of it", () => {
  expect(found("")).toEqual([1, 2, 12]);
  expect(found("12")).toEqual([12]);
  expect(found("#1")[0]).toBe(1);
  expect(found("pars")).toEqual([12, 1, 2]);
  expect(found("parser write")).toEqual([1]);
  expect(found("ada")).toEqual([2]);
  expect(found("core")).toEqual([1]);
  expect(found("wrprs")).toEqual([1]);
  expect(found("nothing")).toEqual([]);
});
