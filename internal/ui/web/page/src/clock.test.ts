import { expect, test } from "vitest";
import { age, noteTime } from "./clock";

test("ages are said as the terminal says them", () => {
  const m = 60_000;
  const said: [number, string][] = [
    [-5, "now"], [59_999, "now"], [m, "1 min"], [59 * m, "59 min"], [60 * m, "1 h"], [47 * 60 * m, "47 h"],
    [48 * 60 * m, "2 d"], [59 * 1440 * m, "59 d"], [60 * 1440 * m, "2 mo"], [730 * 1440 * m, "2 y"],
  ];
  for (const [ms, words] of said) expect(age(ms)).toBe(words);
});

test("an answer says when it is out of date", () => {
  expect(noteTime({})).toBeUndefined();
  expect(noteTime({ now: "2026-11-21T10:00:00.000Z" })).toBeUndefined();
  expect(noteTime({ now: "2026-11-21T10:00:00.000Z", until: "2026-11-21T10:00:05.000Z" })).toBe(5050);
  expect(noteTime({ now: "2026-11-21T10:00:00.000Z", until: "2036-11-21T10:00:05.000Z" })).toBe(2 ** 31 - 1);
});
