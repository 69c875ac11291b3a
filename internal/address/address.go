// Package address reads the addresses of boards that are not in a folder. A server
// keeps them, or, for its administrators, a database:
//
//	https://pawl.example.org/boards/shop
//	postgres://ada@db.example.org/pawl?board=shop
//
// An address contains no credentials. Tokens, bound to the address's origin, and a
// database's password are stored elsewhere.
package address

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/pawl-dev/pawl"
)

// MaxName bounds the name of a board, in bytes.
const MaxName = 64

// An Address is where a server or a database keeps a board.
type Address struct {
	Origin string // https://host or https://host:port, in lower case; postgres://hosts/database
	Board  string // its name

	line string // of a database: all that leads to it, but for secrets
}

// String names the board to people.
func (a Address) String() string {
	if a.InDatabase() {
		return a.Origin + after(a.Origin) + "board=" + a.Board
	}
	return a.Origin + "/boards/" + a.Board
}

// Is reports whether a text is meant as an address, be it valid or not. Anything
// else is a folder.
func Is(text string) bool { return strings.Contains(text, "://") }

// Parse reads an address. Without TLS that of a server may only lead to this machine.
// An error never repeats what may be a password.
func Parse(text string) (Address, error) {
	if IsDatabase(text) {
		return parseDatabase(text)
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return Address{}, wrong("the address of a board cannot be read")
	case u.User != nil:
		return Address{}, wrong("the address of a board has no name or password in it; pawl join asks for a token")
	case u.Scheme != "https" && u.Scheme != "http":
		return Address{}, wrong("a board is at https://… or in a database at postgres://…, not at %s://…", clip(u.Scheme))
	case u.Hostname() == "" || strings.ContainsAny(u.Host, " \t%"):
		return Address{}, wrong("the address of a board names a host")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return Address{}, wrong("http:// sends tokens in the clear, so it is for this machine only: use https://")
	case u.RawQuery != "" || u.Fragment != "" || u.ForceQuery || u.RawPath != "":
		return Address{}, wrong("the address of a board ends with its name")
	}
	name, ok := strings.CutPrefix(strings.TrimSuffix(u.Path, "/"), "/boards/")
	if !ok {
		return Address{}, wrong("the address of a board ends with /boards/NAME")
	}
	if err := CheckName(name); err != nil {
		return Address{}, err
	}
	host := strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != map[string]string{"https": "443", "http": "80"}[u.Scheme] {
		host += ":" + port
	}
	return Address{Origin: u.Scheme + "://" + host, Board: name}, nil
}

// CheckName holds the name of a board to letters, digits, dots, dashes and
// underscores, with a letter or a digit first: it becomes the name of a folder, on
// any system, and a part of an address.
func CheckName(name string) error {
	if name == "" || len(name) > MaxName {
		return wrong("the name of a board has 1 to %d characters", MaxName)
	}
	for i, c := range []byte(name) {
		plain := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !plain && (i == 0 || !strings.ContainsRune("-_.", rune(c))) {
			return wrong("the name of a board has small letters, digits, dashes, dots and underscores, and begins with a letter or a digit")
		}
	}
	if strings.HasSuffix(name, ".") || reserved(name) {
		return wrong("%s cannot be the name of a board, because it cannot be that of a folder everywhere", name)
	}
	return nil
}

// reserved reports whether a name means a device on Windows.
func reserved(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt"))
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func clip(text string) string {
	if len(text) > 20 {
		return text[:20] + "…"
	}
	return text
}

func wrong(format string, args ...any) error {
	return pawl.Errorf(pawl.Invalid, format, args...).Say("write https://HOST/boards/NAME")
}
