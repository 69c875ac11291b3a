// Package long has the flag -long, which all slow tests share: go test ./... and .ci/run
// take a tenth of each random simulation, and .ci/long the whole of it.
package long

import "flag"

// Asked is the flag.
var Asked = flag.Bool("long", false, "play all that there is, however long it takes")

// Of is how many of so many rounds a test takes.
func Of(rounds int) int {
	if *Asked {
		return rounds
	}
	return max(rounds/10, 1)
}
