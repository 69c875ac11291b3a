// Package fakeagent plays a coding agent in tests: a program that reads a prompt from
// stdin, follows a script, and prints as Claude Code does with --output-format
// stream-json.
//
// A test's own binary can be the agent:
//
//	func TestMain(m *testing.M) {
//		fakeagent.Main() // returns unless this process was started as the agent
//		os.Exit(m.Run())
//	}
//
//	words := append(fakeagent.Command(), "--scripts", dir)
//
// Demos and e2e build it: go build ./internal/dev/fakeagent/agent
//
// # Which script
//
// That of --script FILE, of the environment's STANDIN_SCRIPT, or the first that exists in
// the folder of --scripts DIR or STANDIN_SCRIPTS: ID-ATTEMPT.txt, ID.txt, default.txt,
// with PAWL_TASK and PAWL_ATTEMPT. Other arguments are ignored, except --resume SESSION.
//
//	# 4-1.txt: the first attempt of task 4 forgets the test
//	say I begin
//	write hello.go "package main\n\nfunc main() {}"
//	tokens 12000 800 0.05
//	commit say hello
//
// A line is an action and its words. A word in double quotes may have spaces and \n; $NAME
// is a variable of the environment. An action that fails ends the agent with exit code 70;
// a command that fails (pawl, sh, done, hold) does not.
//
//	write FILE TEXT…    edit FILE OLD NEW    append FILE TEXT…    rm FILE    touch FILE
//	prompt FILE         writes the prompt that it got to a file
//	commit MESSAGE…     git add -A, git commit
//	say TEXT…
//	tokens IN OUT [DOLLARS]   used by one message, told while it works
//	sleep DURATION      wait FILE: until it exists
//	pawl WORD…          runs PAWL_BIN, or pawl on PATH, and says what it printed
//	done                pawl done $PAWL_TASK
//	hold REASON…        pawl hold $PAWL_TASK
//	sh COMMAND          the rest of the line is the shell's
//	exit N              no-work: exit 0
//	signal NAME         dies of it
//	hang                ignore-term: ignores SIGTERM, and hangs
//	flood BYTES         of messages
//	fork [FILE]         leaves a child running; its number goes to FILE
//	daemon [FILE]       the same with a session of its own
//	tty                 asks on the terminal, and waits for the answer, if there is one
//	edit-main FILE TEXT…      writes a file of the main checkout, or of STANDIN_MAIN
//	rm-tree             removes its work tree
//	rename-branch NAME  detach    mid-rebase: leaves a rebase with a conflict half done
//	config KEY VALUE    git config, which all work trees share
//	rate-limit SECONDS  the provider refuses until then; exit 1
//	resume-print        says whether it was started with --resume
//
// At the end of its script it prints its result and exits with 0. It never runs for longer
// than [MaxLife], and neither do its children.
package fakeagent
