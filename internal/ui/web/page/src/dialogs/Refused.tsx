import { Mentions } from "../parts/Mentions";
import type { ErrorBody } from "../types";
import { closeDialog } from "./sending";

interface Props {
  error: Pick<ErrorBody, "message" | "hint" | "faults">;
  others?: string[]; // what is wrong beside the fields at which it is told
}

// Refused says why something was refused, and what would help; of a cycle that is
// its path. Each task that it names can be gone to.
export function Refused({ error, others = [] }: Props) {
  const told = error.faults?.length ? others : [error.message];
  if (told.length === 0 && !error.hint) return null;
  const leave = (e: MouseEvent): void => {
    if ((e.target as Element).closest("a")) closeDialog();
  };
  return (
    <div class="refusal" role="alert" onClick={leave}>
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
    </div>
  );
}
