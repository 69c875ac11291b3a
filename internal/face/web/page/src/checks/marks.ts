import type { Card, Checked, Lane, Looked } from "../types";

// The marks of checks are the same everywhere: what holds, what does not, and what
// nothing shows yet. What is stale was shown once, for other files.
export const marks: Record<Looked["state"], string> = { passed: "✔", failed: "✘", open: "○", stale: "○" };

export const checkWords: Record<Looked["state"], string> = { passed: "passed", failed: "failed", open: "has not run", stale: "stale" };

// checkedWords say of a task how far it is shown to be done.
export function checkedWords(checked: Checked, shown?: string): string {
  return shown ?? (checked === "passed" ? "checks passed" : checked === "failed" ? "a check failed" : "not shown to be done");
}

// isFalselyDone: it is completed, and nothing shows that it is done.
export const isFalselyDone = (c: Pick<Card, "state" | "shown">): boolean => c.state === "completed" && !!c.shown;

// unshownWords counts the cards of a lane that are falsely done.
export const unshownWords = ({ cards }: Pick<Lane, "cards">): string => `✘ ${cards.filter(isFalselyDone).length} not shown`;
