package access

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/pawl-dev/pawl"
)

// scoped is an op id of the token's holder as the board keeps it, and as history
// shows it:
//
//	k3v7q2mx/9f2c…    the token and the id
//	k3v7q2mx#5d41…    the token and the SHA-256 of an id that would be too long so
//
// A request without an id stays without. The board refuses an id that is too long
// in itself.
func (t *Token) scoped(id pawl.OpID) pawl.OpID {
	if id == "" || len(id) > pawl.MaxOpID {
		return id
	}
	if whole := pawl.OpID(t.ID + "/" + string(id)); len(whole) <= pawl.MaxOpID {
		return whole
	}
	sum := sha256.Sum256([]byte(id))
	return pawl.OpID(t.ID + "#" + hex.EncodeToString(sum[:]))
}
