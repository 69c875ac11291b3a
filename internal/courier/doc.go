// Package courier does for a board at an address what cannot wait for a server: an
// agent's hook has a few milliseconds, and a server may be far away, slow or off.
//
//	hook ─┬→ Post.Glance        live within Patience, else as it was last known
//	      └→ Post.Do(job) ─────┬→ live, within the same Patience
//	                           └→ queue ─→ the courier: a process of its own, one at a time for each address
//
// A [Job] renews the claims of a session, gives them back, or has another session
// take them over. Jobs are kept in order, and the requests of each have op ids, so
// that nothing runs twice. What a session has claimed, and which claims it has lost,
// is in a file that hooks read without a network: see [Claims].
//
// In the user's state folder, for each address:
//
//	courier/ADDRESS/jobs.jsonl        jobs that wait, the oldest first
//	courier/ADDRESS/claims/SESSION    what a session has claimed, and what it lost
//	courier/ADDRESS/glances/SESSION   what an agent saw of the board last
//	courier/ADDRESS/changed           grows with each change that this machine sends
//	courier/ADDRESS/line              whether live questions have a chance, and what failed
//	courier/ADDRESS/next, working     locks of the courier's processes
//
// None of them is synced: after a power cut leases end by themselves.
package courier
