package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options are the settings of a test's own server.
type Options struct {
	// Durable turns on fsync and full_page_writes. Without it a server survives a kill,
	// but no power cut.
	Durable bool
	// Settings are lines of postgresql.conf, by name.
	Settings map[string]string
}

// patience bounds every wait for a program of PostgreSQL's on a busy machine.
const patience = 2 * time.Minute

// pause is the time between two looks at a server that starts or stops.
const pause = 20 * time.Millisecond

// Cluster is a running PostgreSQL server.
type Cluster struct {
	dsn string // of the database postgres

	// Of a server that this process started:
	dir  string // data, log, and sock for its socket
	port int
	tied io.Closer // its end is the server's end: see watch
	over chan struct{}

	mu      sync.Mutex
	process *exec.Cmd
	ended   chan struct{} // closed when process has ended and is reaped

	from sync.Mutex // one template at a time
	made map[string]string
}

// New starts a server, for a program that is not a test. [Cluster.End] ends it,
// and so does the end of this process.
func New(o Options) (*Cluster, error) {
	return begin(func(c *Cluster) error {
		args := []string{"-D", c.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"}
		if help, err := c.run("initdb", "--help"); err == nil && strings.Contains(help, "--icu-locale") {
			args = append(args, "--locale-provider=icu", "--icu-locale=en-US")
		}
		if _, err := c.run("initdb", args...); err != nil {
			return err
		}
		return c.configure(o)
	})
}

// begin starts a server in a new folder, whose data are made by fill.
func begin(fill func(*Cluster) error) (*Cluster, error) {
	// Not in TMPDIR: the path of a socket has room for some 100 bytes, and the
	// folder is another user's if this one is root.
	dir, err := os.MkdirTemp("/tmp", "pgtest")
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir}
	sock := filepath.Join(dir, "sock")
	for _, step := range []func() error{
		func() error { return os.Mkdir(sock, 0o700) },
		func() error { return giveAway(dir, sock) },
		c.watch,
		func() error { return fill(c) },
		c.startSomewhere,
	} {
		if err := step(); err != nil {
			c.End()
			return nil, err
		}
	}
	return c, nil
}

func (c *Cluster) configure(o Options) error {
	settings := map[string]string{
		"unix_socket_directories":    filepath.Join(c.dir, "sock"),
		"listen_addresses":           "127.0.0.1",
		"max_connections":            "200",
		"dynamic_shared_memory_type": "mmap", // in the folder, so that kill -9 leaves nothing in /dev/shm
		"log_min_messages":           "warning",
		"log_line_prefix":            "%m [%p] %a ",
		"timezone":                   "UTC",
	}
	if !o.Durable {
		settings["fsync"] = "off"
		settings["full_page_writes"] = "off"
	}
	maps.Copy(settings, o.Settings)
	return c.Configure(settings)
}

// Configure adds lines to postgresql.conf, where the last line of a name
// holds. A running server reads them when it starts again, or on
// `select pg_reload_conf()`.
func (c *Cluster) Configure(settings map[string]string) error {
	f, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for name, value := range settings {
		fmt.Fprintf(f, "%s = '%s'\n", name, strings.ReplaceAll(value, "'", "''"))
	}
	return f.Close()
}

// startSomewhere starts the server on a port that nobody has.
func (c *Cluster) startSomewhere() error {
	var err error
	for range 10 {
		if c.port, err = freePort(); err != nil {
			return err
		}
		c.dsn = c.address("postgres")
		if err = c.Restart(); err == nil || !strings.Contains(c.LogTail(4000), "could not bind") {
			return err
		}
	}
	return err
}

