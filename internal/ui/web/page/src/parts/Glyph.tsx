import type { State } from "../types";
import "./glyph.css";

// The glyphs of the states are the same everywhere. Nothing is said by colour
// alone.
export const glyphs: Record<State, string> = {
  ready: "◆",
  assigned: "○",
  in_progress: "→",
  completed: "✔",
  held: "⊘",
  blocked: "○",
  damaged: "!",
  missing: "?",
};

export const stateWords: Record<State, string> = {
  ready: "ready",
  assigned: "assigned",
  in_progress: "in progress",
  completed: "done",
  held: "on hold",
  blocked: "blocked",
  damaged: "damaged",
  missing: "missing",
};

// Glyph is that of a state. unshown: it is completed, and nothing shows that it is done.
export function Glyph({ state, unshown }: { state: State; unshown?: boolean }) {
  return (
    <span class={`glyph is-${unshown ? "unshown" : state}`} aria-hidden="true">
      {unshown ? "✘" : glyphs[state]}
    </span>
  );
}
