import { expect, test } from "vitest";
import { faultsOf } from "./sending";

test("a fault is told at its field, wherever in the request that was", () => {
  const error = {
    kind: "invalid" as const,
    message: "the request cannot work as it stands",
    faults: [
      { path: "ops[0].tasks[2].subject", problem: "is blank" },
      { path: "ops[0].addLabels[1]", problem: "is too long" },
      { path: "ops[0].id", problem: "is no task" },
    ],
  };
  expect(faultsOf(error, "subject")).toEqual(["Is blank"]);
  expect(faultsOf(error, "addLabels")).toEqual(["Is too long"]);
  expect(faultsOf(error, "labels")).toEqual([]);
  expect(faultsOf(undefined, "subject")).toEqual([]);
});
