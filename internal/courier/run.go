package courier

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/pawl-dev/pawl/query"
)

const (
	nextName    = "next"    // a courier that is about to run has this lock
	workingName = "working" // one that runs

	longest = 2 * time.Minute  // a run takes at most
	oneJob  = 10 * time.Second // a job
	between = 2 * time.Second  // two tries of a job, then twice as long
	tries   = 4
	keepFor = 30 * 24 * time.Hour // files of sessions
)

// Run is the courier: it runs the queued jobs, and ends. It returns at once if
// another one is about to run.
func (p *Post) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	begin, err := p.lock(ctx, nextName, 0)
	if begin == nil {
		return err
	}
	unlock, err := p.lock(ctx, workingName, longest)
	begin() // what is left from now on is for the next one
	if unlock == nil {
		return err
	}
	defer unlock()
	p.tidy()
	err = p.work(ctx)
	s := p.state()
	s.Tried = p.o.Now().UTC()
	switch {
	case err == nil && s.Slow.IsZero():
		return remove(p.path(lineFile))
	case err == nil:
		s = state{Slow: s.Slow}
	default:
		if s.Failures++; s.Since.IsZero() {
			s.Since = s.Tried
			p.log(err)
		}
	}
	p.setState(s)
	return nil
}

// work does all of it.
func (p *Post) work(ctx context.Context) error {
	board, err := p.o.Dial(oneJob)
	if err != nil {
		return err
	}
	defer board.Close()
	line := &timed{Board: board}
	for range maxJobs {
		jobs := p.jobs() // read again each time: one may have been taken back
		if len(jobs) == 0 {
			break
		}
		if err := p.deliver(ctx, line, jobs[0]); err != nil {
			return err
		}
		if line.took > 0 {
			p.measured(line.took)
		}
	}
	return nil
}

// timed measures the first question, which is asked over a new connection.
type timed struct {
	query.Board
	took time.Duration
}

func (t *timed) Ask(ctx context.Context, who query.Asker, q query.Question) (query.Answer, error) {
	start := time.Now()
	answer, err := t.Board.Ask(ctx, who, q)
	if err == nil && t.took == 0 {
		t.took = time.Since(start)
	}
	return answer, err
}

// deliver does a job, again and again while the server does not answer. One that the
// server refuses is dropped, with the reason in the log.
func (p *Post) deliver(ctx context.Context, b query.Board, j Job) error {
	if p.o.Now().Sub(j.At) > maxAge {
		return p.done(ctx, j.ID)
	}
	pause := between
	for try := 1; ; try++ {
		if !p.queued(j.ID) {
			return nil // it was taken back
		}
		one, cancel := context.WithTimeout(ctx, oneJob)
		done, err := p.carryOut(one, b, j)
		cancel()
		if err == nil {
			if err := p.settle(j, done); err != nil && !Away(err) {
				p.log(err)
			}
			return p.done(ctx, j.ID)
		}
		if !Away(err) {
			p.drop(&j, err.Error())
			return errors.Join(p.done(ctx, j.ID), err) // the next one would fail, too
		}
		if try == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		pause *= 2
	}
}

// measured notes whether a hook has a chance of an answer in time. took is what a question
// took over a new connection.
func (p *Post) measured(took time.Duration) {
	s := p.state()
	if took < p.o.Patience*3/4 { // more is too far away
		s.Slow = time.Time{}
	} else {
		s.Slow = p.o.Now().Add(slowFar).UTC()
	}
	p.setState(s)
}

// tidy removes files of sessions long past.
func (p *Post) tidy() {
	now := p.o.Now()
	for _, dir := range []string{claimsDir, glancesDir, changedDir} {
		entries, _ := os.ReadDir(p.path(dir))
		for _, e := range entries {
			if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > keepFor {
				os.Remove(p.path(dir, e.Name()))
			}
		}
	}
}
