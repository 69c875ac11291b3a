import { expect, test } from "vitest";
import { elapsed } from "./elapsed";

test("how long something takes is said as the panel does", () => {
  expect([-5, 999, 59_000, 185_000, 7_620_000].map(elapsed)).toEqual(["0 s", "0 s", "59 s", "3 min 05 s", "2 h 07 min"]);
});
