// Package file keeps a board in a folder of JSON files, one a task, that
// anybody may read and edit beside it.
//
//	.tasks/task_12.json      the truth
//	.tasks/.lock             who writes
//	.tasks/.highwatermark    the highest id, once its file is deleted
//	.tasks/.pawl/journal/    what was committed: the commit point, and history
//	.tasks/.pawl/index       how each file looked and what follows from it: a cache
//	.tasks/.pawl/index.log   what has changed since the index was made
//	.tasks/.pawl/index.read  the same, by readers of a board that was never written to
//	.tasks/.pawl/clone       which clone all this is of; others/ has what was another's
//	.tasks/.pawl/tmp/        texts on their way into place
//	.tasks/.pawl/lost+found/ texts that were in the way
//
// [Open] gives a [Store]; [Init] makes a board's folder by intent. An update is
// one record that is synced to the journal, and only then put in place file by
// file. After a crash the next writer repeats what was lost, and keeps what other
// programs have written since. Readers check every file by a stat, open
// those that changed, and work out from what the files say which edges hold.
//
// The package does not know the rules of a board, and it serves one machine:
// on a network file system [Store.Warnings] says so.
package file
