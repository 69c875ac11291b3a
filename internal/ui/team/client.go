package team

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientOf is the address of who sent a request: of the connection, or, where a proxy
// that is believed made that, the last address before the proxies.
func (s *Server) clientOf(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "unknown"
	}
	at := from.Addr().Unmap()
	if !s.proxied(at) {
		return at.String()
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		before, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break // what stands before it anybody may have written
		}
		if at = before.Unmap(); !s.proxied(at) {
			break
		}
	}
	return at.String()
}

func (s *Server) proxied(at netip.Addr) bool {
	return slices.ContainsFunc(s.Proxies, func(p netip.Prefix) bool { return p.Contains(at) })
}
