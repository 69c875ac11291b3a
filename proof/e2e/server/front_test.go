//go:build unix

package server

import (
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"
)

// Front is one origin for several servers without TLS, as of a load balancer: each
// connection goes to the next server that accepts it.
func Front(t testing.TB, servers ...*Server) (origin string) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	var turn atomic.Int64
	serve := func(client net.Conn) {
		defer client.Close()
		n := int(turn.Add(1))
		for i := range servers {
			server, err := servers[(n+i)%len(servers)].dial(context.Background(), n)
			if err != nil {
				continue
			}
			defer server.Close()
			go func() {
				io.Copy(server, client)
				server.Close()
			}()
			io.Copy(client, server)
			return
		}
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go serve(client)
		}
	}()
	return "http://" + l.Addr().String()
}
