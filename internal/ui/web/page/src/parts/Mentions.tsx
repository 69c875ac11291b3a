import { line } from "../markdown/clean";
import { isOurs } from "../markdown/mentions";
import { TaskLink } from "./TaskLink";

// Mentions is a sentence of ours, in which each #12 leads to the task.
export function Mentions({ text, tabIndex }: { text: string; tabIndex?: number }) {
  const said = line(text);
  const parts: (string | number)[] = [];
  let from = 0;
  for (const m of said.matchAll(/#([1-9]\d{0,8})(?![\w#])/g)) {
    if (!isOurs(said, m.index)) continue;
    parts.push(said.slice(from, m.index), Number(m[1]));
    from = m.index + m[0].length;
  }
  return (
    <bdi>
      {parts.map((part, i) => (typeof part === "number" ? <TaskLink key={i} id={part} tabIndex={tabIndex} /> : part))}
      {said.slice(from)}
    </bdi>
  );
}
