// Command agent plays a coding agent in demos and end-to-end tests: see package fakeagent.
package main

import "github.com/pawl-dev/pawl/internal/dev/fakeagent"

func main() { fakeagent.Run() }
