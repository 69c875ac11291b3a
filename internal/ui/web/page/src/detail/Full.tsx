import { unlink, unblock } from "./linking";
import { Checks } from "../checks/Checks";
import { Criteria } from "../checks/Criteria";
import { Markdown } from "../parts/Markdown";
import { Attempts } from "../runs/Attempts";
import { imagining, mayChange } from "../state";
import type { TaskAnswer } from "../types";
import { Around } from "./Around";
import { Facts } from "./Facts";
import { isImported } from "./imported";
import { Notes } from "./Notes";
import { Past } from "./Past";
import { TaskButtons } from "./TaskButtons";
import { taskAddress } from "./address";

// Full is everything that is known of a task. gone: it is not on the board any
// more, and nothing can be done with it.
export function Full({ of: a, gone }: { of: TaskAnswer; gone: boolean }) {
  const t = a.task;
  const open = t.status !== "completed";
  const still = gone || !mayChange.value;
  return (
    <div class="detail-body">
      {!gone && <TaskButtons of={a} />}
      <Facts of={a} />
      <Checks checks={a.checks} />
      <Attempts id={t.id} gone={gone} />
      <Criteria id={t.id} accept={t.accept} still={still || imagining.value} />
      {t.description && <Markdown text={t.description} at={taskAddress} elsewhere={isImported(t)} />}
      {a.parent && <Around title="Part of" tasks={[a.parent]} />}
      <Around title="Blocked by" tasks={a.waitsFor} unlink={still ? undefined : (w) => void unlink(t.id, w.id)} />
      <Around title={open ? "Unblocks" : "Unblocked"} note={open && a.unblocks > a.waitedFor.length ? `${a.unblocks > 98 ? "99+" : a.unblocks} with all behind them` : undefined} tasks={a.waitedFor} unlink={still ? undefined : (w) => void unblock(t.id, w.id)} />
      <Around title="Parts" tasks={a.children} progress={[t.childrenDone ?? 0, a.children.length]} />
      <Notes of={t} gone={still} />
      <Past id={t.id} />
    </div>
  );
}
