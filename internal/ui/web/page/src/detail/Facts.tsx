import type { ComponentChildren } from "preact";
import { isFalselyDone } from "../checks/marks";
import { line } from "../markdown/clean";
import { Glyph, stateWords } from "../parts/Glyph";
import { Mentions } from "../parts/Mentions";
import { TaskLink } from "../parts/TaskLink";
import { Age, Left } from "../parts/Time";
import { choose } from "../state";
import type { TaskAnswer } from "../types";

// Facts are the short fields of a task, and its times.
export function Facts({ of: a }: { of: TaskAnswer }) {
  const t = a.task;
  const held = t.hold;
  return (
    <dl class="facts-list">
      <Fact name="Status">
        <span class={`state is-${isFalselyDone(a) ? "damaged" : a.state}`}>
          <Glyph state={a.state} unshown={isFalselyDone(a)} /> {a.asDone ? "done in this what-if" : isFalselyDone(a) ? line(a.shown!) : stateWords[a.state]}
        </span>
        {a.why && a.state !== "held" && !held && (
          <>
            {", "}
            <Mentions text={a.why} />
          </>
        )}
      </Fact>
      {a.others?.map((other) => (
        <Fact key={other} name="Also">
          <span class="bad">
            <bdi>{line(other)}</bdi>
          </span>
        </Fact>
      ))}
      {t.damage && <Fact name="Damaged">{line(t.damage)}</Fact>}
      {held && (
        <Fact name="On hold">
          <span class="bad">
            <bdi>{line(held.reason)}</bdi>
          </span>
          <span class="aside">
            {held.by && ` by ${line(held.by)}`}
            {held.at && (
              <>
                {", "}
                <Age since={held.at} ago />
              </>
            )}
          </span>
        </Fact>
      )}
      {t.owner && (
        <Fact name={t.status === "pending" ? "For" : "Owner"}>
          <button type="button" class="as-link" onClick={() => choose({ owner: t.owner })} title="Show only theirs">
            <bdi>{line(t.owner)}</bdi>
          </button>
          {a.on && ` on ${line(a.on)}`}
          {t.claim?.agent && ` (${line(t.claim.agent)})`}
          {t.status === "in_progress" && t.startedAt && (
            <>
              {", "}
              <Age since={t.startedAt} />
            </>
          )}
          {t.claim?.until && (
            <span class="aside">
              {", lease: "}
              <Left until={t.claim.until} />
            </span>
          )}
        </Fact>
      )}
      {a.here && (
        <Fact name="Shared">
          <span class="here">{line(a.here)}</span>
        </Fact>
      )}
      {t.status === "in_progress" && t.activeForm && <Fact name="Doing">{line(t.activeForm)}</Fact>}
      {t.priority !== "medium" && <Fact name="Priority">{t.priority}</Fact>}
      {t.urgency !== t.priority && t.status !== "completed" && <Fact name="Urgency">{t.urgency}, because of a task that depends on it</Fact>}
      {!!t.labels?.length && (
        <Fact name="Labels">
          <span class="labels">
            {t.labels.map((l) => (
              <button key={l} type="button" class="chip" onClick={() => choose({ label: [l] })} title="Show only tasks with this label">
                <bdi>{line(l)}</bdi>
              </button>
            ))}
          </span>
        </Fact>
      )}
      {typeof t.metadata?.ref === "string" && <Fact name="Known as">{line(t.metadata.ref)}</Fact>}
      {!!t.was?.length && <Fact name="Was">{t.was.map((id) => `#${id}`).join(", then ")} until it was merged</Fact>}
      {a.once?.map((one) => (
        <Fact key={one.id} name="Number">
          <TaskLink id={one.id} subject={one.subject} /> was #{t.id} until it was merged
        </Fact>
      ))}
      {!!t.expired && <Fact name="Leases">{t.expired === 1 ? "one ran out" : `${t.expired} in a row ran out`}</Fact>}
      <Times of={a} />
    </dl>
  );
}

function Times({ of: { task: t } }: { of: TaskAnswer }) {
  const updated = !t.completedAt && t.updatedAt !== t.createdAt && t.updatedAt !== t.startedAt && t.updatedAt;
  const times: [string, string | undefined][] = [
    ["Created", t.createdAt],
    ["Started", t.status === "in_progress" ? undefined : t.startedAt],
    ["Completed", t.completedAt],
    ["Updated", updated || undefined],
  ];
  return (
    <>
      {times.map(
        ([name, at]) =>
          at && (
            <Fact key={name} name={name}>
              <Age since={at} ago />
            </Fact>
          ),
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
