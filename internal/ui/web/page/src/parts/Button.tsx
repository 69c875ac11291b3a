import type { ComponentChildren } from "preact";
import "./button.css";

interface Props {
  children: ComponentChildren;
  onClick: (e: MouseEvent) => void;
  kind?: "plain" | "main" | "quiet" | "bad";
  title?: string;
  label?: string; // for screen readers, where the words are too few
  pressed?: boolean; // it is a switch
  expanded?: boolean; // it opens something
  controls?: string; // the id of what it opens
  disabled?: boolean;
  tabIndex?: number;
}

export function Button({ children, onClick, kind = "plain", title, label, pressed, expanded, controls, disabled, tabIndex }: Props) {
  return (
    <button
      type="button"
      class={`button ${kind}`}
      onClick={onClick}
      title={title}
      aria-label={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-controls={expanded ? controls : undefined}
      disabled={disabled}
      tabIndex={tabIndex}
    >
      {children}
    </button>
  );
}
