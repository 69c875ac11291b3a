// Package say puts tasks, changes and refusals into words: lines of a list, a
// task in full, what a change did. Each interface uses the same sentences.
//
// What a task says is data: everything here goes through [text.Line], so that it
// cannot act on a terminal or pass for something that Pawl said.
//
// [text.Line]: github.com/pawl-dev/pawl/internal/text
package say
