import { signal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Reading } from "../reading";
import { filter, showAll } from "../state";
import { isFiltered } from "../hash";
import { unshownWords } from "../checks/marks";
import { Button } from "../parts/Button";
import type { Lanes as Answer, LaneName } from "../types";
import { Strip } from "../runs/Strip";
import { AtWork } from "../todos/AtWork";
import { useDrag } from "./drag";
import { Empty } from "./Empty";
import { keepCards, noteShown } from "./entry";
import { type Boxes, glide, measure } from "./flip";
import { LaneView } from "./Lane";
import { useLaneKeys } from "./lanekeys";
import { lift, putBack } from "./lift";
import { keepFocus, whereFocus } from "./focus";
import "./lanes.css";

// narrow is the lane that is shown where there is room for one only.
const narrow = signal<LaneName>("ready");

export function Lanes({ lanes }: { lanes: Reading<Answer> }) {
  const l = lanes.data.value;
  const all = l?.lanes.reduce((sum, lane) => sum + lane.total, 0) ?? 0;
  if (!l && !lanes.error.value) return null; // it is being read
  if (!l || !all) return isFiltered(filter.value) && !lanes.error.value ? <NothingMatches /> : <Empty error={lanes.error.value} />;
  return <Columns answer={l} />;
}

function Columns({ answer }: { answer: Answer }) {
  const kept = useRef<Answer>(undefined);
  const l = useMemo(() => (kept.current = keepCards(kept.current, answer)), [answer]);
  const root = useRef<HTMLDivElement>(null);
  const shown = useRef<Answer>(undefined);
  const before: Boxes = root.current && shown.current !== l ? measure(root.current) : new Map();
  const focus = whereFocus(root.current);
  const find = useRef((id: number) => shown.current?.lanes.flatMap((lane) => lane.cards).find((c) => c.id === id));
  useLayoutEffect(() => {
    if (shown.current === l) return;
    const first = !shown.current;
    shown.current = l;
    noteShown(l);
    if (lift.value && !find.current(lift.value.card.id)) putBack();
    keepFocus(root.current!, focus);
    if (!first) glide(root.current!, before);
  });
  useDrag(root, find.current);
  useLaneKeys(root, find.current, narrow);

  const totals = Object.fromEntries(l.lanes.map((lane) => [lane.lane, lane.total])) as Record<LaneName, number>;
  return (
    <div class="lanes" ref={root}>
      <Strip />
      <AtWork />
      <div class="lane-tabs" role="group" aria-label="Lane">
        {l.lanes.map((lane) => (
          <button
            key={lane.lane}
            type="button"
            data-lane={lane.lane}
            class={lift.value?.to === lane.lane ? "over" : ""}
            aria-pressed={narrow.value === lane.lane}
            onClick={() => (narrow.value = lane.lane)}
          >
            {lane.title} <span class="total">{lane.total}</span>
            {!!lane.unshown && <span class="also bad">{unshownWords(lane)}</span>}
          </button>
        ))}
        {lift.value?.says && <p class={`guest${lift.value.bad ? " bad" : ""}`}>{lift.value.says}</p>}
      </div>
      <div class="columns">
        {l.lanes.map((lane) => (
          <LaneView key={lane.lane} lane={lane} totals={totals} shown={narrow.value === lane.lane} />
        ))}
      </div>
    </div>
  );
}

function NothingMatches() {
  return (
    <div class="empty">
      <p>Nothing matches the filter.</p>
      <Button onClick={showAll}>Show all</Button>
    </div>
  );
}

