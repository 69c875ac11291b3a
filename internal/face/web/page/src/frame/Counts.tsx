import { tally } from "../lanes/tally";
import type { Reading } from "../reading";
import type { Lane, LaneName, Lanes } from "../types";

// Counts says how the tasks that are shown stand. It counts what the filter lets
// through, as the lanes do.
export function Counts({ lanes }: { lanes: Reading<Lanes> }) {
  const l = lanes.data.value;
  if (!l?.lanes.some((lane) => lane.total)) return <span class="counts" />;
  const of = (name: LaneName): string[] => words(l.lanes.find((lane) => lane.lane === name));
  const [ready, ...assigned] = of("ready");
  const done = of("completed");
  return (
    <span class="counts">
      <b>{ready ?? "0 ready"}</b>
      {[...assigned, ...of("in_progress"), ...of("blocked")].map((w) => `, ${w}`).join("")}
      {done.length > 0 && <span class="rest">{`, ${done[0]}`}</span>}
    </span>
  );
}

const names: Record<LaneName, string> = { blocked: "blocked", ready: "ready", in_progress: "in progress", completed: "done" };

// words are "6 blocked", "1 held": those that the lane is named for first.
function words(lane?: Lane): string[] {
  if (!lane) return [];
  const { own, others } = tally(lane);
  return [...(own || lane.lane === "ready" ? [`${own} ${names[lane.lane]}`] : []), ...others.map(([n, state]) => `${n} ${state}`)];
}
