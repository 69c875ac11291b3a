package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPawl: the measurement works with Pawl itself; the others are not here.
func TestPawl(t *testing.T) {
	program := filepath.Join(t.TempDir(), "pawl")
	build := exec.Command("go", "build", "-o", program, "./cmd/pawl")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := measure(peers[0], program, makePlan(150), 2); err != nil {
		t.Error(err)
	}
}

// TestSamePlan: every tracker gets the same dependencies, and the tasks that
// are completed while measuring have none.
func TestSamePlan(t *testing.T) {
	plan := makePlan(1000)
	waiting, done := 0, 0
	for i, task := range plan {
		if task.waitsOn >= task.id {
			t.Errorf("%d waits for %d", task.id, task.waitsOn)
		}
		if task.waitsOn > 0 {
			waiting++
		}
		if task.done {
			done++
		}
		if i >= 900 && (task.done || task.waitsOn > 0) {
			t.Errorf("%d cannot be completed", task.id)
		}
	}
	if waiting < 500 || done < 300 {
		t.Errorf("%d wait, %d are done", waiting, done)
	}
}
