// Package gitmerge finds out what git has brought together in the folder of a
// board, and merges it as boards: git merges lines of files, which neither keeps
// two tasks apart that have one number, nor edges two-sided.
//
//	m := gitmerge.New(dir, store, follow)
//	outcome := m.Before(ctx, by)                     // before a write; some lstat when there is nothing to do
//	outcome, err := m.Merge(ctx, gitmerge.Options{By: by})  // pawl merge
//	outcome, err := m.Abort(ctx, by)                 // what git left, byte for byte
//	state, err := m.State(ctx)                       // for a status screen
//
// Where two sides come from, the most certain first:
//
//   - an operation that is under way: a merge, a cherry-pick, a revert, a step of a
//     rebase. Git names the commits;
//   - conflicts in git's index without one, as after git stash pop. The index has
//     all three sides;
//   - HEAD has moved since the last look: the merges and rebases on its way;
//   - two tasks in one file, put there by Pawl's merge driver or by git, without
//     anything of the above: a squash, an archive.
//
// Each gives a merged board M. Later work in the tree, of agents that go on working
// or of a person who resolved a conflict, is merged with it: Boards({what git left},
// {work tree}, M). If that changes nothing, nothing is written, so everything here
// can run twice.
//
// The store commits all files in one record. Then the index gets M where git waits
// for a resolution. Then the merge is noted as taken. After a kill in between, the
// next run repeats the rest.
package gitmerge
