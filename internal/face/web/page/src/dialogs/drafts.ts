// What was written in a dialog that was left without sending is there again the
// next time, as long as the page is open.
const drafts = new Map<string, string>();

export const draft = (name: string): string => drafts.get(name) ?? "";

export function keepDraft(name: string, text: string): void {
  if (text.trim()) drafts.set(name, text);
  else drafts.delete(name);
}
