//go:build unix

// Package server runs a real server of boards and real clients of it, for proofs: the
// built program in processes of its own, on loopback, with homes that are thrown away.
//
//	func TestMain(m *testing.M) { server.Main(m) }
//
//	s := server.Start(t, server.Options{TLS: true})
//	ada := s.Token("ada", "--role", "work", "--board", "shop")
//	board := s.Client(ada, "shop")
//	s.Kill()
//	s.Again() // on the same port
//
// Its own tests are the proofs that need nothing between client and server. Those
// with a bad line between them are in proof/chaos.
package server
