package team

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
)

// Limits are what callers may take of a server. Zero values are the usual ones.
type Limits struct {
	Connections int   // at once
	PerAddress  int   // of these, from one address
	Streams     int   // at once
	PerToken    int   // of these, with one token
	Requests    int   // a second with one token; twice as many at once
	Bodies      int64 // bytes of large bodies under way
	OfToken     int64 // of these, with one token
	Wrong       int   // wrong tokens a minute from one address
}

func (l Limits) usual() Limits {
	return Limits{
		Connections: cmp.Or(l.Connections, 4096),
		PerAddress:  cmp.Or(l.PerAddress, 2048), // an office behind one address, with a stream for each page and session
		Streams:     cmp.Or(l.Streams, 3072),
		PerToken:    cmp.Or(l.PerToken, 1536),
		Requests:    cmp.Or(l.Requests, 1000),
		Bodies:      cmp.Or(l.Bodies, 40<<20),
		OfToken:     cmp.Or(l.OfToken, 32<<20),
		Wrong:       cmp.Or(l.Wrong, 30),
	}
}

// A door lets in so many connections. One too many is closed at once: it cannot be
// answered before its handshake.
type door struct {
	net.Listener
	limits Limits
	conns  shares[netip.Addr]
}

func newDoor(l net.Listener, limits Limits, proxied bool) *door {
	if proxied {
		limits.PerAddress = limits.Connections // all have the proxy's
	}
	return &door{Listener: l, limits: limits}
}

func (d *door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		at, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
		addr := at.Addr().Unmap()
		if _, _, full := d.conns.try(addr, 1, int64(d.limits.Connections), int64(d.limits.PerAddress)); full == nil {
			return &counted{Conn: conn, leave: sync.OnceFunc(func() { d.conns.give(addr, 1) })}, nil
		}
		conn.Close()
	}
}

// A counted connection tells the door when it is closed.
type counted struct {
	net.Conn
	leave func()
}

func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}

// throughProxy refuses what has come around the proxies, whose tokens would have been
// readable on the way.
func (s *Server) throughProxy(r *http.Request) error {
	if r.URL.Path == pathHealth || r.URL.Path == pathReady { // whatever runs the server asks it itself, without a token
		return nil
	}
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	if addr := at.Addr().Unmap(); len(s.Proxies) == 0 || s.proxied(addr) || addr.IsLoopback() {
		return nil
	}
	return refused(http.StatusForbidden, "this server answers its proxy only")
}

// misdirected refuses a name that somebody has pointed at this machine, where no other
// machine can ask: a page under that name would reach the server.
func (s *Server) misdirected(r *http.Request) error {
	if !s.loopback {
		return nil
	}
	name, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		name = strings.TrimSuffix(strings.TrimPrefix(r.Host, "["), "]")
	}
	addr, _ := netip.ParseAddr(name)
	if own, err := url.Parse(s.Origin); addr.IsLoopback() || strings.EqualFold(name, "localhost") || err == nil && strings.EqualFold(name, own.Hostname()) && name != "" {
		return nil
	}
	return refused(http.StatusMisdirectedRequest, "this server is not called %q", r.Host)
}

// rates are what tokens and addresses have used lately.
type rates struct {
	mu       sync.Mutex
	requests map[string]*bucket
	wrong    map[string]*bucket
}

// A bucket is filled over time and emptied by use.
type bucket struct {
	left float64
	at   time.Time
}

// mostBuckets bounds what is kept of addresses; beyond it all begin again.
const mostBuckets = 20_000

// take takes one of a bucket that holds most and is filled at rate a second. It returns
// after how long there is one, if there is none.
func take[K comparable](buckets *map[K]*bucket, key K, now time.Time, rate, most float64) time.Duration {
	if *buckets == nil || len(*buckets) > mostBuckets {
		*buckets = map[K]*bucket{}
	}
	b := (*buckets)[key]
	if b == nil {
		b = &bucket{most, now}
		(*buckets)[key] = b
	}
	b.left = min(most, b.left+max(0, now.Sub(b.at).Seconds())*rate)
	b.at = now
	if b.left < 1 {
		return time.Duration((1 - b.left) / rate * float64(time.Second))
	}
	b.left--
	return 0
}

