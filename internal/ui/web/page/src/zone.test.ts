import { expect, test } from "vitest";

process.env.TZ = "Asia/Kathmandu"; // before the page asks for the first time: 5:45 ahead
const { absolute, localTimes } = await import("./clock");
const { clock } = await import("./timeline/days");

test("times are the reader's, and in full they have their zone", () => {
  expect(absolute("2026-11-22T13:03:07.000Z")).toBe("22 Nov 2026, 18:48:07 GMT+5:45");
  expect(clock(new Date("2026-11-22T13:03:07.000Z"))).toBe("18:48");
});

test("also those in a sentence of the server", () => {
  expect(localTimes("#2 is claimed by bob until 2026-11-22 20:03 UTC: wait")).toBe("#2 is claimed by bob until 23 Nov 2026, 01:48: wait");
  expect(localTimes("until 2026-11-22 13:03:07 UTC, until 2026-11-23 13:03 UTC")).toBe("until 22 Nov 2026, 18:48, until 23 Nov 2026, 18:48");
});

test("what somebody wrote is left as it is", () => {
  for (const text of ["Release at 2026-11-22 13:03 UTC", "until 2026-99-99 13:03 UTC", "until then"]) expect(localTimes(text)).toBe(text);
});
