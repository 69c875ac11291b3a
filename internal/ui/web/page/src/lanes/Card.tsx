import { useComputed } from "@preact/signals";
import { act } from "../actions";
import { Mark } from "../checks/Mark";
import { checkedWords, isFalselyDone } from "../checks/marks";
import { line, lines } from "../markdown/clean";
import { attemptAt, changed, counted, phased, waits } from "../runs/running";
import { Glyph, stateWords } from "../parts/Glyph";
import { Button } from "../parts/Button";
import { Age, Left } from "../parts/Time";
import { TaskLink } from "../parts/TaskLink";
import { imagining, refusals, selected, show } from "../state";
import { second } from "../clock";
import type { Card } from "../types";
import { imaginedReady, toggle } from "../whatif/imagined";
import { CardButtons } from "./CardButtons";
import { entry } from "./entry";
import { lift } from "./lift";

const soon = 5 * 60_000; // milliseconds: the end of a lease is worth telling

// CardView is a task on the board: its number, what it is, and then only what
// matters where it stands.
//
// There may be hundreds: each listens only to what is about itself.
export function CardView({ card: c }: { card: Card }) {
  const tab = useComputed(() => (entry.value === c.id ? 0 : -1)).value;
  const mine = useComputed(() => selected.value === c.id).value;
  const lifted = useComputed(() => lift.value?.card.id === c.id).value;
  const wouldBe = useComputed(() => imaginedReady.value.has(c.id)).value;
  const classes = ["card", `is-${c.state}`];
  if (mine) classes.push("selected");
  if (lifted) classes.push("lifted");
  if (wouldBe) classes.push("would-be");
  if (c.asDone) classes.push("as-done");
  if (isFalselyDone(c)) classes.push("unshown");
  return (
    <article
      class={classes.join(" ")}
      data-card={c.id}
      tabIndex={tab}
      aria-label={nameOf(c)}
      onFocus={() => (selected.value = c.id)}
      onClick={() => void (imagining.value ? toggle(c.id) : show(c.id))}
    >
      <div class="said">
        {!isFalselyDone(c) && <Mark checked={c.checked} shown={c.shown} />}
        <p class="subject" title={line(c.subject)}>
          <Glyph state={c.state} unshown={isFalselyDone(c)} /> <span class="mono id">#{c.id}</span> <bdi>{line(c.subject)}</bdi>
        </p>
        <Attempt card={c} />
        {c.shown && <p class="why bad unmet">{line(c.shown)}</p>}
        {c.tail && (
          <pre class="printed" dir="ltr" title={lines(c.tail)}>
            {lines(c.tail)}
          </pre>
        )}
        {c.other && <p class="why bad">{line(c.other)}</p>}
        {c.state === "in_progress" && c.why && <p class="why bad">{line(c.why)}</p>}
        {c.state === "in_progress" && c.doing && <p class="doing">{line(c.doing)}</p>}
        {!!c.children && <Progress done={c.done ?? 0} all={c.children} />}
        <div class="foot">
          <div class="about">
            <Facts card={c} tab={tab} />
            <Tail card={c} />
          </div>
          <CardButtons card={c} tab={tab} />
        </div>
      </div>
      <Refused card={c} tab={tab} />
    </article>
  );
}

