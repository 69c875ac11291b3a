package main

import "testing"

// Somebody who has never seen Pawl gets a plan onto a board, and works on it,
// with keys that the screen names.
func TestNewcomer(t *testing.T) {
	h := newHome(t)
	s := h.show(t, 100, 30, "board")
	s.sees("press a")
	for _, subject := range []string{"Set up the project", "Write the parser", "Test the parser"} {
		s.press("a")
		s.sees("Add a task", "Enter add")
		s.write(subject)
		s.sees(subject)
		s.press("Enter")
		s.seesNot("Add a task")
		s.seesRow("◆", subject)
	}
	s.sees("Ready 3", "Added #3 Test the parser", "l link")

	// The last one is the selected one.
	s.press("l")
	s.sees("What does #3 Test the parser wait for?")
	s.write("write")
	s.sees("1 of 2", "▸ [ ] ◆ #2 Write the parser")
	s.press("Enter")
	s.sees("Blocked 1", "Ready 2", "waits for #2 Write the ")

	// A refusal says why and what to do.
	s.press("d")
	s.seesRow("#3", "#2")
	s.sees("Blocked 1")

	s.press("Right", "Home")
	s.sees("▌ ◆ #2 Write the parser", "c claim")
	s.press("c")
	s.sees("In progress 1", "Claimed #2 Write the parser")
	s.press("d")
	s.sees("Completed #2 Write the parser", "✔ 1", "Blocked 0", "Ready 2")
	s.press("u")
	s.sees("In progress 1", "✔ 0", "Blocked 1", "Ready 1")

	s.press("?")
	s.sees("── Help", "u undoes them", "claim: you own it")
	s.press("Escape") // alone: with the next key at once it would be that key with Alt
	s.seesNot("── Help")
	s.press("q")
	s.ends()
	if got, want := h.run(t, "list"), "[ ] #1 Set up the project\n[>] #2 Write the parser @ada\n[ ] #3 Test the parser (blocked by #2)\n"; got != want {
		t.Errorf("the board is\n%swant\n%s", got, want)
	}
}
