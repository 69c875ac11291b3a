import { useEffect } from "preact/hooks";
import { line } from "../markdown/clean";
import { Button } from "../parts/Button";
import { TaskLink } from "../parts/TaskLink";
import { useReading } from "../reading";
import { dialog, imagining, mayChange, mayForce } from "../state";
import type { Run, RunStatus, RunView } from "../types";
import { headed, pauses, run, runHint, shown, stands, used, waits, works } from "./running";
import "./runs.css";

// Watch reads how the run stands, for all parts of the page.
export function Watch() {
  const read = useReading<Run>("run", runHint);
  useEffect(() => read.data.subscribe((r) => void (run.value = r?.status)), [read]);
  return null;
}

// Strip is the run above the lanes: what a person is needed for, each slot, and what is to
// be integrated.
export function Strip() {
  const st = run.value;
  if (!st || !shown(st)) return null;
  return (
    <section class="run" aria-label="Run of agents">
      <p class="run-head">
        <strong>{headed(st)}</strong> <span class="aside">{counts(st)}</span>
      </p>
      {st.pauses.map((p, i) => (
        <p key={i} class="bad">
          <span aria-hidden="true">! </span>
          {pauses(p)}
        </p>
      ))}
      {st.why && (
        <p class="bad">
          <span aria-hidden="true">! </span>Nothing begins: {line(st.why)}
        </p>
      )}
      <ul>
        {st.waiting.map((v) => (
          <Row key={`w${v.task}`} lead="?" of={v} />
        ))}
        {st.slots.map((s) => (s.attempt ? <Row key={s.slot} lead={`${s.slot}`} of={s.attempt} /> : <Free key={s.slot} slot={s.slot} />))}
        {st.queue.map((v) => (
          <Row key={`q${v.task}`} lead="→" of={v} />
        ))}
      </ul>
      {st.unpushed && <p class="aside">{line(st.unpushed)}</p>}
    </section>
  );
}

const Free = ({ slot }: { slot: number }) => (
  <li class="aside">
    <span class="mono lead">{slot}</span> free
  </li>
);

function Row({ lead, of: v }: { lead: string; of: RunView }) {
  const last = v.doing ?? v.why;
  return (
    <li class={waits(v) ? "waits" : works(v) ? "works" : ""}>
      <span class="mono lead" aria-hidden="true">
        {lead}
      </span>
      <TaskLink id={v.id} subject={v.subject} />
      <span class="aside">{stands(v)}</span>
      {last && (
        <bdi class="last" title={line(last)}>
          {line(last)}
        </bdi>
      )}
      {v.near && <span class="bad">{line(v.near)}</span>}
      <Steer of={v} brief />
    </li>
  );
}

function counts(st: RunStatus): string {
  const words: string[] = [];
  if (st.completed) words.push(`${st.completed} completed`);
  if (st.queue.length) words.push(`${st.queue.length} to be integrated`);
  if (st.waiting.length) words.push(st.waiting.length === 1 ? "1 waits for approval" : `${st.waiting.length} wait for approval`);
  if (st.held.length) words.push(`${st.held.length} on hold`);
  return [...words, used(st.tokens, st.dollars)].filter(Boolean).join(", ");
}

// Steer are the buttons for an attempt: what a person can ask of the run.
export function Steer({ of: v, brief }: { of: RunView; brief?: boolean }) {
  if (!mayChange.value || !mayForce.value || imagining.value) return null;
  const ask = (what: "approve" | "retry" | "stop") => (e: MouseEvent) => {
    e.stopPropagation();
    dialog.value = { kind: "steer", id: v.id, of: v, what };
  };
  const named = (does: string): string => `${does} #${v.id}`;
  return (
    <span class="steer">
      {waits(v) && (
        <>
          <Button kind={brief ? "plain" : "main"} onClick={ask("approve")} label={named("Approve")}>
            Approve
          </Button>
          <Button onClick={ask("retry")} label={named("Send back")}>
            Send back
          </Button>
        </>
      )}
      {v.phase === "held" && (
        <Button onClick={ask("retry")} label={named("Another attempt at")}>
          Another attempt
        </Button>
      )}
      {works(v) && run.value?.running && (
        <Button kind={brief ? "quiet" : "plain"} onClick={ask("stop")} label={named("Stop the agent of")}>
          Stop
        </Button>
      )}
    </span>
  );
}