// Facts are what matters of a task where it stands.
function Facts({ card: c, tab }: { card: Card; tab: number }) {
  switch (c.state) {
    case "in_progress":
      return (
        <p class="facts">
          {c.owner && <span>{line(owner(c))}</span>}
          {c.here && <span class="here">claimed here only</span>}
          {c.startedAt && <Age since={c.startedAt} />}
          {c.until && Date.parse(c.until) - second.value < soon && <Left until={c.until} />}
          {!!c.notes && <span>{c.notes === 1 ? "1 note" : `${c.notes} notes`}</span>}
        </p>
      );
    case "blocked": {
      const [first] = c.waitsFor ?? [];
      const more = (c.waits ?? 0) - 1;
      return (
        <p class="facts">
          {first && (
            <span class="waits">
              blocked by <TaskLink id={first.id} subject={first.state === "missing" ? "(missing)" : first.subject} tabIndex={tab} />
              {more > 0 && ` (+${more})`}
            </span>
          )}
          {c.owner && <span>for {line(c.owner)}</span>}
        </p>
      );
    }
    case "completed":
      return (
        <p class="facts">
          {c.asDone ? <span>done in this what-if</span> : c.completedAt && <Age since={c.completedAt} ago />}
          {c.owner && <span>owner {line(c.owner)}</span>}
        </p>
      );
    default: {
      const asked = c.state === "held" && waits(attemptAt(c.id)); // its attempt says why it is on hold
      const words = [c.why && !asked && <span class={c.state === "assigned" ? "" : "bad"}>{line(c.why)}</span>, !!c.unblocks && <span class="unblocks">unblocks {c.unblocks}</span>].filter(Boolean);
      return words.length ? <p class="facts">{words}</p> : null;
    }
  }
}

// Attempt says how the attempt of a run at the task stands.
function Attempt({ card: c }: { card: Card }) {
  const words = useComputed(() => attemptWords(c)).value;
  return words ? <p class={`attempt${c.state === "in_progress" || c.state === "ready" ? " live" : ""}`}>{words}</p> : null;
}

function attemptWords(c: Card): string {
  const v = c.state === "completed" ? undefined : attemptAt(c.id);
  return v ? [counted(v), phased(v), waits(v) && changed(v)].filter(Boolean).join(", ") : "";
}

const urgent = (c: Card): boolean => c.priority === "high" && c.state !== "completed";

// Tail is what matters least: priority where it is high, and the labels.
function Tail({ card: c }: { card: Card }) {
  const priority = urgent(c) && c.priority;
  if (!priority && !c.labels) return null;
  return (
    <ul class="tail" aria-label="Priority and labels">
      {priority && <li class={`priority is-${priority}`}>{priority}</li>}
      {c.labels?.map((l) => (
        <li key={l}>{line(l)}</li>
      ))}
    </ul>
  );
}

function Progress({ done, all }: { done: number; all: number }) {
  return (
    <p class="parts">
      <progress value={done} max={all} aria-hidden="true" />
      <span>
        {done}/{all}
        <span class="hidden-words"> parts done</span>
      </span>
    </p>
  );
}

// Refused says in place why the last thing that was done to the task was not.
function Refused({ card: c, tab }: { card: Card; tab: number }) {
  const why = useComputed(() => refusals.value.get(c.id)).value;
  if (!why) return null;
  return (
    <p class="refused">
      <span aria-hidden="true">! </span>
      {line(why.message)}
      {why.hint && <span class="hint">: {line(why.hint)}</span>}
      {why.anyway && (
        <span onClick={(e) => e.stopPropagation()}>
          {" "}
          <Button kind="bad" tabIndex={tab} onClick={() => act(why.anyway!.ops, c.id)}>
            {why.anyway.does}
          </Button>
        </span>
      )}
    </p>
  );
}

// owner is who has a task, on a shared board also in which clone.
const owner = (c: Card): string => (c.on ? `${c.owner} on ${c.on}` : c.owner!);

// nameOf is what a screen reader says of a card: "#12 Parse config, ready,
// unblocks 5".
export function nameOf(c: Card): string {
  const words = [`#${c.id} ${c.subject}`, stateWords[c.state]];
  if (c.checked) words.push(checkedWords(c.checked, c.shown));
  if (urgent(c)) words.push(`${c.priority} priority`);
  if (c.why) words.push(c.why);
  if (c.doing) words.push(c.doing);
  if (c.owner && c.state === "in_progress") words.push(`by ${owner(c)}`);
  const attempt = attemptWords(c);
  if (attempt) words.push(attempt);
  if (c.here) words.push("claimed here only");
  if (c.unblocks) words.push(`unblocks ${c.unblocks}`);
  if (c.children) words.push(`${c.done ?? 0} of ${c.children} parts done`);
  return line(words.join(", "));
}
