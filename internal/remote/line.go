package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/text"
)

// A dead connection gives no sign: a request waits for a part of the patience only,
// and is then repeated over another connection.
const (
	dialTimeout = 4 * time.Second
	firstTry    = 4 * time.Second
	shortest    = 20 * time.Millisecond // pause between two tries
	longest     = 1500 * time.Millisecond
	maxFailure  = 1 << 20

	// See [Board.hurry].
	reachFirst, answerFirst = 2 * time.Second, 5 * time.Second
	reachAgain, answerAgain = 300 * time.Millisecond, 2 * time.Second
)

type reachKey struct{}

// newClient returns one that follows no redirect and sends the token nowhere else.
func newClient(o *Options) (*http.Client, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(2)}
	if o.Cert != "" {
		want, err := hex.DecodeString(o.Cert)
		if err != nil || len(want) != sha256.Size {
			return nil, pawl.Errorf(pawl.Invalid, "the fingerprint of a certificate has %d hexadecimal digits", 2*sha256.Size)
		}
		config.InsecureSkipVerify = true // the certificate itself is known
		config.VerifyConnection = func(state tls.ConnectionState) error {
			if sum := sha256.Sum256(state.PeerCertificates[0].Raw); !bytes.Equal(sum[:], want) {
				return errOtherCert
			}
			return nil
		}
	}
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}}
	connect := o.Dial
	if connect == nil {
		connect = dialer.DialContext
	}
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		if reach, some := ctx.Value(reachKey{}).(time.Duration); some {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, reach)
			defer stop()
		}
		return connect(ctx, network, addr)
	}
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSClientConfig: config, TLSHandshakeTimeout: dialTimeout,
		TLSNextProto:       map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1: a stream has a connection of its own
		DisableCompression: true, MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute,
	}
	if strings.HasPrefix(o.Address.Origin, "http://") {
		transport.Proxy = nil // it is this machine
	}
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, nil
}

var errOtherCert = errors.New("another certificate")

// A call is one exchange.
type call struct {
	method, path string
	body         []byte
	changes      bool         // what was sent may have been done, though no answer came
	limit        int64        // of the answer
	reply        *http.Header // not nil: for the headers of the answer
	spare        bool         // there is an earlier answer, so a server that is not reached is not waited for long
}

// hurry is for how long a read tries to reach the server, and then waits for its answer,
// where waiting longer helps nobody: there is an earlier answer, or the server is known
// to be away. Zero: for as long as the patience lasts.
func (b *Board) hurry(c call) (reach, answer time.Duration) {
	away := !b.away.since().IsZero()
	switch {
	case c.changes || !c.spare && !away:
		return 0, 0
	case c.spare && away:
		return reachAgain, answerAgain
	default:
		return reachFirst, answerFirst
	}
}

// send sends a call until it is answered, and returns the body of the answer.
func (b *Board) send(ctx context.Context, c call) ([]byte, error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, b.o.Patience)
	defer cancel()
	deadline, _ := ctx.Deadline()
	reached := deadline // until then it has to be
	if reach, answer := b.hurry(c); reach > 0 {
		whole, reached = context.WithValue(whole, reachKey{}, reach), time.Now().Add(reach)
		if soon := time.Now().Add(answer); soon.Before(deadline) {
			deadline = soon
		}
	}
	var last error
	sent := false
	for try := 0; ; try++ {
		left := time.Until(deadline)
		if try == 0 {
			left = min(left, max(firstTry, b.o.Patience/2))
		}
		text, err := b.once(whole, c, left)
		if err == nil {
			b.away.back()
			return text, nil
		}
		again, ok := errors.AsType[*unanswered](err)
		if !ok {
			return nil, err
		}
		if again.sent {
			sent = true
		}
		if last == nil || ctx.Err() == nil {
			last = again // what the end of the patience cut short says less
		}
		pause := max(min(shortest<<min(try, 10), longest), again.after)
		pause += time.Duration(rand.Int64N(int64(pause)/2 + 1))
		if ctx.Err() != nil || time.Until(deadline) < pause || !again.sent && time.Until(reached) < pause {
			return nil, b.gone(ctx, c, last, sent)
		}
		b.client.CloseIdleConnections()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, b.gone(ctx, c, last, sent)
		}
	}
}

