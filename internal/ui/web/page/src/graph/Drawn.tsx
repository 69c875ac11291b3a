import { camera, scene } from "./sight";
import { drawing } from "./drawing";
import { toScreen } from "./camera";
import { into, middle, nodeHeight } from "./grid";
import { towards } from "./route";

/** Drawn is the link that is being drawn. */
export function Drawn() {
  const d = drawing.value;
  const s = scene.value;
  const from = d && s?.byId.get(d.from);
  if (!d || !from) return null;
  const to = d.to === undefined ? undefined : s?.byId.get(d.to);
  const end = to ? into(to) : d.at;
  if (!end) return null;
  const look = !d.outcome ? "" : d.outcome.good ? " good" : " bad";
  return (
    <svg class="edges" width="1" height="1" aria-hidden="true" focusable="false">
      <path class={`drawn${look}`} d={towards(from, end)} />
    </svg>
  );
}

/** OutcomeTag says what the link that is being drawn would do, beside the task under it. */
export function OutcomeTag() {
  const d = drawing.value;
  const s = scene.value;
  if (!d || !s) return null;
  const node = s.byId.get(d.to ?? d.from);
  const p = node ? toScreen(camera.value, { x: middle(node).x, y: middle(node).y + nodeHeight / 2 }) : undefined;
  return (
    <div
      class={`outcome${d.outcome && !d.outcome.good ? " bad" : ""}`}
      role="status"
      style={p ? { left: `${p.x}px`, top: `${p.y + 8}px` } : undefined}
    >
      {words(d)}
    </div>
  );
}

function words(d: NonNullable<typeof drawing.value>): string {
  if (d.outcome) return d.outcome.text;
  if (d.to !== undefined) return `Make #${d.to} depend on #${d.from}?`;
  const how = d.at ? "" : ": arrows or its number, then Enter; l finds it by name";
  return d.typed ? `Depends on #${d.from}: #${d.typed}` : `Which task depends on #${d.from}?${how}`;
}
