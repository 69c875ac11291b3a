import type { ComponentChildren, VNode } from "preact";
import { Fragment } from "preact";
import { expect, test } from "vitest";
import corpus from "../../e2e/xss.json";
import { markdown, maxText } from "./Markdown";

// What a text may become. Anything else is a hole.
const allowed: Record<string, string[]> = {
  div: ["class", "dir", "tabIndex"], p: ["class"], h3: [], h4: [], h5: [], h6: [], ul: [], ol: ["start"], li: ["class"],
  span: ["role", "aria-label"], pre: ["dir", "tabIndex"], code: [], em: [], strong: [], del: [], br: [], hr: [], blockquote: [],
  a: ["href", "target", "rel", "class"], table: [], thead: [], tbody: [], tr: [], th: ["class", "scope"], td: ["class"],
};

const address = (id: number): string => `#/lanes?task=${id}`;
const show = (text: string): VNode => markdown(text, address);

// Goes through a tree, and says what is wrong with it.
function faults(node: ComponentChildren, found: string[] = []): string[] {
  if (Array.isArray(node)) node.forEach((n) => faults(n, found));
  else if (node && typeof node === "object") {
    const { type, props } = node as VNode<Record<string, unknown>>;
    if (type !== Fragment) element(String(type), props, found);
    faults(props.children as ComponentChildren, found);
  } else if (typeof node === "string" && /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b\u200b\ufeff]/.test(node)) {
    found.push(`${JSON.stringify(node)} acts`);
  }
  return found;
}

