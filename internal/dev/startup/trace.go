package main

import (
	"cmp"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

const (
	// Allocations are counted, because how long they take is the machine's.
	maxSum     = 2000 // by all packages
	maxPackage = 200  // by one that slow.txt does not name
	maxAllocs  = 15   // by a package of Pawl's, whose tables can do without
	ours       = "github.com/pawl-dev/pawl"
)

// trace is what each package takes to initialise.
type trace map[string]cost

type cost struct {
	clock  float64 // ms
	allocs int
}

// parseTrace reads the lines that the runtime writes:
//
//	init encoding/gob @1.2 ms, 0.31 ms clock, 21504 bytes, 229 allocs
func parseTrace(text string) (trace, error) {
	t := trace{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 11 || words[0] != "init" || words[5] != "ms" || words[6] != "clock," || words[10] != "allocs" {
			continue // what the program itself says
		}
		clock, err := strconv.ParseFloat(words[4], 64)
		allocs, also := strconv.Atoi(words[9])
		if err := cmp.Or(err, also); err != nil {
			return nil, fmt.Errorf("cannot read %q: %w", line, err)
		}
		t[words[1]] = cost{clock, allocs}
	}
	// The runtime itself and its like always report.
	if len(t) < 3 {
		return nil, fmt.Errorf("only %d packages in the trace: has its form changed?\n%s", len(t), text)
	}
	return t, nil
}

// stackPackage must initialise before the packages that need a deep stack.
const stackPackage = "github.com/pawl-dev/pawl/internal/stack"

// checkOrder returns what is wrong with the order of the packages in a trace.
// Package os stands for those that do something.
func checkOrder(text string) []string {
	for line := range strings.Lines(text) {
		switch words := strings.Fields(line); {
		case len(words) < 2 || words[0] != "init":
		case words[1] == stackPackage:
			return nil
		case words[1] == "os":
			return []string{stackPackage + " does not initialise before os: it must be in the binary and import nothing"}
		}
	}
	return []string{stackPackage + " is not in the binary"}
}

// keepLeast lowers each cost to the one in run.
func (t trace) keepLeast(run trace) {
	for name, c := range run {
		if least, ok := t[name]; ok {
			c = cost{min(c.clock, least.clock), min(c.allocs, least.allocs)}
		}
		t[name] = c
	}
}

func (t trace) sum() (sum cost) {
	for _, c := range t {
		sum = cost{sum.clock + c.clock, sum.allocs + c.allocs}
	}
	return sum
}

// slowest returns the packages, those that take longest first.
func (t trace) slowest() []string {
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(t[b].clock, t[a].clock), cmp.Compare(a, b))
	})
}

// check returns what is wrong with the costs, given the packages that are known
// to be slow.
func (t trace) check(slow map[string]string) []string {
	var faults []string
	if n := t.sum().allocs; n > maxSum {
		faults = append(faults, fmt.Sprintf("start-up allocates %d times in sum, more than %d", n, maxSum))
	}
	for _, name := range t.slowest() {
		if n := t[name].allocs; n > maxPackage && slow[name] == "" {
			faults = append(faults, fmt.Sprintf("%s allocates %d times, more than %d: leave it out, load it later, or name it in slow.txt with the reason",
				name, n, maxPackage))
		}
		if n := t[name].allocs; n > maxAllocs && (name == ours || strings.HasPrefix(name, ours+"/")) {
			faults = append(faults, fmt.Sprintf("%s allocates %d times before main, more than %d: write tables as functions with a switch, or fill them when they are first read",
				name, n, maxAllocs))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(slow)) {
		if _, ok := t[name]; !ok {
			faults = append(faults, fmt.Sprintf("slow.txt names %s, which is no longer in the binary: remove the line", name))
		}
	}
	return faults
}

// parseSlow reads slow.txt: a package and the reason on each line, "#" before
// a remark.
func parseSlow(text string) (map[string]string, error) {
	slow := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("slow.txt: %s has no reason", name)
		}
		slow[name] = strings.TrimSpace(reason)
	}
	return slow, nil
}

// heavy lists the libraries that stay out of the binary, and why.
var heavy = []struct{ module, why string }{
	{"github.com/alecthomas/chroma", "compiles hundreds of lexers"},
	{"github.com/bytedance/sonic", "brings a compiler and unsafe tricks"},
	{"github.com/charmbracelet/glamour", "brings chroma along"},
	{"charm.land/glamour", "brings chroma along"},
	{"github.com/santhosh-tekuri/jsonschema", "compiles its meta-schemas at start"},
	{"go.opentelemetry.io/otel", "sends telemetry, and Pawl sends none"},
	{"google.golang.org/grpc", "is larger than Pawl"},
}

// runewidth builds its tables lazily from this version on; before, every start
// paid 25 to 45 ms for them.
const (
	runewidth     = "github.com/mattn/go-runewidth"
	runewidthFrom = 28 // of v0.0.x
)

func checkModules(info *debug.BuildInfo) []string {
	var faults []string
	for _, dep := range info.Deps {
		for _, h := range heavy {
			if dep.Path == h.module || strings.HasPrefix(dep.Path, h.module+"/") {
				faults = append(faults, fmt.Sprintf("the binary holds %s, which %s", dep.Path, h.why))
			}
		}
		if dep.Path != runewidth {
			continue
		}
		if patch, old := strings.CutPrefix(dep.Version, "v0.0."); old {
			if n, err := strconv.Atoi(patch); err != nil || n < runewidthFrom {
				faults = append(faults, fmt.Sprintf("the binary holds %s %s: at least v0.0.%d", runewidth, dep.Version, runewidthFrom))
			}
		}
	}
	return faults
}
