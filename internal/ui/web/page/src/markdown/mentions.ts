// A #12 in a text is a task of this board, unless what stands before it says that
// another tracker counts so: "PR #12", "issues #3, #4 and #5", "acme/parser #12".
const elsewhere =
  /(?:^|[^\p{L}\p{N}])(?:[\w.-]+\/[\w.-]+|(?:PR|MR|pull|pull[ -]request|merge[ -]request|issue|ticket|bug|discussion)s?|GH|GitHub|GitLab|Gitea|Bugzilla|Jira|upstream)[\s:([\]*_~-]{0,4}(?:#\d{1,9}\)?(?:\s?,|\s?&|\s?\/)?\s?(?:and |or )?){0,20}$/iu;
const lookBack = 160; // characters

// isOurs says whether a number that begins at a place of a text is a task's here.
export function isOurs(text: string, at: number): boolean {
  if (/[\w&#/\\.@-]/.test(text[at - 1] ?? " ")) return false; // a part of a word: acme/parser#12
  return !elsewhere.test(text.slice(Math.max(0, at - lookBack), at));
}
