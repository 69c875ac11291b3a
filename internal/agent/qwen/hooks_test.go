package qwen

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/agent/agenttest"
)

// A scan knows each field that package json does, under its name.
func TestScanKnowsAll(t *testing.T) {
	var in input
	agenttest.ReadsAll(t, &in, in.read, len(in.Fields(nil))+6)
}
