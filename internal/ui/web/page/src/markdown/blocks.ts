import { lines as cleaned } from "./clean";
import { plain } from "./links";
import { label, type References } from "./inline";

// A part of a text, from top to bottom.
export type Block =
  | { kind: "paragraph"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; text: string }
  | { kind: "rule" }
  | { kind: "quote"; of: Block[] }
  | { kind: "list"; first?: number; loose: boolean; items: Item[] }
  | { kind: "table"; align: Align[]; head: string[]; rows: string[][] };

// An entry of a list. done: it has a box, which is ticked or not.
export interface Item {
  done?: boolean;
  of: Block[];
}

export type Align = "left" | "center" | "right" | undefined;

// How deep quotes and lists are in each other; what is deeper is text.
const maxDepth = 8;
const maxColumns = 40;
const maxReferences = 500;

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const quote = /^ {0,3}> ?/;
const heading = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const bullet = /^( {0,3})([-*+]|(\d{1,9})[.)])( +|$)/;
const indented = /^ {4}/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const definition = /^ {0,3}\[([^\]]{1,200})\]:[ \t]{0,9}(?:<([^<>]{1,2000})>|([^\s<]\S{0,1999}))[ \t]{0,9}(?:"[^"]*"|'[^']*'|\([^()]*\))?[ \t]{0,9}$/;

// Reads a text in Markdown, as GitHub writes it but for HTML, which is text. The
// time is that of its length: each line is looked at once for each quote or list
// that it is in, and these are bounded.
export function blocks(text: string): { of: Block[]; refs: References } {
  const refs: References = new Map();
  const all = cleaned(text).split("\n").map(untabbed);
  return { of: new Reader(all, refs, 0).read(), refs };
}

// Tabs at the beginning of a line are as wide as on a page of type.
function untabbed(line: string): string {
  const lead = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (!lead.includes("\t")) return line;
  let width = 0;
  for (const c of lead) width = c === "\t" ? width + 4 - (width % 4) : width + 1;
  return " ".repeat(width) + line.slice(lead.length);
}

const blank = (line: string | undefined): boolean => line === undefined || line.trim() === "";

class Reader {
  private at = 0;
  private readonly out: Block[] = [];

  constructor(
    private readonly lines: string[],
    private readonly refs: References,
    private readonly depth: number,
  ) {}

  private line(): string {
    return this.lines[this.at] ?? "";
  }

  read(): Block[] {
    while (this.at < this.lines.length) {
      if (blank(this.line())) this.at++;
      else this.out.push(...this.block(this.line()));
    }
    return this.out;
  }

  private block(line: string): Block[] {
    if (indented.test(line)) return [this.indented()];
    const fenced = fence.exec(line);
    if (fenced) return [this.fenced(fenced[1]!)];
    if (heading.test(line)) return [this.heading(line)];
    if (rule.test(line)) return [this.rule()];
    if (this.depth < maxDepth && quote.test(line)) return [this.quote()];
    if (this.depth < maxDepth && bullet.test(line)) return [this.list()];
    return this.table() ?? this.paragraph();
  }

  // Whether a line begins something even though a paragraph stands above it.
  private interrupts(line: string): boolean {
    if (fence.test(line) || heading.test(line) || rule.test(line) || quote.test(line)) return true;
    const m = bullet.exec(line);
    return !!m && line.trim().length > m[2]!.length && (m[3] === undefined || m[3] === "1");
  }

  private rule(): Block {
    this.at++;
    return { kind: "rule" };
  }

  private heading(line: string): Block {
    const level = heading.exec(line)?.[1]?.length ?? 1;
    let text = line.trim().slice(level).trim();
    let end = text.length;
    while (text[end - 1] === "#") end--;
    if (end === 0 || text[end - 1] === " ") text = text.slice(0, end).trim();
    this.at++;
    return { kind: "heading", level, text };
  }

