import { line } from "../markdown/clean";
import { TaskLink } from "./TaskLink";

// Mentions is a sentence of ours, in which each #12 leads to the task.
export function Mentions({ text, tabIndex }: { text: string; tabIndex?: number }) {
  const parts = line(text).split(/(?<![\w#&/])#([1-9]\d{0,8})(?![\w#])/);
  return (
    <bdi>
      {parts.map((part, i) => (i % 2 ? <TaskLink key={i} id={Number(part)} tabIndex={tabIndex} /> : part))}
    </bdi>
  );
}
