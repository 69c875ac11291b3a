package web

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
	"github.com/pawl-dev/pawl/internal/dev/mustrun"
)

func TestOwnerOf(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		mustrun.NotHere(t, "the table is that of a machine that has the low byte first")
	}
	const table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		"   0: 0100007F:1CB6 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0\n" +
		"   1: 0100007F:9C40 0100007F:1CB6 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1\n" +
		"   2: 0100007F:1CB6 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 30 10 -1\n" +
		"   3: 0000000000000000FFFF00000100007F:9C41 0000000000000000FFFF00000100007F:1CB6 01 00000000:00000000 00:00000000 00000000  1002 0 4\n" +
		"   4: short\n"
	here := netip.MustParseAddrPort("127.0.0.1:7350")
	for from, want := range map[string]int{"127.0.0.1:40000": 1001, "127.0.0.1:40001": 1002, "127.0.0.1:40002": -1, "[::ffff:127.0.0.1]:40000": 1001} {
		uid, found := ownerOf(strings.NewReader(table), netip.MustParseAddrPort(from), here)
		if !found {
			uid = -1
		}
		if uid != want {
			t.Errorf("%s is of %d, want %d", from, uid, want)
		}
	}
}

// A connection of our own is found in the system's table, as ours.
func TestOwnConnection(t *testing.T) {
	for _, network := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", network)
		if err != nil {
			t.Logf("%s: %v", network, err) // a machine without IPv6
			continue
		}
		defer l.Close()
		conn := must.Get(net.Dial("tcp", l.Addr().String()))(t)
		defer conn.Close()
		from, to := conn.LocalAddr().(*net.TCPAddr).AddrPort(), conn.RemoteAddr().(*net.TCPAddr).AddrPort()
		found := false
		for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
			f, err := os.Open(table)
			if err != nil {
				continue
			}
			uid, is := ownerOf(f, from, to)
			f.Close()
			found = found || is && uid == os.Geteuid()
		}
		if !found || otherUser(from, to) {
			t.Errorf("%s: our own connection is not known", network)
		}
	}
}
