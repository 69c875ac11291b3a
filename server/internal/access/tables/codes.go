package tables

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/pawl-dev/pawl/internal/access"
	"github.com/pawl-dev/pawl/server/pg"
)

// keyCode begins the keys of codes in the table server; the SHA-256 of the text follows.
const keyCode = "code."

// A codeRow is a code as the table has it. Its end is by the clock of the database, which
// is one for all servers.
type codeRow struct {
	Token string `json:"token"`
	Board string `json:"board"`
	Until int64  `json:"until"` // milliseconds since 1970; 0: never
}

type codes struct{ db *pg.Database }

// Codes returns the codes of all servers of a database.
func Codes(db *pg.Database) access.Codes { return codes{db} }

// A value is the code as JSON, with its end and the token's id before it, each in a line.
const (
	codeEnd   = "split_part(value, e'\\n', 1)::bigint"
	codeToken = "split_part(value, e'\\n', 2)"
	codeNow   = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
)

func (c codes) Add(ctx context.Context, _ time.Time, one access.Code) (string, error) {
	row := codeRow{Token: one.Token, Board: one.Board}
	if !one.Until.IsZero() {
		row.Until = one.Until.UnixMilli()
	}
	value, err := json.Marshal(row)
	if err != nil {
		return "", err
	}
	if _, err := c.db.Exec(ctx, "delete from pawl.server where key like '"+keyCode+"%' and "+codeEnd+" <= "+codeNow); err != nil {
		return "", c.db.Unnamed(err)
	}
	text := access.NewCode()
	// The same text may be sent twice, if the first answer was lost.
	made, err := c.db.Exec(ctx, "insert into pawl.server (key, value) select $1, ("+codeNow+" + $2::bigint)::text || e'\\n' || $3::text || e'\\n' || $4::text"+
		" where (select count(*) from pawl.server where key like '"+keyCode+"%' and key <> $1 and "+codeToken+" = $3::text) < $5"+
		" on conflict (key) do update set value = excluded.value",
		codeKey(text), access.CodeLife.Milliseconds(), one.Token, string(value), access.MaxCodes)
	if err == nil && made == 0 {
		err = access.TooManyCodes()
	}
	return text, c.db.Unnamed(err)
}

func (c codes) Use(ctx context.Context, _ time.Time, text string) (one access.Code, works bool, err error) {
	var row codeRow
	err = c.db.Query(ctx, func() { works = false }, func(rows pg.Rows) error {
		var value string
		if err := rows.Scan(&works, &value); err != nil {
			return err
		}
		return json.Unmarshal([]byte(value), &row)
	}, "delete from pawl.server where key = $1 returning "+codeEnd+" > "+codeNow+", split_part(value, e'\\n', 3)", codeKey(text))
	if err != nil || !works {
		return access.Code{}, false, c.db.Unnamed(err)
	}
	one = access.Code{Token: row.Token, Board: row.Board}
	if row.Until != 0 {
		one.Until = time.UnixMilli(row.Until)
	}
	return one, true, nil
}

func codeKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return keyCode + hex.EncodeToString(sum[:])
}
