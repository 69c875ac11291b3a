// Package pgtest gives tests a PostgreSQL server.
//
//	func TestX(t *testing.T) {
//		server := pgtest.Server(t) // skips where there is none; in CI that fails
//		dsn := server.Database(t)  // a database of this test's own, empty
//
// [Server] is one for the whole test process: made on first use from the
// system's own programs (initdb, postgres) in a temporary folder, with a port
// of its own, fast (fsync off) and gone with the process, however that ends.
// A test that kills, restarts or replicates has one to itself: [Start].
//
// PAWL_TEST_POSTGRES names a server to use instead of a temporary one: the
// address of a role that may create databases. Tests that need a server of
// their own start one even then, and are skipped where that is impossible.
//
// Root cannot run PostgreSQL: for root it runs as the user nobody. Sorting in
// these databases is that of a language (en-US) and not of bytes, as in most
// databases of real teams, so that a query that forgets COLLATE "C" shows.
package pgtest
