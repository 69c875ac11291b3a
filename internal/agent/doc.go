// Package agent is what Pawl has to know of an agent's program to work with it:
// how it shows itself, how it speaks to its hooks and to servers, its own tools for
// a todo list, and what goes into
// its configuration. Each program has a folder here, with the payloads that were recorded of it;
// internal/agent/known is the table of them.
package agent
