import { expect, test } from "vitest";
import { clock, day } from "./days";

const at = (text: string): Date => new Date(text); // without a zone: here

test("days are called as on the terminal", () => {
  const now = at("2026-11-21T10:00:00");
  const days = ["2026-11-21T00:00:00", "2026-11-20T23:59:59", "2026-11-19T12:00:00", "2025-12-31T12:00:00"].map((d) => day(now, at(d)));
  expect(days).toEqual(["Today", "Yesterday", "Thursday 19 November", "Wednesday 31 December 2025"]);
});

test("yesterday is a day, even where that has 23 hours", () => {
  expect(day(at("2026-01-01T00:30:00"), at("2025-12-31T23:30:00"))).toBe("Yesterday");
});

test("the clock", () => expect(clock(at("2026-11-21T09:05:59"))).toBe("09:05"));
