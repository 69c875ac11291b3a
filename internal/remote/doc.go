// Package remote is a board at an address: one that a server keeps, as a
// [query.Board].
//
//	query.Board method ─→ one HTTPS request ─→ pawl serve ─→ the board's own rules ─→ outcome, answer or stream
//
// The server decides everything. This package makes up for a bad connection: each
// change has an op id and is sent again until the server has answered, so that a
// lost answer runs nothing twice; a question is one request; a watch continues
// after the last revision that arrived. While the server does not answer, reads may
// show the last answer to the same question, marked as old.
//
// Everything that comes from a server is bounded and checked: it may be another
// program by now.
package remote
