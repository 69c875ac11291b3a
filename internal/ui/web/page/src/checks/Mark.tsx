import { line } from "../markdown/clean";
import type { Checked } from "../types";
import { checkedWords, marks } from "./marks";
import "./checks.css";

// Mark says in one character how far it is shown that a task is done. The name of its
// card says it in words.
export function Mark({ checked, shown }: { checked?: Checked; shown?: string }) {
  if (!checked) return null;
  return (
    <span class={`mark is-${checked}`} role="img" aria-label={line(checkedWords(checked, shown))} title={line(checkedWords(checked, shown))}>
      {marks[checked]}
    </span>
  );
}
