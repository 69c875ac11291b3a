package process

import (
	"testing"
	"time"
)

// The machine has been running, it is the same run, and the clock counts.
func TestUptime(t *testing.T) {
	first, run := Uptime(), Boot()
	if first <= 0 || first > 50*365*24*time.Hour {
		t.Errorf("the machine runs for %v", first)
	}
	if run == "" || run != Boot() {
		t.Errorf("the run of the machine is %q, then %q", run, Boot())
	}
	if next := Uptime(); next < first {
		t.Errorf("%v, then %v", first, next)
	}
}