// request counts a request of a token.
func (s *Server) request(id string) error {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	n := float64(s.Limits.Requests)
	if wait := take(&s.rates.requests, id, s.Now(), n, 2*n); wait > 0 {
		return tooMany(wait, "this token asks more than %d times a second", s.Limits.Requests)
	}
	return nil
}

// guess counts a wrong token from an address: a client that tries many is not told
// about each.
func (s *Server) guess(from string, why error) error {
	s.rates.mu.Lock()
	defer s.rates.mu.Unlock()
	n := float64(s.Limits.Wrong)
	if wait := take(&s.rates.wrong, from, s.Now(), n/60, n); wait > 0 {
		return tooMany(wait, "too many wrong tokens have come from this address")
	}
	return why
}

func tooMany(wait time.Duration, format string, args ...any) error {
	return &refusal{pawl.Errorf(pawl.Unavailable, format, args...), http.StatusTooManyRequests, wait}
}

// full refuses what the server has no room for now.
func full(format string, args ...any) error {
	return &refusal{pawl.Errorf(pawl.Unavailable, format, args...), http.StatusServiceUnavailable, 2 * time.Second}
}

// stream lets a stream of a token begin; done ends it.
func (s *Server) stream(id string) (done func(), err error) {
	if s.ending.Err() != nil {
		return nil, full("the server is ending")
	}
	most := int64(s.Limits.Streams)
	switch all, of, freed := s.streams.try(id, 1, most, int64(s.Limits.PerToken)); {
	case freed == nil:
		return func() { s.streams.give(id, 1) }, nil
	case all >= most:
		return nil, full("%d streams are open, and more are not served", all)
	default:
		return nil, tooMany(10*time.Second, "this token has %d streams open, and more are not served", of)
	}
}

// shares are what callers have of something that there is so much of.
type shares[K comparable] struct {
	mu    sync.Mutex
	all   int64
	of    map[K]int64
	freed chan struct{} // closed when some is
}

// try takes n for a caller, if they are left of most in all and of each in the caller's
// hands. Else freed is closed when there may be more; all and of are what is taken.
func (s *shares[K]) try(caller K, n, most, each int64) (all, of int64, freed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of, s.freed = map[K]int64{}, make(chan struct{})
	}
	if s.all+n > most || s.of[caller]+n > each {
		return s.all, s.of[caller], s.freed
	}
	s.all += n
	s.of[caller] += n
	return s.all, s.of[caller], nil
}

// shareWait is how long a caller waits for its share.
const shareWait = 5 * time.Second

// take is try that waits. Who waited in vain is told why.
func (s *shares[K]) take(ctx context.Context, caller K, n, most, each int64, why error) (done func(), err error) {
	patience := time.After(shareWait)
	for {
		_, _, freed := s.try(caller, n, most, each)
		if freed == nil {
			return func() { s.give(caller, n) }, nil
		}
		select {
		case <-freed:
		case <-patience:
			return nil, why
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *shares[K]) give(caller K, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all -= n
	if s.of[caller] -= n; s.of[caller] == 0 {
		delete(s.of, caller)
	}
	close(s.freed)
	s.freed = make(chan struct{})
}

// mostExports is how many boards are sent at once: each export holds the view that it
// reads from as long as its client takes, and a database has a connection for so many
// views only. One token leaves half of them to others.
const (
	mostExports = 8
	ofOneToken  = mostExports / 2
)

// smallBody is one that is not counted.
const smallBody = 64 << 10

// export waits until another board can be sent with a token.
func (s *Server) export(ctx context.Context, id string) (done func(), err error) {
	return s.exports.take(ctx, id, 1, mostExports, ofOneToken, full("too many boards are being sent"))
}

// room waits for memory for a request body of a token. A body takes several times its
// size in memory.
func (s *Server) room(ctx context.Context, id string, size, most int64) (done func(), err error) {
	if size <= smallBody && size >= 0 {
		return func() {}, nil
	}
	if size < 0 || size > most {
		size = most
	}
	return s.bodies.take(ctx, id, size, s.Limits.Bodies, s.Limits.OfToken, full("other large requests are under way"))
}

// seconds is a time to wait as Retry-After says it.
func seconds(wait time.Duration) string {
	return strconv.Itoa(int((wait + time.Second - 1) / time.Second))
}
