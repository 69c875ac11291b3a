import { useState } from "preact/hooks";
import { Markdown } from "../parts/Markdown";
import { taskAddress } from "../detail/address";
import { Field } from "./Field";
import type { ComponentChildren } from "preact";

interface Props {
  label: string;
  value: string;
  set: (text: string) => void;
  rows?: number;
  fault?: string;
  first?: boolean;
  below?: ComponentChildren;
}

// Written is a text of several lines in Markdown, which can be looked at as it
// will be shown.
export function Written({ label, value, set, rows = 6, fault, first, below }: Props) {
  const [preview, setPreview] = useState(false);
  return (
    <Field label={label} fault={fault} below={below}>
      {(p) => (
        <div class="written">
          {preview ? (
            <div class="preview" tabIndex={0} aria-label={`${label}, as it is shown`}>
              {value.trim() ? <Markdown text={value} at={taskAddress} /> : <p class="aside">Nothing is written</p>}
            </div>
          ) : (
            <textarea {...p} rows={rows} value={value} data-first={first} onInput={(e) => set(e.currentTarget.value)} />
          )}
          <button type="button" class="button quiet" aria-pressed={preview} onClick={() => setPreview(!preview)}>
            {preview ? "Write" : "Preview"}
          </button>
        </div>
      )}
    </Field>
  );
}
