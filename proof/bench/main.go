// Bench measures whole processes of the released binary, on boards of several
// sizes, against its limits. docs/benchmarks.md has the limits and the results.
//
//	go -C proof run ./bench
//	go -C proof run ./bench -sizes 1000,10000 -runs 40
//	go -C proof run ./bench -mcp
//	go -C proof run ./bench -hook
//	go -C proof run ./bench -board
//	go -C proof run ./bench -serve
//	go -C proof run ./bench -team
//	go -C proof run ./bench -postgres
//	go -C proof run ./bench -folder -parts claims,watch
//
// Machines differ from minute to minute, so every limit is relative to yardsticks
// that are measured in turns with the commands. Boards are made once and kept in
// the folder -dir; each run leaves them as it found them.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	sizes := flag.String("sizes", "1000,10000,100000", "tasks on the boards")
	runs := flag.Int("runs", 15, "how often each command is run on each board")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "pawl-bench"), "where the boards are kept")
	asJSON := flag.Bool("json", false, "print JSON")
	only := flag.Bool("make", false, "only make the boards")
	mcp := flag.Bool("mcp", false, "measure the server for agents instead, on a board of 1,000 tasks")
	hook := flag.Bool("hook", false, "measure the hooks of agents instead")
	board := flag.Bool("board", false, "measure what people look at instead, on boards of 1,000 and 10,000 tasks")
	serving := flag.Bool("serve", false, "have many listen to the server for browsers instead, on a board of 1,000 tasks")
	team := flag.Bool("team", false, "measure a server of boards and its clients instead, on a board of 10,000 tasks")
	database := flag.Bool("postgres", false, "put load on a server of boards in PostgreSQL instead, which is started")
	folder := flag.Bool("folder", false, "the same on a server of boards in a folder")
	l := usualLoad()
	var p plan
	flag.StringVar(&p.pawl, "binary", "", "the pawl to measure, if not that of this source")
	flag.BoolVar(&l.tls, "tls", false, "with -postgres and -folder: clients connect with TLS")
	flag.IntVar(&l.times, "times", l.times, "with -postgres and -folder: how often what is timed one by one is done")
	flag.DurationVar(&l.last, "each", l.last, "with -postgres and -folder: how long clients claim")
	flag.IntVar(&l.ready, "ready", l.ready, "with -postgres and -folder: tasks that stay ready while clients claim")
	clients := flag.String("clients", "8,32,128,256", "with -postgres and -folder: how many clients claim")
	waiting := flag.String("waiting", "10,100,1000", "with -postgres and -folder: how many tasks wait for one that is completed")
	parts := flag.String("parts", strings.Join(l.parts, ","), "with -postgres and -folder: what to measure")
	var s soak
	flag.IntVar(&s.streams, "streams", 200, "with -serve: how many listen")
	flag.IntVar(&s.rate, "rate", 100, "with -serve: changes a second")
	flag.DurationVar(&s.last, "for", time.Minute, "with -serve: how long")
	flag.Parse()
	l.folder, l.parts = *folder, strings.Split(*parts, ",")
	unknown := slices.ContainsFunc(l.parts, func(part string) bool { return !slices.Contains(usualLoad().parts, part) })
	for _, list := range []struct {
		of    *[]int
		words string
	}{{&l.clients, *clients}, {&l.dependents, *waiting}} {
		*list.of = nil
		for word := range strings.SplitSeq(list.words, ",") {
			n, err := strconv.Atoi(word)
			unknown = unknown || err != nil || n < 1
			*list.of = append(*list.of, n)
		}
	}
	counts, err := parseSizes(*sizes)
	if err != nil || unknown || *runs < 1 || s.streams < 1 || s.rate < 1 || s.last < time.Second || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: bench [-sizes N,N] [-runs N] [-dir DIR] [-json] [-make] [-mcp] [-hook] [-board] [-team] [-postgres|-folder [-parts P,P] [-tls] [-binary FILE]] [-serve [-streams N] [-rate N] [-for D]]")
		os.Exit(2)
	}
	p.sizes, p.runs, p.dir = counts, *runs, *dir
	p.say = func(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }
	switch {
	case *only:
		err = makeBoards(*dir, counts)
	case *mcp:
		err = tell(p, []int{mcpTasks}, serve, *asJSON)
	case *hook:
		err = tell(p, counts, measureHooks, *asJSON)
	case *board:
		err = tell(p, watchSizes, watchScreens, *asJSON)
	case *team:
		err = tell(p, []int{teamTasks}, measureTeam, *asJSON)
	case *database, *folder:
		err = tell(p, nil, func(p plan) (*loaded, error) { return measureLoad(p, l) }, *asJSON)
	case *serving:
		report := &soaked{}
		err = tell(p, []int{soakTasks}, func(p plan) (_ *soaked, err error) {
			report, err = s.run(p)
			return report, err
		}, *asJSON)
		if err == nil {
			err = report.lost()
		}
	default:
		err = tell(p, counts, measure, *asJSON)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// tell measures something and prints what came out. The boards of these sizes are there
// then, and the program.
func tell[R fmt.Stringer](p plan, sizes []int, measure func(plan) (R, error), asJSON bool) (err error) {
	p.say("making the boards in %s that are not there yet", p.dir)
	if err := makeApart(p.dir, sizes); err != nil {
		return err
	}
	if p.work, err = os.MkdirTemp("", "pawl-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(p.work)
	if p.pawl == "" {
		p.say("building")
		if p.pawl, err = build(p.work); err != nil {
			return err
		}
	}
	report, err := measure(p)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(report)
	}
	_, err = os.Stdout.WriteString(report.String())
	return err
}

// A plan is what is to be measured.
type plan struct {
	sizes []int
	runs  int
	dir   string // of the boards
	work  string // for what goes when all is measured
	pawl  string // the program
	say   func(format string, args ...any)
}

func parseSizes(list string) ([]int, error) {
	var sizes []int
	for word := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < minSize {
			return nil, fmt.Errorf("%q is not the size of a board: from %d on", word, minSize)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}
