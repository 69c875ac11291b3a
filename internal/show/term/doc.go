// Package term lays tasks out for a terminal: columns of a list, a task in full, the
// graph of dependencies. It returns lines of parts that have a [Tone]; the interface
// gives each tone a colour. It writes nothing and queries nothing: the words come
// from internal/show, the width from a [Screen].
package term
