package userdir

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// longest is the limit of an escaped name: file systems take 255 bytes, and some of
// those that encrypt names 143.
const longest = 120

// Escape turns an id of any kind, such as that of a session, into the name of
// one file or folder. Different ids get different names, also where names
// differ only in case are one; no name leads anywhere or means a device.
//
//	0f0d7052-AB   0f0d7052-%41%42
//	../x          %2e.%2fx
func Escape(id string) string {
	var b strings.Builder
	for i := range len(id) {
		c := id[i]
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0 && i < len(id)-1
		if plain && !(i == 0 && device(id)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	switch name := b.String(); {
	case name == "":
		return "%"
	case len(name) > longest:
		// Anybody can give the id of another session: the hash must only keep
		// apart ids that differ by chance. A cryptographic
		// one would bring ten packages into each start.
		sum := fnv.New128a()
		sum.Write([]byte(id))
		return name[:longest/2] + "~" + hex.EncodeToString(sum.Sum(nil))
	default:
		return name
	}
}

// device reports whether Windows takes a name for a device's.
func device(name string) bool {
	base, _, _ := strings.Cut(strings.ToLower(name), ".")
	if len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") {
		return base[3] >= '0' && base[3] <= '9'
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, base)
}
