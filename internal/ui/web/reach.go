package web

import (
	"net"
	"net/netip"
	"slices"
)

// maxReach bounds the addresses that are told: a machine may have dozens, for
// each of its containers and of its own passing names.
const maxReach = 4

// Reach returns the address at which this machine reaches a listener, and those
// at which other machines may when it listens at all addresses.
func Reach(l net.Listener) (here netip.AddrPort, others []netip.AddrPort) {
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil || !at.Addr().IsUnspecified() {
		return at, nil
	}
	interfaces, _ := net.InterfaceAddrs() // who cannot be told of others finds them elsewhere
	for _, a := range interfaces {
		prefix, err := netip.ParsePrefix(a.String())
		if err == nil && reaches(at.Addr(), prefix.Addr()) {
			others = append(others, netip.AddrPortFrom(prefix.Addr().Unmap(), at.Port()))
		}
	}
	slices.SortStableFunc(others, func(a, b netip.AddrPort) int { return a.Addr().BitLen() - b.Addr().BitLen() })
	return netip.AddrPortFrom(loopback, at.Port()), others[:min(len(others), maxReach)]
}

// reaches reports whether who asks ip gets to what listens at all addresses.
// Browsers take no address that counts on one link alone.
func reaches(all, ip netip.Addr) bool {
	return ip.IsGlobalUnicast() && (all.Is6() || ip.Unmap().Is4())
}
