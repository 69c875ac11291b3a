package team

import (
	"net"
	"net/http"
)

// clientOf is the address of who sent a request.
func (s *Server) clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
