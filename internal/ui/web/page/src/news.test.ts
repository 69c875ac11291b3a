import { expect, test } from "vitest";
import { newsOf, told } from "./news";
import type { Change } from "./types";

const completed: Change = {
  pawl: 1,
  kind: "change",
  mine: false,
  line: "ada completed #1 Set up; ready now: #2 Parse",
  change: {
    short: "@1", revision: 7, at: "2026-11-21T10:00:00.000Z", by: { name: "ada" }, verb: "complete",
    tasks: [
      { id: 1, subject: "Set up", change: "edited", fields: ["status", "completedAt"] },
      { id: 2, subject: "Parse", change: "edited", fields: ["blockedBy"] },
    ],
    ready: [{ id: 2, subject: "Parse" }],
  },
};

test("what others complete is told, with what it made ready", () => {
  expect(newsOf(completed).map((n) => `${n.what} ${n.id}`)).toEqual(["completed 1", "ready 2"]);
});

test("what one did oneself is not news, nor is a rename", () => {
  expect(newsOf({ ...completed, mine: true })).toEqual([]);
  expect(newsOf({ ...completed, change: { ...completed.change, verb: "update", ready: [] } })).toEqual([]);
});

test("one piece of news names its task, many are counted", () => {
  expect(told(newsOf(completed).slice(1))).toEqual({ title: "Ready: #2", body: "Parse", id: 2 });
  expect(told(newsOf(completed))).toEqual({ title: "1 ready, 1 completed", body: "Completed: #1 Set up, by ada\nReady: #2 Parse" });
  const many = Array.from({ length: 9 }, (_, i) => ({ what: "ready" as const, id: i + 1, subject: "x", by: "ada" }));
  expect(told([...many, ...many])).toMatchObject({ title: "9 ready", body: expect.stringMatching(/and 5 more$/) });
});
