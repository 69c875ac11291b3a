// What acts on a text instead of being seen in it: control characters, turns of
// the direction, separators of lines, what is invisible. Joiners, which emoji and
// several scripts need, are none. internal/clean says the same for terminals.
const hazard =
  /[\u0000-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

function spell(c: string): string {
  const n = c.codePointAt(0) ?? 0;
  const hex = n.toString(16);
  if (n < 0x100) return "\\x" + hex.padStart(2, "0");
  return n <= 0xffff ? "\\u" + hex.padStart(4, "0") : "\\U" + hex.padStart(8, "0");
}

// A text fit to stand in one line: what could act there is spelled out, as \u202e.
export function line(text: string): string {
  return text.replace(hazard, (c) => (c === "\n" ? "\\n" : c === "\t" ? " " : spell(c)));
}

// The same for a text of several lines: it keeps line breaks and tabs.
export function lines(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(hazard, (c) => (c === "\n" || c === "\t" ? c : spell(c)));
}
