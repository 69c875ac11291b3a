package team

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
)

// Usual is where a server listens unless somebody says otherwise.
const Usual = "127.0.0.1:7350"

// Wanted is where a server is to listen, and how others reach it.
type Wanted struct {
	Addr    string // HOST:PORT; empty: Usual
	Host    string // by which others reach it: NAME, NAME:PORT, or https://NAME of a proxy; empty: found out
	TLS     bool   // with a certificate of its own, also on this machine
	Cert    string // the files of its certificate and key
	Key     string
	Proxies []string // networks of proxies that are believed
	Own     string   // the server's own folder
	Limits  Limits   // of connections
}

// Listen listens as wanted. If other machines can connect, it needs TLS, or a
// proxy that has it: tokens and tasks are not sent in the clear.
func Listen(ctx context.Context, w Wanted, warn func(string)) (net.Listener, access.Where, []netip.Prefix, error) {
	none := access.Where{}
	proxies, err := prefixes(w.Proxies)
	if err != nil {
		return nil, none, nil, err
	}
	addr := cmp.Or(w.Addr, Usual)
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, none, nil, pawl.Errorf(pawl.Unavailable, "nothing can listen at %s: %w", addr, cause(err)).
			Say("choose another place: --addr HOST:PORT")
	}
	at, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil {
		l.Close()
		return nil, none, nil, err
	}
	var config *tls.Config
	var fingerprint string
	switch {
	case w.Cert != "":
		config, err = Certificate(w.Cert, w.Key, warn)
	case w.TLS, len(proxies) == 0 && !at.Addr().Unmap().IsLoopback():
		config, fingerprint, err = OwnCertificate(filepath.Join(w.Own, "tls"), time.Now())
	}
	if err == nil {
		var origin string
		if origin, err = w.origin(at, config != nil); err == nil {
			l = newDoor(l, w.Limits.usual(), len(proxies) > 0)
			if config != nil {
				l = tls.NewListener(l, config)
			}
			return l, access.Where{Origin: origin, Cert: fingerprint}, proxies, nil
		}
	}
	l.Close()
	return nil, none, nil, err
}

// origin is what the addresses of the server's boards begin with.
func (w *Wanted) origin(at netip.AddrPort, encrypted bool) (string, error) {
	scheme, port := "http://", strconv.Itoa(int(at.Port()))
	if encrypted {
		scheme = "https://"
	}
	if w.Host != "" {
		text := w.Host
		if !strings.Contains(text, "://") {
			if _, _, err := net.SplitHostPort(text); err != nil && len(w.Proxies) == 0 {
				text = net.JoinHostPort(strings.Trim(text, "[]"), port)
			}
			if len(w.Proxies) > 0 {
				scheme = "https://"
			}
			text = scheme + text
		}
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" || u.Scheme+"://"+u.Host != text || u.Scheme != "https" && u.Scheme+"://" != scheme {
			return "", pawl.Errorf(pawl.Invalid, "%q is not a name by which others reach the server", w.Host).
				Say("write NAME, NAME:PORT or https://NAME")
		}
		return strings.ToLower(text), nil
	}
	host := at.Addr().Unmap().String()
	switch {
	case at.Addr().IsUnspecified():
		var err error
		if host, err = os.Hostname(); err != nil || host == "" {
			host = "localhost"
		}
	case at.Addr().Unmap().IsLoopback() && encrypted:
		host = "localhost"
	}
	return scheme + net.JoinHostPort(strings.ToLower(host), port), nil
}

// prefixes reads networks: 10.0.0.0/8, or one address.
func prefixes(texts []string) ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			var ip netip.Addr
			if ip, err = netip.ParseAddr(text); err == nil {
				p = netip.PrefixFrom(ip, ip.BitLen())
			}
		}
		if err != nil {
			return nil, pawl.Errorf(pawl.Invalid, "%q is not a network", text).
				Say("write 10.0.0.0/8, or the address of the proxy")
		}
		all = append(all, p.Masked())
	}
	return all, nil
}

func cause(err error) error {
	if op, ok := err.(*net.OpError); ok {
		return op.Err
	}
	return err
}
