import { Button } from "../parts/Button";
import { open } from "../replay/replaying";
import { go, place } from "../state";
import type { Lanes } from "../types";
import { zoomAt } from "./camera";
import { depth, showsDone, withAlone, withDone } from "./loading";
import { camera, centre, fitAll, follow, look, scene } from "./sight";
import { leftOut } from "./words";

const depths = [1, 2, 3, 0];

/** Toolbar says what is drawn, and changes it. */
export function Toolbar({ replaying, lanes }: { replaying: boolean; lanes: Lanes | undefined }) {
  const s = scene.value;
  const around = place.value.id;
  return (
    <div class="graph-tools">
      <span class="graph-group">
        <Button onClick={() => look(zoomAt(camera.value, centre(), 0.8), true)} label="Zoom out" title="Zoom out (−)">
          −
        </Button>
        <Button onClick={() => look(zoomAt(camera.value, centre(), 1.25), true)} label="Zoom in" title="Zoom in (+)">
          +
        </Button>
        <Button onClick={() => fitAll()} title="Show all of it (0)">
          Fit
        </Button>
        <Button
          onClick={() => (follow.value = !follow.value)}
          pressed={follow.value}
          title="Go where something changes, until you move the graph"
        >
          Follow
        </Button>
      </span>
      {replaying ? null : (
        <span class="graph-group">
          <Button onClick={() => (withDone.value = !showsDone())} pressed={showsDone()} title="Tasks that are done, too (.)">
            Show done
          </Button>
          {around === undefined && s && (s.graph.alone > 0 || withAlone.value) ? (
            <Button
              onClick={() => (withAlone.value = !withAlone.value)}
              pressed={withAlone.value}
              title="Tasks without dependencies"
            >
              {withAlone.value ? "Without links" : leftOut(s.graph, lanes)}
            </Button>
          ) : null}
          <Button onClick={() => void open()} title="Go through the history">
            Replay
          </Button>
        </span>
      )}
      {around !== undefined ? (
        <span class="graph-group">
          <span>
            Around <span class="mono">#{around}</span>
          </span>
          <select aria-label="How far around it" value={depth.value} onChange={(e) => (depth.value = Number(e.currentTarget.value))}>
            {depths.map((d) => (
              <option key={d} value={d}>
                {d === 0 ? "all steps" : d === 1 ? "1 step" : `${d} steps`}
              </option>
            ))}
          </select>
          <Button onClick={() => go("graph")} title="The whole graph (G)">
            Whole graph
          </Button>
        </span>
      ) : null}
      {s && s.graph.chain.length > 1 && !replaying ? (
        <span class="graph-chain">
          <svg class="graph-sample" width="20" height="6" aria-hidden="true">
            <path d="M0,3H20" />
          </svg>
          Longest chain: {chain(s.graph.chain)}
        </span>
      ) : null}
      {s && s.graph.cycles.length > 0 ? <span class="graph-cycles">{cycles(s.graph.cycles)}</span> : null}
    </div>
  );
}

const most = 6; // tasks of a chain that are named

function chain(ids: number[]): string {
  const shown = ids.length > most ? [...ids.slice(0, most - 2), 0, ids.at(-1)!] : ids;
  return `${shown.map((id) => (id ? `#${id}` : "…")).join(" → ")}, ${ids.length} tasks`;
}

function cycles(all: number[][]): string {
  const first = [...all[0]!, all[0]![0]!].map((id) => `#${id}`).join(" → ");
  return `Wait for one another: ${first}${all.length > 1 ? ` and ${all.length - 1} more` : ""}`;
}
