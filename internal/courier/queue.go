package courier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/pawl-dev/pawl"
)

const (
	maxJobs = 200            // more wait only where nothing has been sent for days
	maxAge  = 24 * time.Hour // of a job: the leases that it is about have ended long since
	jobFile = "jobs.jsonl"
)

// Waits reports whether jobs wait for the courier.
func (p *Post) Waits() bool {
	info, err := os.Stat(p.path(jobFile))
	return err == nil && info.Size() > 0
}

// enqueue leaves a job to the courier. Another Tend of a session takes the place of the
// one before.
func (p *Post) enqueue(ctx context.Context, j Job) error {
	return p.queue(ctx, func(jobs []Job) []Job {
		if j.Do == Tend {
			if i := lastOf(jobs, j.Session); i >= 0 && jobs[i].Do == Tend {
				j.Looks = looks(jobs[i].Looks, j.Looks)
				jobs = slices.Delete(jobs, i, i+1)
			}
		}
		return append(jobs, j)
	})
}

// Cancel removes the queued release of the claims of a session, which goes on after
// all.
func (p *Post) Cancel(ctx context.Context, session string) error {
	if !p.Waits() {
		return nil
	}
	return p.queue(ctx, func(jobs []Job) []Job {
		return slices.DeleteFunc(jobs, func(j Job) bool { return j.Do == End && j.Session == session })
	})
}

func lastOf(jobs []Job, session string) int {
	for i, j := range slices.Backward(jobs) {
		if j.of(session) {
			return i
		}
	}
	return -1
}

// looks are those of two jobs, the newest of each agent.
func looks(old, now []Look) []Look {
	old = slices.DeleteFunc(old, func(o Look) bool {
		return slices.ContainsFunc(now, func(n Look) bool { return n.Agent == o.Agent })
	})
	all := append(old, now...)
	return all[max(0, len(all)-maxLooks):]
}

// queue changes the jobs that wait, and says of those that it drops why.
func (p *Post) queue(ctx context.Context, change func([]Job) []Job) error {
	unlock, err := p.lock(ctx, "jobs.lock", lockSoon)
	if err != nil {
		return err
	}
	if unlock == nil {
		return errBusy
	}
	defer unlock()
	jobs := change(p.bounded(p.jobs()))
	for len(jobs) > maxJobs {
		i := max(0, slices.IndexFunc(jobs, func(j Job) bool { return j.Do == Tend })) // the next one does the same
		p.drop(&jobs[i], fmt.Sprintf("more than %d wait", maxJobs))
		jobs = slices.Delete(jobs, i, i+1)
	}
	var text bytes.Buffer
	for i := range jobs {
		line, err := json.Marshal(jobs[i])
		if err != nil {
			return err
		}
		text.Write(line)
		text.WriteByte('\n')
	}
	return write(p.path(jobFile), text.Bytes())
}

// bounded leaves out jobs that nobody needs by now.
func (p *Post) bounded(jobs []Job) []Job {
	now := p.o.Now()
	return slices.DeleteFunc(jobs, func(j Job) bool {
		old := now.Sub(j.At) > maxAge
		if old {
			p.drop(&j, "it is older than a day")
		}
		return old
	})
}

func (p *Post) drop(j *Job, why string) {
	if j.Do != Tend {
		p.log(pawl.Errorf(pawl.Unavailable, "%s: the job to %s for session %s, of %s, was dropped: %s", p.o.Address, j.Do, j.Session, j.At.Format(time.RFC3339), why))
	}
}

// jobs returns the queued jobs, the oldest first. It skips lines that are no job,
// such as one that was cut short.
func (p *Post) jobs() (jobs []Job) {
	text, ok := read(p.path(jobFile))
	if !ok {
		return nil
	}
	for line := range bytes.Lines(text) {
		var j Job
		if json.Unmarshal(line, &j) == nil && j.ID != "" && j.Session != "" {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// queued reports whether a job still waits.
func (p *Post) queued(id string) bool {
	return slices.ContainsFunc(p.jobs(), func(j Job) bool { return j.ID == id })
}

// done takes a job off the queue.
func (p *Post) done(ctx context.Context, id string) error {
	return p.queue(ctx, func(jobs []Job) []Job {
		return slices.DeleteFunc(jobs, func(j Job) bool { return j.ID == id })
	})
}

func (p *Post) log(err error) {
	if p.o.Log != nil && err != nil {
		p.o.Log(err)
	}
}
