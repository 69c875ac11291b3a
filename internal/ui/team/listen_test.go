package team

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The addresses of boards begin as those who join them have to write it.
func TestOrigin(t *testing.T) {
	for _, test := range []struct {
		w         Wanted
		at        string
		encrypted bool
		want      string // empty: refused
	}{
		{Wanted{}, "127.0.0.1:7350", false, "http://127.0.0.1:7350"},
		{Wanted{}, "127.0.0.1:7350", true, "https://localhost:7350"},
		{Wanted{}, "10.0.0.7:7350", true, "https://10.0.0.7:7350"},
		{Wanted{}, "[2001:db8::1]:443", true, "https://[2001:db8::1]:443"},
		{Wanted{Host: "Desk"}, "10.0.0.7:7350", true, "https://desk:7350"},
		{Wanted{Host: "desk:443"}, "10.0.0.7:7350", true, "https://desk:443"},
		{Wanted{Host: "https://pawl.example.org"}, "127.0.0.1:7350", false, "https://pawl.example.org"},
		{Wanted{Host: "pawl.example.org", Proxies: []string{"127.0.0.1"}}, "127.0.0.1:7350", false, "https://pawl.example.org"},
		{Wanted{Host: "https://pawl.example.org/x"}, "127.0.0.1:7350", true, ""},
		{Wanted{Host: "ftp://pawl.example.org"}, "127.0.0.1:7350", true, ""},
		{Wanted{Host: "http://pawl.example.org"}, "127.0.0.1:7350", true, ""},
		{Wanted{Host: "a b"}, "127.0.0.1:7350", true, ""},
	} {
		got, err := test.w.origin(netip.MustParseAddrPort(test.at), test.encrypted)
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%+v at %s: got %q, %v", test.w, test.at, got, err)
		}
	}
}

// Only a proxy that is believed says who the client is, and only of the hop before it.
func TestClientOf(t *testing.T) {
	proxies := must.Get(prefixes([]string{"10.1.0.0/16", "192.0.2.9"}))(t)
	if _, err := prefixes([]string{"10.1.0.0/99"}); err == nil {
		t.Error("a network of 99 bits is read")
	}
	s := &Server{Options: Options{Proxies: proxies}}
	for _, test := range []struct{ remote, forwarded, want string }{
		{"203.0.113.5:99", "198.51.100.1", "203.0.113.5"},
		{"10.1.2.3:99", "198.51.100.1", "198.51.100.1"},
		{"10.1.2.3:99", "198.51.100.1, 203.0.113.5", "203.0.113.5"},
		{"10.1.2.3:99", "198.51.100.1, 192.0.2.9", "198.51.100.1"},
		{"10.1.2.3:99", "", "10.1.2.3"},
		{"10.1.2.3:99", "evil\", 192.0.2.9", "192.0.2.9"},
		{"[::ffff:10.1.2.3]:99", "198.51.100.1", "198.51.100.1"},
		{"x", "198.51.100.1", "unknown"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		r.Header.Set("X-Forwarded-For", test.forwarded)
		if got := s.clientOf(r); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}
