package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/proof/e2e/server"
)

// measureTeam has a server keep a board, and a clone joined to it.
func measureTeam(p plan) (r *teamed, err error) {
	server.Use(p.pawl)
	host := &server.Host{Dir: p.work}
	defer func() {
		host.Close()
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
		err = errors.Join(err, host.Err())
	}()
	r = &teamed{Machine: machine()}
	s := server.Start(host, server.Options{TLS: true})
	must(host, os.CopyFS(filepath.Join(s.Dir, "large"), os.DirFS(projectOf(p.dir, teamTasks))))
	boss := s.Token("boss", "--board", "large", "--board", "crowd", "--role", "admin")
	large := s.Client(boss, "large")
	_, err = large.Hello(host.Context()) // the board is open
	must(host, err)

	p.say("`pawl ready` of %s tasks", thousands(teamTasks))
	clone := &agent{pawl: p.pawl, project: filepath.Join(p.work, "clone"), home: filepath.Join(p.work, "home"), events: map[string]*paired{}}
	must(host, os.MkdirAll(clone.project, 0o755))
	mine := s.Token("bench", "--board", "large", "--role", "work")
	join := []string{"join", s.Origin + "/boards/large"}
	if s.TLS {
		join = append(join, "--cert", "sha256:"+s.Pin())
	}
	_, _, err = clone.run([]byte(mine.Secret+"\n"), join...)
	must(host, err)
	var starts, readies, clock []time.Duration
	for range p.runs + 1 {
		_, start, err := clone.run(nil, "version")
		must(host, err)
		began := time.Now()
		out, ready, err := clone.run(nil, "ready")
		if err != nil || !strings.Contains(out, "#") {
			return nil, fmt.Errorf("pawl ready says %q, %w", out, err)
		}
		starts, readies, clock = append(starts, start), append(readies, ready), append(clock, time.Since(began))
	}
	r.row("`pawl version`, processor", median(starts[1:]), median(starts[1:]))
	r.row("`pawl ready`, processor", median(readies[1:]), median(starts[1:])+teamReady)
	r.row("the same by the clock", median(clock[1:]), median(clock[1:]))

	p.say("hooks")
	must(host, clone.work(p.runs))
	r.Hooks = &hooked{Runs: p.runs, Boards: []hookBoard{{teamTasks, clone.figures()}}}
	r.most(fmt.Sprintf("a hook by the clock, %d events; the server answered %d too late", len(clone.clock), clone.late), spreadOf(clone.clock), teamHook)

	p.say("`pawl board`")
	v := &viewer{pawl: p.pawl, size: teamTasks, project: clone.project, home: clone.home}
	joining := v.command(join...)
	joining.Stdin = strings.NewReader(mine.Secret + "\n")
	if out, err := joining.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var screens []time.Duration
	for range 5 {
		shown, took, err := v.show("Ready ", "board", "--theme", "dark")
		must(host, err)
		must(host, shown.leave("q"))
		screens = append(screens, took)
	}
	r.row("`pawl board`, from its start to the first frame with tasks, the slowest of 5", slices.Max(screens), teamScreen)

	p.say("%d clients claim", teamClaimers)
	server.Fill(host, s.Client(boss, "crowd"), 3_000)
	claimers := s.Claimers("crowd", teamClaimers)
	before, err := processor(s.Pid(), false)
	must(host, err)
	r.most(fmt.Sprintf("a claim of one of %d clients, each every %v", teamClaimers, teamClaimPause), spreadOf(s.Paced(claimers, 20, teamClaimPause)), teamClaim)
	r.most(fmt.Sprintf("a claim of one of %d clients, as fast as they can", teamClaimers), spreadOf(s.Paced(claimers, 20, 0)), time.Hour)

	must(host, r.each("processor of the server for one of these claims, with the completion that follows it", s.Pid(), before, 2*20*teamClaimers))

	p.say("%d clients watch", teamWatchers)
	hall := s.Watch(boss, "large", teamWatchers)
	before, err = processor(s.Pid(), false)
	must(host, err)
	took, missed := hall.Sees(large, 50, teamChangePause)
	must(host, r.each(fmt.Sprintf("processor of the server for a change that %d watchers see", teamWatchers), s.Pid(), before, 50))
	r.most(fmt.Sprintf("from the beginning of a change to each of %d watchers", teamWatchers), spreadOf(took), teamSeen)
	if missed > 0 {
		return nil, fmt.Errorf("%d changes did not come to a watcher", missed)
	}
	memory := s.Memory("VmRSS")
	r.Rows = append(r.Rows, teamRow{fmt.Sprintf("memory of the server with %d clients", teamWatchers), fmt.Sprintf("%d MiB", memory/mebi), fmt.Sprintf("%d MiB", int64(teamMemory/mebi)), memory <= teamMemory})
	return r, nil
}

// each adds what one of n things took of a process.
func (r *teamed) each(name string, pid int, before time.Duration, n int) error {
	after, err := processor(pid, false)
	each := (after - before) / time.Duration(n)
	r.row(name, each, each)
	return err
}
