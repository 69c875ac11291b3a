// Report sums up the output of `go test -json` for a person: a line for each
// package, the output of failed tests, and the skipped ones with their reasons.
//
//	go test -json ./... | report -counts counts.txt
//
// It fails if a test failed, if one was skipped without permission (see
// internal/dev/mustrun), or if no test ran. It appends the counts to the file as
// one line: passed, failed.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	counts := flag.String("counts", "", "append `passed failed` to this `file`")
	log := flag.Bool("log", false, "also print what tests said that passed")
	flag.Parse()
	r := newReport(os.Stdout)
	r.log = *log
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		r.failed++
	}
	r.finish()
	if *counts != "" {
		if err := appendLine(*counts, fmt.Sprintln(r.passed, r.failed)); err != nil {
			fmt.Fprintln(os.Stderr, "report:", err)
			os.Exit(1)
		}
	}
	if r.failed > 0 {
		os.Exit(1)
	}
}

func appendLine(name, line string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// event is one line of the input, as `go doc test2json` and `go help
// buildjson` describe it.
type event struct {
	Action      string
	Package     string
	Test        string
	ImportPath  string // of build-output
	FailedBuild string // the import path whose build-output explains a failure
	Output      string
	Elapsed     float64
}

// notHere is the prefix of internal/dev/mustrun for the reason of a skip that is
// allowed even in CI.
const notHere = "not here: "

type report struct {
	out            io.Writer
	log            bool
	passed, failed int
	output         map[key]*strings.Builder
	build          map[string]*strings.Builder
	packages       map[string]*tally
	skips          []string
}

type key struct{ pkg, test string }

type tally struct{ passed, failed, skipped int }

func newReport(out io.Writer) *report {
	return &report{out: out, output: map[key]*strings.Builder{}, build: map[string]*strings.Builder{}, packages: map[string]*tally{}}
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(r.out, "%s", line) // the go command itself speaking
			} else {
				r.take(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) take(e event) {
	k := key{e.Package, e.Test}
	switch {
	case e.Action == "build-output":
		grow(r.build, e.ImportPath).WriteString(e.Output)
	case e.Action == "output":
		grow(r.output, k).WriteString(e.Output)
	case e.Test == "":
		r.endPackage(e)
	default:
		r.endTest(e, k)
	}
}

func (r *report) endTest(e event, k key) {
	t := grow(r.packages, e.Package)
	said := grow(r.output, k).String()
	switch e.Action {
	case "pass":
		t.passed++
		r.passed++
		if text := words(said); r.log && text != "" {
			fmt.Fprintf(r.out, "      %s\n%s", e.Test, indent(text))
		}
	case "fail":
		t.failed++
		r.failed++
		fmt.Fprintf(r.out, "FAIL  %s %s\n%s", e.Package, e.Test, indent(said))
	case "skip":
		t.skipped++
		if strings.Contains(said, notHere) {
			r.skips = append(r.skips, fmt.Sprintf("%s %s\n%s", e.Package, e.Test, indent(words(said))))
			break
		}
		t.failed++
		r.failed++
		fmt.Fprintf(r.out, "FAIL  %s %s was skipped\n%s", e.Package, e.Test, indent(words(said)))
	default:
		return // run, pause, cont, …: not the end
	}
	delete(r.output, k)
}

func (r *report) endPackage(e event) {
	t := grow(r.packages, e.Package)
	switch e.Action {
	case "pass":
		fmt.Fprintf(r.out, "ok    %s  %d tests, %.1f s\n", e.Package, t.passed+t.skipped, e.Elapsed)
	case "fail":
		if t.failed > 0 {
			fmt.Fprintf(r.out, "FAIL  %s  %d of %d tests, %.1f s\n", e.Package, t.failed, t.passed+t.failed, e.Elapsed)
			break
		}
		// No test failed, yet the package did: it does not build, it was
		// killed, or something outside of a test went wrong.
		r.failed++
		fmt.Fprintf(r.out, "FAIL  %s\n", e.Package)
		if b := r.build[e.FailedBuild]; b != nil {
			fmt.Fprint(r.out, indent(b.String()))
		}
		r.unfinished(e.Package)
	}
}

// unfinished prints what the package and the tests that never ended have said.
func (r *report) unfinished(pkg string) {
	var keys []key
	for k := range r.output {
		if k.pkg == pkg {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(a.test, b.test) })
	for _, k := range keys {
		fmt.Fprint(r.out, indent(r.output[k].String()))
	}
}

func (r *report) finish() {
	if len(r.skips) > 0 {
		fmt.Fprintf(r.out, "skipped, because they are not for here:\n")
		for _, s := range r.skips {
			fmt.Fprintf(r.out, "      %s", s)
		}
	}
	if r.passed+r.failed == 0 {
		r.failed++
		fmt.Fprintln(r.out, "FAIL  there was no test")
	}
	fmt.Fprintf(r.out, "tests: %d passed, %d failed\n", r.passed, r.failed)
}

// grow is what a map has under a key, or gets.
func grow[K comparable, V any](m map[K]*V, k K) *V {
	if m[k] == nil {
		m[k] = new(V)
	}
	return m[k]
}

// words leaves out the lines by which the test framework frames what a test says.
func words(said string) string {
	var kept strings.Builder
	for line := range strings.Lines(said) {
		if t := strings.TrimSpace(line); !strings.HasPrefix(t, "=== ") && !strings.HasPrefix(t, "--- ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// indent sets a text off, and cuts the middle out of one that nobody would read.
func indent(text string) string {
	const most = 400 // lines: a stack dump of all goroutines, about
	lines := strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n")
	lines = lines[:len(lines)-1]
	if over := len(lines) - most; over > 0 {
		cut := fmt.Sprintf("… %d lines …\n", over)
		lines = slices.Concat(lines[:most/2], []string{cut}, lines[len(lines)-most/2:])
	}
	return "      " + strings.Join(lines, "      ")
}
