// Package wire is the JSON that faces answer with: envelopes, tasks, change sets,
// graphs, errors. The command line's --json and the HTTP API share it.
package wire
