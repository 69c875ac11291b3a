package git

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// errSignal says that a call to a remote was given up because the program is to end.
var errSignal error = interrupted{}

type interrupted struct{}

func (interrupted) Error() string { return "interrupted" }
func (interrupted) Unwrap() error { return context.Canceled }

// untilSignal calls stop if a signal asks the program to end before done is called. What
// runs for a call to a remote is in a session of its own, so no key of a terminal
// reaches it: it would outlive a program that ended at once.
func untilSignal(stop func()) (done func()) {
	var heard []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // by nohup, or a shell for what runs behind
			heard = append(heard, s)
		}
	}
	if len(heard) == 0 { // which would be all signals
		return func() {}
	}
	got, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(got, heard...)
	go func() {
		select {
		case <-got:
			stop()
		case <-ended:
		}
	}()
	return func() {
		signal.Stop(got)
		close(ended)
	}
}
