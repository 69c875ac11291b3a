// Package long has the flag -long, which all slow tests share: go test ./... and .ci/run
// take a tenth of each random simulation and some of the many stories that are alike, and
// .ci/long all of them.
package long

import (
	"flag"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

// Asked is the flag.
var Asked = flag.Bool("long", false, "play all that there is, however long it takes")

// Of returns how many of its rounds a test plays.
func Of(rounds int) int {
	if *Asked {
		return rounds
	}
	return max(rounds/10, 1)
}

// Turn reports whether one of many similar tests is played: a hash of its name chooses
// one in n. All are with -run TEST/NAME: who names some wants to see them.
func Turn(name string, n int) bool {
	return *Asked || strings.Contains(flag.Lookup("test.run").Value.String(), "/") || crc32.ChecksumIEEE([]byte(name))%uint32(n) == 0
}

// Seldom skips a test, except one in n of those that are alike, and those in always.
func Seldom(t testing.TB, n int, always ...string) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	if _, measures := t.(*testing.B); !measures && !slices.Contains(always, name) && !Turn(t.Name(), n) {
		Only(t)
	}
}

// Only skips a test without -long.
func Only(t testing.TB) {
	t.Helper()
	if !*Asked {
		mustrun.NotHere(t, "with -long only, which .ci/long gives")
	}
}
