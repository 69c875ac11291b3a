package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"

	"github.com/pawl-dev/pawl"
)

// Where a board is served unless somebody says otherwise: the first of these
// ports that is free.
const (
	UsualPort = 7350
	lastPort  = 7359
)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// Wanted is where a server is to listen.
type Wanted struct {
	Addr        string // HOST:PORT; empty: the usual place
	Expose      bool   // other machines may reach it
	Hosts       []string
	AccessToken string
	Board       string // its folder or address
	By          string // as whom the API acts
}

// Listen listens as wanted, or returns the server that already shows the same
// board to the same user. With an address only that place is tried; without, it
// takes the first free port. A server of the same user that shows another board
// at the first place is returned with the listener.
func Listen(ctx context.Context, w Wanted) (net.Listener, *Running, error) {
	places, err := w.places(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, err := newHostNames(places[0], w.Expose, w.Hosts); err != nil {
		return nil, nil, err
	}
	var free net.Listener
	var before *Running // where we would rather be
	for i, place := range places {
		var listen net.ListenConfig
		l, err := listen.Listen(ctx, "tcp", place.String())
		switch {
		case err == nil && free == nil:
			free = l
		case err == nil:
			l.Close()
		case !taken(err):
			closeIfAny(free)
			return nil, nil, unlistenable(place, err)
		default:
			running := w.ask(ctx, place)
			if running != nil && running.Code != "" {
				closeIfAny(free)
				return nil, running, nil
			}
			if i == 0 {
				before = running
			}
		}
	}
	if free != nil {
		return free, before, nil
	}
	e := pawl.Errorf(pawl.Unavailable, "%s is taken by another program", places[0])
	switch {
	case len(places) > 1:
		e = pawl.Errorf(pawl.Unavailable, "the ports %d to %d are all taken", UsualPort, lastPort)
	case before != nil:
		e = pawl.Errorf(pawl.Unavailable, "%s is taken by %s", places[0], before)
	}
	return nil, nil, e.Say("take any free port: pawl serve --addr " + netip.AddrPortFrom(places[0].Addr(), 0).String())
}

func closeIfAny(l net.Listener) {
	if l != nil {
		l.Close()
	}
}

// unlistenable is the error for an address that is free, but cannot be used.
func unlistenable(place netip.AddrPort, err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	return pawl.Errorf(pawl.Unavailable, "nothing can listen at %s: %w", place, err).Say("leave --addr away")
}

// places are those to try, in order.
func (w Wanted) places(ctx context.Context) ([]netip.AddrPort, error) {
	if w.Addr == "" {
		if w.Expose {
			return nil, pawl.Errorf(pawl.Invalid, "--expose needs --addr, which says to whom").
				Say("on all networks of this machine: pawl serve --expose --addr 0.0.0.0:" + strconv.Itoa(UsualPort))
		}
		var places []netip.AddrPort
		for port := uint16(UsualPort); port <= lastPort; port++ {
			places = append(places, netip.AddrPortFrom(loopback, port))
		}
		return places, nil
	}
	place, err := resolve(ctx, w.Addr)
	switch {
	case err != nil:
		return nil, err
	case place.Addr().IsLoopback() && w.Expose:
		return nil, pawl.Errorf(pawl.Invalid, "no other machine reaches %s", w.Addr).Say("leave --expose away")
	case !place.Addr().IsLoopback() && !w.Expose:
		near := netip.AddrPortFrom(loopback, place.Port())
		if near.Port() == 0 {
			near = netip.AddrPortFrom(loopback, UsualPort)
		}
		return nil, pawl.Errorf(pawl.Invalid, "other machines reach %s, and everything would be sent in the clear: who sees the token can read the board and change it", w.Addr).
			Say(fmt.Sprintf("listen at %v, and from the other machine: ssh -L %d:%v THIS-MACHINE; or, if all who share the network may: pawl serve --addr %s --expose", near, near.Port(), near, w.Addr))
	}
	return []netip.AddrPort{place}, nil
}

// resolve reads HOST:PORT. An empty host is all networks.
func resolve(ctx context.Context, addr string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(addr)
	number, errPort := strconv.ParseUint(port, 10, 16)
	if err != nil || errPort != nil {
		return netip.AddrPort{}, pawl.Errorf(pawl.Invalid, "%q is not an address to listen at", addr).
			Say("write HOST:PORT, such as 127.0.0.1:" + strconv.Itoa(UsualPort))
	}
	if host == "" {
		return netip.AddrPortFrom(netip.IPv4Unspecified(), uint16(number)), nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil || len(ips) == 0 {
			return netip.AddrPort{}, pawl.Errorf(pawl.Invalid, "unknown machine %q: %w", host, err)
		}
		ip = ips[0]
		for _, other := range ips {
			if other.Unmap().Is4() { // what programs try first
				ip = other
				break
			}
		}
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(number)), nil
}
