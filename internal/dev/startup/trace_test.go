package main

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

const sample = `init internal/bytealg @0 ms, 0 ms clock, 0 bytes, 0 allocs
init runtime @0.046 ms, 0.056 ms clock, 0 bytes, 0 allocs
init encoding/gob @1.2 ms, 0.31 ms clock, 21504 bytes, 229 allocs
pawl: init is not a command
`

func TestTraceIsReadAndTheLeastKept(t *testing.T) {
	first := must.Get(parseTrace(sample))(t)
	second := must.Get(parseTrace(strings.Replace(strings.Replace(sample, "0.31", "0.15", 1), "0.056", "9", 1)))(t)
	first.keepLeast(second)
	if len(first) != 3 || first["encoding/gob"] != (cost{0.15, 229}) || first["runtime"].clock != 0.056 {
		t.Errorf("have %v", first)
	}
	if got := first.slowest()[0]; got != "encoding/gob" {
		t.Errorf("slowest is %s", got)
	}
}

func TestTraceOfAnotherFormIsRefused(t *testing.T) {
	for _, text := range []string{"", "pawl 0.1\n", "init a 3 ms\ninit b 3 ms\ninit c 3 ms\n", strings.Replace(sample, "0.31", "soon", 1), strings.Replace(sample, "229", "many", 1)} {
		if got, err := parseTrace(text); err == nil {
			t.Errorf("%q read as %v", text, got)
		}
	}
}

func TestCostsCanFail(t *testing.T) {
	tests := []struct {
		name  string
		times trace
		slow  map[string]string
		want  string // part of the only fault; empty: none
	}{
		{"quick, on a slow machine", trace{"runtime": {0.05, 0}, "a": {900, maxPackage}}, nil, ""},
		{"one slow package", trace{"runtime": {0.05, 0}, "a": {0.16, maxPackage + 1}}, nil, "a allocates 201 times"},
		{"a known slow package", trace{"a": {0.31, 300}}, map[string]string{"a": "needed"}, ""},
		{"too much in sum", trace{"a": {3.01, maxSum + 1}}, map[string]string{"a": "needed"}, "2001 times in sum"},
		{"a line about nothing", trace{"a": {0.1, 0}}, map[string]string{"b": "needed"}, "slow.txt names b"},
		{"tables of our own", trace{ours + "/tool": {0.01, maxAllocs + 1}}, nil, "tool allocates 16 times"},
		{"few tables of our own", trace{ours: {0.01, maxAllocs}}, nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expect(t, test.times.check(test.slow), test.want) })
	}
}

func TestOrderCanFail(t *testing.T) {
	line := func(name string) string { return "init " + name + " @0.2 ms, 0.01 ms clock, 0 bytes, 0 allocs\n" }
	tests := []struct{ name, text, want string }{
		{"first", line("runtime") + line(stackPackage) + line("os"), ""},
		{"too late", line("os") + line(stackPackage), "does not initialise before os"},
		{"missing", line("runtime") + "pawl\n", "is not in the binary"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { expect(t, checkOrder(test.text), test.want) })
	}
}

func TestModulesCanFail(t *testing.T) {
	tests := []struct{ module, version, want string }{
		{"github.com/spf13/cobra", "v1.10.2", ""},
		{"github.com/mattn/go-runewidth", "v0.0.28", ""},
		{"github.com/mattn/go-runewidth", "v0.1.0", ""},
		{"github.com/mattn/go-runewidth", "v0.0.16", "at least v0.0.28"},
		{"github.com/alecthomas/chroma/v2", "v2.14.0", "lexers"},
		{"google.golang.org/grpc", "v1.70.0", "larger than Pawl"},
		{"go.opentelemetry.io/otel/trace", "v1.30.0", "telemetry"},
	}
	for _, test := range tests {
		t.Run(test.module+" "+test.version, func(t *testing.T) {
			info := &debug.BuildInfo{Deps: []*debug.Module{{Path: test.module, Version: test.version}}}
			expect(t, checkModules(info), test.want)
		})
	}
}

func TestSlowListIsRead(t *testing.T) {
	slow := must.Get(parseSlow(slowText))(t)
	for name, reason := range slow {
		if strings.HasPrefix(reason, "#") {
			t.Errorf("the reason for %s is %q", name, reason)
		}
	}
	if _, err := parseSlow("# remark\n\nencoding/gob\n"); err == nil {
		t.Error("a line without a reason was accepted")
	}
	if slow, err := parseSlow("encoding/gob   pulled in by the MCP library\n"); err != nil || slow["encoding/gob"] != "pulled in by the MCP library" {
		t.Errorf("have %v, %v", slow, err)
	}
}

func expect(t *testing.T, faults []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(faults) == 0:
	case want != "" && len(faults) == 1 && strings.Contains(faults[0], want):
	default:
		t.Errorf("want a fault with %q, have:\n\t%s", want, strings.Join(faults, "\n\t"))
	}
}
