import { unshownWords } from "../checks/marks";
import { Button } from "../parts/Button";
import { stateWords } from "../parts/Glyph";
import { doneFolded, doneShown, filter } from "../state";
import { isFiltered } from "../hash";
import type { Lane, LaneName } from "../types";
import { CardView } from "./Card";
import { lift } from "./lift";
import { tally } from "./tally";

const unfolds = 100; // completed tasks at a time

// LaneView is a column of cards under its name and count.
export function LaneView({ lane, totals, shown }: { lane: Lane; totals: Record<LaneName, number>; shown: boolean }) {
  const { own, others } = tally(lane);
  const more = lane.total - lane.cards.length;
  const guest = lift.value?.to === lane.lane && lift.value.says ? lift.value : undefined;
  return (
    <section class={`lane of-${lane.lane}${shown ? " shown" : ""}${guest ? (guest.bad ? " refuses" : " takes") : ""}`} data-lane={lane.lane} aria-labelledby={`lane-${lane.lane}`}>
      <h2 id={`lane-${lane.lane}`}>
        {lane.title} <span class="total">{own}</span>
        {others.map(([n, state]) => (
          <span key={state} class={state === "assigned" ? "also" : "also bad"}>{`+ ${n} ${stateWords[state]}`}</span>
        ))}
        {!!lane.unshown && <span class="also bad">{unshownWords(lane)}</span>}
      </h2>
      {guest && (
        <p class={`guest${guest.bad ? " bad" : ""}`}>
          <span class="mono">#{guest.card.id}</span> {guest.says}
        </p>
      )}
      {lane.cards.length > 0 ? (
        <ul class="cards">
          {lane.cards.map((c) => (
            <li key={c.id} data-slot={c.id}>
              <CardView card={c} />
            </li>
          ))}
          {lane.lane === "completed" && (more > 0 || lane.cards.length > doneFolded) && (
            <li class="fold">
              {more > 0 && (
                <Button kind="quiet" onClick={() => (doneShown.value = lane.cards.length + unfolds)}>
                  Show {Math.min(more, unfolds)} more
                </Button>
              )}
              {lane.cards.length > doneFolded && (
                <Button kind="quiet" onClick={() => (doneShown.value = doneFolded)}>
                  Fold
                </Button>
              )}
            </li>
          )}
        </ul>
      ) : (
        <p class="none">{emptyWords(lane.lane, totals)}</p>
      )}
      {!!lane.archived && <p class="archived">{lane.archived} archived: search finds them</p>}
    </section>
  );
}

// emptyWords is what an empty lane says, and while nothing has been done on the
// board yet, how that is begun.
function emptyWords(lane: LaneName, t: Record<LaneName, number>): string {
  const begun = t.in_progress + t.completed > 0;
  if (isFiltered(filter.value)) return "Nothing that matches";
  switch (lane) {
    case "blocked":
      return "Nothing is stuck";
    case "in_progress":
      return begun ? "Nobody is at work" : "Nobody is at work: c claims a ready task";
    case "completed":
      return begun ? "Nothing yet" : "Nothing yet: d completes a task";
    case "ready":
      return t.blocked + t.in_progress > 0 ? "Nothing can be taken now" : "All is done: a adds a task";
  }
}
