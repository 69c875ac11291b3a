import { useState } from "preact/hooks";
import { errorBody } from "../actions";
import { get } from "../api";
import { line, lines } from "../markdown/clean";
import { Button } from "../parts/Button";
import { useReading } from "../reading";
import type { AttemptDiff, Attempts as Answer, ID, RunView } from "../types";
import { phased, run, runHint, used, changed } from "./running";
import { Steer } from "./Strip";

const most = 5;

// Attempts are the last attempts of runs at a task, the newest first.
export function Attempts({ id, gone }: { id: ID; gone: boolean }) {
  const read = useReading<Answer>(run.value && !gone ? `tasks/${id}/attempts` : undefined, runHint);
  const all = read.data.value?.attempts ?? [];
  const last = all.at(-1);
  if (!run.value || !last) return null;
  return (
    <section class="attempts" aria-label="Attempts of pawl run">
      <h3>Attempts</h3>
      <p class="acts">
        <Steer of={last} />
      </p>
      <ul>
        {all.slice(-most).reverse().map((v) => (
          <One key={v.attempt} of={v} />
        ))}
      </ul>
      <Diff key={`${id} ${last.attempt}`} id={id} />
    </section>
  );
}

function One({ of: v }: { of: RunView }) {
  return (
    <li>
      <p>
        <span class="mono">{v.attempt}</span> <bdi>by {line(v.agent)}</bdi>, {[phased(v), used(v.tokens, v.dollars), changed(v)].filter(Boolean).join(", ")}
      </p>
      {v.doing && (
        <p class="aside">
          <bdi>{line(v.doing)}</bdi>
        </p>
      )}
      {v.near && <p class="bad">{line(v.near)}</p>}
      {v.why && (
        <p class={v.reason ? "bad" : "aside"}>
          <bdi>{line(v.why)}</bdi>
        </p>
      )}
      {v.tail && (
        <pre tabIndex={0} role="region" aria-label={`The end of what failed in attempt ${v.attempt}`}>
          {lines(v.tail)}
        </pre>
      )}
      <p class="aside mono refs">{[v.check, v.branch, v.ref].filter(Boolean).map((t) => line(t!)).join(" · ")}</p>
    </li>
  );
}

// Diff is what the last attempt changed, read when it is asked for.
function Diff({ id }: { id: ID }) {
  const [diff, set] = useState<AttemptDiff | undefined>(undefined);
  const [why, refuse] = useState("");
  const read = async (): Promise<void> => {
    if (diff) return set(undefined);
    try {
      set(await get<AttemptDiff>(`tasks/${id}/diff`));
      refuse("");
    } catch (err) {
      refuse(errorBody(err).message);
    }
  };
  return (
    <>
      <p>
        <Button kind="quiet" onClick={() => void read()} expanded={!!diff} controls="attempt-diff">
          {diff ? "Hide the diff" : "Show the diff"}
        </Button>
      </p>
      {why && (
        <p class="bad" role="alert">
          {line(why)}
        </p>
      )}
      {diff && (
        <pre id="attempt-diff" class="diff" tabIndex={0} role="region" aria-label="Diff of the last attempt">
          {diff.diff === "" ? "It has changed no file" : lines(diff.diff).split("\n").map((l, i) => <span key={i} class={toneOf(l)}>{`${l}\n`}</span>)}
          {diff.cut && "The rest is left out: pawl run diff has all of it"}
        </pre>
      )}
    </>
  );
}

function toneOf(l: string): string {
  if (/^(diff |index |@@|\+\+\+|---)/.test(l)) return "meta";
  return l.startsWith("+") ? "added" : l.startsWith("-") ? "removed" : "";
}
