package cli

import (
	"context"

	"github.com/pawl-dev/pawl/internal/project"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A PageLink opens the page of a board at an address in a browser, once.
type PageLink struct {
	Link string
	Cert string // the SHA-256 of the server's certificate, which no authority has signed; empty: one has
}

// openAtAddress opens the page that the server of a board has.
func (a *app) openAtAddress(ctx context.Context, place project.Board, open bool) error {
	page, err := a.env.Address.Page(ctx, place)
	if err != nil {
		return err
	}
	address := place.Address.String()
	if a.json {
		err = a.printJSON(serveJSON{wire.NewEnvelope("serve"), address, page.Link, "", true, ""})
	} else {
		a.print("Served at %s\nIn a browser: %s\n", address, page.Link)
		err = a.flush()
	}
	if err != nil {
		return err
	}
	a.say("the link works once, within a minute; pawl serve --local serves a page from this machine")
	if page.Cert != "" {
		a.say("no authority has signed the server's certificate, so a browser asks: its SHA-256 is %s", page.Cert)
	}
	if open {
		a.opened(ctx, page.Link)
	}
	return nil
}
