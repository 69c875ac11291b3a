import { Glyph } from "../parts/Glyph";
import type { Card } from "../types";

export function CardView({ card: c }: { card: Card }) {
  return (
    <article class={`card is-${c.state}`}>
      <Glyph state={c.state} /> <span class="mono">#{c.id}</span> {c.subject}
    </article>
  );
}
