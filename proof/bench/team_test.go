package main

import (
	"strings"
	"testing"
	"time"
)

func TestTeamReport(t *testing.T) {
	r := &teamed{Machine: "a machine", Hooks: &hooked{Runs: 3}}
	r.row("`pawl ready`, processor", 7*time.Millisecond, 11*time.Millisecond)
	r.most("a claim", spread{time.Millisecond, 30 * time.Millisecond, 40 * time.Millisecond}, teamClaim)
	for _, want := range []string{
		"| `pawl ready`, processor | 7.00 ms | 11.00 ms | green |\n",
		"| a claim: median / p99 / worst | 1.0 / 30.0 / 40.0 ms | p99 20.00 ms | **over** |\n",
		"medians of 3 runs",
	} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("%q is not in\n%s", want, r)
		}
	}
}
