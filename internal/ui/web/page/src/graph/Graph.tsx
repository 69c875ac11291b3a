import { frames } from "../replay/replaying";
import { Replay } from "../replay/Replay";
import type { Reading } from "../reading";
import { about, dialog, filter, mayChange } from "../state";
import { isFiltered } from "../hash";
import { Empty as NoBoard } from "../lanes/Empty";
import { Button } from "../parts/Button";
import { isTyping } from "../keys";
import type { Lanes } from "../types";
import { OutcomeTag } from "./Drawn";
import { key } from "./graphkeys";
import { useGraph, withAlone } from "./loading";
import { scene } from "./sight";
import { Stage } from "./Stage";
import { Toolbar } from "./Toolbar";
import "./graph.css";

/** Graph is what waits for what, as a picture that can be worked with. */
export function Graph({ lanes }: { lanes: Reading<Lanes> }) {
  const replaying = !!frames.value;
  const { error } = useGraph(replaying);
  const s = scene.value;
  if (about.value?.board === false) return <NoBoard error={error} />;
  return (
    <section class={`graph${replaying ? " replaying" : ""}`} aria-label="Graph" onKeyDown={besides}>
      <Toolbar replaying={replaying} lanes={lanes.data.value} />
      {error ? (
        <p class="graph-error" role="alert">
          {error.body.message}
          {error.body.hint ? `: ${error.body.hint}` : ""}
        </p>
      ) : null}
      <div class="graph-place">
        <Stage />
        <OutcomeTag />
        {s && s.nodes.length === 0 ? <Empty alone={s.graph.alone} /> : null}
      </div>
      <Replay />
    </section>
  );
}

// Keys count on the buttons beside the stage, too, but for those that press them.
function besides(e: KeyboardEvent): void {
  if (e.defaultPrevented || isTyping(e) || e.key === "Enter" || e.key === " " || !key(e)) return;
  e.preventDefault();
  e.stopPropagation();
}

function Empty({ alone }: { alone: number }) {
  return (
    <div class="graph-empty">
      <p>
        {alone > 0
          ? `No task depends on another: ${alone} ${alone === 1 ? "has" : "have"} no links.`
          : isFiltered(filter.value)
            ? "No task fits the filter."
            : "No tasks to draw yet."}
      </p>
      {alone > 0 ? (
        <>
          <p>Select a task and press l to draw a link to a task that depends on it.</p>
          <Button onClick={() => (withAlone.value = true)}>Show them</Button>
        </>
      ) : (
        mayChange.value && <Button onClick={() => (dialog.value = { kind: "add" })}>Add a task</Button>
      )}
    </div>
  );
}
