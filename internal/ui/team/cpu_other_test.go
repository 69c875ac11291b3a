//go:build !unix

package team

import "time"

// processorTime is not measured here.
func processorTime() time.Duration { return 0 }
