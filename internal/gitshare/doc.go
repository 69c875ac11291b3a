// Package gitshare shares the board in a folder through a git remote: it gives
// package share a repository of git's, the files of a board, two clocks, and a place
// to remember things in.
//
// The clone's own files are in git's folder:
//
//	.git/pawl/NAME/repo     a bare repository of Pawl's own, with the commits of the board
//	.git/pawl/NAME/state    what this clone remembers
//	.git/pawl/NAME/lock     one sync at a time
//
// The user's own repository gets no object, no reference and no setting. Only its
// configuration is read: remotes, credentials, proxies.
package gitshare
