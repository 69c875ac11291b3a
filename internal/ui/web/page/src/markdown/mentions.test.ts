import { expect, test } from "vitest";
import { inline } from "./inline";

// ours are the numbers of a text that lead to tasks.
function ours(text: string): number[] {
  const found: number[] = [];
  const walk = (all: ReturnType<typeof inline>): void =>
    all.forEach((p) => {
      if (typeof p === "string" || !("of" in p)) return;
      if (p.kind === "link" && "task" in p.to) found.push(p.to.task);
      walk(p.of);
    });
  walk(inline(text, new Map()));
  return found;
}

test("a number leads to the task", () => {
  expect(ours("#10")).toEqual([10]);
  expect(ours("after #10, #11 and #12.")).toEqual([10, 11, 12]);
  expect(ours("Fixes #10; task #11 (#12), **#13**, closes: #14")).toEqual([10, 11, 12, 13, 14]);
  expect(ours("PR is open, see #10")).toEqual([10]);
  expect(ours("the debug #10 run, supper #11, tissue #12")).toEqual([10, 11, 12]);
});

test("another tracker's number leads nowhere", () => {
  for (const text of [
    "GH #10", "gh#10", "GH-#10", "PR #10", "PRs #10", "PR: #10", "**PR** #10", "MR #10", "pull request #10", "Pull #10", "merge request #10",
    "issue #10", "Issues #10", "(issue #10)", "GitHub #10", "GitLab #10", "upstream #10", "ticket #10", "bug #10", "discussion #10",
    "acme/parser#10", "acme/parser #10", "acme/parser/issues/#10", "https://github.com/acme/parser/issues#10", "issue\n#10",
  ])
    expect([text, ours(text)]).toEqual([text, []]);
});

test("nor do those that are listed with it", () => {
  expect(ours("PRs #10, #11 and #12; then #13")).toEqual([13]);
  expect(ours("issues #3/#4 & #5")).toEqual([]);
});
