import { useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { complete } from "../actions";
import { frames, round } from "../replay/replaying";
import { asDone, dialog, go, imagining, openTask, refusals, selected, show } from "../state";
import type { ID } from "../types";
import { imaginedReady, toggle } from "../whatif/imagined";
import { edgeScale, level, lineHeight, lines, textSize, toWorld, zoomAt } from "./camera";
import { Drawn } from "./Drawn";
import { begin, cancel, cycleOf, drawing, drop, hold, refusedPath } from "./drawing";
import { EdgeTag } from "./EdgeTag";
import { Edges } from "./Edges";
import { listen } from "./gestures";
import { key } from "./graphkeys";
import { shows } from "./grid";
import { Hover } from "./Hover";
import { Node } from "./Node";
import { edgesAlong } from "./scene";
import { camera, chosenEdge, cursor, follow, frame, gliding, hovered, lit, look, resize, scene, turning } from "./sight";

const patience = 250; // milliseconds over a node until it is told about

/** Stage is where the graph is seen: it moves the world, and hears what is done to the nodes. */
export function Stage() {
  const stage = useRef<HTMLDivElement>(null);
  const world = useRef<HTMLDivElement>(null);
  useSize(stage);
  useCamera(world);
  useHands(stage, world);
  useFocus(stage);

  const s = scene.value;
  if (!s) return <div class="stage" ref={stage} />;
  const box = frame.value;
  const d = drawing.value;
  const path = cycleOf(d) ?? (refusedPath.value ? edgesAlong(refusedPath.value) : undefined);
  const light = frames.value ? undefined : lit.value;
  const ready = imaginedReady.value;
  return (
    <div
      class={`stage${gliding.value ? " gliding" : ""}${d ? " drawing" : ""}`}
      ref={stage}
      role="application"
      aria-roledescription="graph"
      aria-label={`Graph of ${s.nodes.length} tasks. Arrows follow links, Enter opens a task, l draws a link.`}
      onClick={click}
      onDblClick={(e) => around(e)}
      onPointerOver={over}
      onPointerLeave={() => point(undefined)}
      onFocusIn={focused}
      onKeyDown={(e) => {
        if ((e.target as Element).closest("[data-node], .stage") && key(e)) take(e);
      }}
      onScroll={(e) => scrolled(e.currentTarget)}
    >
      <div class="world" ref={world}>
        <Edges
          scene={s}
          frame={box}
          lit={light}
          hovered={hovered.value}
          chosen={chosenEdge.value}
          cycle={path}
          turning={turning.value}
          frames={frames.value}
          round={round.value}
        />
        <Drawn />
        {s.nodes.map((n) => {
          const tab = n.id === cursor.value;
          if (box && !tab && !shows(n, box)) return null;
          return (
            <Node
              key={n.id}
              node={n}
              frame={frames.value && (frames.value.get(n.id) ?? null)}
              tab={tab}
              selected={n.id === selected.value}
              dim={!!light && !light.has(n.id)}
              target={d?.to !== n.id ? "none" : !d.outcome ? "asked" : d.outcome.good ? "good" : "bad"}
              turning={turning.value.get(n.id)}
              newly={ready.has(n.id)}
              refusal={n.id === openTask.value ? undefined : refusals.value.get(n.id)?.message}
            />
          );
        })}
        <EdgeTag />
      </div>
      <Hover />
    </div>
  );
}

type Ref<T> = { current: T | null };

function useSize(stage: Ref<HTMLElement>): void {
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      resize({ w: entry!.contentRect.width, h: entry!.contentRect.height });
    });
    watch.observe(stage.current!);
    return () => watch.disconnect();
  }, []);
}

const rest = 90; // milliseconds that the camera stands still until text is fitted to it

// The camera is moved without drawing anything again. What the distance means for
// text waits until the movement rests, as all text is laid out again for it.
function useCamera(world: Ref<HTMLElement>): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useSignalEffect(() => {
    const { x, y, k } = camera.value;
    const el = world.current;
    if (!el || !scene.value) return;
    el.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    clearTimeout(timer.current);
    if (!el.dataset.level) suit(el, k);
    else timer.current = setTimeout(() => suit(el, k), rest);
  });
}

function suit(world: HTMLElement, k: number): void {
  world.style.setProperty("--zoom", String(k));
  const text = `${textSize(k)}px`;
  if (world.style.getPropertyValue("--text-size") !== text) {
    world.style.setProperty("--text-size", text);
    world.style.setProperty("--edge-scale", String(edgeScale(k)));
    world.style.setProperty("--line-height", `${lineHeight(k)}px`);
    world.style.setProperty("--lines", String(lines(k)));
  }
  if (world.dataset.level !== level(k)) world.dataset.level = level(k);
}

