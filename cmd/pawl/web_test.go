package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// asksCommand asks a server, and prints the code of the answer and the answer.
func asksCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 4 {
		ts.Fatalf("usage: asks method address [token|- [body]]")
	}
	token, body := "", ""
	if len(args) > 2 && args[2] != "-" {
		token = args[2]
	}
	if len(args) > 3 {
		body = args[3]
	}
	r, err := http.NewRequest(args[0], args[1], strings.NewReader(body))
	ts.Check(err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(r)
	ts.Check(err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	ts.Check(err)
	_, err = fmt.Fprintf(ts.Stdout(), "%d %s", res.StatusCode, text)
	ts.Check(err)
}
