package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func init() { programs["agent"] = func() { os.Exit(agent()) } }

// agent is a program of the stories, and as an agent's program would, it tells a
// hook what happens.
//
//	exec agent claude FILE [EVENT]
//
// The file holds the payload as that agent writes it, in which $WORK and other
// variables of the story stand for their values. It is the hook itself and has
// no child, so that the hook finds its agent where a real one would: in the
// process that runs the story.
func agent() int {
	payload, err := os.ReadFile(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	text := os.Expand(string(payload), func(name string) string {
		quoted, _ := json.Marshal(os.Getenv(name)) // a string can always be written
		return string(quoted[1 : len(quoted)-1])
	})
	var about struct{ Cwd string }
	if json.Unmarshal([]byte(text), &about) == nil && about.Cwd != "" {
		err = joinStory([]string{"--as", os.Args[1]}, about.Cwd)
	} else {
		err = joinStory([]string{"--as", os.Args[1]})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	in, out, err := os.Pipe()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() {
		io.WriteString(out, text)
		out.Close()
	}()
	os.Stdin = in
	args := []string{"pawl", "hook", "--agent", os.Args[1]}
	if len(os.Args) > 3 {
		args = append(args, "--event", os.Args[3])
	}
	os.Args = args
	takeTime()
	return run()
}

// tellCommand runs agent, and sees to what holds of every answer: nothing but one
// JSON object or nothing at all, and exit code 0. The file is in $WORK. $N counts
// the events that a story has told, so that two of them need not be alike, and
// $NOTE is the last continuation, for programs that pass it on as a prompt.
func tellCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: tell agent file [event]")
	}
	told, _ := strconv.Atoi(ts.Getenv("N"))
	ts.Setenv("N", strconv.Itoa(max(told, 1000)+1))
	args = append([]string{args[0], filepath.Join(ts.Getenv("WORK"), args[1])}, args[2:]...)
	if err := ts.Exec("agent", args...); err != nil {
		ts.Fatalf("a hook failed: %v", err)
	}
	if stderr := ts.ReadFile("stderr"); stderr != "" {
		ts.Fatalf("a hook says: %s", stderr)
	}
	answer := ts.ReadFile("stdout")
	if answer == "" {
		return
	}
	var all map[string]any
	if err := json.Unmarshal([]byte(answer), &all); err != nil {
		ts.Fatalf("an answer is no JSON object: %v: %s", err, answer)
	}
	inner, _ := all["hookSpecificOutput"].(map[string]any)
	for _, text := range []any{all["reason"], all["continue"], all["followup_message"], inner["additionalContext"]} {
		if note, ok := text.(string); ok && strings.HasPrefix(note, "Continue working on this task: ") {
			ts.Setenv("NOTE", note)
		}
	}
}

// renewsCommand tells a hook events whose clock goes ahead by a third of the lease of
// task 1 each time, until the lease ends later.
func renewsCommand(ts *testscript.TestScript, neg bool, args []string) {
	const lease = 12 * time.Minute // as the story sets it
	until := func() time.Time {
		ts.Check(ts.Exec("pawl", "show", "1", "--json"))
		_, after, _ := strings.Cut(ts.ReadFile("stdout"), `"until":"`)
		text, _, _ := strings.Cut(after, `"`)
		when, err := time.Parse(time.RFC3339, text)
		if neg || err != nil {
			ts.Fatalf("task 1 has no lease that ends: %v", err)
		}
		return when
	}
	defer ts.Setenv(ahead, "")
	before := until()
	for passed := lease / 3; until().Equal(before); passed += lease / 3 {
		if passed >= lease {
			ts.Fatalf("the lease still ends at %s", before)
		}
		ts.Setenv(ahead, passed.String())
		tellCommand(ts, neg, args)
	}
}
