import { Button } from "../parts/Button";
import { notifyOn, toggleNotify } from "../notify";
import type { Reading } from "../reading";
import { type Tab, tabs } from "../hash";
import { about, dialog, filter, filterOpen, go, imagining, leaveWhatIf, mayChange, openFilter, place, selected, tab } from "../state";
import { line } from "../markdown/clean";
import { atAddress } from "../token";
import { nextTheme, theme } from "../theme";
import type { Lanes } from "../types";
import { Counts } from "./Counts";
import { Synced } from "./Shared";
import { isFiltered } from "../hash";

const titles: Record<Tab, string> = { lanes: "Lanes", graph: "Graph", todos: "Todos", timeline: "Timeline" };
const themeWords = { auto: "as the system", light: "light", dark: "dark" };
const themeGlyphs = { auto: "◐", light: "○", dark: "●" };

// skip leads past the tools. The address stays, because it says where the reader is.
function skip(e: MouseEvent): void {
  e.preventDefault();
  document.getElementById("view")?.focus();
}

export function Header({ lanes }: { lanes: Reading<Lanes> }) {
  return (
    <header class="top">
      <a class="skip" href="#view" onClick={skip}>
        Skip to the board
      </a>
      <h1 title={about.value ? `Pawl ${about.value.version}, as ${about.value.me}` : undefined}>{about.value?.project ?? "Pawl"}</h1>
      <nav aria-label="Views">
        {tabs.map((t) => (
          <a
            key={t}
            href={`#/${t}`}
            aria-current={tab.value === t ? "page" : undefined}
            onClick={(e) => {
              e.preventDefault();
              go(t, t === "graph" ? place.value.id : undefined);
            }}
          >
            {titles[t]}
          </a>
        ))}
      </nav>
      <Counts lanes={lanes} />
      <Synced lanes={lanes} />
      {atAddress && about.value && <span class="as">as {line(about.value.me)}</span>}
      {!mayChange.value && (
        <span class="reads" title="Your token may look at the board, not change it">
          read only
        </span>
      )}
      <div class="tools">
        {mayChange.value && (
          <Button kind="main" onClick={() => (dialog.value = { kind: "add", near: selected.value })} title="Add a task (a)">
            Add
          </Button>
        )}
        <Button onClick={() => (dialog.value = { kind: "search" })} title="Go to any task (/)">
          Search
        </Button>
        <Button onClick={() => (filterOpen.value ? (filterOpen.value = false) : openFilter())} expanded={filterOpen.value} title="Show some tasks only (f)">
          {isFiltered(filter.value) ? "Filtered" : "Filter"}
        </Button>
        <Button
          pressed={imagining.value}
          onClick={() => (imagining.value ? leaveWhatIf() : (imagining.value = true))}
          title="Complete tasks and see what would become ready; nothing is written (w)"
        >
          What if
        </Button>
        <Button kind="quiet" pressed={notifyOn.value} onClick={toggleNotify} title="Desktop notifications while this page is hidden">
          Notify
        </Button>
        <Button kind="quiet" onClick={nextTheme} title={`Theme: ${themeWords[theme.value]}`} label="Theme">
          {themeGlyphs[theme.value]}
        </Button>
        <Button kind="quiet" onClick={() => (dialog.value = { kind: "help" })} title="Keys (?)" label="Help">
          ?
        </Button>
      </div>
    </header>
  );
}
