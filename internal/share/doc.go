// Package share keeps a board in step with those of other clones, through one
// reference of a git remote. It is the protocol, and knows neither git nor files:
// those are a [Repository] and a [Local], which tests replace.
//
//	s := share.New(repository, local, state, clock)
//	report, err := s.Sync(ctx, share.Options{})
//
// A push is accepted only if the reference is still where the pusher last saw it.
// So the remote has one history, a line, and that history decides who got a claim:
// no clock does. A sync goes in these steps:
//
//	snapshot   the board as it is becomes a commit of this clone, S, on the last one
//	fetch      T, what the remote has
//	merge      S is brought onto T: merge.Onto, the base is git's merge base
//	push       the result, C, with parents T and S; lost to another clone: again from fetch
//	write      C is merged three ways into the board as it is by now, and S becomes C
//
// A crash between two steps loses nothing: S is in the clone before the remote can
// have it, and the board is written before the clone forgets what it was built on.
//
// A claim counts when the push that has it was accepted. Its holder counts the lease
// from when the last renewal that the remote has was written; everybody else from
// when they first saw that renewal, and with a margin. Both look at two clocks: see
// [Instant].
package share
