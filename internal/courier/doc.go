// Package courier does the work of an agent's hooks for a board at an address: a
// hook has a few milliseconds, and a server may be far away, slow or off.
//
//	hook ─┬→ Post.Glance        live within Patience, else as it was last known
//	      └→ Post.Do(job) ─────┬→ live, within the same Patience
//	                           └→ queue ─→ the courier: a process of its own, one at a time for each address
//
// A [Job] renews the claims of a session, gives them back, or has another session
// take them over. Jobs are kept in order, and the requests of each have op ids, so
// that nothing runs twice. A file that hooks read without a network has the claims
// of a session, and those that it lost: see [Claims].
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
