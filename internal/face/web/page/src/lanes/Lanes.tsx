import type { Reading } from "../reading";
import type { Lanes as Answer } from "../types";
import { CardView } from "./Card";
import "./lanes.css";

export function Lanes({ lanes }: { lanes: Reading<Answer> }) {
  const l = lanes.data.value;
  if (!l) return null;
  return (
    <div class="lanes">
      {l.lanes.map((lane) => (
        <section class="lane" key={lane.lane} aria-label={`${lane.title}, ${lane.total}`}>
          <h2>
            {lane.title} <span class="total">{lane.total}</span>
          </h2>
          <ul>
            {lane.cards.map((c) => (
              <li key={c.id}>
                <CardView card={c} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
