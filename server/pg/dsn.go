package pg

import (
	"cmp"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pawl-dev/pawl"
)

const (
	// connectTimeout is for one host: a host that is gone must not take the whole time
	// that a request has.
	connectTimeout = 3 * time.Second
	// Timeout is how long a request waits for the database in all.
	Timeout = 10 * time.Second
	// idleInWrite ends the transaction of a writer that hangs or is cut off, which keeps
	// its board from all others: sooner than the time of their requests is over.
	idleInWrite = 5 * time.Second
	idleInRead  = 10 * time.Minute
)

// planning are settings of our sessions: each query is written to find rows by an
// index, but a planner without statistics of a new table prefers to read and sort all
// of it. Compiling a query takes longer than running any of them.
var planning = [...][2]string{
	{"enable_seqscan", "off"}, {"enable_bitmapscan", "off"}, {"enable_hashjoin", "off"}, {"enable_mergejoin", "off"}, {"jit", "off"},
}

// parse reads a DSN: an address postgres://…, or words such as "host=db1 dbname=pawl".
// The rest comes from the environment and files that PostgreSQL's own programs use:
// PGHOST, PGPASSFILE, PGSERVICE and so on.
func parse(dsn string) (*pgxpool.Config, error) {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, unreadable(err)
	}
	conn := c.ConnConfig
	set := func(name, value string) {
		if _, given := conn.RuntimeParams[name]; !given {
			conn.RuntimeParams[name] = value
		}
	}
	set("application_name", "pawl")
	set("statement_timeout", millis(Timeout))
	set("lock_timeout", millis(Timeout))
	set("idle_in_transaction_session_timeout", millis(idleInWrite))
	set("timezone", "UTC")
	for _, p := range planning {
		set(p[0], p[1])
	}
	if !strings.Contains(dsn, "connect_timeout") && os.Getenv("PGCONNECT_TIMEOUT") == "" {
		conn.ConnectTimeout = connectTimeout
	}
	if !strings.Contains(dsn, "target_session_attrs") && os.Getenv("PGTARGETSESSIONATTRS") == "" {
		conn.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	conn.DialFunc = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 3 * time.Second, Count: 3}}).DialContext
	if !strings.Contains(dsn, "pool_max_conns") {
		c.MaxConns = maxConns
	}
	return c, nil
}

const (
	// maxConns is enough for the reads of a busy server.
	maxConns = 16
	// maxMoments is for all that is not held for long. Writers need few: those of one
	// board follow one another.
	maxMoments = 8
)

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// unreadable never repeats a DSN, which may have a password. It names a file that the DSN
// names and that cannot be read, unless what looks like its path may have one, too.
func unreadable(err error) error {
	if file, ok := errors.AsType[*fs.PathError](err); ok && !strings.Contains(strings.ToLower(file.Path), "password") {
		return pawl.Errorf(pawl.Invalid, "a file that the address of the database names cannot be read: %s: %w", file.Path, file.Err)
	}
	return pawl.Errorf(pawl.Invalid, "the address of the database cannot be read").
		Say("write postgres://USER@HOST:PORT/DATABASE, with the password in a file that PGPASSFILE names")
}

// HasPassword reports whether a DSN has a password in it, which on a command line all
// users of the machine can see. It does not use package url, which refuses some DSNs of
// the driver, such as several hosts with IPv6 among them. In doubt it is true.
func HasPassword(dsn string) bool {
	_, rest, isURL := strings.Cut(dsn, "://")
	if !isURL {
		before, _, at := strings.Cut(dsn, "@")
		return strings.Contains(strings.ToLower(dsn), "password") || at && strings.Contains(before, ":") && !strings.Contains(dsn, "=")
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 && strings.Contains(rest[:i], ":") {
		return true
	}
	for _, one := range strings.FieldsFunc(rest, func(c rune) bool { return c <= ' ' || strings.ContainsRune("?&;#", c) }) {
		name, _, _ := strings.Cut(one, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if strings.HasSuffix(strings.ToLower(name), "password") && one != name {
			return true
		}
	}
	return false
}

// shown is how texts name the database: its hosts and its name, nothing else.
func shown(c *pgxpool.Config) string {
	conn := c.ConnConfig
	var hosts []string
	add := func(host string, port uint16) {
		name := host
		if !strings.HasPrefix(host, "/") && port != 0 {
			name = net.JoinHostPort(host, strconv.Itoa(int(port)))
		}
		if !slices.Contains(hosts, name) {
			hosts = append(hosts, name)
		}
	}
	add(conn.Host, conn.Port)
	for _, f := range conn.Fallbacks {
		add(f.Host, f.Port)
	}
	return "the database " + cmp.Or(conn.Database, conn.User) + " at " + strings.Join(hosts, ", ")
}

// Shown is how texts name the database of a DSN: its hosts and its name, nothing else.
func Shown(dsn string) string {
	c, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return "the database"
	}
	return shown(c)
}
