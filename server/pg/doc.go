// Package pg connects Pawl with PostgreSQL. It is the only package that knows the
// driver and the migrations: how a database is named and reached, what a lost
// connection means, and which tables there are.
//
//	Open ──→ Database ──┬─ Begin ─→ Tx: queries in few round trips, Commit, Close
//	                    ├─ Listen: a hint when somebody has rung for a topic
//	                    └─ Close
//
// The packages that use the tables know what they mean: store/postgres has the
// boards.
package pg

import "github.com/jackc/pgx/v5"

// The types of the driver that others need to put queries together and to read their
// answers.
type (
	Batch = pgx.Batch
	Rows  = pgx.Rows
	Row   = pgx.Row
)
