package cli

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/internal/wire"
)

// Teaming is what a server for a team works with.
type Teaming struct {
	Dir     string // the folder of the boards; empty: they are in Store
	Store   Store
	State   string // with Store: the server's own folder; empty: the usual one
	Addr    string // where to listen; empty: the usual place
	Host    string // by which others reach it: NAME, or https://NAME of a proxy; empty: found out
	TLS     bool   // with a certificate of its own, also on this machine
	Cert    string // the files of its certificate and key; empty: it has none
	Key     string
	Proxies []string // the networks of proxies that are believed: CIDR or an address
	Version string
	Getenv  func(string) string
	Warn    func(text string)
	Up      func(at access.Where, tokens int) error // called as soon as it is served
}

// teamRun is serve --boards, or serve --store.
type teamRun struct {
	*app
	boards *string
	stored *storeFlags
	with   Teaming
	place  string // the flag that says where the boards are
}

func (a *app) teamFlags(cmd *cobra.Command, boards *string, stored *storeFlags) *teamRun {
	t := &teamRun{app: a, boards: boards, stored: stored}
	flags := cmd.Flags()
	flags.StringVar(&t.with.Cert, "tls-cert", "", "`FILE` with --boards or --store: the certificate chain in PEM; read again when it changes")
	flags.StringVar(&t.with.Key, "tls-key", "", "`FILE` with --tls-cert: its key")
	flags.BoolVar(&t.with.TLS, "tls", false, "with --boards or --store: make a certificate, whose fingerprint pawl join needs; the default if other machines can connect")
	flags.StringSliceVar(&t.with.Proxies, "proxy", nil, "`CIDR` with --boards or --store: serve plain HTTP to proxies in this range, which have the certificate and set X-Forwarded-For")
	return t
}

// teamOnly are the flags of a server for a team.
var teamOnly = []string{"tls-cert", "tls-key", "tls", "proxy", "state"}

func (t *teamRun) run(ctx context.Context, addr string, hosts []string) error {
	if len(hosts) > 1 {
		return usage("serve", "with --boards or --store a server has one --host: that of the addresses of its boards")
	}
	if (t.with.Cert == "") != (t.with.Key == "") {
		return usage("serve", "--tls-cert and --tls-key belong together")
	}
	if t.with.Cert != "" && t.with.TLS || len(t.with.Proxies) > 0 && (t.with.TLS || t.with.Cert != "") {
		return usage("serve", "--tls-cert, --tls and --proxy exclude each other: the server has a certificate in files, one of its own, or a proxy that has one")
	}
	w := t.with
	if *t.boards == "" {
		if w.Store = t.stored.store(); t.stored.state != "" {
			w.State = t.absolute(t.stored.state)
		}
		t.place = w.Store.flag()
	} else {
		if t.stored.state != "" {
			return usage("serve", "--state goes with --store: with --boards the server's own folder is in that of the boards")
		}
		dir, err := access.Boards(*t.boards, t.env.Dir)
		if err != nil {
			return err
		}
		if w.Dir, err = filepath.Abs(dir); err != nil {
			return err
		}
		t.place = " --boards " + quote(w.Dir)
	}
	w.Host = strings.Join(hosts, "")
	w.Addr, w.Version, w.Getenv, w.Up = addr, t.env.Build.Version, t.env.Getenv, t.up
	w.Warn = func(text string) { t.say("%s", text) }
	return t.env.Host.Serve(ctx, w)
}

// up tells where the server is, and what to do next.
func (t *teamRun) up(at access.Where, tokens int) error {
	if t.json {
		if err := t.printJSON(serveJSON{Envelope: wire.NewEnvelope("serve"), Address: at.Origin, Cert: at.Cert}); err != nil {
			return err
		}
		return t.flush()
	}
	t.print("Serving %s\n", at.Origin)
	if at.Cert != "" {
		t.print("Certificate: sha256:%s, which nobody has signed: pawl join needs it\n", at.Cert)
	}
	if err := t.flush(); err != nil {
		return err
	}
	if tokens == 0 {
		t.say("nobody has a token yet; in another terminal: pawl serve token create NAME --board BOARD%s", t.place)
	}
	t.say("each holder of a token joins from a clone: %s", at.Join("BOARD"))
	if strings.HasPrefix(at.Origin, "http://") {
		t.say("only this machine can connect; for others: pawl serve%s --addr 0.0.0.0:7350", t.place)
	}
	return nil
}
