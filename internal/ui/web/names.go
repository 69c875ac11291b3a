package web

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// hostNames are those under which a server may be asked.
type hostNames struct {
	addr    netip.AddrPort // where it listens; not valid: nowhere yet
	exposed bool
	origins map[string]string // by the Host that a request has: http://name:port of the page
}

const maxHosts = 16

// newHostNames reads what a person wrote: NAME, which is asked at the port of the
// server, NAME:PORT, or http://NAME[:PORT] or https://NAME[:PORT] of something in
// front of it.
func newHostNames(addr netip.AddrPort, exposed bool, hosts []string) (hostNames, error) {
	n := hostNames{addr, exposed, map[string]string{}}
	if len(hosts) > maxHosts {
		return n, pawl.Errorf(pawl.Invalid, "a server has at most %d names", maxHosts)
	}
	for _, host := range hosts {
		text, port := host, ""
		if !strings.Contains(text, "://") {
			text, port = "http://"+text, strconv.Itoa(int(addr.Port()))
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.Scheme+"://"+u.Host != text || strings.ContainsAny(host, "*@ ") {
			return n, pawl.Errorf(pawl.Invalid, "%q is not the name of a server", host).
				Say("write NAME, NAME:PORT or https://NAME")
		}
		if u.Port() != "" {
			port = u.Port()
		}
		asked := strings.ToLower(u.Hostname())
		if strings.Contains(asked, ":") {
			asked = "[" + asked + "]"
		}
		if usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]; port != "" && port != usual {
			asked += ":" + port
		}
		n.origins[asked] = u.Scheme + "://" + asked
	}
	return n, nil
}

// known reports whether a server has the name that a request has as its Host:
// one that it was given, or one of its address. An address in digits nobody can
// point elsewhere, so where other machines may ask any such is fine.
func (n hostNames) known(host string) bool {
	host = strings.ToLower(host)
	if _, given := n.origins[host]; given {
		return true
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), "80"
	}
	if !n.addr.IsValid() || port != strconv.Itoa(int(n.addr.Port())) {
		return false
	}
	if name == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(name)
	if err != nil || addr.Is4() == strings.HasPrefix(host, "[") {
		return false
	}
	here := n.addr.Addr()
	return n.exposed || addr == here || here.IsUnspecified() && addr.IsLoopback()
}

// same reports whether an origin is that of the page that a server shows under a
// name.
func (n hostNames) same(origin, host string) bool {
	host = strings.ToLower(host)
	want, given := n.origins[host]
	if !given {
		want = "http://" + host
	}
	return origin == want
}
