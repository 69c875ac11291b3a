package address

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A database is named as PostgreSQL's own tools name it, and the board in it by one
// parameter more:
//
//	postgres://ada@db1.example.org,db2.example.org:5433/pawl?sslmode=verify-full&board=shop
//
// The address is read here and not by url.Parse, which takes a single host.

// schemes are how the address of a database begins.
var schemes = []string{"postgres://", "postgresql://"}

// known are the parameters that may stand in the address of a database: those with
// which PostgreSQL's own clients find and check a server. A parameter that this list
// lacks would be sent to the server as a setting of the session.
var known = []string{
	"application_name", "board", "connect_timeout", "dbname", "host", "krbspn", "krbsrvname", "passfile", "port", "service", "servicefile",
	"sslcert", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "sslsni", "target_session_attrs", "user",
}

// secret are the parameters whose value is a secret.
var secret = []string{"password", "sslpassword"}

// boardVariable may have an address with a password: other users of the machine see
// the arguments of a process, but not its environment.
const boardVariable = "PAWL_BOARD"

// IsDatabase reports whether a text is meant as the address of a board in a database.
func IsDatabase(text string) bool { return schemeOf(text) != "" }

func schemeOf(text string) string {
	for _, scheme := range schemes {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return text[:len(scheme)]
		}
	}
	return ""
}

// InDatabase reports whether the board is in a database, and not on a server of Pawl's.
func (a Address) InDatabase() bool { return IsDatabase(a.Origin) }

// Store is the address of the database, board apart, as [Address.Whole] has it.
func (a Address) Store() string { return a.line }

// Whole is the address with all parameters except secrets, for a process that is
// started for the same board. Texts for people have [Address.String].
func (a Address) Whole() string {
	if !a.InDatabase() {
		return a.String()
	}
	if a.Board == "" {
		return a.line
	}
	return a.line + after(a.line) + "board=" + a.Board
}

// DSN is the address for the driver. It has a password only if PAWL_BOARD has one for
// this same address; PostgreSQL's own files and variables also count.
func (a Address) DSN(getenv func(string) string) string {
	text := getenv(boardVariable)
	if !IsDatabase(text) {
		return a.line
	}
	p, err := readDatabase(text)
	if err != nil || p.address() != a {
		return a.line
	}
	return p.dsn(true)
}

// HasSecret reports whether a text may be an address with a password in it, which
// nobody may be shown.
func HasSecret(text string) bool {
	if !Is(text) {
		return false
	}
	if !IsDatabase(text) {
		u, err := url.Parse(text)
		return err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != ""
	}
	p, err := readDatabase(text)
	return err != nil || p.secrets
}

// FromEnvironment is Parse for the value of PAWL_BOARD, where the address of a database
// may have a password in it. The result has none: see [Address.DSN].
func FromEnvironment(text string) (Address, error) {
	if !IsDatabase(text) {
		return Parse(text)
	}
	p, err := readDatabase(text)
	if err != nil {
		return Address{}, err
	}
	return p.address(), nil
}

// parseDatabase reads an address that others may see.
func parseDatabase(text string) (Address, error) {
	p, err := readDatabase(text)
	if err != nil {
		return Address{}, err
	}
	if p.secrets {
		return Address{}, pawl.Errorf(pawl.Invalid, "the address of a database must not have a password in it here, where others can see it").
			Say("keep it in ~/.pgpass, or the file that PGPASSFILE names; or put the whole address into the environment, as PAWL_BOARD")
	}
	return p.address(), nil
}

// parts are an address of a database, read.
type parts struct {
	hosts    []string // none: PostgreSQL's variables or its socket lead there
	ports    []string // as many; empty: none is said
	database string
	board    string
	values   url.Values // the other parameters, user included
	secret   url.Values
	secrets  bool
}

// readDatabase takes an address of a database apart. Its errors repeat nothing of it.
func readDatabase(text string) (*parts, error) {
	p := &parts{values: url.Values{}, secret: url.Values{}}
	rest, query, _ := strings.Cut(text[len(schemeOf(text)):], "?")
	if strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c == 0x7f || c == '#' }) {
		return nil, wrongDatabase("the address of a database has no space and no # in it: write %%20 and %%23")
	}
	authority, database, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		user, password, said := strings.Cut(authority[:i], ":")
		if err := p.put("user", user); err != nil {
			return nil, err
		}
		if said {
			if err := p.put("password", password); err != nil {
				return nil, err
			}
		}
		authority = authority[i+1:]
	}
	if err := p.readHosts(authority); err != nil {
		return nil, err
	}
	if err := p.put("dbname", database); err != nil {
		return nil, err
	}
	for _, one := range strings.Split(query, "&") {
		name, value, _ := strings.Cut(one, "=")
		if one == "" {
			continue
		}
		if err := p.put(name, value); err != nil {
			return nil, err
		}
	}
	p.database = p.take("dbname")
	p.board = p.take("board")
	host, port := p.take("host"), p.take("port")
	if (host != "" || port != "") && p.hosts != nil {
		return nil, wrongDatabase("the address of a database names its hosts twice, before the database and after it")
	}
	if host != "" {
		p.hosts = strings.Split(host, ",")
	}
	if port != "" {
		p.ports = strings.Split(port, ",")
	}
	if p.board == "" {
		return nil, wrongDatabase("the address of a board in a database names the board: …?board=NAME")
	}
	return p, p.check()
}

