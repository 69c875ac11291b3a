// Package exchanges has recorded requests and responses of each protocol, so that
// an old client can be played against today's server, and an old server against
// today's client.
//
//	protocol1.json ─┬→ requests ─→ today's server ─→ answers that have all that was recorded
//	                └→ answers  ─→ today's client ─→ values that lose nothing of it
//
// The file of a released protocol is never changed. Package team records a new one.
package exchanges

import (
	"embed"
	"encoding/json"
	"fmt"
	"testing"
)

//go:embed protocol*.json
var files embed.FS

// An Exchange is one request with its response. Exchanges follow each other on one
// board, which does not exist before the first.
type Exchange struct {
	Name   string          `json:"name"`   // what it is about
	Method string          `json:"method"` // of the request
	Path   string          `json:"path"`   // below the board
	Body   json.RawMessage `json:"body,omitempty"`

	Status int               `json:"status"`
	Spoken string            `json:"spoken"` // the server's protocols
	Answer json.RawMessage   `json:"answer,omitempty"`
	Lines  []json.RawMessage `json:"lines,omitempty"` // of a stream, as far as it was read
}

// File is the name of the file of a protocol.
func File(protocol int) string { return fmt.Sprintf("protocol%d.json", protocol) }

// Load returns the exchanges of a protocol.
func Load(t *testing.T, protocol int) []Exchange {
	t.Helper()
	text, err := files.ReadFile(File(protocol))
	if err != nil {
		t.Fatal(err)
	}
	var all []Exchange
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d exchanges were recorded", len(all))
	}
	return all
}