function useHands(stage: Ref<HTMLElement>, world: Ref<HTMLElement>): void {
  useEffect(
    () =>
      listen(stage.current!, {
        pan(dx, dy) {
          const c = camera.peek();
          follow.value = false;
          look({ k: c.k, x: c.x + dx, y: c.y + dy }, false);
        },
        zoom(at, factor) {
          follow.value = false;
          look(zoomAt(camera.peek(), at, factor), false);
        },
        press(at, p) {
          refusedPath.value = undefined;
          if (!at.closest('[data-act="draw"]')) return false;
          begin(idAt(at)!, toWorld(camera.peek(), p));
          return true;
        },
        carry(p, client) {
          const under = document.elementFromPoint(client.x, client.y);
          hold({ at: toWorld(camera.peek(), p), to: under ? idAt(under) : undefined });
        },
        letGo(done) {
          if (done) void drop();
          else cancel();
        },
        moving(on) {
          world.current?.classList.toggle("moving", on);
        },
      }),
    [],
  );
}

// Who walks with keys takes the focus along, and without it the keys go to the
// stage anyway.
function useFocus(stage: Ref<HTMLElement>): void {
  const id = cursor.value;
  useLayoutEffect(() => {
    if (id === undefined || selected.value === undefined) return;
    if (stage.current?.contains(document.activeElement)) focus(id);
  }, [id]);
  useEffect(() => {
    const hear = (e: KeyboardEvent) => {
      const nowhere = e.target === document.body || (e.target as Element).id === "view"; // a press on the ground gives the focus to the view
      if (!nowhere || e.defaultPrevented || dialog.value || !key(e)) return;
      take(e);
      if (cursor.peek() !== undefined) focus(cursor.peek()!);
    };
    document.addEventListener("keydown", hear, true);
    return () => document.removeEventListener("keydown", hear, true);
  }, []);
}

// A browser that scrolls a node into view moves the camera, or the two would
// disagree about where things are.
function scrolled(stage: HTMLElement): void {
  const { scrollLeft, scrollTop } = stage;
  if (scrollLeft === 0 && scrollTop === 0) return;
  stage.scrollTo(0, 0);
  const c = camera.peek();
  look({ k: c.k, x: c.x - scrollLeft, y: c.y - scrollTop }, false);
}

function focus(id: ID): void {
  document.getElementById(`node-${id}`)?.focus({ preventScroll: true });
}

function take(e: Event): void {
  e.preventDefault();
  e.stopPropagation();
}

function idAt(at: Element): ID | undefined {
  const node = at.closest<HTMLElement>("[data-node]");
  return node ? Number(node.dataset.node) : undefined;
}

function click(e: MouseEvent): void {
  const at = e.target as Element;
  const edge = at.closest<SVGElement>("[data-edge]");
  const id = idAt(at);
  point(undefined);
  if (drawing.peek()) {
    hold({ to: id });
    void (id === undefined ? cancel() : drop());
  } else if (edge) {
    chosenEdge.value = edge.dataset.edge;
  } else if (id === undefined) {
    if (at.closest(".edge-tag")) return;
    chosenEdge.value = undefined;
    selected.value = undefined;
  } else if (frames.peek()) {
    selected.value = id;
  } else if (at.closest('[data-act="complete"]')) {
    focus(id); // the button will be gone
    void complete(id);
  } else if (imagining.peek()) {
    selected.value = id;
    void toggle(id);
  } else {
    selected.value = id;
    show(id);
  }
}

function around(e: MouseEvent): void {
  const id = idAt(e.target as Element);
  if (id !== undefined && asDone.peek().length === 0 && !imagining.peek()) go("graph", id);
}

let pointing: ReturnType<typeof setTimeout> | undefined;

function over(e: PointerEvent): void {
  if (e.pointerType === "mouse") point(idAt(e.target as Element));
}

function focused(e: FocusEvent): void {
  const at = e.target as HTMLElement;
  if (at.matches("[data-node]") && at.matches(":focus-visible") && level(camera.peek().k) !== "card") point(idAt(at));
}

function point(id: ID | undefined): void {
  clearTimeout(pointing);
  if (id === undefined || hovered.peek() !== undefined) hovered.value = id;
  else pointing = setTimeout(() => (hovered.value = id), patience);
}
