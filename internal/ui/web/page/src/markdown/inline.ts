import { line } from "./clean";
import { entity, plain, target, type Target } from "./links";
import { isOurs } from "./mentions";

// A piece of a paragraph.
export type Inline =
  | string
  | { kind: "em" | "strong" | "del"; of: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; to: Target; of: Inline[] }
  | { kind: "break" };

// The addresses of links by reference, by their labels.
export type References = Map<string, string>;

// How a label is looked up.
export const label = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

// Emphasis that is open at a time. Beyond it stars are stars: this also bounds how deep a text nests.
const maxOpen = 32;
const maxLabel = 200;
const maxBrackets = 30; // in each other, in an address

// An emphasis that began, and perhaps ends.
interface Open {
  sign: string;
  count: number;
  length: number; // of the run as it was written
  both: boolean; // which could have ended something as well
  of: Inline[];
}

// Reads the text of a paragraph. Whatever is written there, the time is that of
// its length: links are decided where they begin, and what is open is bounded.
export function inline(text: string, refs: References, inLink = false): Inline[] {
  return new Reader(text, refs, inLink).read();
}

// What can begin anything but text.
const dull = /[^\\`<![*_~\n&#hw]+/y;

class Reader {
  private at = 0;
  private noAddress = 0; // before it there is none: it was tried
  private readonly open: Open[] = [{ sign: "", count: 0, length: 0, both: false, of: [] }];
  private readonly closing: Int32Array; // where the bracket, or the run of backticks, that begins here ends; 0: nowhere

  constructor(
    private readonly text: string,
    private readonly refs: References,
    private readonly inLink: boolean,
  ) {
    this.closing = pairs(text);
  }

  read(): Inline[] {
    while (this.at < this.text.length) {
      dull.lastIndex = this.at;
      const found = dull.exec(this.text);
      if (found) {
        this.say(found[0]);
        this.at = dull.lastIndex;
      } else if (!this.special()) {
        this.say(this.text.charAt(this.at++));
      }
    }
    return this.collapse(0);
  }

  // Adds to what is open; texts that follow each other become one.
  private say(piece: Inline): void {
    const of = this.open[this.open.length - 1]!.of;
    const last = of.length - 1;
    if (typeof piece === "string" && typeof of[last] === "string") of[last] += piece;
    else of.push(piece);
  }

  // Reads what a character begins; false: it stands for itself.
  private special(): boolean {
    switch (this.text[this.at]) {
      case "\\":
        return this.escape();
      case "`":
        return this.code();
      case "<":
        return this.angle();
      case "!":
      case "[":
        return this.bracket();
      case "*":
      case "_":
      case "~":
        return this.run();
      case "\n":
        return this.newline();
      case "&":
        return this.take(/&#?[a-z0-9]{1,31};/iy, (m) => entity(m[0]) && line(entity(m[0]) ?? ""));
      case "#":
        return this.mention();
      default:
        return this.address();
    }
  }

  // Reads what an expression finds here, if it stands for something.
  private take(expression: RegExp, means: (m: RegExpExecArray) => Inline | null): boolean {
    expression.lastIndex = this.at;
    const m = expression.exec(this.text);
    const piece = m && means(m);
    if (!m || piece === null) return false;
    this.say(piece);
    this.at += m[0].length;
    return true;
  }

  private escape(): boolean {
    return this.take(/\\\n */y, () => ({ kind: "break" })) || this.take(/\\([!-/:-@[-`{-~])/y, (m) => m[1]!);
  }

  private code(): boolean {
    const length = runLength(this.text, this.at);
    const end = this.closing[this.at]!;
    if (!end) {
      this.say("`".repeat(length));
      this.at += length;
      return true;
    }
    let text = this.text.slice(this.at + length, end).replace(/\n/g, " ");
    if (text.startsWith(" ") && text.endsWith(" ") && text.trim()) text = text.slice(1, -1);
    this.say({ kind: "code", text });
    this.at = end + length;
    return true;
  }

  // <https://example.com>, <ada@example.com>.
  private angle(): boolean {
    const link = (address: string, text: string): Inline | null => this.link(target(address), [text]);
    return (
      this.take(/<([a-z]{4,6}:[^\s<>]{1,2000})>/iy, (m) => link(m[1]!, m[1]!)) ||
      this.take(/<([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})>/y, (m) => link("mailto:" + m[1]!, m[1]!))
    );
  }

  // A link; null: it leads nowhere. Inside of a link there is only its text.
  private link(to: Target | null, of: Inline[]): Inline | null {
    if (this.inLink && of.length === 1 && typeof of[0] === "string") return of[0];
    return to && !this.inLink ? { kind: "link", to, of } : null;
  }

  // [text](address), [text][label], [label]; with a ! before it an image, which is not loaded: it is a link, too.
  private bracket(): boolean {
    const image = this.text[this.at] === "!";
    const from = this.at + (image ? 1 : 0);
    const end = this.text[from] === "[" ? this.closing[from]! : 0;
    if (!end || (this.inLink && !image)) return false;
    const inner = this.text.slice(from + 1, end);
    const found = this.destination(end + 1) ?? this.reference(inner, end + 1);
    if (!found) return false;
    const to = target(line(found.address));
    const of = image ? [plain(inner) || "image"] : inline(inner, this.refs, true);
    const link = this.link(to, of);
    if (link) this.say(link);
    else this.say(this.text.slice(this.at, found.end)); // it leads where none may: what is written is shown
    this.at = found.end;
    return true;
  }

  // (address "title").
  private destination(at: number): { address: string; end: number } | null {
    if (this.text[at] !== "(") return null;
    const bare = /\(\s{0,9}([^\s<]{0,2000})/y;
    bare.lastIndex = at;
    const m = bare.exec(this.text);
    if (m?.[1]) {
      const close = balanced(m[1]);
      if (close >= 0) return { address: plain(m[1].slice(0, close)), end: at + m[0].length - m[1].length + close + 1 };
      if (!/\s/.test(this.text[bare.lastIndex] ?? "")) return null;
    }
    const tail = /\(\s{0,9}(?:<([^<>\n]{0,2000})>|([^\s<]{0,2000}))(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,9}\)/y;
    tail.lastIndex = at;
    const whole = tail.exec(this.text);
    return whole && { address: plain(whole[1] ?? whole[2]!), end: at + whole[0].length };
  }

  private reference(inner: string, at: number): { address: string; end: number } | null {
    if (this.refs.size === 0) return null;
    const close = this.text[at] === "[" ? this.closing[at]! : 0;
    const name = (close && this.text.slice(at + 1, close)) || inner;
    const address = name.length <= maxLabel ? this.refs.get(label(name)) : undefined;
    return address === undefined ? null : { address, end: close ? close + 1 : at };
  }

  // Stars, underscores and tildes: they end what they began, or begin.
  private run(): boolean {
    const sign = this.text.charAt(this.at);
    const length = runLength(this.text, this.at);
    const before = this.text[this.at - 1] ?? " ";
    const after = this.text[this.at + length] ?? " ";
    this.at += length;
    const left = flanking(after, before);
    const right = flanking(before, after);
    const canOpen = left && (sign !== "_" || !right || punctuation.test(before));
    const canClose = right && (sign !== "_" || !left || punctuation.test(after));
    let rest = length;
    if (length <= 3 && canClose) rest = this.close(sign, length, canOpen);
    if (rest === 0) return true;
    if (rest <= 3 && canOpen && this.open.length <= maxOpen && !(sign === "~" && rest > 2)) {
      this.open.push({ sign, count: rest, length, both: canClose, of: [] });
    } else {
      this.say(sign.repeat(rest));
    }
    return true;
  }

  // Ends as much as so many signs can, and says how many are left.
  private close(sign: string, length: number, both: boolean): number {
    let count = length;
    for (let i = this.open.length - 1; i > 0 && count > 0; ) {
      const open = this.open[i]!;
      const apart = (both || open.both) && (length + open.length) % 3 === 0 && length % 3 !== 0; // as CommonMark has it
      if (open.sign !== sign || (sign === "~" ? open.count !== count : apart)) {
        i--;
        continue;
      }
      const of = this.collapse(i);
      const used = sign === "~" ? count : Math.min(count, open.count, 2);
      const piece: Inline = { kind: sign === "~" ? "del" : used === 2 ? "strong" : "em", of };
      count -= used;
      open.count -= used;
      if (open.count > 0) {
        this.open.push({ ...open, of: [piece] });
      } else {
        this.say(piece);
        i--;
      }
    }
    return count;
  }

  // Takes what is open from one on off, and returns its content: what else is open there never ended.
  private collapse(from: number): Inline[] {
    const [first, ...rest] = this.open.splice(from);
    const of = first!.of;
    for (const open of rest) {
      for (const piece of [open.sign.repeat(open.count), ...open.of]) {
        const last = of.length - 1;
        if (typeof piece === "string" && typeof of[last] === "string") of[last] += piece;
        else of.push(piece);
      }
    }
    return of;
  }

  private newline(): boolean {
    this.say(this.text.slice(this.at - 2, this.at) === "  " ? { kind: "break" } : "\n");
    this.at++;
    return true;
  }

  // #12, where it is a word of its own, and no other tracker's.
  private mention(): boolean {
    return this.take(/#([1-9]\d{0,8})(?![\w/#])/y, (m) => (isOurs(this.text, this.at) ? this.link({ task: Number(m[1]), bare: true }, [m[0]]) : null));
  }

  // An address that just stands there. Points and brackets at its end are not of it.
  private address(): boolean {
    if (this.at < this.noAddress || /\w/.test(this.text[this.at - 1] ?? " ")) return false;
    return this.take(/(?:https?:\/\/|www\.)[^\s<]{1,2000}/y, (m) => {
      let end = m[0].length;
      let over = count(m[0], ")") - count(m[0], "(");
      for (; end > 0 && /[?!.,:;*_~'")\]]/.test(m[0].charAt(end - 1)); end--) {
        if (m[0][end - 1] === ")" && over-- <= 0) break;
      }
      m[0] = m[0].slice(0, end);
      const to = target((m[0].startsWith("www.") ? "https://" : "") + m[0]);
      if (!to) this.noAddress = this.at + m[0].length;
      return to ? this.link(to, [m[0]]) : null;
    });
  }
}

const punctuation = /[\p{P}\p{S}]/u;

// Whether a run of signs leans on the text at one side of it.
function flanking(inside: string, outside: string): boolean {
  if (/\s/.test(inside)) return false;
  return !punctuation.test(inside) || /\s/.test(outside) || punctuation.test(outside);
}

function runLength(text: string, at: number): number {
  let n = 1;
  while (text[at + n] === text[at]) n++;
  return n;
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

// Where the bracket closes that was opened before the text; -1: nowhere.
function balanced(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "(" && depth++ > maxBrackets) return -1;
    else if (text[i] === ")" && depth-- === 0) return i;
  }
  return -1;
}

// Finds which brackets and which runs of backticks belong together. Code goes first.
function pairs(text: string): Int32Array {
  const closing = new Int32Array(text.length);
  const brackets: number[] = [];
  const runs = new Map<number, number[]>(); // where runs of a length begin, the last one first
  for (const m of text.matchAll(/`+/g)) {
    const of = runs.get(m[0].length);
    if (of) of.push(m.index);
    else runs.set(m[0].length, [m.index]);
  }
  for (const of of runs.values()) of.reverse();
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case "\\":
        i++;
        break;
      case "[":
        brackets.push(i);
        break;
      case "]": {
        const from = brackets.pop();
        if (from !== undefined) closing[from] = i;
        break;
      }
      case "`": {
        const length = runLength(text, i);
        const of = runs.get(length) ?? [];
        while (of.length > 0 && of[of.length - 1]! <= i) of.pop();
        const end = of.pop();
        if (end !== undefined) {
          closing[i] = end;
          i = end;
        }
        i += length - 1;
      }
    }
  }
  return closing;
}
