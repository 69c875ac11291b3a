// Package term lays tasks out for a terminal: columns of a list, a task in full,
// the graph of who waits for whom. What it makes are lines of parts that have a
// [Tone]; the interface gives each tone a colour. It writes nothing and asks nobody:
// what it draws comes from internal/show, how wide, from a [Screen].
package term
