import { expect, test } from "vitest";
import type { LogEntry } from "../types";
import { isLarge } from "./Undo";

const of = (...changes: string[]): LogEntry => ({ tasks: changes.map((change, i) => ({ id: i + 1, subject: "", change })) }) as unknown as LogEntry;

test("an undo that removes several tasks or touches many is asked about", () => {
  expect([of("created"), of("edited", "edited"), of("deleted")].map(isLarge)).toEqual([false, false, false]);
  expect([of("created", "created"), of(...Array<string>(6).fill("edited"))].map(isLarge)).toEqual([true, true]);
});
