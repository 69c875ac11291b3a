import { line } from "../markdown/clean";
import { glyphs } from "../parts/Glyph";
import { TaskLink } from "../parts/TaskLink";
import { Age } from "../parts/Time";
import type { Row as OutlineRow } from "../types";

const marks = { pending: glyphs.blocked, in_progress: glyphs.in_progress, completed: glyphs.completed };
const words = { pending: "pending", in_progress: "in progress", completed: "completed" };

// Row is a todo, a part of one, or a tool call.
export function Row({ row: r, current, unfolded }: { row: OutlineRow; current: boolean; unfolded: boolean }) {
  const call = r.kind === "call" || r.kind === "before";
  const status = r.status ?? "pending";
  const kind = call ? "is-call" : `is-${status}`;
  return (
    <li class={`row ${kind}${current ? " current" : ""}${r.outcome ? ` is-${r.outcome}` : ""}${r.blocked ? " waits" : ""}${r.indent ? ` in-${Math.min(2, r.indent)}` : ""}`}>
      <span class="row-mark" aria-hidden="true">
        {call ? "↳" : marks[status]}
      </span>
      <span class="row-text">
        {!call && <span class="hidden-words">{words[status]}: </span>}
        <bdi class={call ? "mono" : undefined}>{line(r.text)}</bdi>
        <Badges row={r} unfolded={unfolded} />
        {r.doing && <span class="row-doing">{line(r.doing)}</span>}
      </span>
    </li>
  );
}

function Badges({ row: r, unfolded }: { row: OutlineRow; unfolded: boolean }) {
  return (
    <>
      {(r.priority === "high" || r.priority === "low") && <span class={`badge ${r.priority}`}> {r.priority}</span>}
      {!!r.of && (!!r.done || !unfolded) && <span class="badge">{` ${r.done ?? 0}/${r.of}`}</span>}
      {r.blocked && <span class="badge bad"> blocked</span>}
      {!!r.task && (
        <span class="badge">
          {" "}
          <TaskLink id={r.task} />
        </span>
      )}
      {r.kind === "call" && (r.times ?? 1) > 1 && <span class="badge">{` ${r.times}×`}</span>}
      {(r.outcome === "failed" || r.outcome === "interrupted") && <span class="badge bad"> {r.outcome}</span>}
      {r.outcome === "running" && <Running since={r.startedAt} />}
      {r.kind === "todo" && r.status === "in_progress" && r.startedAt && (
        <span class="badge">
          {" "}
          <Age since={r.startedAt} />
        </span>
      )}
    </>
  );
}

function Running({ since }: { since?: string }) {
  return (
    <span class="badge busy">
      {" running"}
      {since && " "}
      {since && <Age since={since} />}
    </span>
  );
}