// put notes a parameter, as it is written in an address.
func (p *parts) put(name, written string) error {
	value, err := url.QueryUnescape(strings.ReplaceAll(written, "+", "%2B"))
	isSecret := slices.Contains(secret, name)
	switch {
	case err != nil || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return wrongDatabase("the address of a database cannot be read: a %% in it must begin two hexadecimal digits")
	case !isSecret && !slices.Contains(known, name):
		return wrongDatabase("the address of a database has a parameter that Pawl does not pass on; it may have %s", strings.Join(known, ", "))
	case value == "":
		return nil
	case isSecret:
		p.secret.Set(name, value)
		p.secrets = true
	default:
		p.values.Set(name, value)
	}
	return nil
}

func (p *parts) take(name string) string {
	value := p.values.Get(name)
	p.values.Del(name)
	return value
}

// readHosts reads host:port,host:port.
func (p *parts) readHosts(authority string) error {
	if authority == "" {
		return nil
	}
	for _, one := range strings.Split(authority, ",") {
		host, port := one, ""
		if i := strings.LastIndexByte(one, ':'); i >= 0 && i > strings.LastIndexByte(one, ']') {
			host, port = one[:i], one[i+1:]
		}
		if inner, ok := strings.CutPrefix(host, "["); ok {
			host = strings.TrimSuffix(inner, "]")
		}
		if host == "" {
			return wrongDatabase("the address of a database names a host, or none at all: postgres:///DATABASE?board=NAME")
		}
		p.hosts, p.ports = append(p.hosts, strings.ToLower(host)), append(p.ports, port)
	}
	if !slices.ContainsFunc(p.ports, func(port string) bool { return port != "" }) {
		p.ports = nil
		return nil
	}
	for i := range p.ports {
		if p.ports[i] == "" {
			p.ports[i] = "5432"
		}
	}
	return nil
}

// check holds the parts to what can be shown and opened.
func (p *parts) check() error {
	for _, host := range p.hosts {
		if !plainHost(host) {
			return wrongDatabase("the address of a database has a host name that cannot be one; a socket's folder is written …?host=/FOLDER")
		}
	}
	for _, port := range p.ports {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return wrongDatabase("the address of a database has a port that is not a number from 1 to 65535")
		}
	}
	if len(p.ports) > 1 && len(p.ports) != len(p.hosts) {
		return wrongDatabase("the address of a database has as many ports as hosts, or one")
	}
	if strings.Contains(p.database, "/") {
		return wrongDatabase("the address of a database ends with its name, and parameters: postgres://HOST/DATABASE?board=NAME")
	}
	return CheckName(p.board)
}

// plainHost reports whether a text can be a host's name, its number, or a socket's
// folder.
func plainHost(host string) bool {
	if strings.HasPrefix(host, "/") {
		return true
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.')
	})
}

func (p *parts) address() Address {
	return Address{Origin: p.shown(), Board: p.board, line: p.dsn(false)}
}

// shown is what texts call the database: its hosts and its name, without a user or a
// parameter; or the service that stands for both.
func (p *parts) shown() string {
	hosts := make([]string, 0, len(p.hosts))
	for i, host := range p.hosts {
		if strings.HasPrefix(host, "/") {
			continue // a socket of this machine
		}
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if i < len(p.ports) && p.ports[i] != "5432" {
			host += ":" + p.ports[i]
		}
		hosts = append(hosts, host)
	}
	text := "postgres://" + strings.Join(hosts, ",") + "/" + url.PathEscape(p.database)
	if service := p.values.Get("service"); service != "" && p.database == "" {
		text += "?service=" + url.QueryEscape(service)
	}
	return text
}

// dsn is the address as any client of PostgreSQL takes it. Sockets, and several hosts by
// their IPv6 numbers, stand among the parameters: not all clients read them elsewhere.
func (p *parts) dsn(secrets bool) string {
	all := url.Values{}
	for name, value := range p.values {
		all[name] = value
	}
	if secrets {
		for name, value := range p.secret {
			all[name] = value
		}
	}
	authority := ""
	if slices.ContainsFunc(p.hosts, func(host string) bool { return strings.ContainsAny(host, "/:") }) || p.hosts == nil {
		if len(p.hosts) > 0 {
			all.Set("host", strings.Join(p.hosts, ","))
		}
		if len(p.ports) > 0 {
			all.Set("port", strings.Join(p.ports, ","))
		}
	} else {
		if user := all.Get("user"); user != "" {
			all.Del("user")
			authority = url.User(user).String() + "@"
		}
		for i, host := range p.hosts {
			if i > 0 {
				authority += ","
			}
			if authority += host; len(p.ports) > 0 {
				authority += ":" + p.ports[min(i, len(p.ports)-1)]
			}
		}
	}
	text := "postgres://" + authority + "/" + url.PathEscape(p.database)
	if len(all) > 0 {
		text += "?" + strings.ReplaceAll(all.Encode(), "+", "%20")
	}
	return text
}

// after is what separates the next parameter from an address.
func after(line string) string {
	if strings.Contains(line, "?") {
		return "&"
	}
	return "?"
}

func wrongDatabase(format string, args ...any) error {
	return pawl.Errorf(pawl.Invalid, format, args...).Say("write postgres://USER@HOST/DATABASE?board=NAME")
}
