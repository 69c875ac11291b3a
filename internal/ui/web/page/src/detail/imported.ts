import type { Note, Task } from "../types";

// What an import keeps of a task beside it says which of its texts were written
// elsewhere: the description, notes that nobody here wrote, and the comments.
interface Kept {
  comments?: { text?: unknown }[];
}

export const isImported = (t: Task): boolean => t.metadata?.beads !== undefined;

export function isFromElsewhere(t: Task, n: Note): boolean {
  const kept = t.metadata?.beads as Kept | undefined;
  if (!kept) return false;
  return !n.by || (Array.isArray(kept.comments) && kept.comments.some((c) => c?.text === n.text));
}
