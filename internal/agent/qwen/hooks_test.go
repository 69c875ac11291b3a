package qwen

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/agent/agenttest"
	"github.com/pawl-dev/pawl/internal/agent/claude"
)

// A scan knows each field that package json does, under its name.
func TestScanKnowsAll(t *testing.T) {
	var in input
	agenttest.ReadsAll(t, &in, in.read, len(claude.Names)+5)
}
