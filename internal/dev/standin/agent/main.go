// Command agent plays a coding agent in demos and end-to-end tests: see package standin.
package main

import "github.com/pawl-dev/pawl/internal/dev/standin"

func main() { standin.Run() }
