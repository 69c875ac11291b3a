import { useEffect } from "preact/hooks";
import { Button } from "../parts/Button";
import { Age } from "../parts/Time";
import { at, leave, pace, playing, reel, seek } from "./replaying";
import "./replay.css";

const paces = [1, 2, 8, 32];

/** Replay is the slider over the history, below the graph. */
export function Replay() {
  const r = reel.value;
  const here = at.value;
  const end = !!r && here >= r.length;

  useEffect(() => {
    if (!playing.value || !r) return;
    const timer = setInterval(() => {
      seek(at.peek() + 1);
      if (at.peek() >= r.length) playing.value = false;
    }, 1000 / pace.value);
    return () => clearInterval(timer);
  }, [playing.value, pace.value, r]);

  if (!r) return null;
  const play = () => {
    if (end) seek(0);
    playing.value = !playing.value;
  };
  return (
    <section class="replay" aria-label="Replay">
      <div class="replay-controls">
        <Button onClick={() => seek(here - 1)} disabled={here === 0} label="One step back">
          ‹
        </Button>
        <Button onClick={play}>{playing.value ? "Pause" : "Play"}</Button>
        <Button onClick={() => seek(here + 1)} disabled={end} label="One step on">
          ›
        </Button>
        <select aria-label="Steps a second" value={pace.value} onChange={(e) => (pace.value = Number(e.currentTarget.value))}>
          {paces.map((p) => (
            <option key={p} value={p}>
              {p}/s
            </option>
          ))}
        </select>
        <input
          class="replay-slider"
          type="range"
          min={0}
          max={r.length}
          value={here}
          aria-label="Place in the history"
          aria-valuetext={spoken()}
          onInput={(e) => {
            playing.value = false;
            seek(Number(e.currentTarget.value));
          }}
        />
        <span class="replay-count mono">
          {here}/{r.length}
        </span>
        <Button kind="main" onClick={leave}>
          Back to now
        </Button>
      </div>
      <p class="replay-line">
        {r.step ? (
          <>
            <Age since={r.step.at} ago /> {r.step.line}
          </>
        ) : (
          <>{r.film.cut ? `The replay begins here: ${r.film.cut}` : "The beginning"}</>
        )}
      </p>
    </section>
  );
}

function spoken(): string {
  const step = reel.value?.step;
  return `step ${at.value} of ${reel.value?.length ?? 0}${step ? `: ${step.line}` : ""}`;
}
