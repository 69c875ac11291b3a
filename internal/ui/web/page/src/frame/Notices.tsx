import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { act, undo } from "../actions";
import { line } from "../markdown/clean";
import { Button } from "../parts/Button";
import { dismiss, mayChange, notices, type Notice } from "../state";
import { settle } from "../steady";

const stays = 8000; // milliseconds that a notice stays; one that refuses stays longer
const badStays = 20_000;

// Notices say what came of what was done. Screen readers read them as they come;
// u undoes after they have gone.
export function Notices() {
  const box = useRef<HTMLDivElement>(null);
  const shown = notices.value.map((n) => n.key).join();
  useLayoutEffect(() => {
    if (shown) settle(box.current!); // they make room for one another
  }, [shown]);
  return (
    <div ref={box} class="notices" role="log" aria-live="polite" aria-label="Notices">
      {notices.value.map((n) => (
        <NoticeLine key={n.key} notice={n} />
      ))}
    </div>
  );
}

function NoticeLine({ notice: n }: { notice: Notice }) {
  const read = useSignal(false); // somebody is at it
  useEffect(() => {
    if (read.value) return;
    const timer = setTimeout(() => dismiss(n.key), n.bad ? badStays : stays);
    return () => clearTimeout(timer);
  }, [read.value]);
  const after = (f: () => unknown) => () => {
    dismiss(n.key);
    void f();
  };
  return (
    <div
      class={`notice${n.bad ? " bad" : ""}`}
      data-notice={n.key}
      onPointerEnter={() => (read.value = true)}
      onPointerLeave={() => (read.value = false)}
      onFocusIn={() => (read.value = true)}
      onFocusOut={() => (read.value = false)}
    >
      <p>
        {n.bad && <span aria-hidden="true">! </span>}
        {line(n.text)}
        {n.hint && <span class="hint">: {line(n.hint)}</span>}
      </p>
      {n.anyway && (
        <Button kind="bad" onClick={after(() => act(n.anyway!.ops, n.about))}>
          {n.anyway.does}
        </Button>
      )}
      {n.undo !== undefined && mayChange.value && <Button onClick={after(() => undo(n.undo))}>Undo</Button>}
      <Button kind="quiet" onClick={() => dismiss(n.key)} label="Dismiss">
        ×
      </Button>
    </div>
  );
}
