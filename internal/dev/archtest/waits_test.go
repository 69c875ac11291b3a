package archtest

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestWaitsCanFail(t *testing.T) {
	const imports = `package p; import ("context"; "example.org/pawl/until"; "flag"; "time"); const patience, short = 2 * time.Minute, time.Minute / 3; var long = flag.Bool("", false, ""); `
	in := func(body string) string {
		return imports + "func f(c chan int, d time.Duration) { began := time.Now(); " + body + " }"
	}
	listed := map[string]string{"tool/a_test.go: f": "why"}
	for _, test := range []struct {
		body  string
		fault string // empty: none
	}{
		{"time.Sleep(time.Hour)", "calls time.Sleep"},
		{"for range 9 { time.Sleep(1) }", "calls time.Sleep"},
		{"for i := 0; i < 9; i++ { time.Sleep(1) }", "calls time.Sleep"},
		{"for ; len(c) == 0; time.Sleep(1) {}", ""},
		{"for len(c) == 0 { time.Sleep(1) }", ""},
		{"for { select { case <-c: case <-time.After(1): } }", ""},
		{"for { select { case <-c: case <-time.After(1): panic(0) } }", "waits for a time: After"},
		{"for { select { case <-time.After(1): } }", "waits for a time: After"},
		{"select { case <-c: case <-time.After(1): }", "waits for a time: After"},
		{"select { case <-c: case <-time.After(patience): }", ""},
		{"select { case <-c: case <-time.After(short): }", "waits for a time: After"},
		{"select { case <-c: case <-time.After(until.Hang): }", ""},
		{"select { case <-c: case <-time.After(until.Soon): }", "waits for a time: After"},
		{"select { case <-c: case <-time.After(d): }", "waits for a time: After"},
		{"select { case <-c: case <-time.After(time.Minute + d): }", ""},
		{"select { case <-c: case <-time.After(60 * time.Second): }", ""},
		{"time.AfterFunc(1, nil)", "waits for a time: AfterFunc"},
		{"<-time.NewTimer(30 * time.Second).C", "waits for a time: NewTimer"},
		{"context.WithTimeout(nil, 59 * time.Second)", "waits for a time: WithTimeout"},
		{"context.WithTimeout(nil, time.Minute)", ""},
		{"pg.WithTimeout(time.Second)", "waits for a time: WithTimeout"},
		{"c.SetReadDeadline(time.Now().Add(time.Second))", "waits until a moment"},
		{"c.SetReadDeadline(time.Now().Add(patience))", ""},
		{"for end := time.Now().Add(short); time.Now().Before(end); {}", "waits until a moment"},
		{"for end := time.Now().Add(patience); time.Now().Before(end); {}", ""},
		{"if time.Now().After(began.Add(d)) {}", "waits until a moment"},
		{"if time.Since(began) > time.Second {}", "compares a measured time"},
		{"if took := time.Since(began); took > d {}", "compares a measured time"},
		{"if took := time.Since(began); took > patience {}", ""},
		{"if took := time.Since(began); *long && took > time.Second {}", ""},
		{"if took := time.Since(began); !*long || took <= time.Second {}", ""},
		{"if d > 2*time.Second {}", "compares a time with less than a minute"},
		{"if 0 < d {}", ""},
		{"x(o{Patience: 5 * time.Second})", "sets a limit of less than a minute"},
		{"o.Patience = short", "sets a limit of less than a minute"},
		{"o.Patience = patience", ""},
		{"o.Check.Timeout = time.Second", "sets a limit of less than a minute"},
	} {
		t.Run(test.body, func(t *testing.T) {
			want, none := "", "clock: tool/a_test.go: f does not depend on the clock: remove it from Waits"
			if test.fault != "" {
				want, none = "clock: tool/a_test.go: f "+test.fault+":", ""
			}
			for _, c := range []struct {
				file, source string
				table        Table
				want         string
			}{
				{"tool/a_test.go", in(test.body), Table{}, want},
				{"tool/a_test.go", in(test.body), Table{Waits: listed}, none},
				{"tool/a_test.go", strings.Replace(in("synctest.Wait(); "+test.body), `"flag"`, `"flag"; "testing/synctest"`, 1), Table{}, ""},
				{"tool/a_bench_test.go", in(test.body), Table{}, ""},
				{"tool/a.go", in(test.body), Table{}, ""},
				{"tool/a.go", in(test.body), Table{TestCode: []string{"tool"}}, strings.Replace(want, "a_test", "a", 1)},
				{"tool/a.go", strings.Replace(in(test.body), "package p", "package main", 1), Table{TestCode: []string{"tool"}}, ""},
			} {
				expect(t, c.table, fstest.MapFS{
					c.file: {Data: []byte(c.source)}, "tool/b_test.go": source(""),
					"until/until.go": {Data: []byte(`package until; import "time"; const ( Hang = time.Hour; Soon = time.Second )`)},
				}, c.want)
			}
		})
	}
}
