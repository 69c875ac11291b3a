import { Fragment, type ComponentChildren, type VNode } from "preact";
import { useMemo } from "preact/hooks";
import { blocks, type Block, type Item } from "../markdown/blocks";
import { inline, type Inline, type References } from "../markdown/inline";

// How much of a text is shown; a description is no longer.
export const maxText = 64 * 1024;

// The headings of a text stand below those of the page, none further than one
// below the heading that it belongs to.
const headingsFrom = 3;

// Markdown shows a text as elements; nothing of it is ever HTML. Images are not
// loaded, links lead to http, https, mailto and tasks only. at gives the address of
// a task's details.
// In a text that came from elsewhere a number is another tracker's.
export function Markdown({ text, at, elsewhere = false }: { text: string; at: (task: number) => string; elsewhere?: boolean }): VNode {
  return useMemo(() => markdown(text, at, elsewhere), [text, at(1), elsewhere]); // read again only when it says something else
}

// markdown is what Markdown shows.
export function markdown(text: string, at: (task: number) => string, elsewhere = false): VNode {
  const { of, refs } = blocks(text.slice(0, maxText));
  const show = new Showing(refs, at, elsewhere);
  return (
    <div class="md" dir="auto">
      {of.map((b) => show.block(b))}
      {text.length > maxText && <p class="md-cut">The rest of this text is left out: it is very long.</p>}
    </div>
  );
}

class Showing {
  private readonly under: number[] = []; // the levels of the headings that the next block is under

  constructor(
    private readonly refs: References,
    private readonly at: (task: number) => string,
    private readonly elsewhere: boolean,
  ) {}

  private words(text: string): ComponentChildren {
    return inline(text, this.refs).map((p) => this.piece(p));
  }

  private piece(p: Inline): ComponentChildren {
    if (typeof p === "string") return p;
    switch (p.kind) {
      case "break":
        return <br />;
      case "code":
        return <code>{p.text}</code>;
      case "link":
        return this.link(p);
      case "em":
        return <em>{p.of.map((q) => this.piece(q))}</em>;
      case "strong":
        return <strong>{p.of.map((q) => this.piece(q))}</strong>;
      case "del":
        return <del>{p.of.map((q) => this.piece(q))}</del>;
    }
  }

  private link(p: Extract<Inline, { kind: "link" }>): ComponentChildren {
    const of = p.of.map((q) => this.piece(q));
    if ("task" in p.to) {
      if (p.to.bare && this.elsewhere) return of;
      return (
        <a class="task-ref" href={this.at(p.to.task)}>
          {of}
        </a>
      );
    }
    return (
      <a href={p.to.href} target="_blank" rel="noopener noreferrer nofollow">
        {of}
      </a>
    );
  }

  block(b: Block): ComponentChildren {
    switch (b.kind) {
      case "paragraph":
        return <p>{this.words(b.text)}</p>;
      case "heading": {
        while (this.under.length && this.under.at(-1)! >= b.level) this.under.pop();
        const H = `h${Math.min(6, headingsFrom + this.under.length)}` as "h3";
        this.under.push(b.level);
        return <H>{this.words(b.text)}</H>;
      }
      case "code":
        return (
          <pre dir="ltr" tabIndex={0}>
            <code>{b.text}</code>
          </pre>
        );
      case "rule":
        return <hr />;
      case "quote":
        return <blockquote>{b.of.map((c) => this.block(c))}</blockquote>;
      case "list":
        return this.list(b);
      case "table":
        return this.table(b);
    }
  }

  private list(b: Block & { kind: "list" }): VNode {
    const items = b.items.map((i) => this.item(i, b.loose));
    return b.first === undefined ? <ul>{items}</ul> : <ol start={b.first}>{items}</ol>;
  }

  private item(i: Item, loose: boolean): VNode {
    const of = i.of.map((c) => (!loose && c.kind === "paragraph" ? <Fragment>{this.words(c.text)}</Fragment> : this.block(c)));
    if (i.done === undefined) return <li>{of}</li>;
    return (
      <li class="md-box">
        <span role="img" aria-label={i.done ? "done: " : "open: "}>
          {i.done ? "✔" : "○"}
        </span>{" "}
        {of}
      </li>
    );
  }

  private table(b: Block & { kind: "table" }): VNode {
    const to = (i: number): string | undefined => b.align[i] && `md-${b.align[i]}`;
    return (
      <div class="md-wide" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {b.head.map((c, i) => (
                <th class={to(i)} scope="col">
                  {this.words(c)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {b.rows.map((row) => (
              <tr>
                {row.map((c, i) => (
                  <td class={to(i)}>{this.words(c)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
}
