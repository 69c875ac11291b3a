import { camera, chosenEdge, scene } from "./sight";
import { removeEdge } from "./graphkeys";
import { into, outOf, type Point } from "./grid";
import { edgeKey } from "./scene";

/** EdgeTag stands on the link that is chosen, and takes it out. */
export function EdgeTag() {
  const s = scene.value;
  const e = s?.graph.edges.find((e) => edgeKey(e) === chosenEdge.value);
  const from = e && s?.byId.get(e.from);
  const to = e && s?.byId.get(e.to);
  if (!e || !from || !to) return null;
  const p = between([outOf(from), ...(e.bends ?? []).map(([layer, row]) => into({ layer, row })), into(to)]);
  return (
    <div class="edge-tag" data-edge={edgeKey(e)} style={{ transform: `translate(${p.x}px, ${p.y}px) scale(${1 / camera.value.k}) translate(-50%, -50%)` }}>
      {e.kind === "child" ? (
        <span>
          #{e.from} is a part of #{e.to}
        </span>
      ) : (
        <>
          <span>
            #{e.to} depends on #{e.from}
          </span>
          <button type="button" class="button" onClick={() => removeEdge()}>
            Remove link
          </button>
        </>
      )}
    </div>
  );
}

function between(points: Point[]): Point {
  const i = Math.floor((points.length - 1) / 2);
  const [a, b] = [points[i]!, points[i + 1]!];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
