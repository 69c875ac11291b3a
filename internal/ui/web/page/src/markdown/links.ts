// Where a link of a text may lead. Everything else is not a link.
export type Target = { href: string } | { task: number; bare?: boolean }; // bare: a number in the text

const schemes = new Set(["http:", "https:", "mailto:"]);

// How long an address may be; longer ones are text.
export const maxHref = 2000;

// Decides where an address leads, as it stands in a text; null: nowhere.
export function target(address: string): Target | null {
  const task = /^#(\d{1,9})$/.exec(address);
  if (task) return Number(task[1]) > 0 ? { task: Number(task[1]) } : null;
  if (address.length > maxHref || !/^[a-z]{4,6}:/i.test(address)) return null; // no base: what is relative leads nowhere
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  return schemes.has(url.protocol) ? { href: url.href } : null;
}

const named: Record<string, string> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", hellip: "…", ndash: "–", mdash: "—",
  laquo: "«", raquo: "»", copy: "©", reg: "®", trade: "™", times: "×", middot: "·", bull: "•", deg: "°",
  larr: "←", rarr: "→", uarr: "↑", darr: "↓", euro: "€", sect: "§", check: "✓", ne: "≠", le: "≤", ge: "≥",
};

// What an entity stands for, "&amp;"; null: it is none that is known.
export function entity(text: string): string | null {
  const number = /^&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));$/i.exec(text);
  if (!number) return named[text.slice(1, -1)] ?? null;
  const n = number[1] ? parseInt(number[1], 16) : Number(number[2]);
  const real = n > 0 && n <= 0x10ffff && (n < 0xd800 || n > 0xdfff);
  return real ? String.fromCodePoint(n) : "\ufffd";
}

// A text with its entities and its backslashes resolved, as in an address.
export function plain(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])|&#?[a-z0-9]{1,31};/gi, (all, escaped?: string) => escaped ?? entity(all) ?? all);
}
