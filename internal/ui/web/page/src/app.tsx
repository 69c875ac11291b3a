import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Detail } from "./detail/Detail";
import { Dialogs } from "./dialogs/Dialogs";
import { Away } from "./frame/Away";
import { FilterBar } from "./frame/FilterBar";
import { Header } from "./frame/Header";
import { Notices } from "./frame/Notices";
import { NoToken } from "./frame/NoToken";
import { OutOfStep } from "./frame/Shared";
import { Graph } from "./graph/Graph";
import type { Tab } from "./hash";
import { Lanes } from "./lanes/Lanes";
import { type Reading, useReading } from "./reading";
import { recheck } from "./refusals";
import { Watch } from "./runs/Strip";
import { doneShown, link, query, spoken, tab } from "./state";
import { Timeline } from "./timeline/Timeline";
import { Todos } from "./todos/Todos";
import type { Lanes as LanesAnswer } from "./types";
import { WhatIf } from "./whatif/WhatIf";
import "./style/frame.css";

const views: Record<Exclude<Tab, "lanes">, ComponentType<{ lanes: Reading<LanesAnswer> }>> = { graph: Graph, todos: Todos, timeline: Timeline };

export function App() {
  return link.value === "refused" ? <NoToken /> : <Board />;
}

function Board() {
  const View = tab.value === "lanes" ? undefined : views[tab.value];
  const lanes = useReading<LanesAnswer>(`lanes${query({ done: doneShown.value })}`);
  useEffect(() => lanes.data.subscribe((l) => l && recheck(l)), [lanes]);
  return (
    <div class="frame">
      <Watch />
      <Header lanes={lanes} />
      <Away lanes={lanes} />
      <OutOfStep lanes={lanes} />
      <FilterBar lanes={lanes} />
      <WhatIf />
      <div class="beside">
        <main id="view" class={`view of-${tab.value}`} tabIndex={-1}>
          {View ? <View lanes={lanes} /> : <Lanes lanes={lanes} />}
        </main>
        <Detail />
      </div>
      <Dialogs />
      <Notices />
      <div class="hidden-words" aria-live="assertive">
        {spoken}
      </div>
    </div>
  );
}
