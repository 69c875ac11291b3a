// Package merge brings two boards together that went different ways: those of two
// branches or clones. It is pure: texts of task files in, texts and a report out.
//
//	merged, report := merge.Boards(bases, ours, theirs)   // whole boards
//	merged, report := merge.Onto(bases, ours, theirs)     // whole boards, where theirs is that of a remote which all clones share
//	text, ok := merge.File(12, base, ours, theirs)        // one file, for git's merge driver
//	board, report := merge.Apart(board)                   // takes apart what File had to put into one file
//
// A number says nothing about which task it is, since two clones give the same one
// to different tasks. So a task is known by its identity: the first number that it
// ever had, and when it was made. Numbers in edges, parents and texts are read as
// identities, in the numbering of the board that they stand in; tasks are merged by
// identity; numbers are given at the end, and the older task keeps a number that two
// have. One that got another number says which it had: "was": [12].
//
// Of a field the side that changed it since the base decides. Where both did:
//
//	status          the further one, of two in progress the one begun first; owner and
//	                times are of the side whose status stands
//	labels, notes   what both have, and what one added
//	edges           the same; they stand on both sides of a file, and one that closes a cycle is cut
//	subject,        the longer one; the other becomes a note
//	description
//	hold            the one with the longer reason; the other becomes a note
//	priority        the higher one
//	checks, accept, by name, text and sum, and what asks for more: see fieldschecks.go
//	evidence
//	parent          the elder one
//	metadata, and   by key, and by the shape of the value: see fieldsjson.go
//	unknown keys
//
// A task that one side deleted and the other changed stays. No rule looks at the
// time of a change, since that is of the whole task: clones that merge in another
// order would decide differently.
//
// The result does not depend on which side is ours, nor on a clock, so that clones
// that merge the same boards get the same files. Of [Onto] it does: there the side of
// the remote stands.
package merge

import "github.com/pawl-dev/pawl"

// A Board is the files of a board: those of a folder, or of a commit.
type Board struct {
	Tasks map[pawl.ID][]byte // the texts of task_N.json
	Mark  pawl.ID            // the number in .highwatermark; zero: no such file

	// Only boards that are shared through a remote have these: see [Onto].
	Beside map[pawl.ID]Beside // by task; absent: nothing is known beside its file
	Gone   []Gone             // tasks that the remote once had, and that were deleted
}
