import { line } from "../markdown/clean";
import { stateWords } from "../parts/Glyph";
import { frames } from "../replay/replaying";
import type { ID } from "../types";
import { toScreen } from "./camera";
import { drawing } from "./drawing";
import { corner, nodeHeight, nodeWidth } from "./grid";
import { reach } from "./reach";
import { camera, hovered, scene, size } from "./sight";

const most = 5; // tasks named in each list
const width = 280; // as in graph.css

/** Hover says what a node waits for and what it unblocks, by name. */
export function Hover() {
  const s = scene.value;
  const id = hovered.value;
  const n = id === undefined ? undefined : s?.byId.get(id);
  if (!s || !n || drawing.value || frames.value) return null;
  const p = toScreen(camera.value, corner(n));
  const k = camera.value.k;
  const left = Math.max(8, Math.min(p.x, size.value.w - width - 8));
  const below = p.y + nodeHeight * k + 8;
  const style =
    below + 160 < size.value.h || p.y < 160
      ? { left: `${left}px`, top: `${below}px` }
      : { left: `${left}px`, bottom: `${size.value.h - p.y + 8}px` };
  const open = new Map([...s.near.after].map(([from, to]) => [from, to.filter((t) => s.byId.get(t)?.state !== "completed")]));
  const waiting = n.state === "completed" ? [] : [...reach(open, [n.id]).keys()].slice(1);
  const blockers = n.blockedBy;
  const parts = [
    blockers.length && `blocked by ${blockers.length}`,
    (n.unblocks || waiting.length) && `unblocks ${n.unblocks ?? waiting.length}`,
  ].filter(Boolean);
  return (
    <div class="hover" style={{ ...style, maxWidth: `${Math.max(width, nodeWidth * Math.min(1, k))}px` }} aria-hidden="true">
      <p class="hover-title">
        <span class="mono">#{n.id}</span> <bdi>{line(n.subject)}</bdi>
      </p>
      <p class="hover-sums">
        {line(
          [n.asDone ? "done in this what-if" : n.state === "held" ? (n.why ?? "held") : stateWords[n.state], n.owner, ...parts]
            .filter(Boolean)
            .join(" · "),
        )}
      </p>
      {n.other && <p class="bad">{line(n.other)}</p>}
      {n.why && n.state !== "blocked" && n.state !== "held" ? <p>{line(n.why)}</p> : null}
      <List title="Blocked by" ids={blockers} />
      <List title="Unblocks" ids={waiting} />
    </div>
  );
}

function List({ title, ids }: { title: string; ids: ID[] }) {
  const s = scene.value;
  if (ids.length === 0 || !s) return null;
  return (
    <>
      <p class="hover-list">{title}</p>
      <ul>
        {ids.slice(0, most).map((id) => (
          <li key={id}>
            <span class="mono">#{id}</span> <bdi>{line(s.byId.get(id)?.subject ?? "")}</bdi>
          </li>
        ))}
        {ids.length > most ? <li>and {ids.length - most} more</li> : null}
      </ul>
    </>
  );
}
