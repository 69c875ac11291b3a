import { useEffect } from "preact/hooks";
import { line } from "../markdown/clean";
import { Age } from "../parts/Time";
import type { Reading } from "../reading";
import { hint } from "../state";
import type { Lanes } from "../types";

const again = 15_000; // milliseconds: a sync that brings nothing changes no task, so nothing tells of it

// Synced says in the header when a shared board was synced, if all is well.
export function Synced({ lanes }: { lanes: Reading<Lanes> }) {
  useEffect(() => {
    const timer = setInterval(() => {
      if (lanes.data.value?.shared && !document.hidden) hint.value++;
    }, again);
    return () => clearInterval(timer);
  }, [lanes]);
  const s = lanes.data.value?.shared;
  if (!s || s.stopped || s.failed) return null;
  return (
    <span class="synced" title={line(s.text)}>
      {s.running ? (
        "syncing…"
      ) : s.synced ? (
        <>
          synced <Age since={s.synced} ago />
        </>
      ) : (
        "not synced yet"
      )}
      {!!s.unsent && <span class="rest">, {s.unsent} to send</span>}
    </span>
  );
}

// OutOfStep says below the header what keeps a shared board from being synced, and what
// to do.
export function OutOfStep({ lanes }: { lanes: Reading<Lanes> }) {
  const s = lanes.data.value?.shared;
  if (!s || (!s.stopped && !s.failed)) return null;
  const next = s.next?.[0] ?? { command: "pawl sync", does: "try again now" };
  return (
    <p class="out-of-step" role="status">
      <span>
        <span aria-hidden="true">! </span>
        {line(s.text)}
      </span>
      <span>
        <code>{line(next.command)}</code>: {line(next.does)}
      </span>
    </p>
  );
}
