package remote

import (
	"context"
	"net/http"
	"strings"
)

// pathCodes is where the page of a board makes codes for browsers.
const pathCodes = "/api/v1/codes"

// Page returns a link that opens the server's page of the board in a browser, once and
// within a minute, and the SHA-256 of the certificate that the browser will see if no
// authority has signed it.
func (b *Board) Page(ctx context.Context) (link, cert string, err error) {
	text, err := b.send(ctx, call{method: http.MethodPost, path: pathCodes, limit: maxHello})
	if err != nil {
		return "", "", err
	}
	var made struct {
		Code string `json:"code"`
	}
	if err := b.decode(text, &made); err != nil {
		return "", "", err
	}
	if !isCode(made.Code) {
		return "", "", b.strange("its code for a browser is none")
	}
	return b.o.Address.String() + "/#" + made.Code, b.o.Cert, nil
}

// isCode reports whether a text can be a code: a browser is started with it.
func isCode(text string) bool {
	return len(text) >= 8 && len(text) <= 64 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}
