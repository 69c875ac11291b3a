import { TaskLink } from "../parts/TaskLink";
import { Mentions } from "../parts/Mentions";
import type { ErrorBody } from "../types";
import { closeDialog } from "./sending";

// Refused says why something was refused, and what would help. Of a cycle it
// shows the path: #1 → #3 → #1.
export function Refused({ error, others = [] }: { error: Pick<ErrorBody, "message" | "hint" | "ids" | "faults">; others?: string[] }) {
  const told = error.faults?.length ? others : [error.message];
  const cycle = error.message.includes("cycle") && (error.ids?.length ?? 0) > 1 ? error.ids! : undefined;
  if (told.length === 0 && !error.hint) return null;
  return (
    <div class="refusal" role="alert">
      {told.map((text) => (
        <p key={text}>
          <Mentions text={text.charAt(0).toUpperCase() + text.slice(1)} />
        </p>
      ))}
      {error.hint && (
        <p class="aside">
          <Mentions text={error.hint} />
        </p>
      )}
      {cycle && (
        <p class="path" onClick={closeDialog}>
          {closed(cycle).map((id, i) => (
            <span key={i}>
              {i > 0 && <span aria-label=" waits for "> → </span>}
              <TaskLink id={id} />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

// closed ends a path where it began.
const closed = (ids: number[]): number[] => (ids[0] === ids[ids.length - 1] ? ids : [...ids, ids[0]!]);
