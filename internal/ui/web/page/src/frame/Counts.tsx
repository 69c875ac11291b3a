import { type Tally, tallies, tally } from "../lanes/tally";
import { stateWords } from "../parts/Glyph";
import type { Reading } from "../reading";
import { frames, round } from "../replay/replaying";
import { tab } from "../state";
import type { LaneName, Lanes } from "../types";

// Counts says how the tasks that are shown stand. It counts what the filter lets
// through, as the lanes do, and in a replay what was there at that moment.
export function Counts({ lanes }: { lanes: Reading<Lanes> }) {
  const then = tab.value === "graph" ? frames.value : undefined;
  void round.value; // the frames change in place
  const of = then ? tallies([...then.values()].map((f) => f.state)) : new Map(lanes.data.value?.lanes.map((l) => [l.lane, tally(l)]));
  const words = (name: LaneName): string[] => said(name, of.get(name));
  if (![...of.values()].some((t) => t.own > 0 || t.others.length > 0)) return <span class="counts">{then && "Then: no task yet"}</span>;
  const [ready, ...assigned] = words("ready");
  const done = words("completed");
  return (
    <span class="counts">
      {then && "Then: "}
      <b>{ready ?? "0 ready"}</b>
      {[...assigned, ...words("in_progress"), ...words("blocked")].map((w) => `, ${w}`).join("")}
      {done.length > 0 && <span class="rest">{`, ${done[0]}`}</span>}
    </span>
  );
}

const names: Record<LaneName, string> = { blocked: "blocked", ready: "ready", in_progress: "in progress", completed: "done" };

// said is "6 blocked", "1 on hold": those that the lane is named for first.
function said(lane: LaneName, t: Tally | undefined): string[] {
  if (!t) return [];
  return [...(t.own || lane === "ready" ? [`${t.own} ${names[lane]}`] : []), ...t.others.map(([n, state]) => `${n} ${stateWords[state]}`)];
}
