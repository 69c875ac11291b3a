package main

import (
	"os/exec"
	"testing"
)

// A program on a terminal is seen as what it writes comes, and left by a key.
func TestShown(t *testing.T) {
	s, err := show(exec.Command("sh", "-c", `test -t 0 && test -t 1 && stty size; read line; echo "read $line"; read line; echo end; read line`))
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.await("40 120", 0)
	if err != nil {
		t.Fatal(err)
	}
	place := s.now()
	if _, err := s.master.WriteString("one\n"); err != nil {
		t.Fatal(err)
	}
	second, err := s.await("read one", place)
	if err != nil || !second.After(first) {
		t.Fatal(first, second, err)
	}
	if n := s.frames(place); n < 1 {
		t.Errorf("%d frames", n)
	}
	used, err := processor(s.cmd.Process.Pid, false)
	if err != nil || used < 0 {
		t.Errorf("it took %v of a processor, %v", used, err)
	}
	if err := s.leave("\n\n"); err != nil {
		t.Error(err)
	}
	if _, err := s.await("nothing", 0); err == nil {
		t.Error("a program that has ended said nothing more, and that was found")
	}
}
