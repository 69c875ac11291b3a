import { describe, expect, test } from "vitest";
import type { RunStatus, RunView } from "../types";
import { attemptAt, headed, phased, run, shown, span, stands, used } from "./running";

const view = (more: Partial<RunView>): RunView => ({ id: 12, task: "12-1", subject: "Retry hooks", attempt: 2, phase: "running", word: "working", agent: "claude", ...more });
const status = (more: Partial<RunStatus>): RunStatus => ({ running: true, now: "2026-11-28T12:00:00.000Z", slots: [], queue: [], waiting: [], held: [], done: [], completed: 0, pauses: [], ...more });

describe("an attempt in words", () => {
  test("times", () => expect([40_000, 240_000, 7_500_000].map(span)).toEqual(["40s", "4m", "2h5m"]));
  test("what was used", () => expect([used(), used(900), used(12_300, 0.237), used(2_400_000)]).toEqual(["", "900 tokens", "12k tokens, $0.24", "2.4M tokens"]));
  test("how it stands", () => {
    expect(stands(view({ of: 3, ms: 240_000, phaseMs: 300_000, tokens: 12_300 }))).toBe("attempt 2 of 3, working 4m, 12k tokens");
    expect(stands(view({ phase: "waiting", word: "waiting for approval", ms: 1000, phaseMs: 720_000, files: 1, added: 8 }))).toBe("attempt 2, waiting for approval 12m, 1 file +8 -0");
    expect(phased(view({ phase: "held", word: "on hold", ms: 61_000 }))).toBe("on hold 1m");
  });
});

test("the attempt at a task is found wherever the run has it", () => {
  const v = view({});
  for (const st of [status({ slots: [{ slot: 1, attempt: v }] }), status({ queue: [v] }), status({ waiting: [v] }), status({ held: [v] })]) {
    run.value = st;
    expect(attemptAt(12)).toBe(v);
    expect(attemptAt(13)).toBeUndefined();
  }
  run.value = undefined;
  expect(attemptAt(12)).toBeUndefined();
});

test("a run that has ended is shown as long as it waits for a person", () => {
  expect(shown(status({}))).toBe(true);
  expect(shown(status({ running: false }))).toBe(false);
  expect(shown(status({ running: false, waiting: [view({})] }))).toBe(true);
  expect(shown(status({ running: false, killed: true }))).toBe(true);
  expect(headed(status({ agent: "claude", target: "main", draining: true }))).toBe("Run of claude into main, ending: it begins nothing more");
});
