package team

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// shown is the fingerprint of the certificate that a server with a config shows.
func shown(t *testing.T, config *tls.Config) string {
	t.Helper()
	l := must.Get(tls.Listen("tcp", "127.0.0.1:0", config))(t)
	defer l.Close()
	go func() {
		if conn, err := l.Accept(); err == nil {
			conn.(*tls.Conn).Handshake()
			conn.Close()
		}
	}()
	conn := must.Get(tls.Dial("tcp", l.Addr().String(), &tls.Config{InsecureSkipVerify: true}))(t)
	defer conn.Close()
	sum := sha256.Sum256(conn.ConnectionState().PeerCertificates[0].Raw)
	return hex.EncodeToString(sum[:])
}

// A server's own certificate stays the same, and a file that others can read is not
// used.
func TestOwnCertificate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tls")
	first, print1, err := OwnCertificate(dir, time.Now())
	must.Do(t, err)
	second, print2, err := OwnCertificate(dir, time.Now())
	if err != nil || print1 != print2 || shown(t, first) != print1 || shown(t, second) != print1 {
		t.Errorf("%s and %s, %v", print1, print2, err)
	}
	name := filepath.Join(dir, "own.pem")
	must.Do(t, os.Chmod(name, 0o644))
	if _, _, err := OwnCertificate(dir, time.Now()); err == nil {
		t.Error("a key that others can read is used")
	}
	must.Do(t, os.WriteFile(name, []byte("x"), 0o600))
	must.Do(t, os.Chmod(name, 0o600))
	if _, _, err := OwnCertificate(dir, time.Now()); err == nil {
		t.Error("a file that is no certificate is used")
	}
}

// A certificate that was renewed is shown without a new start, and one that cannot be
// read leaves the old one.
func TestCertificateIsRenewed(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write := func(text []byte) {
		t.Helper()
		for _, name := range []string{cert, key} {
			must.Do(t, os.WriteFile(name, text, 0o600))
		}
	}
	one := must.Get(ownCertificate(time.Now()))(t)
	two := must.Get(ownCertificate(time.Now()))(t)
	write(one)
	var warned []string
	r := &renewed{certFile: cert, keyFile: key, warn: func(text string) { warned = append(warned, text) }}
	must.Do(t, r.read())
	show := func() []byte {
		r.looked = time.Time{}
		got := must.Get(r.get(nil))(t)
		return got.Certificate[0]
	}
	first := show()
	write([]byte("half a certificate"))
	if again := show(); !bytes.Equal(again, first) || len(warned) != 1 {
		t.Errorf("what cannot be read is shown, or not told: %q", warned)
	}
	if show(); len(warned) != 1 {
		t.Errorf("told more than once: %q", warned)
	}
	write(two)
	if again := show(); bytes.Equal(again, first) {
		t.Error("the new one is not shown")
	}
	if _, err := Certificate(cert, filepath.Join(dir, "none.pem"), nil); err == nil {
		t.Error("a key that does not exist is used")
	}
}
