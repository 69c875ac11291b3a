import { act } from "../actions";
import { line } from "../markdown/clean";
import { Age } from "../parts/Time";
import type { Criterion, ID } from "../types";
import "./checks.css";

interface Props {
  id: ID;
  accept?: Criterion[];
  still?: boolean; // nobody can tick them here
}

// Criteria say in words what must be so when a task is done. A person ticks them.
export function Criteria({ id, accept = [], still }: Props) {
  if (accept.length === 0) return null;
  const ticked = accept.filter((c) => c.at).length;
  return (
    <section class="criteria" aria-label="Criteria">
      <h3>
        Criteria
        <span class="aside">{` ${ticked} of ${accept.length} ticked`}</span>
      </h3>
      <ul>
        {accept.map((c) => (
          <li key={c.text}>
            <label>
              <input
                type="checkbox"
                checked={!!c.at}
                disabled={still}
                onChange={(e) => {
                  e.currentTarget.checked = !!c.at; // it is ticked when the board says so
                  void act([c.at ? { op: "update", id, untick: [c.text] } : { op: "update", id, tick: [c.text] }], id);
                }}
              />
              <bdi>{line(c.text)}</bdi>
            </label>
            {c.at && (
              <p class="aside">
                {c.by ? (
                  <>
                    ticked by <bdi>{line(c.by)}</bdi>
                  </>
                ) : (
                  "ticked"
                )}
                {", "}
                <Age since={c.at} ago />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
