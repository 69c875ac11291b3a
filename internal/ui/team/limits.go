package team

import (
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
	set := func(n *int, usual int) {
		if *n == 0 {
			*n = usual
		}
	}
	set(&l.Connections, 4096)
	set(&l.PerAddress, 2048) // an office behind one address, with a stream for each page and session
	set(&l.Streams, 3072)
	set(&l.PerToken, 1536)
	set(&l.Requests, 1000)
	set(&l.Wrong, 30)
	if l.Bodies == 0 {
		l.Bodies = 40 << 20
	}
	if l.OfToken == 0 {
		l.OfToken = 32 << 20
	}
	return l
}

// A door lets in so many connections. One too many is closed at once: it cannot be
// answered before its handshake.
type door struct {
	net.Listener
	limits Limits
	mu     sync.Mutex
	all    int
	from   map[netip.Addr]int
}

func newDoor(l net.Listener, limits Limits, proxied bool) *door {
	if proxied {
		limits.PerAddress = limits.Connections // all have the proxy's
	}
	return &door{Listener: l, limits: limits, from: map[netip.Addr]int{}}
}

func (d *door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		at, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
		addr := at.Addr().Unmap()
		if d.enter(addr) {
			return &counted{Conn: conn, leave: sync.OnceFunc(func() { d.leave(addr) })}, nil
		}
		conn.Close()
	}
}

func (d *door) enter(addr netip.Addr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.all >= d.limits.Connections || d.from[addr] >= d.limits.PerAddress {
		return false
	}
	d.all++
	d.from[addr]++
	return true
}

func (d *door) leave(addr netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all--
	if d.from[addr]--; d.from[addr] == 0 {
		delete(d.from, addr)
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

// streams counts those that are open, by token.
type streams struct {
	mu  sync.Mutex
	all int
	of  map[string]int
}

// stream lets a stream of a token begin; done ends it.
func (s *Server) stream(id string) (done func(), err error) {
	c := &s.streams
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.isEnding() {
		return nil, full("the server is ending")
	}
	if c.all >= s.Limits.Streams {
		return nil, full("%d streams are open, and more are not served", c.all)
	}
	if c.of[id] >= s.Limits.PerToken {
		return nil, tooMany(10*time.Second, "this token has %d streams open, and more are not served", c.of[id])
	}
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.all++
	c.of[id]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.all--
		if c.of[id]--; c.of[id] == 0 {
			delete(c.of, id)
		}
	}, nil
}

// shares are what callers have of something that there is so much of.
type shares struct {
	mu    sync.Mutex
	all   int64
	of    map[string]int64
	freed chan struct{} // closed when some is
}

// shareWait is how long a caller waits for its share.
const shareWait = 5 * time.Second

// take waits until n are left of most in all and of each in the hands of a token. Who
// waited in vain is told why.
func (s *shares) take(ctx context.Context, token string, n, most, each int64, why error) (done func(), err error) {
	patience := time.NewTimer(shareWait)
	defer patience.Stop()
	for {
		s.mu.Lock()
		if s.of == nil {
			s.of, s.freed = map[string]int64{}, make(chan struct{})
		}
		if s.all+n <= most && s.of[token]+n <= each {
			s.all += n
			s.of[token] += n
			s.mu.Unlock()
			return func() { s.give(token, n) }, nil
		}
		freed := s.freed
		s.mu.Unlock()
		select {
		case <-freed:
		case <-patience.C:
			return nil, why
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *shares) give(token string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all -= n
	if s.of[token] -= n; s.of[token] == 0 {
		delete(s.of, token)
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
