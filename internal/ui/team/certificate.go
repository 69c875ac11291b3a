package team

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/rewrite"
	"github.com/pawl-dev/pawl/internal/userdir"
)

// How long a certificate of the server's own is good for: clients that joined know
// its fingerprint, and would refuse a new one.
const ownLife = 20 * 365 * 24 * time.Hour

// certAgain is how often the files of a certificate are looked at.
const certAgain = 10 * time.Second

// Certificate returns the settings of a server with the certificate in two files,
// read again when they change: programs that renew certificates replace both. While
// the new ones do not fit, the old one is shown on.
func Certificate(certFile, keyFile string, warn func(string)) (*tls.Config, error) {
	r := &renewed{certFile: certFile, keyFile: keyFile, warn: warn}
	if err := r.read(); err != nil {
		return nil, pawl.Errorf(pawl.Invalid, "the certificate cannot be used: %w", err).
			Say("name two files in PEM: --tls-cert with the certificate and those that signed it, --tls-key with its key")
	}
	config := newTLS()
	config.GetCertificate = r.get
	return config, nil
}

func newTLS() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
}

// renewed is a certificate whose files may change.
type renewed struct {
	certFile, keyFile string
	warn              func(string)

	mu     sync.Mutex
	cert   *tls.Certificate
	stamps [2]fs.FileInfo
	looked time.Time
	told   string
}

func (r *renewed) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.looked) > certAgain && r.changed() {
		if err := r.read(); err != nil && err.Error() != r.told {
			r.told = err.Error()
			r.warn("the new certificate cannot be used, so the one before is shown on: " + r.told)
		}
	}
	return r.cert, nil
}

func (r *renewed) changed() bool {
	r.looked = time.Now()
	for i, name := range []string{r.certFile, r.keyFile} {
		is, err := os.Stat(name)
		if was := r.stamps[i]; err != nil || was == nil || !is.ModTime().Equal(was.ModTime()) || is.Size() != was.Size() || !os.SameFile(is, was) {
			return true
		}
	}
	return false
}

func (r *renewed) read() error {
	var stamps [2]fs.FileInfo
	for i, name := range []string{r.certFile, r.keyFile} {
		var err error
		if stamps[i], err = os.Stat(name); err != nil {
			return err
		}
	}
	cert, err := tls.LoadX509KeyPair(r.certFile, r.keyFile)
	if err != nil {
		return err
	}
	r.cert, r.stamps, r.looked, r.told = &cert, stamps, time.Now(), ""
	return nil
}

// OwnCertificate returns the settings of a server with a certificate that nobody has
// signed, and its SHA-256, by which clients that join recognise it. It is made once,
// and kept in a folder that only the server's user can read.
func OwnCertificate(dir string, now time.Time) (_ *tls.Config, fingerprint string, err error) {
	if err := userdir.Make(dir); err != nil {
		return nil, "", err
	}
	name := filepath.Join(dir, "own.pem")
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = ownCertificate(now); err != nil {
			return nil, "", err
		}
		text, err = keep(dir, text)
	}
	if err != nil {
		return nil, "", pawl.Errorf(pawl.Unavailable, "the server's own certificate cannot be kept in %s: %w", dir, err)
	}
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || !userdir.Secret(info) {
		return nil, "", pawl.Errorf(pawl.Invalid, "others can read %s, so the key in it may be known", name).
			Say("move it away; the next start makes another, which all who joined have to be told")
	}
	cert, err := tls.X509KeyPair(text, text)
	if err != nil {
		return nil, "", pawl.Errorf(pawl.Invalid, "%s does not hold a certificate and its key: %w", name, err)
	}
	config := newTLS()
	config.Certificates = []tls.Certificate{cert}
	sum := sha256.Sum256(cert.Certificate[0])
	return config, hex.EncodeToString(sum[:]), nil
}

// keep writes the certificate unless another process was first, and returns what is
// kept.
func keep(dir string, text []byte) (kept []byte, err error) {
	file := rewrite.File{Dir: dir, Name: "own.pem", Lock: ".own.lock", Temp: ".own.new", Mode: 0o600, Limit: 64 << 10}
	_, err = file.Change(noDeadline, func(old []byte) ([]byte, error) {
		if kept = old; old == nil {
			kept = text
		}
		return kept, nil
	})
	return kept, err
}

// ownCertificate makes a certificate and its key. The names in it do not matter, as
// clients compare the whole of it.
func ownCertificate(now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	cert := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "pawl serve"}, NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(ownLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})...), nil
}
