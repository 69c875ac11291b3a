// Package mustrun keeps tests from being skipped without anybody noticing.
//
// A test that needs something the machine may not have says so:
//
//	strace, err := exec.LookPath("strace")
//	if err != nil {
//		mustrun.Skip(t, "strace is not installed")
//	}
//
// On a developer's machine that test is skipped. Under CI=true it fails: CI
// installs all needs first, or the test proves nothing. A test that can never run
// on this machine calls [NotHere].
package mustrun

import "os"

// T is the part of a testing.TB that the package needs.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}

// NotHereMark begins the reason of a skip that is right even in CI. The run
// there accepts no other.
const NotHereMark = "not here: "

// Skip skips the test, or fails it in CI. The reason says what is missing.
func Skip(t T, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("must run in CI, and cannot: %s", reason)
		return // for a T that goes on after Fatalf
	}
	t.Skipf("SKIPPED (fails in CI): %s", reason)
}

// NotHere skips a test that can have no meaning on this machine: one about
// file modes when root runs it, one about names on a file system that does not
// tell upper case from lower.
func NotHere(t T, reason string) {
	t.Helper()
	t.Skipf("%s%s", NotHereMark, reason)
}
