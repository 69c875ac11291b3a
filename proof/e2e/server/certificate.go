//go:build unix

package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A certificate is one for 127.0.0.1 that nobody has signed but itself.
type certificate struct {
	certFile, keyFile string
	pin               string // SHA-256, in hex
	pool              *x509.CertPool
	pair              tls.Certificate
}

func newCertificate(t testing.TB, dir string) *certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	what := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fleet"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, what, what, &key.PublicKey, key)
	must(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	must(t, err)
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
	sum := sha256.Sum256(der)
	c := &certificate{certFile: filepath.Join(dir, "cert.pem"), keyFile: filepath.Join(dir, "key.pem"), pin: hex.EncodeToString(sum[:]), pool: x509.NewCertPool()}
	c.pool.AppendCertsFromPEM(certPEM)
	c.pair, err = tls.X509KeyPair(certPEM, keyPEM)
	must(t, err)
	must(t, os.WriteFile(c.certFile, certPEM, 0o644))
	must(t, os.WriteFile(c.keyFile, keyPEM, 0o600))
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