// freePort is below the ports that systems give to outgoing connections, so
// that it is still free when a server that was killed wants it back.
func freePort() (int, error) {
	for range 200 {
		var b [2]byte
		rand.Read(b[:])
		port := 12000 + (int(b[0])<<8|int(b[1]))%20000
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("no port is free")
}

// Restart starts the server again after [Cluster.Kill] or [Cluster.Stop], and
// returns when it answers.
func (c *Cluster) Restart() error {
	for {
		before := c.logSize()
		err := c.start()
		// A process of the killed server that is still on its way out has its memory.
		if err == nil || !strings.Contains(c.LogTail(int(c.logSize()-before)), "pre-existing shared memory block") {
			return err
		}
	}
}

func (c *Cluster) start() error {
	path, err := program("postgres")
	if err != nil {
		return err
	}
	log, err := os.OpenFile(c.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(path, "-D", c.data(), "-p", strconv.Itoa(c.port))
	cmd.Dir = c.dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = environment()
	asServer(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }() // reaps it: an unreaped one would look alive to the next
	c.mu.Lock()
	c.process, c.ended = cmd, ended
	c.mu.Unlock()
	return c.ready()
}

// ready waits until the server says in postmaster.pid that it takes connections.
func (c *Cluster) ready() error {
	deadline := time.Now().Add(patience)
	for {
		process, ended := c.running()
		if process == nil {
			return fmt.Errorf("PostgreSQL ended at its start:\n%s", c.LogTail(4000))
		}
		status, _ := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
		if lines := strings.Fields(string(status)); len(lines) > 1 && lines[0] == strconv.Itoa(process.Pid) {
			if last := lines[len(lines)-1]; last == "ready" || last == "standby" {
				return nil
			}
		}
		select {
		case <-ended:
		case <-time.After(pause):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("PostgreSQL does not get ready:\n%s", c.LogTail(4000))
		}
	}
}

// Stop ends the server in PostgreSQL's fast mode: it ends its sessions and writes
// its data.
func (c *Cluster) Stop() {
	if process, ended := c.running(); process != nil {
		_ = process.Signal(os.Interrupt)
		<-ended
	}
}

// End ends the server and removes its folder.
func (c *Cluster) End() {
	if c.dir == "" {
		return // somebody else's
	}
	c.Kill()
	if c.tied != nil {
		c.tied.Close()
		<-c.over
	}
	os.RemoveAll(c.dir)
}

// running is the server's process, and what is closed when it has ended; nil if
// it has.
func (c *Cluster) running() (*os.Process, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil {
		return nil, nil
	}
	select {
	case <-c.ended:
		return nil, nil
	default:
		return c.process.Process, c.ended
	}
}

// DSN is the address of the server's database postgres, for its superuser.
func (c *Cluster) DSN() string { return c.dsn }

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *Cluster) log() string { return filepath.Join(c.dir, "log") }

func (c *Cluster) address(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", c.port, database)
}

// LogTail is the end of the server's log.
func (c *Cluster) LogTail(n int) string {
	log, _ := os.ReadFile(c.log())
	return string(log[max(0, len(log)-n):])
}

// LogFrom returns what the server has logged from a place on, and the place to
// continue from.
func (c *Cluster) LogFrom(place int64) (text string, next int64, err error) {
	f, err := os.Open(c.log())
	if err != nil {
		return "", place, err
	}
	defer f.Close()
	log, err := io.ReadAll(io.NewSectionReader(f, place, 1<<62))
	return string(log), place + int64(len(log)), err
}

func (c *Cluster) logSize() int64 {
	if info, err := os.Stat(c.log()); err == nil {
		return info.Size()
	}
	return 0
}

// Database makes an empty database, which ends with the test, and returns its
// address.
func (c *Cluster) Database(t T) string {
	t.Helper()
	return c.database(t, "template1")
}

// From makes a database that is a copy of another one, which make filled when
// the name was first asked for: so each test has the tables at the cost of a
// copy. It ends with the test.
func (c *Cluster) From(t T, name string, make func(dsn string) error) string {
	t.Helper()
	c.from.Lock()
	template, ok := c.made[name]
	if !ok {
		var err error
		if template, err = c.Create("template1"); err == nil {
			err = make(c.Address(template))
		}
		if err != nil {
			c.from.Unlock()
			must(t, err)
		}
		if c.made == nil {
			c.made = map[string]string{}
		}
		c.made[name] = template
	}
	c.from.Unlock()
	return c.database(t, template)
}

func (c *Cluster) database(t T, template string) string {
	t.Helper()
	name, err := c.Create(template)
	must(t, err)
	t.Cleanup(func() { _ = c.Drop(name) })
	return c.Address(name)
}

// Create makes a database and returns its name.
func (c *Cluster) Create(template string) (string, error) {
	name := "pawl_test_" + strings.ToLower(rand.Text()[:12])
	_, err := c.Query(c.dsn, "CREATE DATABASE "+name+" TEMPLATE "+template)
	return name, err
}

// Drop removes a database and ends its connections.
func (c *Cluster) Drop(name string) error {
	_, err := c.Query(c.dsn, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	return err
}

// Address is that of a database on the server, by its name.
func (c *Cluster) Address(database string) string {
	if u, err := url.Parse(c.dsn); err == nil && u.Scheme != "" {
		u.Path = "/" + database
		return u.String()
	}
	return c.dsn + " dbname=" + database // the last one of a name holds
}

// SQL runs statements in a database, given by its address, and returns the
// rows: a line each, columns apart by `|`.
func (c *Cluster) SQL(t T, dsn, sql string) string {
	t.Helper()
	rows, err := c.Query(dsn, sql)
	must(t, err)
	return rows
}

// Query is [Cluster.SQL] with an error.
func (c *Cluster) Query(dsn, sql string) (string, error) {
	out, err := c.run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, dsn)
	return strings.TrimSuffix(out, "\n"), err
}

// run runs one of PostgreSQL's programs to its end.
func (c *Cluster) run(name string, args ...string) (string, error) {
	return c.feed(nil, name, args...)
}

// feed is run of a program that reads something.
func (c *Cluster) feed(in io.Reader, name string, args ...string) (string, error) {
	path, err := program(name)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = "/"
	cmd.Env = environment()
	if c.dir != "" { // else the caller's password file may be needed
		asServer(cmd)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}

// environment has nothing in it that would send PostgreSQL's programs to
// another server, or make them speak another language.
func environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "PG") && os.Getenv(Env) == "" || strings.HasPrefix(s, "LC_") || strings.HasPrefix(s, "LANG")
	})
	return append(env, "LC_ALL=C")
}

// program finds one of PostgreSQL's programs, the newest of them: on PATH, or
// where Debian, Red Hat and Homebrew keep what is not for everybody's.
func program(name string) (string, error) {
	if runtime.GOOS != "windows" {
		for _, pattern := range []string{"/usr/lib/postgresql/*/bin/", "/usr/pgsql-*/bin/", "/opt/homebrew/opt/postgresql@*/bin/", "/usr/local/opt/postgresql@*/bin/"} {
			found, _ := filepath.Glob(pattern + name)
			if len(found) > 0 {
				return slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) }), nil
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("PostgreSQL's program %s is not installed (Debian: apt-get install postgresql), and %s does not name a server", name, Env)
	}
	return path, nil
}

// version is the first number in the path of a program.
func version(path string) int {
	digits := strings.IndexAny(path, "0123456789")
	if digits < 0 {
		return 0
	}
	rest := path[digits:]
	if end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		rest = rest[:end]
	}
	n, _ := strconv.Atoi(rest)
	return n
}
