//go:build unix

package server

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/ui/team"
)

// A certificate is one for 127.0.0.1 that nobody has signed but itself.
type certificate struct {
	file string // with its key
	pin  string // SHA-256, in hex
	pool *x509.CertPool
}

func newCertificate(t testing.TB, dir string) *certificate {
	t.Helper()
	_, pin, err := team.OwnCertificate(dir, time.Now())
	must(t, err)
	c := &certificate{file: filepath.Join(dir, "own.pem"), pin: pin, pool: x509.NewCertPool()}
	text, err := os.ReadFile(c.file)
	must(t, err)
	c.pool.AppendCertsFromPEM(text)
	return c
}

// config is that of a client who trusts this certificate.
func (c *certificate) config() *tls.Config { return &tls.Config{RootCAs: c.pool} }

// client makes a connection one with TLS.
func (c *certificate) client(ctx context.Context, conn net.Conn) (net.Conn, error) {
	config := c.config()
	config.ServerName = "localhost"
	secure := tls.Client(conn, config)
	return secure, secure.HandshakeContext(ctx)
}