// An unanswered call is worth trying again.
type unanswered struct {
	why   string
	cause error
	sent  bool          // the server may have it
	after time.Duration // it asks to wait
	said  *pawl.Error   // it says why
}

func (u *unanswered) Error() string { return u.why }
func (u *unanswered) Unwrap() error { return u.cause }

// once sends a call once, and gives up after left. A long request or answer has longer
// as long as it moves: else it would never be through on a slow line.
func (b *Board) once(ctx context.Context, c call, left time.Duration) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := pace{ends: time.Now().Add(left), fixed: b.o.Glances}
	p.timer = time.AfterFunc(left, func() { cancel(context.DeadlineExceeded) })
	defer p.timer.Stop()
	resp, err := b.request(ctx, c, &p)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if c.reply != nil {
		*c.reply = resp.Header
	}
	text, err := io.ReadAll(io.LimitReader(paced{resp.Body, &p}, c.limit+1))
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, &unanswered{why: reason(err), cause: err, sent: true}
	}
	if int64(len(text)) > c.limit {
		return nil, b.strange("its answer has more than %d bytes", c.limit)
	}
	return text, nil
}

// request returns the response to a call if it is one of success.
func (b *Board) request(ctx context.Context, c call, p *pace) (*http.Response, error) {
	var connected atomic.Bool // before that nothing is sent
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, c.method, b.o.Address.String()+c.path, bytes.NewReader(c.body))
	if err != nil {
		return nil, err
	}
	if p != nil && len(c.body) > slowest {
		req.Body = io.NopCloser(paced{req.Body, p})
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(paced{bytes.NewReader(c.body), p}), nil }
	}
	req.Header.Set("Authorization", "Bearer "+b.o.Token)
	req.Header.Set(ProtocolHeader, strconv.Itoa(Protocol))
	req.Header.Set("User-Agent", "pawl/"+b.o.Version)
	if seen, known := b.seen(); known {
		req.Header.Set(SeenHeader, seen.String())
	}
	if c.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, b.unreached(err, connected.Load())
	}
	if spoken := resp.Header.Get(ProtocolHeader); spoken != "" || resp.StatusCode == http.StatusOK {
		if err := b.understood(spoken); err != nil { // of what it says nothing else counts
			resp.Body.Close()
			return nil, err
		}
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, b.failed(resp)
}

// unreached is the error of a call that got no response.
func (b *Board) unreached(err error, sent bool) error {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var system x509.SystemRootsError
	switch {
	case errors.Is(err, errOtherCert):
		return pawl.Errorf(pawl.Unavailable, "%s shows another certificate than the one that was joined, so nothing was sent", b.o.Address.Origin).
			Say("ask who runs the server whether it has a new one, then join again with --cert")
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &host), errors.As(err, &system):
		return pawl.Errorf(pawl.Unavailable, "the certificate of %s is not valid here, so nothing was sent: %s", b.o.Address.Origin, text.Line(text.Clip(cause(err).Error(), 200))).
			Say("if the server has made its own, with the fingerprint that it printed: pawl join " + b.o.Address.String() + " --cert sha256:HEX")
	}
	if strings.Contains(err.Error(), "server gave HTTP response to HTTPS client") { // package http has no other sign of it
		return b.strange("it does not use TLS")
	}
	return &unanswered{why: reason(err), cause: err, sent: sent}
}