function element(type: string, props: Record<string, unknown>, found: string[]): void {
  const attributes = allowed[type];
  if (!attributes) found.push(`element ${type}`);
  for (const name of Object.keys(props)) {
    if (name !== "children" && !attributes?.includes(name)) found.push(`${type} with ${name}`);
  }
  if (type !== "a") return;
  const href = String(props.href);
  if (props.class === "task-ref") {
    if (!/^#\/lanes\?task=[1-9]\d*$/.test(href)) found.push(`task at ${href}`);
  } else if (!/^(https?:\/\/|mailto:)[!-~]+$/.test(href) || props.rel !== "noopener noreferrer nofollow" || props.target !== "_blank") {
    found.push(`link to ${href}`);
  }
}

// The tree in short: <p>a <em>b</em></p>.
function short(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(short).join("");
  if (!node || typeof node !== "object") return typeof node === "string" ? node : "";
  const { type, props } = node as VNode<Record<string, unknown>>;
  const inner = short(props.children as ComponentChildren);
  if (type === Fragment || type === "div") return inner;
  return `<${String(type)}${props.href ? " " + String(props.href) : ""}>${inner}</${String(type)}>`;
}

test("the corpus is there", () => expect(corpus.length).toBeGreaterThanOrEqual(60));

for (const { name, text } of corpus) {
  test(`nothing of it acts: ${name}`, () => expect(faults(show(text))).toEqual([]));
  test(`nor in a list, a quote and a table: ${name}`, () => {
    const one = text.replace(/\n/g, " ");
    expect(faults(show(`- ${one}\n  > ${one}\n\n| ${one} |\n|---|\n| ${one} |\n\n# ${one}\n\n**${one}** [${one}](https://example.com)`))).toEqual([]);
  });
}

const told: [string, string, string][] = [
  ["emphasis", "a *b* **c** ~~d~~ _e_ ***f*** snake_case_name 2*3*4", "<p>a <em>b</em> <strong>c</strong> <del>d</del> <em>e</em> <em><strong>f</strong></em> snake_case_name 2<em>3</em>4</p>"],
  ["stars that end nothing", "*.go, a * b, **c* d", "<p>*.go, a * b, *<em>c</em> d</p>"],
  ["code", "`a *b*` ``c`d``", "<p><code>a *b*</code> <code>c`d</code></p>"],
  ["a task", "after #12, (#3) but `#4`, a#5, #6px and https://x.de/#7", "<p>after <a #/lanes?task=12>#12</a>, (<a #/lanes?task=3>#3</a>) but <code>#4</code>, a#5, #6px and <a https://x.de/#7>https://x.de/#7</a></p>"],
  ["links", "[a](https://x.de/b_(c) 'd') <https://x.de> [t](#3) see www.x.de.", "<p><a https://x.de/b_(c)>a</a> <a https://x.de/>https://x.de</a> <a #/lanes?task=3>t</a> see <a https://www.x.de/>www.x.de</a>.</p>"],
  ["a link that leads nowhere is what was written", "[a](javascript:x)", "<p>[a](javascript:x)</p>"],
  ["an image is a link", "![the plan](https://x.de/a.png)", "<p><a https://x.de/a.png>the plan</a></p>"],
  ["a link by reference", "[a][b] and [b]\n\n[b]: https://x.de", "<p><a https://x.de/>a</a> and <a https://x.de/>b</a></p>"],
  ["html is text", "<b>x</b> &lt;b&gt; &amp;", "<p><b>x</b> <b> &</p>"],
  ["headings stand below the page's", "# a #\n## b\nc\n---", "<h3>a</h3><h4>b</h4><h4>c</h4>"],
  ["a list", "- a\n- b\n  1. c\n  2. d\n- [x] e\n- [ ] f", "<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li><li><span>✔</span> e</li><li><span>○</span> f</li></ul>"],
  ["a list with room", "- a\n\n  b\n- c\n\nd", "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul><p>d</p>"],
  ["a fence in a list", "1. a\n   ```\n   - b\n   ```\n2. c", "<ol><li>a<pre><code>- b</code></pre></li><li>c</li></ol>"],
  ["a table", "| a | b |\n|:--|--:|\n| `x\\|y` | *z* |\n| 1 |", "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x|y</code></td><td><em>z</em></td></tr><tr><td>1</td><td></td></tr></tbody></table>"],
  ["a quote", "> a\nb\n> - c\n\nd", "<blockquote><p>a\nb</p><ul><li>c</li></ul></blockquote><p>d</p>"],
  ["lines", "a  \nb\\\nc\nd", "<p>a  <br></br>b<br></br>c\nd</p>"],
  ["code by its indent", "a\n\n    b\n\n\tc", "<p>a</p><pre><code>b\n\nc</code></pre>"],
  ["a rule", "a\n\n***\nb", "<p>a</p><hr></hr><p>b</p>"],
];
for (const [name, text, want] of told) {
  test(name, () => expect(short(show(text))).toBe(want));
}

const patience = 60_000; // milliseconds: what does not end ends here, and a busy machine is no fault

// What made a reader of Markdown slow or deep once: 64 KiB of each.
const heavy = [
  ">", "> ", "- ", "1. ", ">- ", "[", "![", "[a](", "[a](<", "]", "*a_ ", "*", "**a ", "_a__", "_x", "a**b", "` ", "`a``b", "<", "<a@", "<https:", "|", "|a\n|-\n", "www.", "http://a(",
  "a@b.c ", "(", "&", "\\", "\n", " ", "\t", "#", "#1 ", "[a]: b\n", "[a][b]", "~", "~~~", "```\n", "- a\n b\n", "- a\n\n  b\n", "a\n=\n", "*a\n", "[[a](x)](y)", "![![a](x)](y)", "  - a\n    - b\n", "~`",
];
for (const unit of heavy) {
  test(`64 KiB of ${JSON.stringify(unit)} are neither slow nor deep`, () => {
    for (const text of [unit.repeat(maxText / unit.length), "- a\n" + unit.repeat(maxText / unit.length), "~".repeat(maxText - 1) + unit]) {
      expect(faults(show(text))).toEqual([]);
    }
  }, patience);
}

// Pieces of the syntax in any order, some of the payloads among them.
test("nothing that is put together of pieces gets through either", () => {
  const signs = ["[", "](", ")", "![", "<", ">", "`", "```\n", "*", "__", "~~", "\n", "\n\n", "- ", "1. ", "> ", "|", "\n|-|\n", "\\", "&#106;", "&colon;", "#1 ", ": ", "a", " ", "\t", "[x]: ", "javascript:alert(1)", "https://x.de", "\u202e"];
  let seed = 7;
  const pick = <T,>(of: T[]): T => of[(seed = (seed * 1103515245 + 12345) % 2147483648) % of.length]!;
  for (let i = 0; i < 5000; i++) {
    const text = Array.from({ length: 12 }, () => (i % 3 ? pick(signs) : pick([...signs, pick(corpus).text]))).join("");
    const wrong = faults(show(text));
    if (wrong.length > 0) throw new Error(`${JSON.stringify(text)}: ${wrong.join(", ")}`);
  }
}, patience);

test("a text that is too long is cut", () => {
  expect(short(show("a ".repeat(maxText)))).toMatch(/left out/);
});

test("in a text from elsewhere a number leads nowhere, and a link to a task still does", () => {
  const text = "see #7 and [this](#8)";
  expect(short(markdown(text, address))).toBe("<p>see <a #/lanes?task=7>#7</a> and <a #/lanes?task=8>this</a></p>");
  expect(short(markdown(text, address, true))).toBe("<p>see #7 and <a #/lanes?task=8>this</a></p>");
});
