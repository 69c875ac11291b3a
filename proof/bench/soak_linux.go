package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/proof/e2e/server"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// soakRest is how long streams have after the last change to receive the rest.
const soakRest = 10 * time.Second

// run has many listen to a server while there is much to tell, half of it
// through the server and half beside it.
func (s soak) run(p plan) (report *soaked, err error) {
	project := filepath.Join(p.work, "project")
	if err := os.CopyFS(project, os.DirFS(projectOf(p.dir, soakTasks))); err != nil {
		return nil, err
	}
	served, site, err := serveBoard(p.pawl, project)
	if err != nil {
		return nil, err
	}
	defer func() {
		served.Process.Signal(syscall.SIGTERM)
		err = errors.Join(err, served.Wait())
	}()
	store, err := file.Open(boardOf(project), file.WithWatcher(notify.Watch))
	if err != nil {
		return nil, err
	}
	board := pawl.NewBoard(store)
	defer func() { err = errors.Join(err, board.Close()) }()

	p.say("%d streams, %d changes a second for %v", s.streams, s.rate, s.last)
	report = &soaked{soak: s, Machine: machine()}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	streams := make([]*listener, s.streams)
	most := int(float64(s.rate)*s.last.Seconds())*2 + 1_000
	for i := range streams {
		if streams[i], err = site.listen(ctx, most); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	var reading sync.WaitGroup
	for _, l := range streams {
		reading.Go(func() { l.follow(began) })
	}
	ways := []*writer{{by: "`POST /api/v1/ops`"}, {by: "a change by another process"}}
	renames := []rename{site.rename, func(id pawl.ID, subject string) (pawl.Revision, error) {
		result, err := board.Do(ctx, pawl.Request{By: pawl.Actor{Name: "bench"}, Op: pawl.Update{ID: id, Subject: &subject}})
		return result.Revision, err
	}}
	pid := served.Process.Pid
	report.CPU, report.Took, err = load(pid, func() error {
		return s.write(ways, renames, began, func() { report.Memory = append(report.Memory, server.MemoryOf(pid, "VmRSS")) })
	})
	if err != nil {
		return nil, err
	}
	last := pawl.Revision(0)
	for _, w := range ways {
		last = max(last, w.all[len(w.all)-1].rev)
	}
	for end := time.Now().Add(soakRest); time.Now().Before(end) && behind(streams, last); {
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	reading.Wait()
	report.count(streams, ways)
	return report, nil
}

// serveBoard starts `pawl serve`.
func serveBoard(binary, project string) (*exec.Cmd, *site, error) {
	cmd := exec.Command(binary, "serve", "--json", "--addr", "127.0.0.1:0")
	home := filepath.Join(project, ".git")
	cmd.Dir, cmd.Stderr = project, os.Stderr // where it says what goes wrong
	cmd.Env = []string{"HOME=" + home, "XDG_STATE_HOME=" + stateOf(project), "PATH=" + os.Getenv("PATH"), "USER=ada"}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, nil, err
	}
	var served struct{ Address, TokenFile string }
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &served)
	}
	var token []byte
	if err == nil {
		token, err = os.ReadFile(served.TokenFile)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("pawl serve said %q: %w", line, err), cmd.Process.Kill(), cmd.Wait())
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	return cmd, &site{served.Address, strings.TrimSpace(string(token)), client}, nil
}

// A rename changes what a task is called.
type rename func(id pawl.ID, subject string) (pawl.Revision, error)

// rename asks the server for it.
func (s *site) rename(id pawl.ID, subject string) (pawl.Revision, error) {
	answer, err := s.request(context.Background(), "POST", "/api/v1/ops", fmt.Sprintf(`{"ops":[{"op":"update","id":%d,"subject":%q}]}`, id, subject))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	var said struct{ Revision pawl.Revision }
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, answer.Body) // or the connection is not used again
	return said.Revision, err
}

// write renames in all ways at once, in each at its share of the rate, and calls
// sample once a second.
func (s soak) write(ways []*writer, renames []rename, began time.Time, sample func()) error {
	errs := make([]error, len(ways))
	var writing sync.WaitGroup
	for i, w := range ways {
		writing.Go(func() {
			every := time.NewTicker(time.Second * time.Duration(len(ways)) / time.Duration(s.rate))
			defer every.Stop()
			for n := 0; time.Since(began) < s.last && errs[i] == nil; n++ {
				<-every.C
				m := made{begun: time.Since(began)}
				m.rev, errs[i] = renames[i](pawl.ID(1+(n*len(ways)+i)%soakTasks), fmt.Sprintf("Renamed the %d. time by way %d", n, i))
				if m.known = time.Since(began); m.rev == 0 && errs[i] == nil {
					errs[i] = fmt.Errorf("%s changed nothing", w.by)
				}
				w.all = append(w.all, m)
			}
		})
	}
	done := make(chan struct{})
	go func() { writing.Wait(); close(done) }()
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for sample(); ; {
		select {
		case <-second.C:
			sample()
		case <-done:
			return errors.Join(errs...)
		}
	}
}

func behind(streams []*listener, last pawl.Revision) bool {
	return slices.ContainsFunc(streams, func(l *listener) bool { return pawl.Revision(l.last.Load()) < last })
}
