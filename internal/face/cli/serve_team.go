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
	Dir     string // the folder of the boards
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

// teamRun is serve --boards.
type teamRun struct {
	*app
	boards *string
	with   Teaming
	dir    string
}

func (a *app) teamFlags(cmd *cobra.Command, boards *string) *teamRun {
	t := &teamRun{app: a, boards: boards}
	flags := cmd.Flags()
	flags.StringVar(&t.with.Cert, "tls-cert", "", "`FILE` with --boards: the certificate in PEM, with those that signed it; read again when it changes")
	flags.StringVar(&t.with.Key, "tls-key", "", "`FILE` with --tls-cert: its key")
	flags.BoolVar(&t.with.TLS, "tls", false, "with --boards: a certificate of the server's own, for which pawl join needs the fingerprint; without other flags so where other machines can connect")
	flags.StringSliceVar(&t.with.Proxies, "proxy", nil, "`CIDR` with --boards: plain HTTP to a proxy there, which has the certificate and names clients in X-Forwarded-For")
	return t
}

// teamOnly are the flags of a server for a team.
var teamOnly = []string{"tls-cert", "tls-key", "tls", "proxy"}

func (t *teamRun) run(ctx context.Context, addr string, hosts []string) error {
	if len(hosts) > 1 {
		return usage("serve", "with --boards a server has one --host: that of the addresses of its boards")
	}
	if (t.with.Cert == "") != (t.with.Key == "") {
		return usage("serve", "--tls-cert and --tls-key belong together")
	}
	if t.with.Cert != "" && t.with.TLS || len(t.with.Proxies) > 0 && (t.with.TLS || t.with.Cert != "") {
		return usage("serve", "--tls-cert, --tls and --proxy exclude each other: the server has a certificate in files, one of its own, or a proxy that has one")
	}
	t.with.Host = strings.Join(hosts, "")
	dir, err := access.Boards(*t.boards, t.env.Dir)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	w := t.with
	t.dir = dir
	w.Dir, w.Addr, w.Version, w.Getenv, w.Up = dir, addr, t.env.Build.Version, t.env.Getenv, t.up
	w.Warn = func(text string) { t.say("%s", text) }
	return t.env.Team(ctx, w)
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
	boards := " --boards " + quote(t.dir)
	if tokens == 0 {
		t.say("nobody has a token yet; in another terminal: pawl serve token create NAME --board BOARD%s", boards)
	}
	t.say("each holder of a token joins from a clone: %s", at.Join("BOARD"))
	if strings.HasPrefix(at.Origin, "http://") {
		t.say("only this machine can connect; for others: pawl serve%s --addr 0.0.0.0:7350", boards)
	}
	return nil
}
