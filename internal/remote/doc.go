// Package remote is a board at an address: one that a server keeps, as an
// [query.Board].
//
//	query.Board method ─→ one HTTPS request ─→ pawl serve ─→ the board's own rules ─→ outcome, answer or stream
//
// The server rules on everything. What this package adds is what the line makes
// necessary: each change has an op id and is sent again until the server has
// answered, so that an answer that is lost runs nothing twice; a question is one
// request; a watch goes on after the last revision that came. While the server does
// not answer, reads may show the last answer to the same question, marked as old.
//
// Everything that comes from a server is bounded and checked: it may be another
// program by now.
package remote
