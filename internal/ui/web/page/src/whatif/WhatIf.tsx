import { useEffect } from "preact/hooks";
import { act, refused } from "../actions";
import { Button } from "../parts/Button";
import { TaskLink } from "../parts/TaskLink";
import { useReading } from "../reading";
import { asDone, imagining, leaveWhatIf, mayChange, notices } from "../state";
import type { Graph } from "../types";
import { imagined, outcome, real, toggle } from "./imagined";
import "./whatif.css";

/** WhatIf is the bar of the what-if: what is taken as done, what would come of it, and the ways out. */
export function WhatIf() {
  return imagining.value ? <Bar /> : null;
}

function Bar() {
  const ids = asDone.value;
  const now = useReading<Graph>("graph?alone=true").data.value;
  const reading = useReading<Graph>(`graph?alone=true${ids.map((id) => `&asDone=${id}`).join("")}`);
  const then = reading.data.value;
  const error = reading.error.value;
  useEffect(() => {
    real.value = now;
    imagined.value = then;
    // What was completed for real, or deleted, no longer belongs to the what-if.
    const open = new Set(now?.nodes.map((n) => n.id));
    if (now && ids.some((id) => !open.has(id))) asDone.value = ids.filter((id) => open.has(id));
  }, [now, then]);
  useEffect(() => {
    if (!error || ids.length === 0) return; // something changed so that the last of them could not be completed
    asDone.value = ids.slice(0, -1);
    refused(ids.at(-1), error.body);
  }, [error]);
  return (
    <section class="whatif" aria-label="What if">
      <strong>What if</strong>
      <p class="whatif-said" role="status">
        {ids.length === 0 ? "Click tasks to take them as done. Nothing is written." : <Said />}
      </p>
      {ids.length > 0 && mayChange.value ? <Button kind="main" onClick={() => void doIt()}>{`Do it: complete ${ids.length}`}</Button> : null}
      <Button onClick={leaveWhatIf}>Leave</Button>
    </section>
  );
}

const most = 6; // tasks named

function Said() {
  const o = outcome.value;
  return (
    <>
      {"With "}
      {asDone.value.map((id, i) => (
        <span key={id}>
          {i > 0 ? ", " : ""}
          <button type="button" class="whatif-task mono" title={`Do not take #${id} as done`} onClick={() => void toggle(id)}>
            #{id} ×
          </button>
        </span>
      ))}
      {" done: "}
      {o ? (
        <>
          {o.ready.length === 0 ? "would make nothing ready" : "would make ready: "}
          {o.ready.slice(0, most).map((r, i) => (
            <span key={r.id}>
              {i > 0 ? ", " : ""}
              <TaskLink id={r.id} subject={r.subject} />
            </span>
          ))}
          {o.ready.length > most ? ` and ${o.ready.length - most} more` : ""}
          {` · ${o.left} left to do`}
          {o.chain > 0 ? `, ${o.chain} of them on the longest chain` : ""}
          {o.chainNow !== o.chain ? ` (now ${o.chainNow})` : ""}
        </>
      ) : null}
    </>
  );
}

// doIt completes for real what was imagined, all or none of it, in that order.
async function doIt(): Promise<void> {
  const ids = asDone.value;
  leaveWhatIf();
  if (await act([{ op: "complete", ids }])) return;
  if (notices.value.at(-1)?.anyway) return; // a person may insist now, for real
  imagining.value = true;
  asDone.value = ids;
}
