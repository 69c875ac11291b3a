// Package show puts tasks, changes and refusals into words, and arranges them for a screen:
// lines of a list, a task in full, what a change did, a graph with a place for each task,
// the part of a list that a panel has room for. Each interface uses the same.
//
// Text of a task is data: all of it goes through [text.Line], so that it cannot act on a
// terminal or pass for something that Pawl said.
//
// [text.Line]: github.com/pawl-dev/pawl/internal/text
package show
