import type { Reading } from "../reading";
import type { LaneName, Lanes } from "../types";

// Counts says how the tasks that are shown stand. It counts what the filter lets
// through, as the lanes do.
export function Counts({ lanes }: { lanes: Reading<Lanes> }) {
  const l = lanes.data.value;
  if (!l) return <span class="counts" />;
  const of = (name: LaneName) => l.lanes.find((c) => c.lane === name)?.total ?? 0;
  const all = l.lanes.reduce((sum, c) => sum + c.total, 0);
  const done = of("completed");
  const open = all - done;
  if (!all) return <span class="counts" />;
  return (
    <span class="counts">
      <b>{of("ready")}</b> of {open} ready
      {of("in_progress") > 0 && `, ${of("in_progress")} in progress`}
      {done > 0 && <span class="rest">{`, ${done} of ${all} done`}</span>}
    </span>
  );
}
