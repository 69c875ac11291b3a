package web

import (
	"net/netip"
	"testing"
)

// Other machines are told the addresses at which they get through, and no others.
func TestReaches(t *testing.T) {
	for _, c := range []struct {
		all, ip string
		want    bool
	}{
		{"0.0.0.0", "192.0.2.2", true},
		{"0.0.0.0", "10.1.2.3", true},
		{"0.0.0.0", "127.0.0.1", false},
		{"0.0.0.0", "169.254.1.1", false},
		{"0.0.0.0", "fd00::2", false},
		{"::", "192.0.2.2", true},
		{"::", "fd00::2", true},
		{"::", "::1", false},
		{"::", "fe80::1", false},
	} {
		if got := reaches(netip.MustParseAddr(c.all), netip.MustParseAddr(c.ip)); got != c.want {
			t.Errorf("%s at %s: %v", c.ip, c.all, got)
		}
	}
}
