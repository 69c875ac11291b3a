// Package wire is the JSON of the interfaces: envelopes, tasks, change sets,
// graphs, errors. The command line's --json and the HTTP API share it.
package wire
