// Package runs has the rules of `pawl run`: from a journal of agents' attempts at
// tasks it decides what follows. It does no I/O.
//
//	Record… ─→ State.Apply ─→ State ─┬→ Pick    which ready task begins next, or why none
//	(journal)                        ├→ After   what follows a failed attempt
//	                                 └→ Status  what people and programs are shown
//
// In an attempt one agent works on a task, in a work tree of its own. It moves through
// phases, and each move is a record that is written before the next action begins. So a
// runner that reads the journal after a crash knows which action may have happened, and the
// step of that phase finds out (package engine).
//
//	claiming → claimed → preparing → prepared → starting → running → stopped → saved
//	   → checking → checked [→ waiting → approved] → integrating → rebased → verified
//	   → merging → merged → completed
//
// Any of them may lead to failed instead, and failed to released (another attempt may
// follow) or held (a person is needed).
package runs
