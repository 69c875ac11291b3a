import { line } from "../markdown/clean";
import type { Checked } from "../types";
import { checkedWords, markOf } from "./marks";
import "./checks.css";

// Mark says in one character how far it is shown that a task is done, as its file claims: a
// list does not look at the files that were checked. The name of its card says it in words.
export function Mark({ checked, shown }: { checked?: Checked; shown?: string }) {
  if (!checked) return null;
  return (
    <span class={`mark is-${checked}`} role="img" aria-label={line(checkedWords(checked, shown))} title={line(checkedWords(checked, shown))}>
      {markOf({ state: checked, claimed: true })}
    </span>
  );
}