  private indented(): Block {
    const text: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.line();
      if (!indented.test(line) && !blank(line)) break;
      text.push(line.slice(4));
    }
    return { kind: "code", text: text.join("\n").trimEnd() };
  }

  private fenced(sign: string): Block {
    const text: string[] = [];
    for (this.at++; this.at < this.lines.length; this.at++) {
      const line = this.line();
      if (closes(line, sign)) {
        this.at++;
        break;
      }
      text.push(line);
    }
    return { kind: "code", text: text.join("\n") };
  }

  private quote(): Block {
    const inner: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.line();
      const lazy = inner.length > 0 && !blank(inner[inner.length - 1]) && !blank(line) && !this.interrupts(line);
      if (!quote.test(line) && !lazy) break;
      inner.push(line.replace(quote, ""));
    }
    return { kind: "quote", of: this.inside(inner) };
  }

  private inside(lines: string[]): Block[] {
    return new Reader(lines, this.refs, this.depth + 1).read();
  }

  private list(): Block {
    const first = bullet.exec(this.line());
    const kind = (m: RegExpExecArray): string => m[2]!.slice(-1); // - * + . )
    const list: Block = { kind: "list", loose: false, items: [] };
    if (first?.[3] !== undefined) list.first = Number(first[3]);
    for (let gap = false; this.at < this.lines.length; ) {
      const line = this.line();
      const m = bullet.exec(line);
      if (blank(line)) {
        gap = true;
        this.at++;
        continue;
      }
      if (!m || !first || kind(m) !== kind(first) || rule.test(line)) break;
      list.loose ||= gap;
      gap = false;
      const inner = this.item(m);
      gap = blank(inner[inner.length - 1]);
      list.loose ||= inner.join("\n").trimEnd().includes("\n\n");
      list.items.push(this.entry(inner));
    }
    return list;
  }

  // The lines of an entry: its first one, what is indented below it, and what only forgot to be.
  private item(m: RegExpExecArray): string[] {
    const gap = m[4]!.length;
    const width = m[1]!.length + m[2]!.length + (gap >= 1 && gap <= 4 ? gap : 1);
    const pad = " ".repeat(width);
    const inner = [this.line().slice(width)];
    let open = fence.exec(inner[0]!)?.[1]; // a fence that was not closed yet
    for (this.at++; this.at < this.lines.length; this.at++) {
      const line = this.line();
      if (blank(line)) {
        if (inner.length === 1 && blank(inner[0])) break; // an empty entry
        inner.push("");
        continue;
      }
      const mine = line.startsWith(pad);
      const lazy = !open && !blank(inner[inner.length - 1]) && !bullet.test(line) && !this.interrupts(line);
      if (!mine && !lazy) break;
      const text = mine ? line.slice(width) : line.trimStart();
      if (!open) open = fence.exec(text)?.[1];
      else if (closes(text, open)) open = undefined;
      inner.push(text);
    }
    return inner;
  }

  private entry(inner: string[]): Item {
    const box = /^\[([ xX])\](?= |$)/.exec(inner[0] ?? "");
    if (box) inner[0] = inner[0]!.slice(4);
    const item: Item = { of: this.inside(inner) };
    if (box) item.done = box[1] !== " ";
    return item;
  }

  // Reads a table, if there is one here: the line below its head says so.
  private table(): Block[] | null {
    const head = this.line();
    const below = this.lines[this.at + 1];
    if (!head.includes("|") || below === undefined || !/^[ |:-]*-[ |:-]*$/.test(below)) return null;
    const marks = cells(below);
    const names = cells(head);
    if (names.length !== marks.length || marks.length > maxColumns || !marks.every((c) => /^:?-+:?$/.test(c))) return null;
    const align = marks.map((c): Align => (c.endsWith(":") ? (c.startsWith(":") ? "center" : "right") : c.startsWith(":") ? "left" : undefined));
    const rows: string[][] = [];
    for (this.at += 2; this.at < this.lines.length; this.at++) {
      const line = this.line();
      if (blank(line) || this.interrupts(line)) break;
      const row = cells(line);
      rows.push(names.map((_, i) => row[i] ?? ""));
    }
    return [{ kind: "table", align, head: names, rows }];
  }

  private paragraph(): Block[] {
    const text: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.line();
      const m = text.length === 0 && this.refs.size < maxReferences ? definition.exec(line) : null;
      if (m) {
        const name = label(m[1]!);
        if (!this.refs.has(name)) this.refs.set(name, plain(m[2] ?? m[3]!));
        continue;
      }
      if (text.length > 0 && underline.test(line)) {
        this.at++;
        return [{ kind: "heading", level: line.includes("=") ? 1 : 2, text: text.join("\n").trim() }];
      }
      if (blank(line) || (text.length > 0 && this.interrupts(line))) break;
      text.push(tidy(line));
    }
    return text.length > 0 ? [{ kind: "paragraph", text: text.join("\n").trimEnd() }] : [];
  }
}

// A line of a paragraph, without spaces around it but for two at its end, which break it.
const tidy = (line: string): string => line.trim() + (line.endsWith("  ") ? "  " : "");

// Whether a line ends what a fence began.
function closes(line: string, sign: string): boolean {
  const text = line.trim();
  return text.length >= sign.length && text === sign.charAt(0).repeat(text.length) && !indented.test(line);
}

// The cells of a row. A bar behind a backslash is none.
function cells(line: string): string[] {
  const parts: string[] = [];
  let cell = "";
  for (let i = 0; i < line.length; i++) {
    if (line[i] === "\\" && line[i + 1] === "|") cell += line.charAt(++i);
    else if (line[i] !== "|") cell += line.charAt(i);
    else {
      parts.push(cell.trim());
      cell = "";
    }
  }
  parts.push(cell.trim());
  if (parts[0] === "") parts.shift();
  if (parts[parts.length - 1] === "") parts.pop();
  return parts;
}
