package pgtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Standby starts a server that follows this one, and ends with the test. It has
// a name, by which [Cluster.Synchronous] may ask the primary to wait for it.
func (c *Cluster) Standby(t T, name string) *Cluster {
	t.Helper()
	NeedOwn(t)
	s, err := c.NewStandby(name)
	must(t, err)
	s.endWith(t)
	return s
}

// NewStandby is [Cluster.Standby] for a program that is not a test.
func (c *Cluster) NewStandby(name string) (*Cluster, error) {
	return begin(func(s *Cluster) error { return s.copyOf(c, name) })
}

// Follow makes a server that has ended, such as a primary that was killed, a
// standby of another one, at its old address. Its data is deleted.
func (c *Cluster) Follow(primary *Cluster, name string) error {
	if err := os.RemoveAll(c.data()); err != nil {
		return err
	}
	if err := c.copyOf(primary, name); err != nil {
		return err
	}
	return c.Restart()
}

func (c *Cluster) copyOf(primary *Cluster, name string) error {
	_, err := c.run("pg_basebackup", "-D", c.data(), "-d", primary.DSN(), "-R", "-X", "stream", "-c", "fast", "--no-sync")
	if err != nil {
		return err
	}
	// postgresql.conf is the primary's, with its own places in it.
	return c.Configure(map[string]string{
		"cluster_name":                name, // what the standby calls itself at the primary
		"unix_socket_directories":     filepath.Join(c.dir, "sock"),
		"wal_retrieve_retry_interval": "500ms", // a promotion in the moment of a loss waits this long, too
		"synchronous_standby_names":   "",      // until somebody follows it
	})
}

// Synchronous makes commits wait for standbys: `b`, or `ANY 1 (b, c)`; empty: for
// none. It returns when so many standbys are connected.
func (c *Cluster) Synchronous(names string, standbys int) error {
	// Not ALTER SYSTEM: it would wait for the standby.
	if err := c.Configure(map[string]string{"synchronous_standby_names": names}); err != nil {
		return err
	}
	if _, err := c.Query(c.DSN(), "SELECT pg_reload_conf()"); err != nil {
		return err
	}
	return c.Await("SELECT count(*) >= " + strconv.Itoa(standbys) +
		" AND current_setting('synchronous_standby_names') = '" + strings.ReplaceAll(names, "'", "''") + "'" +
		" FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum') AND state = 'streaming'")
}

// Await waits until a query says t.
func (c *Cluster) Await(query string) error {
	deadline := time.Now().Add(patience)
	for {
		got, err := c.Query(c.DSN(), query)
		if err == nil && got == "t" {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s: still %q, %w", query, got, err)
		}
		<-time.After(pause)
	}
}

// Promote makes a standby the primary, and returns when it accepts writes.
func (c *Cluster) Promote() error {
	// As pg_ctl promote does. The function pg_promote needs a connection, which a
	// standby may be slow to give while its primary stops.
	signal := filepath.Join(c.data(), "promote")
	before := signal + ".new" // the server takes the file away as soon as it sees it
	if err := os.WriteFile(before, nil, 0o600); err != nil {
		return err
	}
	if err := giveAway(before); err != nil {
		return err
	}
	if err := os.Rename(before, signal); err != nil {
		return err
	}
	if err := c.signal(promotion); err != nil {
		return err
	}
	return c.Await("SELECT NOT pg_is_in_recovery()")
}

// FreezeReceiver stops the process of a standby that receives from the primary: the
// standby lives, but falls behind. To go on without the primary, kill a frozen one
// and start it again.
func (c *Cluster) FreezeReceiver() error {
	pid, err := c.Query(c.DSN(), "SELECT pid FROM pg_stat_wal_receiver")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(pid)
	if err != nil {
		return fmt.Errorf("the standby has no receiver: %q", pid)
	}
	return freeze(n)
}

// FreezeBackend stops the process behind one connection, by its pid: that connection hangs
// and the others work.
func (c *Cluster) FreezeBackend(pid int) error { return freeze(pid) }

// Addr is the server's host and port.
func (c *Cluster) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)) }

// Either is the address of a database on several servers: it leads to the one that
// accepts writes.
func Either(database string, servers ...*Cluster) string {
	var hosts []string
	for _, s := range servers {
		hosts = append(hosts, s.Addr())
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/" + database + "?sslmode=disable&target_session_attrs=read-write"
}

// NameOf is the name of the database in an address.
func NameOf(dsn string) string {
	if u, err := url.Parse(dsn); err == nil {
		return strings.TrimPrefix(u.Path, "/")
	}
	return ""
}
