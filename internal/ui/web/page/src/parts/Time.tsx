import { useComputed } from "@preact/signals";
import { absolute, age, second } from "../clock";
import type { Moment } from "../types";

// Age says how long something lasts, or with ago how long ago it was; the time
// itself on hover. It ticks by itself.
export function Age({ since, ago }: { since: Moment; ago?: boolean }) {
  const words = useComputed(() => {
    const a = age(second.value - Date.parse(since));
    if (!ago) return a;
    return a === "now" ? "just now" : `${a} ago`;
  });
  return (
    <time dateTime={since} title={absolute(since)}>
      {words}
    </time>
  );
}

// Left says how long it is until then.
export function Left({ until }: { until: Moment }) {
  const words = useComputed(() => {
    const a = age(Date.parse(until) - second.value);
    return a === "now" ? "under a minute left" : `${a} left`;
  });
  return (
    <time dateTime={until} title={absolute(until)}>
      {words}
    </time>
  );
}
