package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/wire"
)

const (
	askTimeout = 2 * time.Second // for the program that listens at our address
	maxAnswer  = 64 << 10        // of it
	maxNonce   = 64
)

// A Running server is one of the same user's.
type Running struct {
	Addr  string
	Board string // its folder or address
	By    string // as whom its API acts
	Code  string // that it made for us; empty: it shows another board, or to another name
}

func (r *Running) String() string { return "pawl serve, which shows " + r.Board + " to " + r.By }

// ask returns the server that listens at a place if it is one of the user's.
//
// Any program may listen there to be sent the token. So it has to prove first
// that it knows the token, for this connection: the addresses are in the
// proof, and nobody can get it from the true server somewhere else and pass it
// on. Later requests go over the same connection.
func (w Wanted) ask(ctx context.Context, place netip.AddrPort) *Running {
	if w.Expose {
		return nil // the one that listens there may not be reached by others
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", place.String())
	if err != nil {
		return nil
	}
	defer conn.Close()
	dialed := false
	asking := asking{
		host: conn.RemoteAddr().String(), token: w.AccessToken,
		Client: http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			if dialed {
				return nil, errors.New("it has hung up")
			}
			dialed = true
			return conn, nil
		}}},
	}
	nonce := rand.Text()
	var proved proofJSON
	err = asking.do(ctx, http.MethodGet, "/api/v1/proof?nonce="+nonce, false, &proved)
	if err != nil || !hmac.Equal([]byte(proved.Proof), []byte(proof(w.AccessToken, asking.host, nonce))) {
		return nil
	}
	var about aboutJSON
	if err := asking.do(ctx, http.MethodGet, "/api/v1/about", true, &about); err != nil {
		return nil
	}
	running := &Running{Addr: asking.host, Board: cmp.Or(about.Address, about.Dir), By: about.Me}
	if running.Board != w.Board || about.Me != w.By {
		return running
	}
	var code newCodeJSON
	if err := asking.do(ctx, http.MethodPost, "/api/v1/codes", true, &code); err != nil {
		return nil
	}
	running.Code = code.Code
	return running
}

// asking is a conversation with one server over one connection.
type asking struct {
	http.Client
	host, token string
}

func (a *asking) do(ctx context.Context, method, path string, withToken bool, answer any) error {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+a.host+path, nil)
	if err != nil {
		return err
	}
	if withToken {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	resp, err := a.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(io.LimitReader(resp.Body, maxAnswer)); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return json.Unmarshal(text.Bytes(), answer)
}

// proof is what only somebody who knows the token can say of a nonce, at an
// address where somebody is asked.
func proof(token, addr, nonce string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("pawl serve\n" + addr + "\n" + nonce))
	return hex.EncodeToString(mac.Sum(nil))
}

// proofJSON is a proof.
type proofJSON struct {
	wire.Envelope
	Proof string `json:"proof"` // HMAC-SHA256 with the token as key, of "pawl serve", the address that was asked and the nonce, a line each
}

func (v *visit) prove(_ http.ResponseWriter, r *http.Request) (any, error) {
	if v.Guarded {
		return nil, refused(http.StatusNotFound, "a server that keeps boards for others proves itself by its certificate")
	}
	nonce := r.URL.Query().Get("nonce")
	if nonce == "" || len(nonce) > maxNonce {
		return nil, pawl.Errorf(pawl.Invalid, "a nonce has 1 to %d bytes", maxNonce)
	}
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return nil, pawl.Errorf(pawl.Internal, "the connection has no address")
	}
	return proofJSON{wire.NewEnvelope("proof"), proof(v.AccessToken, addr.String(), nonce)}, nil
}
