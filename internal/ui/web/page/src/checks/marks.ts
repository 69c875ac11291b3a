import type { Card, Checked, Lane, Looked } from "../types";

// The marks of checks are the same everywhere: what holds, what does not, and what
// nothing shows yet. What is stale was shown once, for other files.
export const marks: Record<Looked["state"], string> = { passed: "✔", failed: "✘", open: "○", stale: "○" };

// markOf is the mark of a check. One that has passed as the task's file claims, and that
// this clone has not seen, has a lighter one.
export const markOf = (c: Pick<Looked, "state" | "claimed">): string => (isClaimed(c) ? "✓" : marks[c.state]);

export const isClaimed = (c: Pick<Looked, "state" | "claimed">): boolean => c.state === "passed" && !!c.claimed;

export const claimedWords = "claimed: this clone has not seen it";

export const checkWords: Record<Looked["state"], string> = { passed: "passed", failed: "failed", open: "has not run", stale: "stale" };

// checkedWords say of a task how far it is shown to be done.
export function checkedWords(checked: Checked, shown?: string): string {
  return shown ?? (checked === "passed" ? "checks passed" : checked === "failed" ? "a check failed" : "not shown to be done");
}

// isFalselyDone: it is completed, and nothing shows that it is done.
export const isFalselyDone = (c: Pick<Card, "state" | "shown">): boolean => c.state === "completed" && !!c.shown;

// unshownWords counts the tasks of a lane that are falsely done, with or without a card.
export const unshownWords = ({ unshown }: Pick<Lane, "unshown">): string => `✘ ${unshown} not shown`;
