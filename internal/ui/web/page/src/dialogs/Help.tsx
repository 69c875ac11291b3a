import { keyGroups } from "../keys";
import { Glyph, stateWords } from "../parts/Glyph";
import { mayChange } from "../state";
import type { State } from "../types";
import { Frame } from "./Frame";

const told: State[] = ["ready", "in_progress", "blocked", "completed", "held", "damaged"];

// Help explains the board and its keys.
export function Help() {
  return (
    <Frame title="What this is, and its keys" wide>
      <div class="help" tabIndex={0} data-first>
        <p>Pawl keeps the tasks of this project and their dependencies. Agents and people share the board.</p>
        <p>A task is ready as soon as its blockers are done. Its card shows its owner. {mayChange.value ? "Your changes take effect at once; u undoes them." : "Your token may look at the board, not change it."}</p>
        <p class="legend">
          {told.map((s) => (
            <span key={s}>
              <Glyph state={s} /> {stateWords[s]}
            </span>
          ))}
        </p>
        <div class="help-keys">
          {keyGroups.filter((g) => mayChange.value || g.keys.some((k) => !k.writes)).map((g) => (
            <section key={g.title} aria-label={g.title}>
              <h3>{g.title}</h3>
              <dl>
                {g.keys.filter((k) => mayChange.value || !k.writes).map((k) => (
                  <div key={k.written}>
                    <dt>
                      {k.written.split(" ").map((name) => (
                        <kbd key={name}>{name}</kbd>
                      ))}
                    </dt>
                    <dd>{k.does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p class="aside">
          On a terminal <code>pawl board</code> has the same keys, and <code>pawl help</code> everything else.
        </p>
      </div>
    </Frame>
  );
}
