import { useState } from "preact/hooks";
import { Age } from "../parts/Time";
import { Button } from "../parts/Button";
import { Change } from "../timeline/Change";
import { useHistory } from "../timeline/history";
import type { ErrorBody, ID, Revision } from "../types";

// Past is what happened to a task, newest first, with what can be taken back.
export function Past({ id }: { id: ID }) {
  const history = useHistory(id);
  const [unfolded, setUnfolded] = useState<Revision | undefined>(undefined);
  const [refused, setRefused] = useState<{ of: Revision; why: ErrorBody } | undefined>(undefined);
  const entries = history.entries.value;
  if (!entries?.length) return null;
  return (
    <section class="past" aria-label="History">
      <h3>History</h3>
      <ul>
        {entries.map((e) => (
          <Change
            key={e.revision}
            entry={e}
            when={<Age since={e.at} />}
            unfolded={unfolded === e.revision}
            unfold={() => setUnfolded(unfolded === e.revision ? undefined : e.revision)}
            inTheWay={refused?.why.revision === e.revision && refused.of !== e.revision}
            refused={(why) => setRefused(why && { of: e.revision, why })}
            why={refused?.of === e.revision ? refused.why : undefined}
          />
        ))}
      </ul>
      {history.next.value !== undefined && (
        <Button kind="quiet" onClick={() => void history.more()}>
          Earlier
        </Button>
      )}
      {history.next.value === undefined && history.trimmed.value && <p class="aside">Older history is no longer kept.</p>}
    </section>
  );
}