// failed is the error in a response, which may be of something in between.
func (b *Board) failed(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxFailure))
	var f Failure
	own := resp.Header.Get(ProtocolHeader) != "" && json.Unmarshal(body, &f) == nil && f.Error.Message != ""
	var said *pawl.Error
	if own {
		said = bounded(&f.Error)
	}
	switch code := resp.StatusCode; code {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		u := &unanswered{why: fmt.Sprintf("it says %d", code), said: said, sent: code != http.StatusTooManyRequests}
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s >= 0 {
			u.after = time.Duration(min(s, 60)) * time.Second
		}
		return u
	default:
		if said != nil {
			return said
		}
		if code >= 300 && code < 400 {
			return b.strange("it sends on to another address, which is not followed")
		}
		if code == http.StatusBadRequest && bytes.Contains(body, []byte("HTTP request to an HTTPS server")) {
			return b.strange("it speaks https, not http")
		}
		return b.strange("it says %d", code)
	}
}

// understood reads which protocols a server speaks: "2 1" are the newest and the
// oldest.
func (b *Board) understood(header string) error {
	newest, oldest := 0, 0
	if n, err := fmt.Sscanf(header, "%d %d", &newest, &oldest); err != nil || n != 2 {
		return b.strange("it does not say which protocol it speaks")
	}
	switch {
	case oldest > Protocol:
		return pawl.Errorf(pawl.Unavailable, "%s has a newer pawl, which no longer speaks with this one", b.o.Address.Origin).
			Say("update pawl on this machine")
	case newest < Oldest:
		return pawl.Errorf(pawl.Unavailable, "%s has an older pawl, with which this one no longer speaks", b.o.Address.Origin).
			Say("ask who runs the server to update it")
	}
	return nil
}

// strange is the error of a server that is perhaps not Pawl.
func (b *Board) strange(format string, args ...any) error {
	return pawl.Errorf(pawl.Unavailable, "%s does not answer as a pawl server does: %s", b.o.Address.Origin, fmt.Sprintf(format, args...)).
		Say("check the address, and that pawl serve runs there")
}

// gone is the error of a call that nothing answered.
func (b *Board) gone(ctx context.Context, c call, last error, sent bool) error {
	if errors.Is(context.Cause(ctx), context.Canceled) {
		return context.Canceled
	}
	u, _ := errors.AsType[*unanswered](last)
	if u != nil && u.said != nil && !c.changes {
		return u.said // the server is there
	}
	since := time.Now()
	if u == nil || u.said == nil { // else it is there, and only cannot do this
		since = b.away.left()
	}
	e := pawl.Errorf(pawl.Unavailable, "%s does not answer since %s (%s)", b.o.Address.Origin, Clock(since), last)
	if u != nil && u.said != nil {
		e.Message = fmt.Sprintf("%s cannot do it now: %s", b.o.Address.Origin, u.said.Message)
	}
	e.Hint = pawl.Hint{Step: pawl.HintRetry}
	var dns *net.DNSError
	switch {
	case c.changes && sent: // sent once more it would be another change
		e.Message += "; whether it was done is not known"
		e.Hint = pawl.Hint{Step: pawl.HintHistory}
	case errors.As(last, &dns) && dns.IsNotFound:
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "check the name of the host"}
	}
	e.Cause = &Gone{since}
	return e
}

// Gone is the cause of an error: the server does not answer.
type Gone struct{ Since time.Time }

func (g *Gone) Error() string { return "the server does not answer" }

// Clock is a time as people say it: with the day if that is not today.
func Clock(t time.Time) string {
	t = t.Local()
	if y, m, d := time.Now().Date(); t.Year() == y && t.Month() == m && t.Day() == d {
		return t.Format("15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}

// reason says in a few words why there was no answer.
func reason(err error) string {
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "unknown host"
	case errors.As(err, &dns):
		return "its name cannot be looked up"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded), os.IsTimeout(err):
		return "no answer in time"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.EPIPE):
		return "the connection broke"
	}
	return text.Line(text.Clip(cause(err).Error(), 120))
}

// cause is an error without the address, which is told already.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// plain is an error of a request that cannot be sent, as the board itself would
// have said it.
func plain(err error) error {
	if e, own := errors.AsType[*pawl.Error](err); own {
		return e
	}
	return pawl.Errorf(pawl.Invalid, "the request cannot be sent: %w", err)
}
