package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	tests := []struct {
		name   string
		events []string
		counts [2]int // passed, failed
		says   string
	}{
		{"passes and a subtest", []string{
			`{"Action":"run","Package":"p","Test":"TestA"}`,
			`{"Action":"pass","Package":"p","Test":"TestA/x"}`,
			`{"Action":"pass","Package":"p","Test":"TestA"}`,
			`{"Action":"pass","Package":"p","Elapsed":0.5}`,
		}, [2]int{2, 0}, "ok    p  2 tests, 0.5 s"},
		{"a failure shows its output", []string{
			`{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:3: want 1\n"}`,
			`{"Action":"fail","Package":"p","Test":"TestA"}`,
			`{"Action":"pass","Package":"p","Test":"TestB"}`,
			`{"Action":"fail","Package":"p"}`,
		}, [2]int{1, 1}, "a_test.go:3: want 1"},
		{"a package that does not build", []string{
			`{"ImportPath":"p","Action":"build-output","Output":"p/a.go:1: no\n"}`,
			`{"Action":"fail","Package":"p","FailedBuild":"p"}`,
		}, [2]int{0, 1}, "p/a.go:1: no"},
		{"a package that was killed", []string{
			`{"Action":"output","Package":"p","Test":"TestA","Output":"half way\n"}`,
			`{"Action":"output","Package":"p","Output":"signal: killed\n"}`,
			`{"Action":"fail","Package":"p"}`,
		}, [2]int{0, 1}, "half way"},
		{"a skip fails", []string{
			`{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:3: no strace\n"}`,
			`{"Action":"skip","Package":"p","Test":"TestA"}`,
			`{"Action":"pass","Package":"p"}`,
		}, [2]int{0, 1}, "TestA was skipped\n      a_test.go:3: no strace"},
		{"a skip that may be", []string{
			`{"Action":"pass","Package":"p","Test":"TestB"}`,
			`{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:3: not here: root reads everything\n"}`,
			`{"Action":"skip","Package":"p","Test":"TestA"}`,
			`{"Action":"pass","Package":"p"}`,
		}, [2]int{1, 0}, "root reads everything"},
		{"a package without tests is no test", []string{
			`{"Action":"skip","Package":"p"}`,
		}, [2]int{0, 1}, "there was no test"},
		{"nothing", nil, [2]int{0, 1}, "there was no test"},
		{"the go command's own words", []string{
			`go: cannot find main module`,
		}, [2]int{0, 1}, "cannot find main module"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			r := newReport(&out)
			if err := r.read(strings.NewReader(strings.Join(test.events, "\n"))); err != nil {
				t.Fatal(err)
			}
			r.finish()
			if got := [2]int{r.passed, r.failed}; got != test.counts {
				t.Errorf("passed, failed = %v, want %v", got, test.counts)
			}
			if !strings.Contains(out.String(), test.says) {
				t.Errorf("want %q in:\n%s", test.says, &out)
			}
		})
	}
}

func TestWhatPassedSpeaksOnlyWhenAsked(t *testing.T) {
	const events = `{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: 300 crashes\n"}
{"Action":"pass","Package":"p","Test":"TestA"}`
	for _, log := range []bool{false, true} {
		var out strings.Builder
		r := newReport(&out)
		r.log = log
		if err := r.read(strings.NewReader(events)); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "300 crashes"); got != log || strings.Contains(out.String(), "=== RUN") {
			t.Errorf("log %v:\n%s", log, &out)
		}
	}
}

func TestLongOutputIsCut(t *testing.T) {
	got := indent(strings.Repeat("line\n", 1000))
	if n := strings.Count(got, "\n"); n != 401 || !strings.Contains(got, "… 600 lines …") {
		t.Errorf("%d lines", n)
	}
}
