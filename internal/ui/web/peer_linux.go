package web

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// otherUser reports whether a program of another user of this machine is at the
// other end of a connection. Root is none, who can read the token anyway; nor is
// what the system does not know.
func otherUser(peer, here netip.AddrPort) bool {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		uid, found := ownerOf(f, peer, here)
		f.Close()
		if found {
			return uid != 0 && uid != os.Geteuid()
		}
	}
	return false
}

// ownerOf looks up in the system's table whose a socket is that is connected from
// one address to another.
func ownerOf(table io.Reader, from, to netip.AddrPort) (uid int, found bool) {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		row := strings.Fields(lines.Text())
		if len(row) < 8 || !isAddr(row[1], from) || !isAddr(row[2], to) {
			continue
		}
		if uid, err := strconv.Atoi(row[7]); err == nil {
			return uid, true
		}
	}
	return 0, false
}

// isAddr compares an address with how the table has it: words as the machine
// orders their bytes, and the addresses of IPv4 also as those of IPv6.
func isAddr(text string, addr netip.AddrPort) bool {
	ip := addr.Addr().Unmap()
	short, long := "", ""
	if ip.Is4() {
		b := ip.As4()
		short = fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(b[:]), addr.Port())
	}
	b := ip.As16()
	for i := 0; i < len(b); i += 4 {
		long += fmt.Sprintf("%08X", binary.NativeEndian.Uint32(b[i:]))
	}
	return text == short || text == long+fmt.Sprintf(":%04X", addr.Port())
}
