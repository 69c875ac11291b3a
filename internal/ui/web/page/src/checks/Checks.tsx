import { line, lines } from "../markdown/clean";
import { Age } from "../parts/Time";
import type { Looked } from "../types";
import { checkWords, claimedWords, isClaimed, markOf } from "./marks";
import "./checks.css";

interface Props {
  checks?: Looked[];
  remove?: (name: string) => void;
  busy?: boolean; // nothing can be removed now
  brief?: boolean; // without what they printed
}

// Checks are the commands that show whether a task is done, each with what its last run
// showed, and here also what it printed.
export function Checks({ checks = [], remove, busy, brief }: Props) {
  if (checks.length === 0) return null;
  return (
    <section class="checks" aria-label="Checks">
      <h3>Checks</h3>
      <ul>
        {checks.map((c, i) => (
          <li key={`${i} ${c.name}`} class={`is-${c.state}`}>
            <p class="line">
              <span class={`mark is-${isClaimed(c) ? "claimed" : c.state}`} title={isClaimed(c) ? claimedWords : undefined} aria-hidden="true">
                {markOf(c)}
              </span>
              <bdi class="what">{line(c.what)}</bdi>
              <span class="hidden-words">
                , {checkWords[c.state]}
                {isClaimed(c) && `, ${claimedWords}`}
              </span>
              {remove && !c.project && (
                <button type="button" class="button quiet unlink" disabled={busy} onClick={() => remove(c.name)} aria-label={`Remove the check ${line(c.name)}`} title="Remove">
                  ×
                </button>
              )}
            </p>
            <p class="ran">
              {c.at && (
                <>
                  <Age since={c.at} ago />
                  {": "}
                </>
              )}
              <bdi>{line(c.said)}</bdi>
            </p>
            {!brief && c.tail && <Printed check={c} tail={c.tail} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

// Printed is the end of what a check printed: of a failed one at once, of others when
// asked for.
function Printed({ check: c, tail }: { check: Looked; tail: string }) {
  return (
    <details open={c.state === "failed"}>
      <summary>The end of what it printed</summary>
      <pre tabIndex={0} role="region" aria-label={`What ${line(c.name)} printed`}>
        {lines(tail)}
      </pre>
    </details>
  );
}
