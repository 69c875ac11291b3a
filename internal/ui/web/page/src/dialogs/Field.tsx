import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  label: string;
  hint?: string;
  fault?: string;
  below?: ComponentChildren;
  children: (props: { id: string; "aria-invalid"?: boolean; "aria-describedby"?: string }) => ComponentChildren;
}

// Field is something to be filled in, with what it is called, and what is wrong
// with it.
export function Field({ label, hint, fault, below, children }: Props) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": fault ? true : undefined, "aria-describedby": fault || hint ? `${id}-says` : undefined })}
      {(fault || hint) && (
        <p class={fault ? "fault" : "aside"} id={`${id}-says`}>
          {fault ?? hint}
        </p>
      )}
      {below}
    </div>
  );
}

// Priority is a choice of three.
export function Priority({ value, set, fault }: { value: string; set: (level: "high" | "medium" | "low") => void; fault?: string }) {
  return (
    <Field label="Priority" fault={fault}>
      {(p) => (
        <select {...p} value={value} onChange={(e) => set(e.currentTarget.value as "high")}>
          <option value="high">high</option>
          <option value="medium">medium</option>
          <option value="low">low</option>
        </select>
      )}
    </Field>
  );
}

// listOf are the labels in a text with commas between them.
export const listOf = (text: string): string[] => [...new Set(text.split(",").map((l) => l.trim()).filter(Boolean))];
